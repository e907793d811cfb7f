#include "machine_peak.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace tests::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Independent sums, more than the latency of a multiply-add times those that begin in a cycle.
constexpr int kSums = 12;
constexpr std::int64_t kRounds = 20000;

template <typename Vec>
[[gnu::always_inline]] inline float addProducts(float seed) {
    Vec sums[kSums], a, b;
    for (int i = 0; i < kSums; ++i) sums[i] = Vec{} + seed * static_cast<float>(i);
    a = Vec{} + (1 - seed * 1e-6F);
    b = Vec{} + seed * 1e-9F;
    for (std::int64_t round = 0; round < kRounds; ++round) {
#pragma GCC unroll 12
        for (int i = 0; i < kSums; ++i) sums[i] = sums[i] * a + b;
    }
    Vec total{};
    for (const Vec& sum : sums) total += sum;
    return total[0];
}

using Vec4 [[gnu::vector_size(16)]] = float;
float addProductsPortable(float seed) {
    return addProducts<Vec4>(seed);
}
#if defined(__x86_64__)
using Vec8 [[gnu::vector_size(32)]] = float;
using Vec16 [[gnu::vector_size(64)]] = float;
[[gnu::target("avx2,fma")]] float addProductsAvx2(float seed) {
    return addProducts<Vec8>(seed);
}
[[gnu::target("avx512f,avx2,fma")]] float addProductsAvx512(float seed) {
    return addProducts<Vec16>(seed);
}
#endif

struct Loop {
    float (*run)(float);
    int lanes;
};

Loop widestLoop() {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f")) return {addProductsAvx512, 16};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return {addProductsAvx2, 8};
#endif
    return {addProductsPortable, 4};
}

// Best rate of `work` (units a call) on all threads at once, over a fifth of a second.
template <typename Work>
double bestRate(int threads, double units, Work&& work) {
    std::vector<double> best(static_cast<std::size_t>(threads));
    {
        std::vector<std::jthread> team;
        for (int t = 0; t < threads; ++t) {
            team.emplace_back([&, t] {
                const auto end = Clock::now() + std::chrono::milliseconds(200);
                for (auto now = Clock::now(); now < end;) {
                    work(t);
                    const auto after = Clock::now();
                    double& mine = best[static_cast<std::size_t>(t)];
                    mine = std::max(mine, units / std::chrono::duration<double>(after - now).count());
                    now = after;
                }
            });
        }
    }
    double sum = 0;
    for (double rate : best) sum += rate;
    return sum;
}

}  // namespace

MachinePeak measurePeak(int threads) {
    MachinePeak peak;
    const Loop loop = widestLoop();
    std::atomic<float> kept{0};
    peak.multiply_adds_per_s = bestRate(threads, static_cast<double>(kRounds) * kSums * loop.lanes,
                                        [&](int) { kept.store(loop.run(0.5F), std::memory_order_relaxed); });

    constexpr std::size_t kFloats = 8 << 20;
    std::vector<std::vector<float>> from(static_cast<std::size_t>(threads), std::vector<float>(kFloats, 1.0F)), to = from;
    peak.bytes_per_s = bestRate(threads, 3.0 * sizeof(float) * kFloats, [&](int t) {
        const float* x = from[static_cast<std::size_t>(t)].data();
        float* y = to[static_cast<std::size_t>(t)].data();
        for (std::size_t i = 0; i < kFloats; ++i) y[i] = y[i] * 0.5F + x[i];
    });
    return peak;
}

}  // namespace tests::bench
