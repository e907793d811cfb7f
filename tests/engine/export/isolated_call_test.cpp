#include "engine/export/isolated_call.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <vector>

#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

using testing::HasSubstr;

// The error that `work` ends in, whose message begins with the name of what was read.
std::string problemOf(const std::function<std::string()>& work, const IsolatedLimits& limits = {}) {
    try {
        callIsolated(work, "model.h5", limits);
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kDataLoss) << error.what();
        EXPECT_THAT(error.what(), testing::StartsWith("model.h5: "));
        return error.what();
    }
    ADD_FAILURE() << "it was done";
    return {};
}

TEST(IsolatedCall, GivesWhatTheWorkReturns) {
    const std::string large(3 << 20, 'x');
    EXPECT_EQ(callIsolated([&] { return large; }, "model.h5", {}), large);
}

TEST(IsolatedCall, ThrowsTheErrorOfTheWork) {
    try {
        callIsolated([]() -> std::string { throw Error(ErrorCode::kInvalidArgument, "expected weights"); }, "model.h5", {});
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
        EXPECT_STREQ(error.what(), "model.h5: expected weights");
    }
}

TEST(IsolatedCall, OutlivesACrash) {
    EXPECT_THAT(problemOf([]() -> std::string {
                    ::raise(SIGSEGV);
                    return {};
                }),
                HasSubstr("can't be followed"));
}

TEST(IsolatedCall, EndsWorkThatGoesRoundInCirclesByItsProcessorTime) {
    const auto begin = std::chrono::steady_clock::now();
    const auto circle = []() -> std::string {
        for (volatile unsigned round = 0;;) {
            round = round + 1;
        }
    };
    EXPECT_THAT(problemOf(circle, {.deadline = std::chrono::minutes(10), .processor_time = std::chrono::seconds(1)}),
                HasSubstr("leads nowhere"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(5));
}

TEST(IsolatedCall, EndsWorkThatWaitsAtTheDeadline) {
    const auto begin = std::chrono::steady_clock::now();
    const auto wait = []() -> std::string {
        ::signal(SIGALRM, SIG_IGN);
        for (;;) {
            ::pause();
        }
    };
    EXPECT_THAT(problemOf(wait, {.deadline = std::chrono::seconds(1)}), HasSubstr("leads nowhere"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::minutes(5));
}

TEST(IsolatedCall, RefusesMemoryBeyondItsLimit) {
    constexpr std::size_t kAsked = std::size_t{1} << 30;
    const auto take = [] {
        // Not through operator new, which tests of damaged files replace.
        void* memory = std::malloc(kAsked);
        if (memory == nullptr) {
            throw std::bad_alloc();
        }
        return std::string(static_cast<char*>(memory) == nullptr ? "" : "taken");
    };
    EXPECT_EQ(callIsolated(take, "model.h5", {.memory_bytes = std::uint64_t{4} << 30}), "taken");
    problemOf(take, {.memory_bytes = std::uint64_t{64} << 20});
}

}  // namespace
}  // namespace engine::exporter
