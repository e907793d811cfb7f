// The calls to NCCL itself, on a library of its name that this program finds first.
#include "engine/distribute/nccl/nccl_library.h"

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "tests/support/eventually.h"
#include "tests/support/fake_nccl/fake_nccl.h"

namespace engine::distribute::nccl {
namespace {

using namespace std::chrono_literals;

class NcclLibrary : public ::testing::Test {
protected:
    NcclLibrary() : library(openLibrary(reason)) {}
    void SetUp() override {
        ASSERT_NE(library, nullptr) << reason;
        const auto find = reinterpret_cast<FakeNccl* (*)()>(::dlsym(::dlopen("libnccl.so.2", RTLD_NOW | RTLD_NOLOAD), "fakeNccl"));
        ASSERT_NE(find, nullptr) << "another libnccl.so.2 was found";
        told = find();
        told->slow_calls = 0;
        told->graphs = 0;
        told->fails = false;
        told->last_error = "";
        for (auto* count : {&told->communicators, &told->sums, &told->broadcasts, &told->aborts_begun, &told->aborted, &told->destroyed}) {
            *count = 0;
        }
    }

    std::unique_ptr<Communicator> joined() {
        auto communicator = library->join(library->newId(), 0, 2);
        EXPECT_EQ(until(*communicator, 100), Progress::kDone);
        return communicator;
    }
    static Progress until(Communicator& communicator, int polls) {
        for (int i = 0; i < polls; ++i) {
            if (const State state = communicator.state(); state.progress != Progress::kGoesOn) return state.progress;
        }
        return Progress::kGoesOn;
    }

    std::string reason;
    std::shared_ptr<Library> library;
    FakeNccl* told = nullptr;
};

TEST_F(NcclLibrary, JoinsSumsAndEndsInOrder) {
    EXPECT_EQ(library->version(), "2.28.9");
    told->slow_calls = 3;
    auto communicator = library->join(library->newId(), 1, 2);
    EXPECT_EQ(communicator->state().progress, Progress::kGoesOn);
    EXPECT_EQ(until(*communicator, 10), Progress::kDone);
    EXPECT_EQ(communicator->trySum().progress, Progress::kGoesOn);
    EXPECT_EQ(until(*communicator, 10), Progress::kDone);
    float value = 0;
    EXPECT_EQ(communicator->sum(&value, 1, nullptr).progress, Progress::kGoesOn);
    EXPECT_EQ(until(*communicator, 10), Progress::kDone);
    std::byte byte{};
    EXPECT_EQ(communicator->broadcast(&byte, 1, 0, nullptr).progress, Progress::kDone);
    communicator.reset();
    EXPECT_EQ(told->sums, 2);
    EXPECT_EQ(told->broadcasts, 1);
    EXPECT_EQ(told->destroyed, 1);
    EXPECT_EQ(told->aborted, 0);
}

TEST_F(NcclLibrary, TellsAFailureInTheLibrarysWords) {
    const auto communicator = joined();
    told->fails = true;
    told->last_error = "socket closed";
    const State state = communicator->state();
    EXPECT_EQ(state.progress, Progress::kFailed);
    EXPECT_EQ(state.reason, "unhandled system error: socket closed");
}

// Whoever aborts holds the graphs that the library waits for.
TEST_F(NcclLibrary, AbortsWithoutWaitingForGraphs) {
    auto communicator = joined();
    told->graphs = 1;
    communicator->abort();
    EXPECT_TRUE(tests::support::eventually([&] { return told->aborts_begun == 1; }));
    EXPECT_EQ(told->aborted, 0);
    EXPECT_EQ(communicator->state().progress, Progress::kFailed);
    communicator->abort();  // once is enough
    told->graphs = 0;
    communicator.reset();
    EXPECT_EQ(told->aborted, 1);
    EXPECT_EQ(told->destroyed, 0);
}

TEST_F(NcclLibrary, EndsOfItselfWhenGraphsOutliveIt) {
    auto communicator = joined();
    told->graphs = 1;
    const auto begin = std::chrono::steady_clock::now();
    communicator.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 60s);
    EXPECT_EQ(told->destroyed, 0);
    told->graphs = 0;
    EXPECT_TRUE(tests::support::eventually([&] { return told->destroyed == 1; }));
}

// A trial whose sum waits for a lost member: its memory goes after the abort, not before.
TEST_F(NcclLibrary, AbortsATrialThatIsUnderWay) {
    auto communicator = joined();
    told->slow_calls = 1000000;
    EXPECT_EQ(communicator->trySum().progress, Progress::kGoesOn);
    EXPECT_EQ(until(*communicator, 10), Progress::kGoesOn);
    communicator.reset();
    EXPECT_EQ(told->aborted, 1);
}

TEST(NcclEnvironment, IsSetUnlessSomebodyHas) {
    ::unsetenv("NCCL_RUNTIME_CONNECT");
    prepareEnvironment();
    EXPECT_STREQ(std::getenv("NCCL_RUNTIME_CONNECT"), "0");
    ::setenv("NCCL_RUNTIME_CONNECT", "1", 1);
    prepareEnvironment();
    EXPECT_STREQ(std::getenv("NCCL_RUNTIME_CONNECT"), "1");
}

}  // namespace
}  // namespace engine::distribute::nccl
