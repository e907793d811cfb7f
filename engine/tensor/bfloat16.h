// bfloat16: the upper half of a float32, kept as its 16 bits. Any thread.
#pragma once

#include <bit>
#include <cstdint>

namespace engine::tensor {

// Rounds to the nearest, ties to even; a value beyond the largest becomes infinity. A NaN stays one: it is made quiet, so that no bits of
// the lower half are needed to tell it from infinity.
constexpr std::uint16_t toBfloat16(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    constexpr std::uint32_t kSign = 0x8000'0000, kInfinity = 0x7F80'0000, kQuiet = 0x0040'0000, kHalf = 0x7FFF;
    const bool is_nan = (bits & ~kSign) > kInfinity;
    const std::uint32_t rounded = is_nan ? bits | kQuiet : bits + kHalf + (bits >> 16 & 1U);
    return static_cast<std::uint16_t>(rounded >> 16);
}

constexpr float fromBfloat16(std::uint16_t bits) {
    return std::bit_cast<float>(std::uint32_t{bits} << 16);
}

}  // namespace engine::tensor
