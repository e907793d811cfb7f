// The faults that a user puts between this task and its peers (engine/chaos/fault.h): messages that leave later, and ways that carry
// nothing. While there is none, asking costs the load of one atomic.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <vector>

#include "engine/thread/mutex.h"

namespace agent::worker {

// Owned by the task, outlives its transport. Safe from any thread but for maySend(), which is the transport's.
class LinkFaults {
public:
    using Clock = std::chrono::steady_clock;

    explicit LinkFaults(int peers) : cut_(static_cast<std::size_t>(peers)), held_since_(static_cast<std::size_t>(peers)) {}

    // Each message of this task leaves `delay` later than it could.
    void slow(std::chrono::milliseconds delay, std::chrono::milliseconds lasting, Clock::time_point now = Clock::now());
    // Cuts the way to that peer: nothing is sent to it, and nothing that it sends is read.
    void cut(int peer, std::chrono::milliseconds lasting, Clock::time_point now = Clock::now());

    // False when no fault is under way.
    bool any() const { return any_.load(std::memory_order_relaxed); }
    // Returns since when the way to the peer is cut; nullopt: it is not.
    std::optional<Clock::time_point> cutSince(int peer, Clock::time_point now = Clock::now()) const;
    // True when the next message to the peer may leave now. The transport asks again until it may.
    bool maySend(int peer, Clock::time_point now = Clock::now());

private:
    struct Cut {
        Clock::time_point since{}, until{};
    };
    void expire(Clock::time_point now) const TANDEM_REQUIRES(mutex_);

    mutable std::atomic<bool> any_ = false;  // something under the mutex is not over
    mutable engine::Mutex mutex_;
    std::vector<Cut> cut_ TANDEM_GUARDED_BY(mutex_);  // by peer
    std::chrono::milliseconds delay_ TANDEM_GUARDED_BY(mutex_){0};
    Clock::time_point slow_until_ TANDEM_GUARDED_BY(mutex_){};
    std::vector<std::optional<Clock::time_point>> held_since_;  // by peer: when its next message could have left first
};

}  // namespace agent::worker
