// Counter-based random numbers: each is a pure function of a key and a position, so it does not matter who draws it, in which order or on
// how many workers. Generator: Philox4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011).
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace engine::tensor {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;
PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key);

enum class RandomPurpose : std::uint32_t { kInitializer = 1, kShuffle = 2, kDropout = 3, kAugmentation = 4 };

// What the numbers are for. Unused fields stay 0.
struct RandomKey {
    std::uint64_t seed = 0;
    RandomPurpose purpose = RandomPurpose::kInitializer;
    std::uint64_t stream = 0;  // variable, layer or worker
    std::uint64_t epoch = 0;
    std::uint64_t step = 0;
};

// Value type, cheap to copy; any thread. Equal keys give equal streams; (index, position) addresses a number within it: the index is a
// sample or 0, the position an element.
class RandomStream {
public:
    explicit RandomStream(const RandomKey& key);

    // Four words at once: positions 4 * block .. 4 * block + 3.
    PhiloxCounter block(std::uint64_t index, std::uint64_t block) const;
    std::uint32_t bits(std::uint64_t index, std::uint64_t position) const;
    // In [0, 1), 24 random bits.
    float uniform(std::uint64_t index, std::uint64_t position) const;
    // In [0, bound), bound >= 1, without modulo bias beyond 2^-32 of bound (128-bit product of 64 random bits).
    std::uint64_t below(std::uint64_t index, std::uint64_t position, std::uint64_t bound) const;
    // Mean 0, standard deviation 1 (Box and Muller over positions' own words).
    float normal(std::uint64_t index, std::uint64_t position) const;
    // Normal, redrawn beyond two standard deviations.
    float truncatedNormal(std::uint64_t index, std::uint64_t position) const;

private:
    PhiloxKey key_;
};

// Word to [0, 1), as uniform() does.
constexpr float toUniform(std::uint32_t word) {
    return static_cast<float>(word >> 8) * 0x1.0p-24F;
}

// A bijection of 0..size-1 without a table: any element of a shuffled order in constant time and memory (a Feistel network over Philox,
// walked until it falls inside). Value type; any thread.
class RandomPermutation {
public:
    RandomPermutation(const RandomKey& key, std::uint64_t size);
    std::uint64_t size() const { return size_; }
    std::uint64_t operator()(std::uint64_t position) const;

private:
    std::uint64_t encrypt(std::uint64_t value) const;

    PhiloxKey key_;
    std::uint64_t size_;
    unsigned half_bits_;
};

}  // namespace engine::tensor
