#include "agent/transport/completion.h"

#include <grpcpp/alarm.h>
#include <grpcpp/grpcpp.h>

#include <gtest/gtest.h>
#include <vector>

namespace {

using namespace std::chrono_literals;
using agent::worker::Completion;
using agent::worker::handleMany;
using agent::worker::handleOne;

TEST(Completion, HandlesABoundedNumberAtOnceHoweverMuchIsThere) {
    constexpr int kAll = 2000;
    grpc::CompletionQueue queue;
    std::vector<grpc::Alarm> alarms(kAll);
    Completion event;
    int handled = 0;
    event.done = [&](bool) { ++handled; };
    for (grpc::Alarm& alarm : alarms) alarm.Set(&queue, gpr_now(GPR_CLOCK_MONOTONIC), &event);
    handleMany(queue, 10s);
    EXPECT_GE(handled, 1);
    EXPECT_LT(handled, kAll / 2) << "the heartbeat waits";
    while (handled < kAll && handleOne(queue, 10s)) {
    }
    EXPECT_EQ(handled, kAll);
    queue.Shutdown();
}

TEST(Completion, SaysWhenNothingCame) {
    grpc::CompletionQueue queue;
    EXPECT_FALSE(handleOne(queue, 0ms));
    EXPECT_FALSE(handleOne(queue, 5ms));
    queue.Shutdown();
}

}  // namespace
