#include "engine/distribute/nccl/nccl_collective.h"

#include <atomic>
#include <functional>
#include <mutex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/distribute/nccl/tell_gpus.h"
#include "engine/spec/error.h"
#include "tests/support/collective_cases.h"
#include "tests/support/emulated_nccl.h"
#include "tests/support/spawn_ranks.h"

namespace {

using namespace engine::distribute;
using namespace std::chrono_literals;
using engine::Error;
using engine::ErrorCode;
using nccl::NcclConnection;
using nccl::NcclOptions;
using ::testing::HasSubstr;
using tests::support::EmulatedNccl;
using tests::support::EmulatedStream;
using tests::support::EmulatedWorld;
using tests::support::spawnRanks;
using Clock = std::chrono::steady_clock;

constexpr auto kLong = 30s;

NcclConnection join(Collective& host, EmulatedWorld& world, NcclOptions options = {}) {
    return nccl::connect(host, std::make_shared<EmulatedNccl>(world), options);
}

// As an executor waits for its stream.
void awaitStream(StreamCollective& streams, EmulatedStream& stream) {
    const auto since = Clock::now();
    while (stream.under_way > 0) {
        streams.check(since);
        std::this_thread::yield();
        ASSERT_LT(Clock::now() - since, kLong);
    }
}

// What the action throws; its text goes to `text`.
ErrorCode codeOf(const std::function<void()>& action, std::string& text) {
    try {
        action();
    } catch (const Error& error) {
        text = error.what();
        return error.code();
    }
    ADD_FAILURE() << "no error";
    return ErrorCode::kInternal;
}

TEST(NcclCollective, AddsUpOnStreams) {
    for (const int n : tests::support::kRanks) {
        for (const std::size_t count : tests::support::kSizes) {
            EmulatedWorld world;
            world.faults.slow_calls = 3;
            spawnRanks(n, [&](Collective& host) {
                const NcclConnection connection = join(host, world);
                ASSERT_TRUE(connection.collective) << connection.problem;
                StreamCollective& streams = *connection.collective->onStreams();
                EmulatedStream stream;
                std::vector<float> first(count), second(count), copied(count, -1.0F);
                tests::support::fillExact(first, host.rank());
                tests::support::fillExact(second, host.rank());
                if (host.rank() == n - 1) tests::support::fillExact(copied, n - 1);
                streams.enqueueAllReduceSum(first.data(), count, &stream);
                streams.enqueueAllReduceSum(second.data(), count, &stream);
                streams.enqueueBroadcast(reinterpret_cast<std::byte*>(copied.data()), count * sizeof(float), n - 1, &stream);
                awaitStream(streams, stream);
                tests::support::expectExactSum(first, n);
                tests::support::expectExactSum(second, n);
                for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(copied[i], tests::support::exactInput(n - 1, i));
            });
            EXPECT_EQ(world.ids, 1) << "one group, one id";
            EXPECT_EQ(world.aborts, 0);
            EXPECT_EQ(world.communicators, 0);
        }
    }
}

TEST(NcclCollective, KeepsTheHostsOperations) {
    EmulatedWorld world;
    spawnRanks(3, [&](Collective& host) {
        const NcclConnection connection = join(host, world);
        tests::support::expectAllOperationsWork(*connection.collective, 7919);
        EXPECT_THAT(connection.collective->describe(), HasSubstr("NCCL 2.28.9\n"));
        EXPECT_EQ(host.onStreams(), nullptr) << "a ring has no sums between GPUs";
    });
}

TEST(NcclCollective, EverybodyHearsWhyItCouldNotBeMade) {
    struct Row {
        const char* name;
        EmulatedWorld::Faults faults;
        const char* problem;
    };
    const Row rows[] = {
        {"NoId", {.no_id = true}, "member 0: NCCL: unhandled system error"},
        {"Refused", {.refuses_to_join = 2}, "member 2: NCCL: unhandled system error"},
        {"Silent", {.never_joins = 1}, "member 0: the others have not joined within 0.3 s"},
        {"FailsInTheTrial", {.fails_later = 1, .fails_after = 0}, "member 1: unhandled system error"},
    };
    for (const Row& row : rows) {
        EmulatedWorld world;
        world.faults = row.faults;
        std::mutex mutex;
        std::vector<std::string> problems;
        spawnRanks(3, [&](Collective& host) {
            const NcclConnection connection = join(host, world, {.connect_deadline = 300ms});
            EXPECT_FALSE(connection.collective) << row.name;
            host.barrier();  // the run goes on, by RING
            const std::lock_guard lock(mutex);
            problems.push_back(connection.problem);
        });
        for (const std::string& problem : problems) EXPECT_EQ(problem, row.problem) << row.name;
        EXPECT_EQ(world.communicators, 0) << row.name;
    }
}

TEST(NcclCollective, ADeadMemberEndsTheOthersSums) {
    for (const bool says_goodbye : {true, false}) {
        EmulatedWorld world;
        std::atomic<int> ended{0};
        const auto start = Clock::now();
        std::string first;
        try {
            spawnRanks(3, [&](Collective& host) {
                const NcclConnection connection = join(host, world);
                StreamCollective& streams = *connection.collective->onStreams();
                if (host.rank() == 1) {
                    if (says_goodbye) return;
                    throw Error(ErrorCode::kInternal, "it broke");
                }
                EmulatedStream stream;
                std::vector<float> data(1000, 1.0F);
                streams.enqueueAllReduceSum(data.data(), data.size(), &stream);
                std::string text;
                EXPECT_EQ(codeOf([&] { awaitStream(streams, stream); }, text), ErrorCode::kUnavailable);
                EXPECT_THAT(text, HasSubstr("1")) << "names the member";
                while (stream.under_way > 0 && Clock::now() - start < kLong) std::this_thread::yield();
                EXPECT_EQ(stream.under_way, 0) << "the stream runs empty";
                std::string again;
                codeOf([&] { streams.enqueueAllReduceSum(data.data(), data.size(), &stream); }, again);
                EXPECT_EQ(again, text) << "it stays broken";
                ++ended;
            });
        } catch (const Error& error) {
            first = error.what();
        }
        EXPECT_EQ(first, says_goodbye ? "" : "it broke");
        EXPECT_EQ(ended, 2);
        EXPECT_EQ(world.aborts, 2);
        EXPECT_LT(Clock::now() - start, kLong);
    }
}

TEST(NcclCollective, TellsTheLibrarysOwnErrors) {
    EmulatedWorld world;
    std::atomic<int> refused{0};
    spawnRanks(2, [&](Collective& host) {
        const NcclConnection connection = join(host, world);
        ASSERT_TRUE(connection.collective);
        host.barrier();
        if (host.rank() == 0) {
            world.faults.reason = "remote process exited";
            world.faults.fails_later = 0;
        }
        host.barrier();
        if (host.rank() == 1) return;
        StreamCollective& streams = *connection.collective->onStreams();
        EmulatedStream stream;
        float value = 1;
        streams.enqueueAllReduceSum(&value, 1, &stream);
        std::string text;
        EXPECT_EQ(codeOf([&] { awaitStream(streams, stream); }, text), ErrorCode::kUnavailable);
        EXPECT_EQ(text, "NCCL: remote process exited");
        ++refused;
    });
    EXPECT_EQ(refused, 1);
}

TEST(NcclCollective, ASumThatNeverEndsHasADeadline) {
    EmulatedWorld world;
    std::atomic<bool> over{false};
    spawnRanks(2, [&](Collective& host) {
        const NcclConnection connection = join(host, world, {.operation_deadline = 100ms});
        if (host.rank() == 1) {  // alive, but it never comes
            while (!over) std::this_thread::yield();
            return;
        }
        StreamCollective& streams = *connection.collective->onStreams();
        EmulatedStream stream;
        float value = 1;
        streams.enqueueAllReduceSum(&value, 1, &stream);
        std::string text;
        EXPECT_EQ(codeOf([&] { awaitStream(streams, stream); }, text), ErrorCode::kDeadlineExceeded);
        EXPECT_EQ(text, "NCCL: a sum between GPUs took longer than 0.1 s");
        over = true;
    });
}

TEST(TellGpus, EverybodyHearsEverybody) {
    const auto of = [](int rank) {
        engine::spec::TaskGpus one;
        one.host = "host" + std::to_string(rank / 2);
        for (int i = 0; i < rank; ++i) one.uuids.push_back("GPU-5fd4f087-86f3-7a43-b711-47713" + std::to_string(rank * 10 + i));
        if (rank == 0) one.no_gpu_reason = std::string(1000, 'x');
        one.nccl_version = "2.28.9";
        one.no_nccl_reason = rank == 2 ? "libnccl.so.2 is not installed" : "";
        return one;
    };
    spawnRanks(3, [&](Collective& host) {
        const auto all = nccl::tellGpus(host, of(host.rank()));
        ASSERT_EQ(all.size(), 3U);
        EXPECT_EQ(all[1], of(1));
        EXPECT_EQ(all[2], of(2));
        EXPECT_EQ(all[0].no_gpu_reason, std::string(255, 'x')) << "cut, not lost";
    });
}

TEST(NcclLibrary, IsThereOrSaysWhyNot) {
    std::string reason;
    const auto library = nccl::openLibrary(reason);
    EXPECT_NE(library == nullptr, reason.empty()) << reason;
    if (!library) GTEST_SKIP() << "no NCCL: " << reason;
    EXPECT_THAT(library->version(), ::testing::MatchesRegex(R"([0-9]+\.[0-9]+\.[0-9]+)"));
}

}  // namespace
