#include "engine/distribute/mpi/mpi_collective.h"

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/distribute/mpi/mpi_library.h"
#include "engine/spec/error.h"
#include "tests/support/collective_cases.h"
#include "tests/support/emulated_mpi.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace engine::distribute;
using namespace std::chrono_literals;
using engine::Error;
using engine::ErrorCode;
using ::testing::HasSubstr;
using tests::support::EmulatedMpi;
using tests::support::spawnRanks;

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

// What a member gives to an operation that never ends is MPI's until the collective is gone, so it has to outlive that.
std::unique_ptr<Collective> join(Collective& host, mpi::MpiOptions options = {}) {
    return mpi::joinMembers(host, EmulatedMpi::functions(), std::move(options));
}

TEST(MpiCollective, AddsUpAndBroadcasts) {
    for (const int n : tests::support::kRanks) {
        for (const std::size_t count : tests::support::kSizes) {
            const EmulatedMpi world;
            spawnRanks(n, [&](Collective& host) { tests::support::expectAllOperationsWork(*join(host), count); });
            EXPECT_EQ(world.leftInOrder(), n);
        }
    }
}

TEST(MpiCollective, SumsOfTwoAreTheRings) {
    std::vector<std::vector<float>> ring(2), sums(2);
    spawnRanks(2, [&](Collective& host) { ring[static_cast<std::size_t>(host.rank())] = tests::support::randomSums(host); });
    const EmulatedMpi world;
    spawnRanks(2, [&](Collective& host) { sums[static_cast<std::size_t>(host.rank())] = tests::support::randomSums(*join(host)); });
    for (const std::vector<float>& one : sums) {
        ASSERT_EQ(one.size(), ring[0].size());
        EXPECT_EQ(0, std::memcmp(one.data(), ring[0].data(), one.size() * sizeof(float)));
    }
}

TEST(MpiCollective, SaysWhatCarriesTheGradientsAndTellsItsProgress) {
    const EmulatedMpi world;
    ExchangeProgress progress[2];
    auto transports = makeLoopbackTransports(2);
    spawnRanks(2, std::function<void(int)>([&](int rank) {
                   const auto host =
                       makeRingCollective(std::move(transports[static_cast<std::size_t>(rank)]), {.progress = &progress[rank]});
                   const auto collective = join(*host);
                   EXPECT_THAT(collective->describe(), HasSubstr("gradients: MPI, Emulated MPI v1.0, threads of a test\n"));
                   std::vector<float> first(16, 1.0f), second(32, 1.0f);
                   const std::uint64_t one = collective->startAllReduceSum(first), two = collective->startAllReduceSum(second);
                   collective->wait(one);
                   collective->wait(two);
                   EXPECT_EQ(collective->progress(), &progress[rank]);
                   const ExchangeProgress::Reading reading = progress[rank].read(std::chrono::steady_clock::now());
                   EXPECT_EQ(reading.sequence, 2u);
                   EXPECT_EQ(reading.bytes, 32 * sizeof(float));
                   EXPECT_FALSE(reading.waits);
               }));
}

TEST(MpiCollective, AMemberThatGoesIsNamed) {
    const EmulatedMpi world;
    std::vector<std::string> texts(3);
    spawnRanks(3, [&](Collective& host) {
        std::vector<float> data(100, 1.0f);
        const auto collective = join(host, {.grace = 10ms});
        collective->allReduceSum(data);
        if (host.rank() == 1) return;
        EXPECT_EQ(codeOf([&] { collective->allReduceSum(data); }, texts[static_cast<std::size_t>(host.rank())]), ErrorCode::kUnavailable);
        std::string again;
        codeOf([&] { collective->barrier(); }, again);
        EXPECT_EQ(again, texts[static_cast<std::size_t>(host.rank())]);
    });
    EXPECT_THAT(texts[0], HasSubstr("worker 1"));
    EXPECT_THAT(texts[2], HasSubstr("worker 1"));
    EXPECT_EQ(world.leftInOrder(), 1);
}

// A disk that is full, say: it must not wait in MPI for members that wait for it.
TEST(MpiCollective, AMemberThatFailsLeavesAtOnce) {
    const EmulatedMpi world;
    std::string text;
    EXPECT_EQ(codeOf(
                  [&] {
                      spawnRanks(2, [&](Collective& host) {
                          std::vector<float> data(100, 1.0f);
                          const auto collective = join(host, {.grace = 10ms});
                          collective->allReduceSum(data);
                          if (host.rank() == 0) throw Error(ErrorCode::kResourceExhausted, "the disk is full");
                          std::string why;
                          EXPECT_EQ(codeOf([&] { collective->allReduceSum(data); }, why), ErrorCode::kUnavailable);
                          EXPECT_THAT(why, HasSubstr("worker 0"));
                      });
                  },
                  text),
              ErrorCode::kResourceExhausted);
    EXPECT_EQ(world.leftInOrder(), 0);
}

TEST(MpiCollective, SaysMpisReasonWhereNobodyIsLost) {
    EmulatedMpi world;
    spawnRanks(2, [&](Collective& host) {
        std::vector<float> data(100, 1.0f);
        const auto collective = join(host, {.grace = 50ms});
        host.barrier();
        world.failOperations("MPI_Testall: MPI_ERR_OTHER");
        std::string text;
        EXPECT_EQ(codeOf([&] { collective->allReduceSum(data); }, text), ErrorCode::kUnavailable);
        EXPECT_EQ(text, "MPI: MPI_Testall: MPI_ERR_OTHER");
        host.barrier();
    });
    EXPECT_EQ(world.leftInOrder(), 0);
}

TEST(MpiCollective, SaysWhyMembersDontJoin) {
    EmulatedMpi world;
    world.failJoining("expected 2 processes in MPI_COMM_WORLD, got 1");
    spawnRanks(2, [&](Collective& host) {
        std::string text;
        EXPECT_EQ(codeOf([&] { join(host, {.grace = 10ms}); }, text), ErrorCode::kUnavailable);
        EXPECT_EQ(text, "MPI: expected 2 processes in MPI_COMM_WORLD, got 1");
        host.barrier();
    });
}

TEST(MpiCollective, NeverWaitsWithoutAnEnd) {
    EmulatedMpi world;
    spawnRanks(2, [&](Collective& host) {
        {
            std::vector<float> data(100, 1.0f);
            const auto collective = join(host, {.operation_deadline = 40ms, .look = 5ms, .grace = 10ms});
            std::string text;
            if (host.rank() == 0) {
                EXPECT_EQ(codeOf([&] { collective->allReduceSum(data); }, text), ErrorCode::kDeadlineExceeded);
                EXPECT_EQ(text, "MPI: expected an operation to be over within 40 ms while every member is alive, and it is not");
            }
            host.barrier();
        }
        world.holdJoining();
        host.barrier();
        std::string text;
        EXPECT_EQ(codeOf([&] { join(host, {.join_deadline = 30ms, .look = 5ms}); }, text), ErrorCode::kDeadlineExceeded);
        EXPECT_EQ(text, "MPI: expected all 2 ranks to join within 30 ms, and they have not");
        EXPECT_EQ(codeOf([&] { join(host, {.look = 5ms, .is_cancelled = [] { return true; }}); }, text), ErrorCode::kCancelled);
        host.barrier();
    });
}

// The environment's variable for one test.
class ModuleVariable {
public:
    explicit ModuleVariable(const std::filesystem::path& file) { ::setenv(mpi::kModuleVariable, file.c_str(), 1); }
    ~ModuleVariable() { ::unsetenv(mpi::kModuleVariable); }
    ModuleVariable(const ModuleVariable&) = delete;
    ModuleVariable& operator=(const ModuleVariable&) = delete;
};

TEST(MpiModule, WhatIsNoModuleIsRefusedInOneSentence) {
    const std::string expected =
        "strategy.communication: expected MPI's module libtandem-mpi.so of this version of Tandem beside the programs, as the package "
        "tandem-mpi has it, ";
    const tests::support::TempDir folder;
    const std::filesystem::path text_file = folder.path() / "text.so", absent = folder.path() / "absent.so";
    std::ofstream(text_file) << "no library\n";
    std::string text;
    {
        const ModuleVariable variable(absent);
        EXPECT_EQ(codeOf([] { mpi::openFunctions(); }, text), ErrorCode::kUnavailable);
        EXPECT_EQ(text, expected + "found none");
    }
    {
        const ModuleVariable variable(text_file);
        EXPECT_EQ(codeOf([] { mpi::openFunctions(); }, text), ErrorCode::kUnavailable);
        EXPECT_THAT(text, HasSubstr(expected + "got one that can't be loaded: "));
    }
    {
        const ModuleVariable variable(TANDEM_OTHER_MPI_MODULE);
        EXPECT_EQ(codeOf([] { mpi::openFunctions(); }, text), ErrorCode::kUnavailable);
        EXPECT_EQ(text, expected + "got " TANDEM_OTHER_MPI_MODULE ", whose functions have version " +
                            std::to_string(mpi::kFunctionsVersion + 1) + " in place of " + std::to_string(mpi::kFunctionsVersion));
    }
}

}  // namespace
