// Lines about who was refused, few enough that nobody can fill a disk by calling.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace agent::direct {

// Used by one thread. It writes at most five lines in ten seconds; the next line says how many refusals it left out before.
class RefusalLog {
public:
    using Clock = std::chrono::steady_clock;
    explicit RefusalLog(std::function<void(const std::string&)> log) : log_(std::move(log)) {}

    void refused(const std::string& where, const std::string& why, Clock::time_point now);

private:
    const std::function<void(const std::string&)> log_;
    Clock::time_point period_end_{};
    int lines_ = 0;
    std::int64_t silent_ = 0;
};

}  // namespace agent::direct
