#include "engine/train/fit/training_clock.h"

namespace engine::train {

std::int64_t nowUnixNs() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

bool TrainingClock::stepDone(std::int64_t unix_ns) {
    const bool is_first = first_step_unix_ns_ == 0;
    if (is_first) {
        first_step_unix_ns_ = unix_ns;
    }
    return is_first;
}

void TrainingClock::leaveOutPause(Duration spent) {
    paused_ += spent;
    leaveOut(spent);
}

void TrainingClock::warm(Time now, std::int64_t steps) {
    if (!from_) {
        from_ = now;
        from_step_ = steps;
        not_training_ = {};
    }
}

std::optional<double> TrainingClock::samplesPerSecond(std::int64_t steps, std::int64_t samples) const {
    if (!from_ || steps <= from_step_) {
        return std::nullopt;
    }
    const std::chrono::duration<double> seconds = to_ - *from_ - not_training_;
    return seconds.count() > 0 ? static_cast<double>((steps - from_step_) * samples) / seconds.count() : 0;
}

}  // namespace engine::train
