#include "engine/distribute/peer_health.h"

#include "engine/distribute/peer_lost.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace engine::distribute {

std::string toString(const TaskName& name) {
    return name.address.empty() ? name.task : name.task + " at " + name.address;
}

PeerHealth::PeerHealth(std::vector<TaskName> names) : names_(std::move(names)), states_(names_.size()) {}

void PeerHealth::markLost(int rank, const std::string& why) {
    const MutexLock lock(mutex_);
    State& state = states_[static_cast<std::size_t>(rank)];
    if (state.lost || state.left) return;
    state.lost = true;
    state.lost_because = why;
    if (first_lost_ < 0) first_lost_ = rank;
    any_.store(true, std::memory_order_release);
}

void PeerHealth::markLeft(int rank) {
    const MutexLock lock(mutex_);
    State& state = states_[static_cast<std::size_t>(rank)];
    if (state.lost || state.left) return;
    state.left = true;
    state.left_at = std::chrono::steady_clock::now();
    any_.store(true, std::memory_order_release);
}

void PeerHealth::check(int waited_for) const {
    if (!any_.load(std::memory_order_acquire)) return;
    const MutexLock lock(mutex_);
    if (first_lost_ >= 0) {
        throw PeerLost(toString(name(first_lost_)) + " " + states_[static_cast<std::size_t>(first_lost_)].lost_because);
    }
    if (waited_for < 0) return;
    const State& state = states_[static_cast<std::size_t>(waited_for)];
    if (state.left && std::chrono::steady_clock::now() - state.left_at > kGrace) {
        throw Error(ErrorCode::kUnavailable, toString(name(waited_for)) + " left the run while others still wait for it");
    }
}

void PeerHealth::checkAll(int own_rank) const {
    if (!any_.load(std::memory_order_acquire)) return;
    for (int rank = 0; rank < size(); ++rank) {
        if (rank != own_rank) check(rank);
    }
}

}  // namespace engine::distribute
