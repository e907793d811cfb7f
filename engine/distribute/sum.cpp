#include "engine/distribute/sum.h"

#include <cstring>

namespace engine::distribute {
namespace {

// Vectors through the compiler's extension: one text, compiled for three instruction sets. Bytes is the width.
template <std::size_t Bytes>
struct VectorOf {
    typedef float Type __attribute__((vector_size(Bytes), aligned(4), may_alias));
    static constexpr std::size_t kLanes = Bytes / sizeof(float);
};

// Always inlined into a function with the target attribute, whose instructions it then uses.
template <std::size_t Bytes>
[[gnu::always_inline]] inline void addIntoLoop(float* own, const std::byte* incoming, std::size_t count) {
    using V = typename VectorOf<Bytes>::Type;
    constexpr std::size_t kLanes = VectorOf<Bytes>::kLanes;
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        V theirs;
        std::memcpy(&theirs, incoming + i * sizeof(float), sizeof theirs);
        V mine = *reinterpret_cast<const V*>(own + i);
        *reinterpret_cast<V*>(own + i) = theirs + mine;
    }
    for (; i < count; ++i) {
        float theirs;
        std::memcpy(&theirs, incoming + i * sizeof(float), sizeof theirs);
        own[i] = theirs + own[i];
    }
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline void sumTwoLoop(float* a, float* b, std::size_t count) {
    using V = typename VectorOf<Bytes>::Type;
    constexpr std::size_t kLanes = VectorOf<Bytes>::kLanes;
    std::size_t i = 0;
    for (; i + 4 * kLanes <= count; i += 4 * kLanes) {
        V sum[4];
        for (std::size_t k = 0; k < 4; ++k) {
            sum[k] = *reinterpret_cast<const V*>(a + i + k * kLanes) + *reinterpret_cast<const V*>(b + i + k * kLanes);
        }
        for (std::size_t k = 0; k < 4; ++k) *reinterpret_cast<V*>(a + i + k * kLanes) = sum[k];
        for (std::size_t k = 0; k < 4; ++k) *reinterpret_cast<V*>(b + i + k * kLanes) = sum[k];
    }
    for (; i < count; ++i) a[i] = b[i] = a[i] + b[i];
}

template <std::size_t Bytes>
[[gnu::always_inline]] inline void sumAllLoop(std::span<float* const> outs, std::span<float* const> parts, std::size_t count) {
    using V = typename VectorOf<Bytes>::Type;
    constexpr std::size_t kLanes = VectorOf<Bytes>::kLanes;
    std::size_t i = 0;
    for (; i + kLanes <= count; i += kLanes) {
        V sum = *reinterpret_cast<const V*>(parts[0] + i);
        for (std::size_t k = 1; k < parts.size(); ++k) sum = sum + *reinterpret_cast<const V*>(parts[k] + i);
        for (float* out : outs) *reinterpret_cast<V*>(out + i) = sum;
    }
    for (; i < count; ++i) {
        float sum = parts[0][i];
        for (std::size_t k = 1; k < parts.size(); ++k) sum = sum + parts[k][i];
        for (float* out : outs) out[i] = sum;
    }
}

struct Kernels {
    void (*add_into)(float*, const std::byte*, std::size_t);
    void (*sum_two)(float*, float*, std::size_t);
    void (*sum_all)(std::span<float* const>, std::span<float* const>, std::size_t);
};

constexpr Kernels kPortable = {
    [](float* own, const std::byte* incoming, std::size_t count) { addIntoLoop<16>(own, incoming, count); },
    [](float* a, float* b, std::size_t count) { sumTwoLoop<16>(a, b, count); },
    [](std::span<float* const> outs, std::span<float* const> parts, std::size_t count) { sumAllLoop<16>(outs, parts, count); },
};

#if defined(__x86_64__)
[[gnu::target("avx2")]] void addIntoAvx2(float* own, const std::byte* incoming, std::size_t count) {
    addIntoLoop<32>(own, incoming, count);
}
[[gnu::target("avx2")]] void sumTwoAvx2(float* a, float* b, std::size_t count) {
    sumTwoLoop<32>(a, b, count);
}
[[gnu::target("avx2")]] void sumAllAvx2(std::span<float* const> outs, std::span<float* const> parts, std::size_t count) {
    sumAllLoop<32>(outs, parts, count);
}
[[gnu::target("avx512f")]] void addIntoAvx512(float* own, const std::byte* incoming, std::size_t count) {
    addIntoLoop<64>(own, incoming, count);
}
[[gnu::target("avx512f")]] void sumTwoAvx512(float* a, float* b, std::size_t count) {
    sumTwoLoop<64>(a, b, count);
}
[[gnu::target("avx512f")]] void sumAllAvx512(std::span<float* const> outs, std::span<float* const> parts, std::size_t count) {
    sumAllLoop<64>(outs, parts, count);
}

Kernels chooseKernels() {
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f")) return {addIntoAvx512, sumTwoAvx512, sumAllAvx512};
    if (__builtin_cpu_supports("avx2")) return {addIntoAvx2, sumTwoAvx2, sumAllAvx2};
    return kPortable;
}
#else
Kernels chooseKernels() {
    return kPortable;
}
#endif

const Kernels kKernels = chooseKernels();

}  // namespace

void addInto(float* own, const std::byte* incoming, std::size_t count) {
    kKernels.add_into(own, incoming, count);
}

void sumToAll(std::span<float* const> parts, std::size_t count) {
    if (parts.size() == 2) {
        kKernels.sum_two(parts[0], parts[1], count);
    } else {
        kKernels.sum_all(parts, parts, count);
    }
}

void sumTo(float* out, std::span<float* const> parts, std::size_t count) {
    kKernels.sum_all(std::span(&out, 1), parts, count);
}

}  // namespace engine::distribute
