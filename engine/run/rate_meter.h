// Examples per second from the times of single steps.
#pragma once

#include <optional>

namespace engine::run {

// Counts what arrived in windows of at least `window_s`; the first step only starts the clock. Plain value.
class RateMeter {
public:
    explicit RateMeter(double window_s = 0.25) : window_s_(window_s) {}

    // A step that ended at `time_s` with `examples`; the rate of the window that it closed, if any.
    std::optional<double> add(double time_s, double examples) {
        if (!started_ || time_s < started_s_) {
            started_ = true;
            started_s_ = last_s_ = time_s;
            examples_ = 0;
            return std::nullopt;
        }
        last_s_ = time_s;
        examples_ += examples;
        const double seconds = time_s - started_s_;
        if (seconds < window_s_ || seconds <= 0) return std::nullopt;
        const double rate = examples_ / seconds;
        started_s_ = time_s;
        examples_ = 0;
        return rate;
    }

    // Says that nothing is trained up to the next step, which starts the clock again.
    void pause() {
        started_ = false;
        examples_ = 0;
    }

    // The rate of the window that is open: of a run that was over before one closed. None without a second step.
    std::optional<double> rest() const {
        const double seconds = last_s_ - started_s_;
        return seconds > 0 ? std::optional(examples_ / seconds) : std::nullopt;
    }

private:
    double window_s_;
    bool started_ = false;
    double started_s_ = 0, last_s_ = 0;
    double examples_ = 0;
};

}  // namespace engine::run
