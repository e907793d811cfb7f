// The places of whole numbers in a table of hashes, as TensorFlow has them: of a number's decimal text, FarmHash's fingerprint of 64 bits,
// or SipHash-2-4 with a key, modulo the number of places. One definition for every back-end.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/plan/op_attributes.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

// A whole number's text, with room for any of 64 bits: 20 characters.
struct NumberText {
    std::uint8_t characters[20] = {};
    int length = 0;

    TANDEM_DEVICE explicit NumberText(std::int64_t number) {
        const bool is_negative = number < 0;
        std::uint64_t rest = is_negative ? 0 - static_cast<std::uint64_t>(number) : static_cast<std::uint64_t>(number);
        std::uint64_t digits = 1;
        for (std::uint64_t left = rest / 10; left > 0; left /= 10) ++digits;
        length = static_cast<int>(digits) + (is_negative ? 1 : 0);
        for (int at = length - 1; at >= (is_negative ? 1 : 0); --at, rest /= 10) {
            characters[at] = static_cast<std::uint8_t>('0' + rest % 10);
        }
        if (is_negative) characters[0] = '-';
    }
    // `count` characters from `begin` on as one number, the first in its lowest byte.
    TANDEM_DEVICE std::uint64_t word(int begin, int count) const {
        std::uint64_t value = 0;
        for (int i = 0; i < count; ++i) value |= static_cast<std::uint64_t>(characters[begin + i]) << (8 * i);
        return value;
    }
};

struct FarmHash {
    static constexpr std::uint64_t kFirst = 0xc3a5c85c97cb3127U, kSecond = 0xb492b66fbe98f273U, kThird = 0x9ae16a3b2f90404fU;

    TANDEM_DEVICE static std::uint64_t right(std::uint64_t value, int bits) { return (value >> bits) | (value << (64 - bits)); }
    TANDEM_DEVICE static std::uint64_t folded(std::uint64_t value) { return value ^ (value >> 47); }
    TANDEM_DEVICE static std::uint64_t mixed(std::uint64_t a, std::uint64_t b, std::uint64_t factor) {
        const std::uint64_t once = folded((a ^ b) * factor);
        return folded((b ^ once) * factor) * factor;
    }

    // Its lengths are those of NumberText: 1 to 20.
    TANDEM_DEVICE static std::uint64_t fingerprint(const NumberText& text) {
        const int length = text.length;
        const auto size = static_cast<std::uint64_t>(length);
        const std::uint64_t factor = kThird + 2 * size;
        if (length > 16) {
            const std::uint64_t a = text.word(0, 8) * kSecond, b = text.word(8, 8), c = text.word(length - 8, 8) * factor;
            const std::uint64_t d = text.word(length - 16, 8) * kThird;
            return mixed(right(a + b, 43) + right(c, 30) + d, a + right(b + kThird, 18) + c, factor);
        }
        if (length >= 8) {
            const std::uint64_t a = text.word(0, 8) + kThird, b = text.word(length - 8, 8);
            return mixed(right(b, 37) * factor + a, (right(a, 25) + b) * factor, factor);
        }
        if (length >= 4) return mixed(size + (text.word(0, 4) << 3), text.word(length - 4, 4), factor);
        const std::uint64_t first_two = text.word(0, 1) + (text.word(length / 2, 1) << 8), last = size + (text.word(length - 1, 1) << 2);
        return folded((first_two * kThird) ^ (last * kFirst)) * kThird;
    }
};

struct SipHash {
    std::uint64_t a, b, c, d;

    TANDEM_DEVICE SipHash(std::uint64_t first, std::uint64_t second)
        : a(first ^ 0x736f6d6570736575U),
          b(second ^ 0x646f72616e646f6dU),
          c(first ^ 0x6c7967656e657261U),
          d(second ^ 0x7465646279746573U) {}
    TANDEM_DEVICE static std::uint64_t left(std::uint64_t value, int bits) { return (value << bits) | (value >> (64 - bits)); }
    TANDEM_DEVICE void round() {
        a += b;
        c += d;
        b = left(b, 13) ^ a;
        d = left(d, 16) ^ c;
        a = left(a, 32);
        c += b;
        a += d;
        b = left(b, 17) ^ c;
        d = left(d, 21) ^ a;
        c = left(c, 32);
    }
    TANDEM_DEVICE void take(std::uint64_t word) {
        d ^= word;
        round();
        round();
        a ^= word;
    }
    TANDEM_DEVICE std::uint64_t of(const NumberText& text) {
        int at = 0;
        for (; at + 8 <= text.length; at += 8) take(text.word(at, 8));
        take(text.word(at, text.length - at) | static_cast<std::uint64_t>(text.length) << 56);
        c ^= 0xff;
        for (int i = 0; i < 4; ++i) round();
        return a ^ b ^ c ^ d;
    }
};

// A plan's Hashing as plain numbers, which a kernel takes as they are.
struct HashTable {
    std::uint64_t bins = 1, key[2] = {};  // bins: of the numbers that have a hash
    float mask = 0;
    bool has_mask = false, has_key = false;

    explicit HashTable(const plan::Hashing& hashing) : bins(static_cast<std::uint64_t>(hashing.bins)) {
        has_mask = hashing.mask.has_value() && hashing.bins > 1;
        if (has_mask) {
            mask = static_cast<float>(*hashing.mask);
            --bins;
        }
        has_key = hashing.key.has_value();
        for (int i = 0; i < 2 && has_key; ++i) key[i] = (*hashing.key)[static_cast<std::size_t>(i)];
    }

    // What is behind the point does not count, but for the mask. Numbers beyond 64 bits, and none, count as the lowest.
    TANDEM_DEVICE float place(float value) const {
        if (has_mask && value == mask) return 0;
        constexpr float kLimit = 9223372036854775808.0F;
        const bool is_within = value >= -kLimit && value < kLimit;
        const NumberText text(is_within ? static_cast<std::int64_t>(value) : INT64_MIN);
        const std::uint64_t hash = has_key ? SipHash(key[0], key[1]).of(text) : FarmHash::fingerprint(text);
        return static_cast<float>(hash % bins + (has_mask ? 1 : 0));
    }
};

// The places of numbers that a table of values lacks, by a plan's Indexing.
struct UnknownValues {
    float otherwise = 0, others = 1;
    bool have_places = true, are_hashed = false;
    HashTable hash;

    explicit UnknownValues(const plan::Indexing& indexing)
        : otherwise(indexing.otherwise),
          others(indexing.others),
          have_places(indexing.others > 0),
          are_hashed(indexing.hash.has_value()),
          hash(indexing.hash.value_or(plan::Hashing())) {}

    // Of a whole number; 0 where there is none.
    TANDEM_DEVICE float place(float whole) const {
        if (!have_places) return 0;
        return otherwise + (are_hashed ? hash.place(whole) : whole - others * std::floor(whole / others));
    }
};

// What every back-end says of one that has no place.
inline std::string unknownValueText(const std::string& layer, float value, std::size_t sample) {
    return layer + ": expected values of the vocabulary, got " + std::to_string(static_cast<std::int64_t>(value)) + " in sample " +
           std::to_string(sample) + " of the batch";
}

}  // namespace engine::backend
