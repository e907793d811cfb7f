#include "agent/transport/grpc_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <thread>

#include "engine/spec/error.h"
#include "local_cluster.h"
#include "tests/support/collective_cases.h"
#include "tests/support/eventually.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/star_cases.h"

namespace {

using namespace std::chrono_literals;
using agent::worker::ConnectCallbacks;
using agent::worker::ConnectOptions;
using engine::Error;
using engine::ErrorCode;
using engine::distribute::Collective;
using engine::spec::TransportChoice;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using tests::support::LocalCluster;
using tests::support::spawnRanks;

constexpr ConnectOptions kQuick{.start_timeout = 180s, .operation_deadline = 180s};

void onEachRank(const LocalCluster& cluster, TransportChoice transport, const std::function<void(Collective&)>& fn) {
    spawnRanks(static_cast<int>(cluster.ports.size()), std::function<void(int)>([&](int rank) {
                   const auto collective = cluster.connect(rank, transport, kQuick);
                   fn(*collective);
               }));
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

TEST(ConnectCollective, IsUsedLikeThis) {
    const LocalCluster cluster(2);
    spawnRanks(2, std::function<void(int)>([&](int rank) {
                   const auto collective =
                       agent::worker::connectCollective(cluster.plan(rank), cluster.config(rank), TransportChoice::kAuto, cluster.secret);
                   std::vector<float> gradients{1.0f, 2.0f};
                   collective->allReduceSum(gradients);
                   EXPECT_THAT(gradients, testing::ElementsAre(2.0f, 4.0f));
               }));
}

struct Case {
    TransportChoice transport;
    int ranks;
    std::size_t floats;
};

class EveryTransportRankAndSize : public testing::TestWithParam<Case> {};

TEST_P(EveryTransportRankAndSize, GivesExactSumsAndCopies) {
    const LocalCluster cluster(GetParam().ranks);
    onEachRank(cluster, GetParam().transport,
               [](Collective& collective) { tests::support::expectAllOperationsWork(collective, GetParam().floats); });
}

std::vector<Case> cases() {
    std::vector<Case> all;
    for (const TransportChoice transport : {TransportChoice::kShm, TransportChoice::kGrpc}) {
        for (const int ranks : tests::support::kRanks) {
            for (const std::size_t floats : tests::support::kSizes) all.push_back({transport, ranks, floats});
        }
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Worker, EveryTransportRankAndSize, testing::ValuesIn(cases()), [](const auto& row) {
    return (row.param.transport == TransportChoice::kShm ? std::string("Shm") : std::string("Grpc")) + std::to_string(row.param.ranks) +
           "Ranks" + std::to_string(row.param.floats) + "Floats";
});

class StarOfTasks : public testing::TestWithParam<Case> {};

TEST_P(StarOfTasks, CarriesBytesToItsCentreAndBack) {
    const auto [transport, ranks, floats] = GetParam();
    const LocalCluster cluster(ranks);
    spawnRanks(ranks, std::function<void(int)>([&, transport = transport, ranks = ranks, floats = floats](int rank) {
                   const auto member = agent::worker::connectTransport(
                       cluster.plan(rank), cluster.config(rank), engine::distribute::Edges::star(ranks), transport, cluster.secret, kQuick);
                   EXPECT_EQ(member->link(rank == 0 ? 1 : 0), transport == TransportChoice::kShm ? "shared memory" : "gRPC");
                   tests::support::expectStarWorks(*member, floats);
                   member->leave("");
               }));
}

INSTANTIATE_TEST_SUITE_P(ConnectTransport, StarOfTasks,
                         testing::Values(Case{TransportChoice::kShm, 2, 1}, Case{TransportChoice::kShm, 4, 300'001},
                                         Case{TransportChoice::kGrpc, 2, 1}, Case{TransportChoice::kGrpc, 4, 300'001},
                                         Case{TransportChoice::kGrpc, 7, 1000}),
                         [](const auto& row) {
                             return std::string(row.param.transport == TransportChoice::kShm ? "SharedMemory" : "Grpc") +
                                    std::to_string(row.param.ranks) + "Ranks" + std::to_string(row.param.floats) + "Floats";
                         });

TEST(ConnectCollective, GivesTheSameBytesOnEveryTransport) {
    for (const int n : {2, 3, 4}) {
        std::vector<float> expected;
        std::mutex mutex;
        const auto compare = [&](Collective& collective) {
            const std::vector<float> sums = tests::support::randomSums(collective);
            std::lock_guard lock(mutex);
            if (expected.empty()) expected = sums;
            ASSERT_EQ(sums.size(), expected.size());
            EXPECT_EQ(0, std::memcmp(sums.data(), expected.data(), sums.size() * sizeof(float))) << collective.describe();
        };
        spawnRanks(n, compare);
        onEachRank(LocalCluster(n), TransportChoice::kShm, compare);
        onEachRank(LocalCluster(n), TransportChoice::kGrpc, compare);
    }
}

TEST(ConnectCollective, ChoosesSharedMemoryByItselfAndSaysSo) {
    onEachRank(LocalCluster(3), TransportChoice::kAuto, [](Collective& collective) {
        if (collective.rank() != 0) return;
        EXPECT_EQ(collective.describe(), "worker 0 <-> worker 1: shared memory\nworker 0 <-> worker 2: shared memory");
    });
    onEachRank(LocalCluster(2), TransportChoice::kGrpc,
               [](Collective& collective) { EXPECT_THAT(collective.describe(), HasSubstr(": gRPC")); });
}

TEST(ConnectCollective, MixesTransportsWhereOneTaskWantsGrpc) {
    const LocalCluster cluster(4);
    std::mutex mutex;
    std::vector<std::string> log;
    spawnRanks(4, std::function<void(int)>([&](int rank) {
                   ConnectCallbacks callbacks;
                   callbacks.on_log = [&](const std::string& line) {
                       std::lock_guard lock(mutex);
                       log.push_back(line);
                   };
                   const auto collective =
                       cluster.connect(rank, rank == 1 ? TransportChoice::kGrpc : TransportChoice::kAuto, kQuick, callbacks);
                   tests::support::expectAllOperationsWork(*collective, 20011);
                   if (rank == 2) {
                       EXPECT_EQ(collective->describe(),
                                 "worker 2 <-> worker 0: shared memory\nworker 2 <-> worker 1: gRPC\nworker 2 <-> worker 3: shared memory");
                   }
               }));
    EXPECT_THAT(log, Contains(AllOf(HasSubstr("no shared memory with worker 1 at localhost:"), HasSubstr("transport is set to grpc"))));
}

TEST(ConnectCollective, RefusesShmWithATaskThatWantsGrpc) {
    const LocalCluster cluster(2);
    std::jthread other([&] {
        try {
            cluster.connect(1, TransportChoice::kGrpc, kQuick);
        } catch (const Error&) {
        }
    });
    EXPECT_THAT(errorOf([&] { cluster.connect(0, TransportChoice::kShm, kQuick); }, ErrorCode::kFailedPrecondition),
                HasSubstr("transport shm: worker 0 cannot share memory with worker 1 at localhost:"));
}

TEST(ConnectCollective, NamesTheMissingTaskAndGivesUp) {
    const LocalCluster cluster(2);
    std::vector<std::string> waiting;
    bool listening = false;
    ConnectCallbacks callbacks;
    std::vector<engine::spec::TaskId> awaited;
    callbacks.on_waiting = [&](const std::string& line, const std::vector<engine::spec::TaskId>& tasks) {
        waiting.push_back(line);
        awaited = tasks;
    };
    callbacks.on_listening = [&] { listening = true; };
    const std::string where = "worker 1 at localhost:" + std::to_string(cluster.ports[1].port());
    const std::string error =
        errorOf([&] { cluster.connect(0, TransportChoice::kAuto, {.start_timeout = 1100ms, .waiting_report = 500ms}, callbacks); },
                ErrorCode::kDeadlineExceeded);
    EXPECT_THAT(error, HasSubstr("gave up waiting for " + where + " after 1.1 s"));
    // Two of them, where the machine lets the task look as often as it likes.
    ASSERT_FALSE(waiting.empty());
    EXPECT_THAT(waiting,
                testing::Each(testing::AllOf(testing::StartsWith("waiting for " + where + " ("), testing::EndsWith(" s of 1.1 s)"))));
    EXPECT_THAT(awaited, testing::ElementsAre(engine::spec::TaskId{"worker", 1}));
    EXPECT_TRUE(listening);
}

TEST(ConnectCollective, CanBeCancelledWhileItWaits) {
    const LocalCluster cluster(2);
    ConnectCallbacks callbacks;
    callbacks.is_cancelled = [] { return true; };
    EXPECT_THAT(errorOf([&] { cluster.connect(0, TransportChoice::kAuto, kQuick, callbacks); }, ErrorCode::kCancelled),
                HasSubstr("worker 1"));
}

TEST(ConnectCollective, RefusesATaskOfAnotherCluster) {
    const LocalCluster cluster(2);
    LocalCluster other(2);
    other.spec.jobs[0].tasks[1] = *cluster.spec.address({"worker", 1});  // it dials into our cluster
    std::mutex mutex;
    std::vector<std::string> log;
    std::atomic<bool> is_refused = false;
    std::jthread second([&] {
        ConnectCallbacks callbacks;
        callbacks.is_cancelled = [&] { return is_refused.load(); };
        callbacks.on_log = [&](const std::string& line) {
            std::lock_guard lock(mutex);
            log.push_back(line);
        };
        errorOf([&] { cluster.connect(1, TransportChoice::kAuto, kQuick, callbacks); }, ErrorCode::kCancelled);
    });
    EXPECT_THAT(errorOf([&] { other.connect(0, TransportChoice::kAuto, kQuick); }, ErrorCode::kFailedPrecondition),
                AllOf(HasSubstr("refused by worker 1 at localhost:"), HasSubstr("it belongs to another cluster"),
                      HasSubstr(*cluster.spec.address({"worker", 0})), HasSubstr(*other.spec.address({"worker", 0}))));
    is_refused = true;
    second.join();
    EXPECT_THAT(log, Contains(HasSubstr("refused worker 0: it belongs to another cluster")));
}

TEST(ConnectCollective, NamesAPortThatIsTaken) {
    const LocalCluster cluster(2);
    ASSERT_EQ(listen(cluster.ports[0].socket(), 1), 0);
    EXPECT_EQ(errorOf([&] { cluster.connect(0, TransportChoice::kAuto, kQuick); }, ErrorCode::kAlreadyExists),
              "worker 0: port " + std::to_string(cluster.ports[0].port()) + " is in use by another program");
}

TEST(ConnectCollective, RefusesHostsBeyondThisComputerWithoutAKey) {
    LocalCluster cluster(2);
    cluster.spec.jobs[0].tasks[1] = "192.0.2.1:2222";
    EXPECT_THAT(errorOf([&] { cluster.connect(0, TransportChoice::kAuto, kQuick); }, ErrorCode::kFailedPrecondition),
                HasSubstr("worker 1 at 192.0.2.1:2222 is on another computer, to which the way must be encrypted: expected tandem-worker's "
                          "--cluster-key FILE"));
    cluster.spec.jobs[0].tasks[1] = "localhost";
    EXPECT_THAT(errorOf([&] { cluster.connect(0, TransportChoice::kAuto, kQuick); }, ErrorCode::kInvalidArgument), HasSubstr("worker 1"));
}

TEST(ConnectCollective, MemberThatLeavesInOrderDoesNotDisturbTheOthers) {
    for (const TransportChoice transport : {TransportChoice::kShm, TransportChoice::kGrpc}) {
        onEachRank(LocalCluster(3), transport, [](Collective& collective) {
            std::vector<float> data(300000, 1.0f);
            collective.allReduceSum(data);
            EXPECT_EQ(data.back(), 3.0f);
            // Whoever is first is gone while the others may still be at it.
        });
    }
}

// A step that takes long: the thread has no time for anybody.
void computeFor(std::chrono::milliseconds time) {
    const auto until = std::chrono::steady_clock::now() + time;
    volatile double value = 1;
    while (std::chrono::steady_clock::now() < until) value = value * 1.0000001 + 1e-9;
}

TEST(ConnectCollective, SilentPeerIsNotLostWhileItComputes) {
    const ConnectOptions options{.start_timeout = 180s, .operation_deadline = 180s, .heartbeat = 50ms, .lost_after = 400ms};
    std::string why;
    EXPECT_TRUE(tests::support::holdsOnce([&] {
        const LocalCluster cluster(2);
        try {
            spawnRanks(2, std::function<void(int)>([&](int rank) {
                           const auto collective = cluster.connect(rank, TransportChoice::kAuto, options);
                           // Three times what loses a peer that sends no heartbeats.
                           if (rank == 0) computeFor(1200ms);
                           collective->barrier();
                       }));
            return true;
        } catch (const Error& error) {
            why = error.what();
            return false;
        }
    })) << why;
}

}  // namespace
