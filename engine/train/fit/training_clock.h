// How long a run trains and how fast: pauses and evaluations are no training, and the first epoch warms up.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace engine::train {

// The system's time, which points and events carry: nanoseconds since 1970.
std::int64_t nowUnixNs();

// Owned by the trainer; one thread. Whoever calls says what time it is.
class TrainingClock {
public:
    using Time = std::chrono::steady_clock::time_point;
    using Duration = std::chrono::steady_clock::duration;

    // Nanoseconds since 1970 of the step that is over. True for the first one of this start.
    bool stepDone(std::int64_t unix_ns);
    // 0 before the first step.
    std::int64_t firstStepUnixNs() const { return first_step_unix_ns_; }

    // Time that went by without training: an evaluation, a look at the weights.
    void leaveOut(Duration spent) { not_training_ += spent; }
    // The same, and the epoch did not take so long either.
    void leaveOutPause(Duration spent);
    // All pauses together.
    Duration paused() const { return paused_; }

    // `steps` were done when an epoch was over, or when a run had warmed up otherwise. The speed is measured from the first call on.
    void warm(Time now, std::int64_t steps);
    // Training is over.
    void end(Time now) { to_ = now; }
    // `steps` is how many were done at the end, `samples` what each of them took over all replicas. nullopt when none came after the first
    // epoch; 0 where no time went by.
    std::optional<double> samplesPerSecond(std::int64_t steps, std::int64_t samples) const;

private:
    std::int64_t first_step_unix_ns_ = 0;
    std::optional<Time> from_;
    Time to_{};
    Duration not_training_{};  // since from_
    Duration paused_{};
    std::int64_t from_step_ = 0;
};

}  // namespace engine::train
