#include "engine/distribute/exchange_progress.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>

#include "engine/distribute/loopback.h"
#include "engine/distribute/ring.h"
#include "tests/support/eventually.h"
#include "tests/support/spawn_ranks.h"

namespace {

using namespace std::chrono_literals;
using engine::distribute::Collective;
using engine::distribute::ExchangeProgress;
using engine::distribute::ExchangeWait;
using engine::distribute::makeLoopbackTransports;
using engine::distribute::makeRingCollective;
using Clock = ExchangeProgress::Clock;

constexpr std::size_t kFloats = 32;  // of a bucket

struct Way {
    const char* name;
    bool peer_views, own_thread;
};

class ExchangeProgressOfARing : public testing::TestWithParam<Way> {
protected:
    static constexpr int kRanks = 3, kLate = 1;

    // Each member with a progress of its own.
    void run(const std::function<void(int, Collective&, std::array<std::span<float>, 2>)>& fn) {
        auto transports = makeLoopbackTransports(kRanks, {.peer_views = GetParam().peer_views});
        tests::support::spawnRanks(
            kRanks, std::function<void(int)>([&](int rank) {
                const auto at = static_cast<std::size_t>(rank);
                const auto collective = makeRingCollective(
                    std::move(transports[at]), {.deadline = 60s, .own_thread = GetParam().own_thread, .progress = &progress[at]});
                const auto region = collective->allocateRegion(2 * kFloats * sizeof(float));
                progress[at].nameBuckets(region.data(), {{0, kFloats * sizeof(float)}, {kFloats * sizeof(float), kFloats * sizeof(float)}});
                auto* floats = reinterpret_cast<float*>(region.data());
                fn(rank, *collective, {std::span(floats, kFloats), std::span(floats + kFloats, kFloats)});
            }));
    }
    ExchangeProgress::Reading of(int rank) const { return progress[static_cast<std::size_t>(rank)].read(Clock::now()); }

    std::array<ExchangeProgress, kRanks> progress;
};

TEST_P(ExchangeProgressOfARing, NumbersOperationsAlikeAndTellsTheBucket) {
    run([&](int rank, Collective& collective, std::array<std::span<float>, 2> buckets) {
        EXPECT_EQ(collective.progress(), &progress[static_cast<std::size_t>(rank)]);
        for (int step = 0; step < 5; ++step) {
            const auto first = collective.startAllReduceSum(buckets[0]), second = collective.startAllReduceSum(buckets[1]);
            collective.wait(first);
            collective.wait(second);
        }
        EXPECT_EQ(of(rank).sequence, 10u);
        EXPECT_EQ(of(rank).bucket, 1);
        EXPECT_EQ(of(rank).buckets, 2);
        EXPECT_EQ(of(rank).bytes, kFloats * sizeof(float));
        EXPECT_EQ(of(rank).steps, 5);
        collective.barrier();
        EXPECT_EQ(of(rank).sequence, 11u);
        EXPECT_EQ(of(rank).bucket, -1) << "a meeting has no bucket";
        EXPECT_FALSE(of(rank).waits);
    });
}

TEST_P(ExchangeProgressOfARing, TellsWhoWaitsForWhomAndForHowLong) {
    run([&](int rank, Collective& collective, std::array<std::span<float>, 2> buckets) {
        collective.allReduceSum(buckets[0]);
        if (rank == kLate) {
            EXPECT_TRUE(tests::support::eventually([&] {
                return of(0).waits && of(2).waits && of(0).wait >= 20ms && of(2).wait >= 20ms && of(0).sequence == 2 && of(2).sequence == 2;
            }));
            EXPECT_EQ(of(2).awaited, kLate);
            EXPECT_EQ(of(0).awaited, GetParam().peer_views ? kLate : 2) << "each sees its left neighbour, or in place everybody";
            EXPECT_EQ(of(0).bucket, 1);
            EXPECT_EQ(of(kLate).sequence, 1u) << "the late one is behind";
            EXPECT_FALSE(of(kLate).waits);
        }
        collective.wait(collective.startAllReduceSum(buckets[1]));
        EXPECT_FALSE(of(rank).waits);
        EXPECT_EQ(of(rank).sequence, 2u);
        if (rank != kLate) {
            EXPECT_GE(of(rank).waited, 20ms);
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Ways, ExchangeProgressOfARing,
                         testing::Values(Way{"InPlace", true, true}, Way{"ByAThread", false, true}, Way{"ByTheCaller", false, false}),
                         [](const auto& row) { return row.param.name; });

TEST(ExchangeProgress, CountsTheStepsOfAWorkerWithServersAndItsWaits) {
    ExchangeProgress progress;
    progress.setBucketCount(2);
    EXPECT_EQ(progress.read(Clock::now()).sequence, 0u);
    progress.beginStep(1, 4096);
    {
        const ExchangeWait wait(&progress, 3);
        const auto reading = progress.read(Clock::now() + 2s);
        EXPECT_TRUE(reading.waits);
        EXPECT_EQ(reading.awaited, 3);
        EXPECT_GE(reading.wait, 2s);
        EXPECT_EQ(reading.bucket, -1) << "it pulls";
        EXPECT_EQ(reading.bytes, 4096u);
    }
    progress.awaitBucket(1, 128);
    const auto reading = progress.read(Clock::now());
    EXPECT_FALSE(reading.waits);
    EXPECT_EQ(reading.awaited, -1);
    EXPECT_EQ(reading.bucket, 1);
    EXPECT_EQ(reading.buckets, 2);
    EXPECT_EQ(reading.steps, 1);
    EXPECT_GT(reading.waited, 0ns);
    const ExchangeWait nobody_asks(nullptr, 0);
}

}  // namespace
