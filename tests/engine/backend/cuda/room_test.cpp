// Memory: who makes room for whom, and what is said when there is none. With the emulator, which is told how much there is.
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/cuda_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/cuda/cuda_executor.h"
#include "engine/plan/compile.h"
#include "engine/spec/error.h"
#include "tests/support/cuda_device.h"
#include "tests/support/cuda_emulator/emulator.h"
#include "tests/support/model_cases.h"

namespace engine::backend::cuda {
namespace {

using tests::support::FakeData;

plan::Plan smallPlan(std::int64_t batch) {
    using namespace tests::support::rows;
    const tests::support::ModelCase c{
        "small",
        tests::support::model({16, 16, 1},
                              {conv("conv2d", 8, 3, kRelu), tests::support::layer("Flatten", "flatten"), dense("dense", 5, "linear")}),
        tests::support::compileWith(kAdam),
        batch,
        batch,
        0.01F};
    return plan::compile(tests::support::runOf(c), {.batch = batch, .devices = {"GPU:0"}});
}

class Device {
public:
    Device() : session_(std::make_shared<Session>(0, LibraryOptions{}, choices_)) {}
    Session& session() { return *session_; }
    std::unique_ptr<CudaExecutor> make(const plan::Plan& plan, Variables& variables) {
        return std::make_unique<CudaExecutor>(plan, variables, ExecutorOptions{}, session_);
    }

private:
    Choices choices_;
    std::shared_ptr<Session> session_;
};

tensor::BatchView setOf(const std::vector<std::byte>& bytes, std::uint64_t set) {
    tensor::BatchView view{.samples = bytes.data(), .sample_elements = 1 << 10};
    view.set = set;
    view.count = static_cast<std::int64_t>(bytes.size()) >> 10;
    return view;
}

TEST(CudaRoom, ADataSetOnTheDeviceMakesRoomForAnExecutor) {
    const cuda_emulator::Settings restore;
    const plan::Plan plan = smallPlan(64);
    Variables variables(plan);
    const std::size_t before = cuda_emulator::allocatedBytes();
    std::size_t needed = 0;
    {
        Device alone;
        const auto executor = alone.make(plan, variables);
        needed = cuda_emulator::allocatedBytes() - before;
    }
    ASSERT_EQ(cuda_emulator::allocatedBytes(), before);
    const std::vector<std::byte> bytes((needed + needed / 2) >> 10 << 10);
    cuda_emulator::setDeviceMemory(before + 2 * bytes.size());
    Device device;
    ASSERT_NE(device.session().dataOf(setOf(bytes, 41)), nullptr);
    const std::vector<std::byte> more(bytes.size() / 2 >> 10 << 10);
    cuda_emulator::setDeviceMemory(cuda_emulator::allocatedBytes() + needed / 2);
    const auto executor = device.make(plan, variables);
    EXPECT_NE(executor, nullptr);
    EXPECT_LE(cuda_emulator::allocatedBytes() - before, needed);
    EXPECT_FALSE(device.session().dropData());
}

// Whatever allocation fails: one message, nothing left behind, and the next executor is as any other.
TEST(CudaRoom, AnyAllocationThatFailsIsTheSameError) {
    const cuda_emulator::Settings restore;
    const plan::Plan plan = smallPlan(64);
    Variables variables(plan);
    Device device;
    const std::size_t before = cuda_emulator::allocatedBytes(), pinned_before = cuda_emulator::pinnedBytes();
    int failures = 0;
    for (int call = 1;; ++call) {
        cuda_emulator::failAllocation(call);
        try {
            const auto executor = device.make(plan, variables);
            cuda_emulator::failAllocation(0);
            break;  // there are no more
        } catch (const Error& error) {
            ++failures;
            EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted) << error.what();
            EXPECT_THAT(error.what(), ::testing::StartsWith("GPU out of memory: the plan of 64 samples needs"));
            EXPECT_THAT(error.what(), ::testing::HasSubstr("were free"));
        }
        ASSERT_EQ(cuda_emulator::allocatedBytes(), before) << "call " << call;
        ASSERT_EQ(cuda_emulator::pinnedBytes(), pinned_before) << "call " << call;
        ASSERT_LT(call, 1000);
    }
    EXPECT_GT(failures, 10);
}

TEST(CudaRoom, TheMessageLeavesOutWhatAnotherExecutorHasAlready) {
    const cuda_emulator::Settings restore;
    const plan::Plan plan = smallPlan(8), large = smallPlan(4096);
    Variables variables(plan);
    Device device;
    const auto executor = device.make(plan, variables);
    cuda_emulator::setDeviceMemory(cuda_emulator::allocatedBytes() + (1 << 20));
    try {
        device.make(large, variables);
        FAIL() << "there was no room";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("variables 0.0 MiB"));
        EXPECT_THAT(error.what(), ::testing::HasSubstr("were free 1.0 MiB"));
    }
}

// Steps of one packet that bring more and less: none overwrites what another one brought.
TEST(CudaRoom, StepsOfDifferentDataInOnePacketKeepTheirOwn) {
    const plan::Plan plan = smallPlan(4);
    const auto train = [&](bool in_packet) {
        Variables variables(plan);
        Device device;
        const auto executor = device.make(plan, variables);
        executor->reloadVariables();
        const FakeData data(40, 256, 5, 3);
        const std::vector<float> weights(40, 0.5F);
        std::vector<std::uint32_t> indices{0, 1, 2, 3};
        std::int64_t at = 0;
        const NextStep next = [&](tensor::BatchView& view, StepControl& control) {
            if (at == 6) return false;
            for (std::uint32_t i = 0; i < 4; ++i) indices[i] = static_cast<std::uint32_t>(at) * 4 + i;
            view = data.view(indices);
            view.set = 0;
            if (at % 2 == 0) view.sample_weights = weights.data();
            control = {.learning_rate = 0.01F, .iteration = at};
            ++at;
            return true;
        };
        std::vector<double> losses;
        const StepDone done = [&](const StepResult& result) { losses.push_back(result.loss_sum); };
        in_packet ? executor->trainSteps(next, done) : executor->Executor::trainSteps(next, done);
        return losses;
    };
    const std::vector<double> losses = train(true);
    EXPECT_EQ(losses.size(), 6U);
    EXPECT_EQ(losses, train(false));
}

}  // namespace
}  // namespace engine::backend::cuda
