// How long the parts of a step take.
#pragma once

#include <chrono>
#include <utility>

namespace engine::backend {

class LapClock {
public:
    // Microseconds since the last call.
    float lap() {
        const auto now = std::chrono::steady_clock::now();
        return std::chrono::duration<float, std::micro>(now - std::exchange(last_, now)).count();
    }

private:
    std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace engine::backend
