// See cuda_runtime.h. A number is its 16 bits; arithmetic is done in float by who converts.
#pragma once

#include <bit>
#include <cstdint>

#include <cuda_runtime.h>

struct __nv_bfloat16_raw {
    unsigned short x;
};
struct __nv_bfloat16 {
    unsigned short __x;

    __nv_bfloat16() = default;
    __nv_bfloat16(float value) : __x(round(value)) {}
    __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
    operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(__x) << 16); }
    operator __nv_bfloat16_raw() const { return {__x}; }

private:
    // Rounds to the nearest, ties to even; a NaN becomes the device's own.
    static unsigned short round(float value) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        if ((bits & 0x7FFFFFFFU) > 0x7F800000U) return 0x7FFF;
        return static_cast<unsigned short>((bits + 0x7FFFU + (bits >> 16 & 1U)) >> 16);
    }
};
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    __nv_bfloat162(__nv_bfloat16 x_, __nv_bfloat16 y_) : x(x_), y(y_) {}
};

inline __nv_bfloat16 __float2bfloat16(float value) {
    return __nv_bfloat16(value);
}
inline __nv_bfloat16 __float2bfloat16_rn(float value) {
    return __nv_bfloat16(value);
}
inline float __bfloat162float(__nv_bfloat16 value) {
    return static_cast<float>(value);
}
inline __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
    return {__nv_bfloat16(x), __nv_bfloat16(y)};
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 value) {
    return {__nv_bfloat16(value.x), __nv_bfloat16(value.y)};
}
inline float2 __bfloat1622float2(__nv_bfloat162 value) {
    return {static_cast<float>(value.x), static_cast<float>(value.y)};
}
inline unsigned short __bfloat16_as_ushort(__nv_bfloat16 value) {
    return value.__x;
}
inline __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) {
    return __nv_bfloat16_raw{bits};
}
