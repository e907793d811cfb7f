// Counter-based random numbers: each is a pure function of a key and a position, so it does not matter who draws it, in which order or on
// how many workers. Generator: Philox4x32 with 10 rounds (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011).
#pragma once

#include <cstddef>
#include <cstdint>

#include "engine/tensor/device_function.h"

namespace engine::tensor {

// `count` words; a plain array, which kernels may index.
template <int count>
struct PhiloxWords {
    using value_type = std::uint32_t;
    using const_iterator = const std::uint32_t*;
    std::uint32_t words[count];

    TANDEM_DEVICE std::uint32_t& operator[](std::size_t i) { return words[i]; }
    TANDEM_DEVICE std::uint32_t operator[](std::size_t i) const { return words[i]; }
    const_iterator begin() const { return words; }
    const_iterator end() const { return words + count; }
    friend bool operator==(const PhiloxWords&, const PhiloxWords&) = default;
};
using PhiloxCounter = PhiloxWords<4>;
using PhiloxKey = PhiloxWords<2>;

TANDEM_DEVICE inline PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
    // Multipliers and Weyl constants of the published Philox4x32.
    constexpr std::uint32_t kMultiplier0 = 0xD2511F53, kMultiplier1 = 0xCD9E8D57;
    constexpr std::uint32_t kWeyl0 = 0x9E3779B9, kWeyl1 = 0xBB67AE85;
    constexpr int kRounds = 10;
    for (int round = 0; round < kRounds; ++round) {
        const std::uint64_t product0 = std::uint64_t{kMultiplier0} * counter[0];
        const std::uint64_t product1 = std::uint64_t{kMultiplier1} * counter[2];
        counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
                   static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
        key[0] += kWeyl0;
        key[1] += kWeyl1;
    }
    return counter;
}

enum class RandomPurpose : std::uint32_t { kInitializer = 1, kShuffle = 2, kDropout = 3, kAugmentation = 4, kMixing = 5 };

// What the numbers are for. Unused fields stay 0.
struct RandomKey {
    std::uint64_t seed = 0;
    RandomPurpose purpose = RandomPurpose::kInitializer;
    std::uint64_t stream = 0;  // variable, layer or worker
    std::uint64_t epoch = 0;
    std::uint64_t step = 0;
};

// Word to [0, 1), as uniform() does.
TANDEM_DEVICE constexpr float toUniform(std::uint32_t word) {
    return static_cast<float>(word >> 8) * 0x1.0p-24F;
}

// Value type, cheap to copy; any thread. Equal keys give equal streams; (index, position) addresses a number within it: the index is a
// sample or 0, the position an element.
class RandomStream {
public:
    TANDEM_DEVICE explicit RandomStream(const RandomKey& key) : key_(foldKey(key)) {}
    // Takes a key that foldKey() made, so that many threads share that work.
    TANDEM_DEVICE explicit RandomStream(const PhiloxKey& folded) : key_(folded) {}

    // Four words at once: positions 4 * block .. 4 * block + 3.
    TANDEM_DEVICE PhiloxCounter block(std::uint64_t index, std::uint64_t block) const {
        return philox4x32({low32(block), high32(block), low32(index), high32(index)}, key_);
    }
    TANDEM_DEVICE std::uint32_t bits(std::uint64_t index, std::uint64_t position) const { return block(index, position / 4)[position % 4]; }
    // A number in [0, 1), made of 24 random bits.
    TANDEM_DEVICE float uniform(std::uint64_t index, std::uint64_t position) const { return toUniform(bits(index, position)); }
    // A whole number in [0, bound), bound >= 1, without modulo bias beyond 2^-32 of bound (128-bit product of 64 random bits).
    std::uint64_t below(std::uint64_t index, std::uint64_t position, std::uint64_t bound) const;
    // A number with mean 0 and standard deviation 1 (Box and Muller over positions' own words).
    float normal(std::uint64_t index, std::uint64_t position) const;
    // Normal, redrawn beyond two standard deviations.
    float truncatedNormal(std::uint64_t index, std::uint64_t position) const;

    TANDEM_DEVICE static PhiloxKey foldKey(const RandomKey& key) {
        const PhiloxKey folded = absorb({low32(key.seed), high32(key.seed)}, static_cast<std::uint64_t>(key.purpose), key.stream);
        return absorb(folded, key.epoch, key.step);
    }

private:
    TANDEM_DEVICE static std::uint32_t low32(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
    TANDEM_DEVICE static std::uint32_t high32(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }
    // Folds two 64-bit values into a key.
    TANDEM_DEVICE static PhiloxKey absorb(PhiloxKey key, std::uint64_t a, std::uint64_t b) {
        const PhiloxCounter mixed = philox4x32({low32(a), high32(a), low32(b), high32(b)}, key);
        return {mixed[0], mixed[1]};
    }

    PhiloxKey key_;
};

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
