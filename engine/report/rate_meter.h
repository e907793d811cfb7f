// Examples per second from the times of single steps.
#pragma once

#include <optional>

namespace engine::report {

// Counts what arrived in windows of at least `window_s`; the first step only starts the clock. Plain value.
class RateMeter {
public:
    explicit RateMeter(double window_s = 0.25) : window_s_(window_s) {}

    // A step that ended at `time_s` with `examples`; the rate of the window that it closed, if any.
    std::optional<double> add(double time_s, double examples) {
        if (!started_ || time_s < started_s_) {
            started_ = true;
            started_s_ = time_s;
            examples_ = 0;
            return std::nullopt;
        }
        examples_ += examples;
        const double seconds = time_s - started_s_;
        if (seconds < window_s_ || seconds <= 0) return std::nullopt;
        const double rate = examples_ / seconds;
        started_s_ = time_s;
        examples_ = 0;
        return rate;
    }

private:
    double window_s_;
    bool started_ = false;
    double started_s_ = 0;
    double examples_ = 0;
};

}  // namespace engine::report
