// Tests of what every collective must do, whatever carries its bytes: ranks x sizes, with inputs whose sums are exact in float32.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <random>
#include <vector>

#include "engine/distribute/collective.h"

namespace tests::support {

inline constexpr int kRanks[] = {1, 2, 3, 4, 7};
inline constexpr std::size_t kSizes[] = {0, 1, 7919, 1 << 18};

// Small integers: their sums are exact in any order.
inline float exactInput(int rank, std::size_t i) {
    return static_cast<float>(static_cast<int>((i * 7 + static_cast<std::size_t>(rank) * 13) % 101) - 50);
}
inline float exactSum(int n, std::size_t i) {
    float sum = 0;
    for (int rank = 0; rank < n; ++rank) sum += exactInput(rank, i);
    return sum;
}

// Values whose sum shows every change of order.
inline std::vector<float> randomInput(int rank, std::size_t count) {
    std::mt19937 generator(static_cast<unsigned>(rank) * 7919u + 17u);
    std::normal_distribution<float> normal(0.0f, 1000.0f);
    std::vector<float> values(count);
    for (float& value : values) value = normal(generator) * (1.0f + 1e-3f * normal(generator));
    return values;
}

inline void expectExactSum(std::span<const float> data, int n) {
    for (std::size_t i = 0; i < data.size(); ++i) {
        ASSERT_EQ(data[i], exactSum(n, i)) << "element " << i << " of " << data.size();
    }
}

inline void fillExact(std::span<float> data, int rank) {
    for (std::size_t i = 0; i < data.size(); ++i) data[i] = exactInput(rank, i);
}

// Sums in the region and outside it, one after the other and several under way, then does the other operations.
inline void expectAllOperationsWork(engine::distribute::Collective& collective, std::size_t count) {
    const int n = collective.size();
    const int rank = collective.rank();
    const std::size_t padded = (count + 15) / 16 * 16;
    const std::span<std::byte> region = collective.allocateRegion(3 * padded * sizeof(float));
    ASSERT_EQ(region.size(), 3 * padded * sizeof(float));
    const std::span<float> floats{reinterpret_cast<float*>(region.data()), 3 * padded};

    std::vector<float> outside(count);
    fillExact(outside, rank);
    collective.allReduceSum(outside);
    expectExactSum(outside, n);

    for (int repeat = 0; repeat < 3; ++repeat) {
        std::vector<std::uint64_t> tickets;
        for (std::size_t bucket = 0; bucket < 3; ++bucket) {
            fillExact(floats.subspan(bucket * padded, count), rank);
            tickets.push_back(collective.startAllReduceSum(floats.subspan(bucket * padded, count)));
        }
        fillExact(outside, rank);
        tickets.push_back(collective.startAllReduceSum(outside));
        for (const std::uint64_t ticket : tickets) collective.wait(ticket);
        for (std::size_t bucket = 0; bucket < 3; ++bucket) expectExactSum(floats.subspan(bucket * padded, count), n);
        expectExactSum(outside, n);
    }

    for (int root = 0; root < n; ++root) {
        std::vector<float> data(count, -1.0f);
        if (rank == root) fillExact(data, root);
        collective.broadcast(std::as_writable_bytes(std::span(data)), root);
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(data[i], exactInput(root, i)) << "root " << root << ", element " << i;
    }

    std::vector<float> mine(count);
    std::vector<float> all(count * static_cast<std::size_t>(n));
    fillExact(mine, rank);
    collective.allGather(std::as_bytes(std::span(mine)), std::as_writable_bytes(std::span(all)));
    for (int r = 0; r < n; ++r) {
        for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(all[static_cast<std::size_t>(r) * count + i], exactInput(r, i));
    }
    collective.barrier();
}

// The bytes that all-reduces of random inputs leave on this member: small and large, in the region and outside it, started and awaited at
// once. The same on every member and every transport.
inline std::vector<float> randomSums(engine::distribute::Collective& collective) {
    std::vector<float> sums;
    const std::size_t large = 100003;
    const std::span<std::byte> region = collective.allocateRegion(large * sizeof(float));
    for (const std::size_t count : {std::size_t{1}, std::size_t{37}, std::size_t{5003}, large}) {
        const std::vector<float> input = randomInput(collective.rank(), count);
        const std::span<float> inside{reinterpret_cast<float*>(region.data()), count};
        std::copy(input.begin(), input.end(), inside.begin());
        collective.allReduceSum(inside);
        sums.insert(sums.end(), inside.begin(), inside.end());
        std::vector<float> outside = input;
        collective.wait(collective.startAllReduceSum(outside));
        EXPECT_EQ(0, std::memcmp(outside.data(), inside.data(), inside.size_bytes()))
            << count << " floats in the region and outside differ";
    }
    return sums;
}

}  // namespace tests::support
