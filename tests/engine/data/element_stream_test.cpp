#include "engine/data/element_stream.h"

#include <algorithm>
#include <numeric>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

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

struct StreamCase {
    const char* name;
    ElementStreamPtr (*make)();
};

std::ostream& operator<<(std::ostream& out, const StreamCase& c) {
    return out << c.name;
}

class SkippedElements : public testing::TestWithParam<StreamCase> {};

// Whoever skips finds what it would have found behind elements that it had read.
TEST_P(SkippedElements, AreThoseThatWouldHaveBeenRead) {
    constexpr std::size_t kMost = 700;  // of an endless stream
    for (const std::uint64_t pass : {0U, 1U}) {
        const ElementStreamPtr whole = GetParam().make();
        std::vector<std::uint32_t> all = drain(*whole, pass, 7, kMost);
        for (const auto& [read, skipped] : {std::pair<std::size_t, std::size_t>{1, 3}, {5, 0}, {0, 4}, {2, 300}, {64, 1}}) {
            const ElementStreamPtr stream = GetParam().make();
            const bool is_endless = stream->count() == ElementStream::kEndless;
            stream->start(pass);
            std::vector<std::uint32_t> some(read);
            for (std::size_t at = 0; at < all.size() && at + read + skipped <= kMost;) {
                EXPECT_EQ(stream->left(), is_endless ? ElementStream::kEndless : static_cast<std::int64_t>(all.size() - at));
                const std::size_t got = stream->read(some);
                ASSERT_EQ(got, std::min(read, all.size() - at));
                EXPECT_TRUE(std::equal(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(got),
                                       all.begin() + static_cast<std::ptrdiff_t>(at)))
                    << "from " << at << " on, reading " << read << " and skipping " << skipped;
                at += got;
                const std::size_t passed = stream->skip(skipped);
                ASSERT_EQ(passed, is_endless ? skipped : std::min(skipped, all.size() - at));
                at += passed;
            }
            if (is_endless) continue;
            stream->skip(kMost);
            EXPECT_EQ(stream->left(), 0);
            EXPECT_EQ(stream->skip(1), 0U);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(ElementStream, SkippedElements,
                         testing::Values(StreamCase{"Extents",
                                                    [] {
                                                        return extents({{3, 20}, {40, 41}, {50, 95}});
                                                    }},
                                         StreamCase{"Nothing", [] { return range(5, 5); }},
                                         StreamCase{"Take", [] { return take(range(0, 90), 33); }},
                                         StreamCase{"TakeOfFewer", [] { return take(range(0, 20), 33); }},
                                         StreamCase{"Shard", [] { return shard(range(0, 71), 3, 1); }},
                                         StreamCase{"LastShardOfAnUnevenSet", [] { return shard(range(0, 70), 3, 2); }},
                                         StreamCase{"ShardOfAShuffle", [] { return shard(shuffle(range(0, 71), 10, 3), 4, 0); }},
                                         StreamCase{"Shuffle", [] { return shuffle(range(0, 600), 50, 3); }},
                                         StreamCase{"ShuffleOfWholeReads", [] { return shuffle(range(0, 306), 50, 3); }},
                                         StreamCase{"ShuffleOfAll", [] { return shuffle(range(0, 90), 1000, 3); }},
                                         StreamCase{"TakeOfAShuffle", [] { return take(shuffle(range(0, 90), 20, 3), 40); }},
                                         StreamCase{"Repeat", [] { return repeat(range(2, 9)); }},
                                         StreamCase{"RepeatOfAShuffle", [] { return repeat(shuffle(range(0, 30), 8, 3)); }},
                                         StreamCase{"ShuffleOfARepeat", [] { return shuffle(repeat(range(0, 30)), 40, 3); }},
                                         StreamCase{"Frozen", [] { return frozen(shuffle(range(0, 90), 20, 3)); }}),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(ElementStream, RepeatOfNothingEnds) {
    const ElementStreamPtr stream = repeat(range(0, 0));
    EXPECT_TRUE(drain(*stream).empty());
    EXPECT_EQ(stream->left(), 0);
    EXPECT_EQ(stream->skip(3), 0U);
}

}  // namespace
}  // namespace engine::data
