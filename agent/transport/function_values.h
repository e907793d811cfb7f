// What goes with a function to a worker and comes back from it. Plain values.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace agent::worker {

// The values are small: numbers and bytes of kMaxFunctionBytes together at the most. Large ones (samples, variables) do not travel with a
// function.
struct FunctionValues {
    std::vector<float> numbers{};
    std::string bytes{};
    friend bool operator==(const FunctionValues&, const FunctionValues&) = default;
};

inline constexpr std::size_t kMaxFunctionBytes = 256 * 1024;

inline std::size_t sizeOf(const FunctionValues& values) {
    return values.numbers.size() * sizeof(float) + values.bytes.size();
}

}  // namespace agent::worker
