// How long something has taken, and whether the machine had the time for it: what is promised within a time is promised of a quiet machine.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

namespace tests::support {

class Stopwatch {
public:
    using Clock = std::chrono::steady_clock;

    Clock::duration time() const { return Clock::now() - began_; }

    // The machine had other things to do meanwhile: some process waited for a processor, a disk or memory for a tenth of the time, or the
    // average of the last minute says so at either end.
    bool wasBusy() const { return was_loaded_ || isLoaded() || waited() - waited_ > time() / 10; }

    // It took no longer, or the machine was busy.
    bool isWithin(Clock::duration most) const { return time() <= most || wasBusy(); }

private:
    static bool isLoaded() {
        double average = 0;
        return ::getloadavg(&average, 1) == 1 && average > std::thread::hardware_concurrency();
    }
    // By processes of this machine since it was started; 0 where nobody counts.
    static std::chrono::microseconds waited() {
        std::int64_t total = 0;
        for (const char* file : {"/proc/pressure/cpu", "/proc/pressure/io", "/proc/pressure/memory"}) {
            std::ifstream pressure(file);
            std::string line;
            std::getline(pressure, line);  // "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345"
            const std::size_t at = line.rfind('=');
            if (at != std::string::npos) total += std::strtoll(line.c_str() + at + 1, nullptr, 10);
        }
        return std::chrono::microseconds(total);
    }

    const bool was_loaded_ = isLoaded();
    const std::chrono::microseconds waited_ = waited();
    const Clock::time_point began_ = Clock::now();
};

}  // namespace tests::support
