#include "engine/data/element_stream.h"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine::data {
namespace {

std::vector<std::uint32_t> drain(ElementStream& stream, std::uint64_t pass = 0, std::size_t at_once = 3, std::size_t limit = 1000000) {
    std::vector<std::uint32_t> all;
    std::vector<std::uint32_t> some(at_once);
    stream.start(pass);
    for (std::size_t got = at_once; got == at_once && all.size() < limit;) {
        got = stream.read(some);
        all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(got));
    }
    return all;
}

std::vector<std::uint32_t> upTo(std::uint32_t n) {
    std::vector<std::uint32_t> all(n);
    std::iota(all.begin(), all.end(), 0U);
    return all;
}

TEST(ElementStream, ChainsDecorators) {
    const ElementStreamPtr stream = take(shard(range(0, 12), 2, 1), 4);
    EXPECT_EQ(drain(*stream), (std::vector<std::uint32_t>{1, 3, 5, 7}));
    EXPECT_EQ(stream->count(), 4);
}

TEST(ElementStream, ReadsExtentsInOrder) {
    const ElementStreamPtr stream = extents({{0, 2}, {7, 7}, {10, 13}});
    EXPECT_EQ(drain(*stream), (std::vector<std::uint32_t>{0, 1, 10, 11, 12}));
    EXPECT_EQ(drain(*stream, 1), (std::vector<std::uint32_t>{0, 1, 10, 11, 12}));
    EXPECT_EQ(stream->count(), 5);
}

TEST(ElementStream, ShardsCoverEverythingOnce) {
    for (std::uint32_t n : {0U, 1U, 2U, 3U, 10U}) {
        std::vector<std::uint32_t> all;
        for (int index = 0; index < 3; ++index) {
            const ElementStreamPtr stream = shard(range(0, n), 3, index);
            const auto mine = drain(*stream);
            EXPECT_EQ(stream->count(), static_cast<std::int64_t>(mine.size()));
            all.insert(all.end(), mine.begin(), mine.end());
        }
        std::sort(all.begin(), all.end());
        EXPECT_EQ(all, upTo(n));
    }
}

TEST(ElementStream, ShuffleIsAPermutationThatChangesEachPassAndRepeatsWithTheSeed) {
    const ElementStreamPtr stream = shuffle(range(0, 1000), 100, 7);
    const auto first = drain(*stream, 0);
    const auto second = drain(*stream, 1);
    EXPECT_NE(first, upTo(1000));
    EXPECT_NE(first, second);
    for (auto pass : {first, second}) {
        std::sort(pass.begin(), pass.end());
        EXPECT_EQ(pass, upTo(1000));
    }
    EXPECT_EQ(drain(*shuffle(range(0, 1000), 100, 7), 1, 64), second) << "neither the passes before nor the size of a read matter";
    EXPECT_NE(drain(*shuffle(range(0, 1000), 100, 8), 0), first);
    EXPECT_NE(drain(*shuffle(range(0, 1000), 100, 7, 1), 0), first);
}

TEST(ElementStream, ShuffleLooksOnlyItsBufferAhead) {
    const auto order = drain(*shuffle(range(0, 5000), 50, 3));
    for (std::size_t i = 0; i < order.size(); ++i) {
        ASSERT_LT(order[i], i + 50);
    }
}

TEST(ElementStream, ShuffleWithAWholeBufferIsUniform) {
    // 24 orders of four elements over 24000 passes: chi-square with 23 degrees of freedom stays below 60 but once in 30000.
    std::vector<int> seen(256);
    const ElementStreamPtr stream = shuffle(range(0, 4), 4, 11);
    for (std::uint64_t pass = 0; pass < 24000; ++pass) {
        const auto order = drain(*stream, pass, 5);
        ++seen[order[0] * 64 + order[1] * 16 + order[2] * 4 + order[3]];
    }
    double chi_square = 0;
    int orders = 0;
    for (int count : seen) {
        if (count > 0) {
            ++orders;
            chi_square += (count - 1000.0) * (count - 1000.0) / 1000.0;
        }
    }
    EXPECT_EQ(orders, 24);
    EXPECT_LT(chi_square, 60);
}

TEST(ElementStream, RepeatGoesOnWithANewOrder) {
    const ElementStreamPtr stream = repeat(shuffle(range(0, 6), 6, 5));
    auto all = drain(*stream, 0, 6, 18);
    ASSERT_EQ(all.size(), 18U);
    EXPECT_FALSE(std::equal(all.begin(), all.begin() + 6, all.begin() + 6) && std::equal(all.begin(), all.begin() + 6, all.begin() + 12));
    for (int pass = 0; pass < 3; ++pass) {
        std::sort(all.begin() + pass * 6, all.begin() + pass * 6 + 6);
        EXPECT_TRUE(std::equal(all.begin() + pass * 6, all.begin() + pass * 6 + 6, upTo(6).begin()));
    }
}

TEST(ElementStream, FrozenKeepsTheFirstPass) {
    const ElementStreamPtr stream = frozen(shuffle(range(0, 50), 50, 5));
    const auto first = drain(*shuffle(range(0, 50), 50, 5), 0);
    EXPECT_EQ(drain(*stream, 3), first);
    EXPECT_EQ(drain(*stream, 4), first);
    EXPECT_EQ(stream->count(), 50);
}

TEST(ElementStream, RepeatOfNothingEnds) {
    EXPECT_TRUE(drain(*repeat(range(0, 0))).empty());
}

}  // namespace
}  // namespace engine::data
