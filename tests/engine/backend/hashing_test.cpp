// The hashes of whole numbers: their texts, and FarmHash's and SipHash's numbers of these.
#include "engine/backend/hashing.h"

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <farmhash.h>
#include <gtest/gtest.h>

namespace engine::backend {
namespace {

std::string textOf(const NumberText& text) {
    return {text.characters, text.characters + text.length};
}

TEST(Hashing, TakesANumbersText) {
    using Limits = std::numeric_limits<std::int64_t>;
    for (const std::int64_t number : {std::int64_t{0}, std::int64_t{-7}, std::int64_t{10}, Limits::max(), Limits::min()}) {
        EXPECT_EQ(textOf(NumberText(number)), std::to_string(number));
    }
}

TEST(Hashing, GivesTheFingerprintOfFarmHash) {
    std::mt19937_64 random(5);
    for (int i = 0; i < 200000; ++i) {
        const auto number = static_cast<std::int64_t>(random()) >> (random() % 64);  // of all lengths
        const std::string text = std::to_string(number);
        ASSERT_EQ(FarmHash::fingerprint(NumberText(number)), util::Fingerprint64(text)) << text;
    }
}

// TensorFlow's numbers are in tests/data/keras/hashing.json.
TEST(Hashing, HasAnotherHashForEachKey) {
    const std::uint64_t first = SipHash(1, 2).of(NumberText(12345678)), second = SipHash(2, 1).of(NumberText(12345678));
    EXPECT_NE(first, second);
    EXPECT_NE(first, SipHash(1, 2).of(NumberText(12345679)));
    EXPECT_EQ(first, SipHash(1, 2).of(NumberText(12345678)));
}

TEST(Hashing, KeepsTheFirstPlaceForTheMask) {
    const HashTable with(plan::Hashing{.bins = 5, .mask = 2}), without(plan::Hashing{.bins = 4});
    EXPECT_EQ(with.place(2), 0);
    for (const float value : {0.0F, -2.0F, 2.5F, 3.0F, 1e6F}) {
        EXPECT_EQ(with.place(value), without.place(value) + 1) << value;
    }
    EXPECT_EQ(with.place(2.5F), without.place(2) + 1) << "behind the point it is no mask";
    EXPECT_EQ(HashTable(plan::Hashing{.bins = 1, .mask = 2}).place(3), 0) << "one place is everybody's";
}

TEST(Hashing, HasAPlaceForNumbersThatNoWholeNumberHolds) {
    const HashTable table(plan::Hashing{.bins = 1000});
    const float lowest = table.place(-9223372036854775808.0F);
    EXPECT_EQ(table.place(std::numeric_limits<float>::infinity()), lowest);
    EXPECT_EQ(table.place(-1e30F), lowest);
    EXPECT_EQ(table.place(std::numeric_limits<float>::quiet_NaN()), lowest);
}

}  // namespace
}  // namespace engine::backend
