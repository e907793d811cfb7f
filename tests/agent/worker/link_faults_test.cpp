#include "agent/transport/link_faults.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "local_cluster.h"
#include "tests/support/spawn_ranks.h"

namespace {

using namespace std::chrono_literals;
using agent::worker::LinkFaults;
using engine::spec::TransportChoice;
using tests::support::LocalCluster;
using tests::support::spawnRanks;

constexpr LinkFaults::Clock::time_point kBegin{1h};

TEST(LinkFaults, HoldEachMessageOfASlowTaskForItsDelay) {
    LinkFaults faults(3);
    EXPECT_FALSE(faults.any());
    EXPECT_TRUE(faults.maySend(1, kBegin));
    faults.slow(20ms, 1s, kBegin);
    EXPECT_TRUE(faults.any());
    EXPECT_FALSE(faults.maySend(1, kBegin));
    EXPECT_FALSE(faults.maySend(1, kBegin + 19ms));
    EXPECT_FALSE(faults.maySend(2, kBegin + 19ms)) << "each peer's messages wait for themselves";
    EXPECT_TRUE(faults.maySend(1, kBegin + 20ms));
    EXPECT_FALSE(faults.maySend(1, kBegin + 20ms)) << "the next message";
    EXPECT_TRUE(faults.maySend(2, kBegin + 39ms));
    EXPECT_FALSE(faults.cutSince(1, kBegin)) << "it reads all the time";
    EXPECT_TRUE(faults.maySend(1, kBegin + 1s)) << "it is over, for what waits, too";
    EXPECT_FALSE(faults.any());
}

TEST(LinkFaults, ACutWayCarriesNothingForItsTime) {
    LinkFaults faults(3);
    faults.cut(2, 1s, kBegin);
    EXPECT_FALSE(faults.maySend(2, kBegin));
    EXPECT_EQ(faults.cutSince(2, kBegin + 999ms), kBegin);
    EXPECT_TRUE(faults.maySend(1, kBegin));
    EXPECT_FALSE(faults.cutSince(1, kBegin));
    faults.slow(20ms, 5s, kBegin);
    EXPECT_FALSE(faults.cutSince(2, kBegin + 1s));
    EXPECT_FALSE(faults.maySend(2, kBegin + 1s)) << "it is slow still";
    EXPECT_TRUE(faults.any());
}

class EveryTransport : public testing::TestWithParam<TransportChoice> {};
INSTANTIATE_TEST_SUITE_P(LinkFaults, EveryTransport, testing::Values(TransportChoice::kShm, TransportChoice::kGrpc));

// Sums stay right while messages are late; that they are late is seen by the clock of the one that waits for them.
TEST_P(EveryTransport, SumsAreRightOverASlowLink) {
    const LocalCluster cluster(2);
    LinkFaults faults(2);
    spawnRanks(2, std::function<void(int)>([&](int rank) {
                   const auto collective =
                       cluster.connect(rank, GetParam(), {.start_timeout = 180s, .faults = rank == 1 ? &faults : nullptr});
                   if (rank == 1) faults.slow(30ms, 1h);
                   const auto begin = std::chrono::steady_clock::now();
                   std::vector<float> gradients{1.0f, 2.0f};
                   collective->allReduceSum(gradients);
                   EXPECT_THAT(gradients, testing::ElementsAre(2.0f, 4.0f));
                   EXPECT_GE(std::chrono::steady_clock::now() - begin, rank == 1 ? 30ms : 0ms);
               }));
}

TEST_P(EveryTransport, ACutWayIsTheLossOfThePeerAtBothEnds) {
    const LocalCluster cluster(2);
    LinkFaults faults(2);
    spawnRanks(2, std::function<void(int)>([&](int rank) {
                   const auto collective = cluster.connect(rank, GetParam(),
                                                           {.start_timeout = 180s,
                                                            .operation_deadline = 60s,
                                                            .heartbeat = 100ms,
                                                            .lost_after = 1s,
                                                            .faults = rank == 1 ? &faults : nullptr});
                   std::vector<float> gradients(100, 1.0f);
                   try {
                       collective->allReduceSum(gradients);
                       if (rank == 1) faults.cut(0, 1h);
                       for (;;) collective->allReduceSum(gradients);
                   } catch (const engine::Error& error) {
                       EXPECT_THAT(error.what(), testing::HasSubstr("worker " + std::to_string(1 - rank)));
                   }
               }));
}

TEST_P(EveryTransport, AWayThatWasCutForLessCarriesAgain) {
    const LocalCluster cluster(2);
    LinkFaults faults(2);
    spawnRanks(2, std::function<void(int)>([&](int rank) {
                   const auto collective = cluster.connect(
                       rank, GetParam(),
                       {.start_timeout = 180s, .heartbeat = 100ms, .lost_after = 60s, .faults = rank == 1 ? &faults : nullptr});
                   const auto begin = std::chrono::steady_clock::now();
                   if (rank == 1) faults.cut(0, 300ms);
                   std::vector<float> gradients{1.0f, 2.0f};
                   collective->allReduceSum(gradients);
                   EXPECT_THAT(gradients, testing::ElementsAre(2.0f, 4.0f));
                   EXPECT_GE(std::chrono::steady_clock::now() - begin, rank == 1 ? 300ms : 0ms);
               }));
}

}  // namespace
