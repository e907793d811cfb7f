#include "engine/tensor/random.h"

#include <bit>
#include <cmath>
#include <numbers>

#include "engine/spec/error.h"

namespace engine::tensor {
namespace {

// Words of their own for numbers that may need more than one, far from the positions that block() reaches.
constexpr std::uint64_t kDrawSpace = std::uint64_t{1} << 62;

__extension__ using Uint128 = unsigned __int128;

std::uint64_t join(std::uint32_t high, std::uint32_t low) {
    return std::uint64_t{high} << 32 | low;
}

// (0, 1): never 0, so that its logarithm is finite.
double openUniform(std::uint32_t word) {
    return (static_cast<double>(word) + 0.5) * 0x1.0p-32;
}

std::uint32_t low32(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}
std::uint32_t high32(std::uint64_t value) {
    return static_cast<std::uint32_t>(value >> 32);
}

}  // namespace

std::uint64_t RandomStream::below(std::uint64_t index, std::uint64_t position, std::uint64_t bound) const {
    ENGINE_CHECK(bound >= 1);
    const PhiloxCounter words = block(index, kDrawSpace + position);
    const Uint128 product = static_cast<Uint128>(join(words[1], words[0])) * bound;
    return static_cast<std::uint64_t>(product >> 64);
}

float RandomStream::normal(std::uint64_t index, std::uint64_t position) const {
    const PhiloxCounter words = block(index, kDrawSpace + position);
    const double radius = std::sqrt(-2 * std::log(openUniform(words[0])));
    return static_cast<float>(radius * std::cos(2 * std::numbers::pi * openUniform(words[1])));
}

float RandomStream::truncatedNormal(std::uint64_t index, std::uint64_t position) const {
    constexpr std::uint64_t kTries = 64;  // one draw fails with probability 0.0455
    constexpr double kLimit = 2;
    for (std::uint64_t attempt = 0; attempt < kTries; ++attempt) {
        const PhiloxCounter words = block(index, kDrawSpace + position * kTries + attempt);
        const double radius = std::sqrt(-2 * std::log(openUniform(words[0])));
        for (double angle : {openUniform(words[1]), openUniform(words[2])}) {
            const double value = radius * std::cos(2 * std::numbers::pi * angle);
            if (std::abs(value) <= kLimit) return static_cast<float>(value);
        }
    }
    return 0;
}

RandomPermutation::RandomPermutation(const RandomKey& key, std::uint64_t size) : key_(RandomStream::foldKey(key)), size_(size) {
    const unsigned bits = size > 1 ? static_cast<unsigned>(std::bit_width(size - 1)) : 1;
    half_bits_ = (bits + 1) / 2;
}

std::uint64_t RandomPermutation::encrypt(std::uint64_t value) const {
    constexpr std::uint32_t kFeistelRounds = 6;
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = value >> half_bits_;
    std::uint64_t right = value & mask;
    for (std::uint32_t round = 0; round < kFeistelRounds; ++round) {
        const PhiloxCounter words = philox4x32({low32(right), high32(right), round, 0}, key_);
        const std::uint64_t next = left ^ (join(words[1], words[0]) & mask);
        left = right;
        right = next;
    }
    return left << half_bits_ | right;
}

std::uint64_t RandomPermutation::operator()(std::uint64_t position) const {
    ENGINE_CHECK(position < size_);
    // The domain is less than four times the size: a few steps on average.
    std::uint64_t value = encrypt(position);
    while (value >= size_) value = encrypt(value);
    return value;
}

}  // namespace engine::tensor
