#include "engine/distribute/ring.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <mutex>

#include "engine/spec/error.h"
#include "tests/support/collective_cases.h"
#include "tests/support/spawn_ranks.h"

namespace {

using namespace std::chrono_literals;
using engine::Error;
using engine::ErrorCode;
using engine::distribute::Collective;
using engine::distribute::LoopbackOptions;
using engine::distribute::makeLoopbackTransports;
using engine::distribute::makeRingCollective;
using engine::distribute::RingOptions;
using testing::HasSubstr;
using tests::support::spawnRanks;

TEST(Ring, IsUsedLikeThis) {
    spawnRanks(2, [](Collective& collective) {
        const std::span<std::byte> region = collective.allocateRegion(4 * sizeof(float));
        const std::span<float> gradients{reinterpret_cast<float*>(region.data()), 4};
        gradients[3] = static_cast<float>(collective.rank() + 1);
        const std::uint64_t ticket = collective.startAllReduceSum(gradients);
        // ... the backward pass goes on ...
        collective.wait(ticket);
        EXPECT_EQ(gradients[3], 3.0f);
    });
}

struct Case {
    int ranks;
    std::size_t floats;
    bool peer_views;
    bool own_thread = true;
};

class EveryRankAndSize : public testing::TestWithParam<Case> {};

TEST_P(EveryRankAndSize, GivesExactSumsAndCopies) {
    spawnRanks(GetParam().ranks, [](Collective& collective) { tests::support::expectAllOperationsWork(collective, GetParam().floats); },
               {.deadline = 60s, .own_thread = GetParam().own_thread}, {.peer_views = GetParam().peer_views});
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const int ranks : tests::support::kRanks) {
        for (const std::size_t floats : tests::support::kSizes) {
            for (const bool views : {false, true}) all.push_back({ranks, floats, views});
            all.push_back({ranks, floats, false, false});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Loopback, EveryRankAndSize, testing::ValuesIn(cases()), [](const auto& row) {
    return std::to_string(row.param.ranks) + "Ranks" + std::to_string(row.param.floats) + "Floats" +
           (row.param.peer_views ? "InPlace" : "AsMessages") + (row.param.own_thread ? "" : "ByTheCaller");
});

// Above the size up to which they exchange everything, and in many messages.
TEST(Ring, TwoMembersAddHalvesOfWhatIsLarge) {
    spawnRanks(
        2, [](Collective& collective) { tests::support::expectAllOperationsWork(collective, (std::size_t{5} << 20) / sizeof(float) + 3); },
        {.deadline = 60s}, {.peer_views = false});
}

// ((x[s+1] + x[s+2]) + ...) + x[s], written here a second time, without the division of labour.
std::vector<float> expectedSum(int n, std::size_t count) {
    const std::size_t share = ((count + static_cast<std::size_t>(n) - 1) / static_cast<std::size_t>(n) + 15) / 16 * 16;
    std::vector<std::vector<float>> inputs;
    for (int rank = 0; rank < n; ++rank) inputs.push_back(tests::support::randomInput(rank, count));
    std::vector<float> sums(count);
    for (std::size_t i = 0; i < count; ++i) {
        const int owner = static_cast<int>(i / share);
        sums[i] = inputs[static_cast<std::size_t>((owner + 1) % n)][i];
        for (int k = 2; k <= n; ++k) sums[i] += inputs[static_cast<std::size_t>((owner + k) % n)][i];
    }
    return sums;
}

TEST(Ring, OrderOfASumDependsOnElementAndRankOnly) {
    for (const int n : {2, 3, 7}) {
        std::vector<float> expected;
        for (const std::size_t count : {std::size_t{1}, std::size_t{37}, std::size_t{5003}, std::size_t{100003}}) {
            const std::vector<float> part = expectedSum(n, count);
            expected.insert(expected.end(), part.begin(), part.end());
        }
        for (const bool views : {false, true}) {
            std::mutex mutex;
            spawnRanks(n,
                       [&](Collective& collective) {
                           const std::vector<float> sums = tests::support::randomSums(collective);
                           std::lock_guard lock(mutex);
                           ASSERT_EQ(sums.size(), expected.size());
                           EXPECT_EQ(0, std::memcmp(sums.data(), expected.data(), sums.size() * sizeof(float)))
                               << n << " members, rank " << collective.rank() << (views ? ", in place" : ", as messages");
                       },
                       {}, {.peer_views = views});
        }
    }
}

std::string errorOf(const std::function<void()>& work, ErrorCode code) {
    try {
        work();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), code) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no Error";
    return {};
}

TEST(Ring, KilledMemberFailsTheOthersLongBeforeTheDeadlineAndIsNamed) {
    for (const bool views : {false, true}) {
        auto transports = makeLoopbackTransports(3, {.peer_views = views});
        spawnRanks(3, std::function<void(int)>([&](int rank) {
                       auto& transport = transports[static_cast<std::size_t>(rank)];
                       if (rank == 1) {
                           transport.reset();  // as a killed process: no goodbye
                           return;
                       }
                       const auto collective = makeRingCollective(std::move(transport), {.deadline = 180s});
                       std::vector<float> data(100000);
                       EXPECT_THAT(errorOf([&] { collective->allReduceSum(data); }, ErrorCode::kUnavailable), HasSubstr("worker 1"));
                       EXPECT_THAT(errorOf([&] { collective->barrier(); }, ErrorCode::kUnavailable), HasSubstr("worker 1"))
                           << "broken for good";
                   }));
    }
}

TEST(Ring, StartedReductionFailsAtItsWait) {
    auto transports = makeLoopbackTransports(2);
    const auto collective = makeRingCollective(std::move(transports[0]), {.deadline = 60s});
    std::vector<float> data(100000);
    const std::uint64_t ticket = collective->startAllReduceSum(data);
    transports[1].reset();
    EXPECT_THAT(errorOf([&] { collective->wait(ticket); }, ErrorCode::kUnavailable), HasSubstr("worker 1 closed its connection"));
    EXPECT_THAT(errorOf([&] { collective->startAllReduceSum(data); }, ErrorCode::kUnavailable), HasSubstr("worker 1"));
}

TEST(Ring, SilentMemberIsNamedAtTheDeadline) {
    auto transports = makeLoopbackTransports(2);
    const auto collective = makeRingCollective(std::move(transports[0]), {.deadline = 100ms});
    EXPECT_THAT(errorOf([&] { collective->barrier(); }, ErrorCode::kDeadlineExceeded), HasSubstr("barrier: gave up waiting for worker 1"));
}

TEST(Ring, MemberThatLeftInOrderIsMissedOnlyByWhoNeedsIt) {
    spawnRanks(2, [](Collective& collective) {
        std::vector<std::byte> data(1000);
        collective.broadcast(data, 0);
        if (collective.rank() == 0) return;
        EXPECT_THAT(errorOf([&] { collective.barrier(); }, ErrorCode::kUnavailable), HasSubstr("worker 0 left the run"));
    });
}

TEST(Ring, GivingUpTellsTheOthersWhy) {
    auto transports = makeLoopbackTransports(3);
    auto second = makeRingCollective(std::move(transports[1]), {.deadline = 50ms});
    errorOf([&] { second->barrier(); }, ErrorCode::kDeadlineExceeded);
    second.reset();
    const auto first = makeRingCollective(std::move(transports[0]), {.deadline = 60s});
    EXPECT_THAT(errorOf([&] { first->barrier(); }, ErrorCode::kUnavailable),
                HasSubstr("worker 1 gave up: barrier: gave up waiting for worker 0"));
}

TEST(Ring, MembersAtDifferentOperationsAreNoticed) {
    EXPECT_THAT(errorOf(
                    [] {
                        spawnRanks(2, [](Collective& collective) {
                            std::vector<float> data(collective.rank() == 0 ? 100000 : 200000);
                            collective.allReduceSum(data);
                        });
                    },
                    ErrorCode::kFailedPrecondition),
                HasSubstr("collective: expected step"));
    EXPECT_THAT(errorOf(
                    [] {
                        spawnRanks(2, [](Collective& collective) {
                            const auto region = collective.allocateRegion(4096);
                            const std::span<float> floats{reinterpret_cast<float*>(region.data()), 1024};
                            collective.allReduceSum(floats.first(collective.rank() == 0 ? 1024 : 512));
                        });
                    },
                    ErrorCode::kFailedPrecondition),
                HasSubstr("all-reduce: expected 1024 floats from every member, got 512 from worker 1"));
    EXPECT_THAT(errorOf([] { spawnRanks(2, [](Collective& collective) { collective.allocateRegion(collective.rank() == 0 ? 64 : 128); }); },
                        ErrorCode::kFailedPrecondition),
                HasSubstr("shared region: expected 64 bytes"));
}

TEST(Ring, ManyReductionsMayBeUnderWay) {
    constexpr std::size_t kBuckets = 200;  // more than there are posts
    const auto reduceMany = [](Collective& collective) {
        const auto region = collective.allocateRegion(kBuckets * 64);
        const std::span<float> floats{reinterpret_cast<float*>(region.data()), kBuckets * 16};
        tests::support::fillExact(floats, collective.rank());
        std::uint64_t last = 0;
        for (std::size_t b = 0; b < kBuckets; ++b) last = collective.startAllReduceSum(floats.subspan(b * 16, 16));
        collective.wait(last);
        tests::support::expectExactSum(floats, collective.size());
    };
    spawnRanks(3, reduceMany);
    for (const int ranks : {2, 3}) spawnRanks(ranks, reduceMany, {.own_thread = false}, {.peer_views = false});
}

TEST(Ring, ReductionsOfTheCallersThreadMayBeAwaitedInAnyOrder) {
    constexpr std::size_t kFloats = 40000;  // several messages, and with three members too many for a gather
    for (const int ranks : {2, 3, 4}) {
        spawnRanks(ranks,
                   [](Collective& collective) {
                       std::vector<std::vector<float>> buckets(3, std::vector<float>(kFloats));
                       std::vector<std::uint64_t> tickets;
                       for (std::vector<float>& bucket : buckets) {
                           tests::support::fillExact(bucket, collective.rank());
                           tickets.push_back(collective.startAllReduceSum(bucket));
                       }
                       collective.wait(tickets[1]);
                       tests::support::expectExactSum(buckets[0], collective.size());
                       tests::support::expectExactSum(buckets[1], collective.size());
                       collective.barrier();  // after everything that was started
                       tests::support::expectExactSum(buckets[2], collective.size());
                       collective.wait(tickets[0]);
                       collective.wait(tickets[2]);
                   },
                   {.deadline = 60s, .own_thread = false}, {.peer_views = false});
    }
}

TEST(Ring, SaysWhatEachPairUses) {
    spawnRanks(3, [](Collective& collective) {
        if (collective.rank() != 1) return;
        EXPECT_EQ(collective.describe(), "worker 1 <-> worker 0: loopback\nworker 1 <-> worker 2: loopback");
    });
}

}  // namespace
