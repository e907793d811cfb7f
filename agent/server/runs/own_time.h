// A steady clock that leaves out the time in which this very process was stopped (SIGSTOP, a frozen group of processes, no processor for a
// while): nobody else was silent then, nobody listened. Used by one thread.
#pragma once

#include <chrono>

namespace agent::server {

class OwnTime {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Duration = std::chrono::steady_clock::duration;

    explicit OwnTime(Time now, Duration tolerance = std::chrono::seconds(1)) : tolerance_(tolerance), last_turn_(now) {}

    // Called when a turn of the thread's loop has ended that had meant to sleep for `sleep` at the most. The time that it took beyond that
    // and the tolerance is left out. Returns the time of the turn that begins.
    Time turn(Time now, Duration sleep) {
        const Duration late = now - last_turn_ - sleep;
        last_turn_ = now;
        left_out_ += late > tolerance_ ? late : Duration::zero();
        return at(now);
    }
    Time at(Time now) const { return now - left_out_; }
    Duration leftOut() const { return left_out_; }

private:
    const Duration tolerance_;
    Time last_turn_;
    Duration left_out_{};
};

}  // namespace agent::server
