#include "engine/backend/cpu/schedule/access_set.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace engine::backend::cpu {
namespace {

// Nobody reads what lies there.
const void* at(std::uintptr_t address) {
    return reinterpret_cast<const void*>(address);
}

Access reads(std::uintptr_t address, std::int64_t bytes, std::int64_t sample_bytes = 0) {
    return {.begin = at(address), .bytes = bytes, .sample_bytes = sample_bytes};
}
Access writes(std::uintptr_t address, std::int64_t bytes, std::int64_t sample_bytes = 0) {
    return {.begin = at(address), .bytes = bytes, .sample_bytes = sample_bytes, .writes = true};
}

TEST(AccessSet, WaitsForWhoeverWritesWhatIsRead) {
    AccessSet set;
    set.add({writes(640, 64)});
    EXPECT_TRUE(set.clashesWith({reads(640, 64)}));
    EXPECT_TRUE(set.clashesWith({reads(0, 64), reads(600, 41)}));
    EXPECT_FALSE(set.clashesWith({reads(600, 40), reads(704, 64)})) << "both end where the other begins";
    set.clear();
    EXPECT_FALSE(set.clashesWith({reads(640, 64)}));
}

TEST(AccessSet, ReadersAndTheSameSamplesNeedNotWait) {
    AccessSet set;
    set.add({reads(0, 64), writes(640, 64, 8)});
    EXPECT_FALSE(set.clashesWith({reads(0, 64)}));
    EXPECT_FALSE(set.clashesWith({reads(640, 64, 8), writes(640, 64, 8)}));
    EXPECT_TRUE(set.clashesWith({reads(640, 64, 16)})) << "samples of another size";
    EXPECT_TRUE(set.clashesWith({reads(640, 64)})) << "all samples";
    EXPECT_TRUE(set.clashesWith({writes(0, 8)}));
}

TEST(AccessSet, AgreesWithALookAtEverything) {
    std::uint32_t state = 1;
    const auto below = [&state](std::uint32_t end) {
        state = state * 1664525U + 1013904223U;
        return (state >> 16U) % end;
    };
    int clashes = 0;
    for (int round = 0; round < 200; ++round) {
        AccessSet set;
        std::vector<Access> all;
        for (int i = 0; i < 20; ++i) {
            const Access one{.begin = at(64 * below(100)), .bytes = 64 * below(6), .sample_bytes = 8 * below(2), .writes = below(4) == 0};
            set.add({one});
            all.push_back(one);
        }
        const Access asked{.begin = at(64 * below(100)), .bytes = 64 * below(6), .sample_bytes = 8 * below(2), .writes = below(2) == 0};
        const bool expected = std::any_of(all.begin(), all.end(), [&](const Access& other) {
            const auto begin = reinterpret_cast<std::uintptr_t>(asked.begin), other_begin = reinterpret_cast<std::uintptr_t>(other.begin);
            const bool meet = asked.bytes > 0 && other.bytes > 0 && begin < other_begin + static_cast<std::uintptr_t>(other.bytes) &&
                              other_begin < begin + static_cast<std::uintptr_t>(asked.bytes);
            const bool same_samples = asked.sample_bytes > 0 && asked.sample_bytes == other.sample_bytes && begin == other_begin;
            return meet && (asked.writes || other.writes) && !same_samples;
        });
        EXPECT_EQ(set.clashesWith({asked}), expected) << round;
        clashes += expected ? 1 : 0;
    }
    EXPECT_GT(clashes, 20);
    EXPECT_LT(clashes, 180);
}

// Layers that go forward one after the other: each reads what the one before wrote for the same samples, and weights of its own.
TEST(AccessSet, TenTimesTheLayersAreTenTimesTheLooks) {
    const auto looks = [](std::uintptr_t layers) {
        constexpr std::int64_t kBytes = 1024;
        AccessSet set;
        for (std::uintptr_t i = 0; i < layers; ++i) {
            const std::vector<Access> stage{reads(i * kBytes, kBytes, 64), reads((layers + i + 1) * kBytes, kBytes),
                                            writes((i + 1) * kBytes, kBytes, 64)};
            EXPECT_FALSE(set.clashesWith(stage));
            set.add(stage);
        }
        return set.looks();
    };
    ASSERT_GT(looks(100), 0);
    EXPECT_LE(looks(1000), 11 * looks(100));
}

// Two activations in turn, as a plan has them that only goes forward: each stands in the set once.
TEST(AccessSet, TheSameAccessAgainCostsNothing) {
    AccessSet set;
    for (int i = 0; i < 1000; ++i) {
        const std::vector<Access> stage{reads(i % 2 == 0 ? 0 : 1024, 1024, 64), writes(i % 2 == 0 ? 1024 : 0, 1024, 64)};
        EXPECT_FALSE(set.clashesWith(stage));
        set.add(stage);
    }
    EXPECT_LE(set.looks(), 10 * 1000);
}

}  // namespace
}  // namespace engine::backend::cpu
