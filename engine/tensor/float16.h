// IEEE 754's half precision, kept as its 16 bits: 1 sign, 5 exponent, 10 fraction. Any thread.
#pragma once

#include <bit>
#include <cstdint>

namespace engine::tensor {

// Rounds to the nearest, ties to even; a value from 65520 on becomes infinity, one below 2^-25 becomes 0. A NaN stays one: it is made
// quiet.
constexpr std::uint16_t toFloat16(float value) {
    constexpr std::uint32_t kSign = 0x8000'0000, kInfinity = 0x7F80'0000;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t size = bits & ~kSign, sign = (bits & kSign) >> 16;
    if (size > kInfinity) return static_cast<std::uint16_t>(sign | 0x7E00 | (size >> 13 & 0x3FF));
    constexpr std::uint32_t kBeyond = 0x477F'F000;  // 65520
    if (size >= kBeyond) return static_cast<std::uint16_t>(sign | 0x7C00);
    constexpr std::uint32_t kSmallestNormal = 0x3880'0000, kRebias = 112U << 23;
    if (size >= kSmallestNormal) {
        const std::uint32_t rounded = size - kRebias + 0xFFF + (size >> 13 & 1U);
        return static_cast<std::uint16_t>(sign | rounded >> 13);
    }
    // Steps of 2^-24: the sum with 0.5 has the fraction's last bit there, and rounds it.
    const float shifted = std::bit_cast<float>(size) + 0.5F;
    return static_cast<std::uint16_t>(sign | (std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5F)));
}

constexpr float fromFloat16(std::uint16_t bits) {
    const std::uint32_t sign = (bits & 0x8000U) << 16, exponent = bits >> 10 & 0x1FU, fraction = bits & 0x3FFU;
    if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F80'0000U | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float size = static_cast<float>(fraction) * 0x1.0p-24F;
    return sign == 0 ? size : -size;
}

}  // namespace engine::tensor
