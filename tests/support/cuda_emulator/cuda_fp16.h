// See cuda_runtime.h. A number is its 16 bits; arithmetic is done in float by who converts.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include <cuda_runtime.h>

struct __half_raw {
    unsigned short x;
};
struct __half {
    unsigned short __x;

    __half() = default;
    __half(float value) : __x(round(value)) {}
    __half(__half_raw raw) : __x(raw.x) {}
    operator float() const { return widen(__x); }
    operator __half_raw() const { return {__x}; }

private:
    // Rounds to the nearest, ties to even.
    static unsigned short round(float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const auto sign = static_cast<std::uint32_t>(bits >> 16 & 0x8000U);
        const std::uint32_t size = bits & 0x7FFFFFFFU;
        if (size > 0x7F800000U) return 0x7FFF;
        if (size >= 0x477FF000U) return static_cast<unsigned short>(sign | 0x7C00U);  // 65520 and more
        if (size < 0x38800000U) {                                                     // below the normal ones: a multiple of 2^-24
            const double steps = std::nearbyint(static_cast<double>(std::bit_cast<float>(size)) * 0x1.0p24);
            return static_cast<unsigned short>(sign | static_cast<std::uint32_t>(steps));
        }
        const std::uint32_t rounded = size + 0xFFFU + (size >> 13 & 1U);
        return static_cast<unsigned short>(sign | (rounded - 0x38000000U) >> 13);
    }
    static float widen(unsigned short half) {
        const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16, exponent = half >> 10 & 0x1FU,
                            mantissa = half & 0x3FFU;
        if (exponent == 0x1FU) return std::bit_cast<float>(sign | 0x7F800000U | mantissa << 13);
        if (exponent == 0) {
            const float size = static_cast<float>(mantissa) * 0x1.0p-24F;
            return sign != 0 ? -size : size;
        }
        return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
    }
};
struct alignas(4) __half2 {
    __half x, y;
    __half2() = default;
    __half2(__half x_, __half y_) : x(x_), y(y_) {}
};
using half = __half;
using half2 = __half2;

inline __half __float2half(float value) {
    return __half(value);
}
inline __half __float2half_rn(float value) {
    return __half(value);
}
inline float __half2float(__half value) {
    return static_cast<float>(value);
}
inline __half2 __floats2half2_rn(float x, float y) {
    return {__half(x), __half(y)};
}
inline float2 __half22float2(__half2 value) {
    return {static_cast<float>(value.x), static_cast<float>(value.y)};
}
inline unsigned short __half_as_ushort(__half value) {
    return value.__x;
}
inline __half __ushort_as_half(unsigned short bits) {
    return __half_raw{bits};
}
