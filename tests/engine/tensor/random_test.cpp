#include "engine/tensor/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine::tensor {
namespace {

using ::testing::ElementsAre;

TEST(RandomStream, GivesTheSameNumberForTheSameKeyAndPosition) {
    const RandomStream a({.seed = 7, .purpose = RandomPurpose::kDropout, .epoch = 1, .step = 20});
    const RandomStream b({.seed = 7, .purpose = RandomPurpose::kDropout, .epoch = 1, .step = 20});
    EXPECT_EQ(a.uniform(59999, 12), b.uniform(59999, 12));
    EXPECT_NE(a.uniform(59999, 12), a.uniform(59998, 12));
}

// "kat_vectors" of the authors' Random123 distribution.
TEST(Philox4x32, GivesThePublishedVectors) {
    EXPECT_THAT(philox4x32({0, 0, 0, 0}, {0, 0}), ElementsAre(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
    constexpr std::uint32_t kOnes = 0xffffffff;
    EXPECT_THAT(philox4x32({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}), ElementsAre(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
    EXPECT_THAT(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
                ElementsAre(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

TEST(RandomStream, EveryPartOfTheKeyMatters) {
    const RandomKey base{.seed = 1, .purpose = RandomPurpose::kShuffle, .stream = 2, .epoch = 3, .step = 4};
    std::vector<RandomKey> keys(6, base);
    keys[1].seed = 9;
    keys[2].purpose = RandomPurpose::kDropout;
    keys[3].stream = 9;
    keys[4].epoch = 9;
    keys[5].step = 9;
    std::set<std::uint32_t> words;
    for (const RandomKey& key : keys) words.insert(RandomStream(key).bits(0, 0));
    EXPECT_EQ(words.size(), keys.size());
}

TEST(RandomStream, BitsAreTheWordsOfItsBlocks) {
    const RandomStream stream({.seed = 3});
    for (std::uint64_t i = 0; i < 8; ++i) EXPECT_EQ(stream.bits(5, i), stream.block(5, i / 4)[i % 4]);
}

struct Moments {
    double mean = 0, variance = 0, smallest = 0, largest = 0;
};
template <typename Draw>
Moments momentsOf(Draw&& draw) {
    constexpr int kCount = 100000;
    std::vector<double> values(kCount);
    for (int i = 0; i < kCount; ++i) values[static_cast<std::size_t>(i)] = draw(static_cast<std::uint64_t>(i));
    Moments m;
    m.mean = std::accumulate(values.begin(), values.end(), 0.0) / kCount;
    for (double value : values) m.variance += (value - m.mean) * (value - m.mean) / kCount;
    m.smallest = *std::min_element(values.begin(), values.end());
    m.largest = *std::max_element(values.begin(), values.end());
    return m;
}

TEST(RandomStream, UniformNumbersFillTheUnitInterval) {
    const RandomStream stream({.seed = 1});
    const Moments m = momentsOf([&](std::uint64_t i) { return stream.uniform(0, i); });
    EXPECT_NEAR(m.mean, 0.5, 0.005);
    EXPECT_NEAR(m.variance, 1.0 / 12, 0.002);
    EXPECT_GE(m.smallest, 0);
    EXPECT_LT(m.largest, 1);
}

TEST(RandomStream, NormalNumbersHaveMeanZeroAndDeviationOne) {
    const RandomStream stream({.seed = 2});
    const Moments m = momentsOf([&](std::uint64_t i) { return stream.normal(0, i); });
    EXPECT_NEAR(m.mean, 0, 0.02);
    EXPECT_NEAR(m.variance, 1, 0.02);
    EXPECT_GT(m.largest, 3);
}

TEST(RandomStream, TruncatedNormalNumbersStayWithinTwoDeviations) {
    const RandomStream stream({.seed = 2});
    const Moments m = momentsOf([&](std::uint64_t i) { return stream.truncatedNormal(0, i); });
    EXPECT_NEAR(m.mean, 0, 0.02);
    EXPECT_NEAR(std::sqrt(m.variance), 0.87962566103423978, 0.01);
    EXPECT_GE(m.smallest, -2);
    EXPECT_LE(m.largest, 2);
}

TEST(RandomStream, BelowReachesEveryValueAboutEquallyOften) {
    const RandomStream stream({.seed = 4});
    std::vector<int> hits(7);
    for (std::uint64_t i = 0; i < 7000; ++i) ++hits.at(stream.below(0, i, 7));
    for (int count : hits) EXPECT_NEAR(count, 1000, 150);
}

class RandomPermutationSize : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(RandomPermutationSize, IsABijection) {
    const RandomPermutation permutation({.seed = 5, .purpose = RandomPurpose::kShuffle, .epoch = 1}, GetParam());
    std::vector<bool> seen(GetParam());
    for (std::uint64_t i = 0; i < GetParam(); ++i) {
        const std::uint64_t value = permutation(i);
        ASSERT_LT(value, GetParam());
        ASSERT_FALSE(seen[value]) << value;
        seen[value] = true;
    }
}
INSTANTIATE_TEST_SUITE_P(Sizes, RandomPermutationSize, ::testing::Values(1, 2, 3, 4, 5, 16, 17, 1000, 4096, 60000));

TEST(RandomPermutation, DiffersFromEpochToEpoch) {
    const RandomPermutation first({.seed = 5, .purpose = RandomPurpose::kShuffle, .epoch = 0}, 1000);
    const RandomPermutation second({.seed = 5, .purpose = RandomPurpose::kShuffle, .epoch = 1}, 1000);
    int equal = 0, in_place = 0;
    for (std::uint64_t i = 0; i < 1000; ++i) {
        equal += first(i) == second(i) ? 1 : 0;
        in_place += first(i) == i ? 1 : 0;
    }
    EXPECT_LT(equal, 20);
    EXPECT_LT(in_place, 20);
}

}  // namespace
}  // namespace engine::tensor
