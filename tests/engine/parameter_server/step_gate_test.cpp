#include "engine/parameter_server/step_gate.h"

#include <thread>

#include <gtest/gtest.h>

namespace engine::parameter_server {
namespace {

std::chrono::steady_clock::time_point now() {
    return std::chrono::steady_clock::now();
}

TEST(StepGate, WithoutABoundNobodyWaits) {
    StepGate gate(std::nullopt);
    for (int worker = 0; worker < 100; ++worker) EXPECT_TRUE(gate.begin(worker, now()));
}

TEST(StepGate, WithABoundOfZeroOneStepFollowsTheOther) {
    StepGate gate(0);
    EXPECT_TRUE(gate.begin(0, now()));
    EXPECT_FALSE(gate.begin(1, now()));
    gate.end(0);
    EXPECT_TRUE(gate.begin(1, now()));
    EXPECT_FALSE(gate.begin(0, now()));
}

TEST(StepGate, AStepIsNeverMoreThanTheBoundBehind) {
    StepGate gate(1);
    EXPECT_TRUE(gate.begin(0, now()));
    EXPECT_TRUE(gate.begin(1, now())) << "one other is under way";
    EXPECT_FALSE(gate.begin(2, now())) << "both would miss two steps";
    gate.end(1);
    EXPECT_FALSE(gate.begin(1, now())) << "worker 0 has missed one already";
    gate.end(0);
    EXPECT_TRUE(gate.begin(2, now()));
}

TEST(StepGate, AWorkerThatComesAgainHoldsNobodyBack) {
    StepGate gate(0);
    EXPECT_TRUE(gate.begin(0, now()));
    EXPECT_TRUE(gate.begin(0, now())) << "its first step was given up";
    gate.end(0);
    EXPECT_TRUE(gate.begin(1, now()));
}

TEST(StepGate, WhoWaitsIsWoken) {
    StepGate gate(0);
    ASSERT_TRUE(gate.begin(0, now()));
    std::jthread other([&gate] { gate.end(0); });
    EXPECT_TRUE(gate.begin(1, now() + std::chrono::minutes(1)));
}

}  // namespace
}  // namespace engine::parameter_server
