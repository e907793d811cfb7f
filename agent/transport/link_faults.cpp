#include "agent/transport/link_faults.h"

#include <algorithm>

namespace agent::worker {

void LinkFaults::slow(std::chrono::milliseconds delay, std::chrono::milliseconds lasting, Clock::time_point now) {
    const engine::MutexLock lock(mutex_);
    delay_ = delay;
    slow_until_ = now + lasting;
    any_ = true;
}

void LinkFaults::cut(int peer, std::chrono::milliseconds lasting, Clock::time_point now) {
    const engine::MutexLock lock(mutex_);
    cut_.at(static_cast<std::size_t>(peer)) = {now, now + lasting};
    any_ = true;
}

void LinkFaults::expire(Clock::time_point now) const {
    any_ = now < slow_until_ || std::any_of(cut_.begin(), cut_.end(), [now](const Cut& one) { return now < one.until; });
}

std::optional<LinkFaults::Clock::time_point> LinkFaults::cutSince(int peer, Clock::time_point now) const {
    if (!any()) {
        return std::nullopt;
    }
    const engine::MutexLock lock(mutex_);
    expire(now);
    const Cut& cut = cut_.at(static_cast<std::size_t>(peer));
    return now < cut.until ? std::optional(cut.since) : std::nullopt;
}

bool LinkFaults::maySend(int peer, Clock::time_point now) {
    if (!any()) {
        return true;
    }
    const engine::MutexLock lock(mutex_);
    expire(now);
    auto& held = held_since_.at(static_cast<std::size_t>(peer));
    if (now < cut_.at(static_cast<std::size_t>(peer)).until) {
        held.reset();
        return false;
    }
    if (now >= slow_until_) {
        held.reset();
        return true;
    }
    if (!held) {
        held = now;
    }
    if (now - *held < delay_) {
        return false;
    }
    held.reset();
    return true;
}

}  // namespace agent::worker
