#include "engine/plan/strategies/strategy.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/lower.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"
#include "tests/support/model_builder.h"

namespace engine::plan {
namespace {

using ::testing::HasSubstr;
using Way = spec::ReduceRoute::Way;

const std::vector<std::string> kTwoDevices{"GPU:0", "GPU:1"};

Plan replicaPlan(const spec::ObjectSpec& optimizer = {"SGD", {{"momentum", 0.9}}}) {
    return fuseLayers(lower(tests::support::tutorialModel(), tests::support::compileWith(optimizer), {.replicas = 2}));
}

// The ways of the reductions, in the order of the plan.
std::vector<Way> waysOf(const Plan& plan) {
    std::vector<Way> ways;
    for (const Op& op : plan.ops) {
        if (op.kind == OpKind::kAllReduce) ways.push_back(std::get<spec::ReduceRoute>(op.attributes).way);
    }
    return ways;
}

TEST(Strategy, TheTableChoosesByKind) {
    EXPECT_EQ(&strategyOf(spec::StrategyKind::kMultiWorkerMirrored), &multiWorkerMirrored());
    EXPECT_EQ(&strategyOf(spec::StrategyKind::kCentralStorage), &centralStorage());
    EXPECT_EQ(&strategyOf(spec::StrategyKind::kMirrored), &mirrored());
    EXPECT_EQ(&strategyOf(spec::StrategyKind::kOneDevice), &mirrored()) << "several devices of one task are mirrored";
}

TEST(Strategy, MirroredKeepsVariablesAndUpdatesOnEveryDevice) {
    const spec::StrategySpec settings;
    const StrategyTarget second{.settings = settings, .devices = kTwoDevices, .device = 1};
    const Plan plan = mirrored().place(mirrored().distribute(replicaPlan(), second), second);
    EXPECT_THAT(waysOf(plan), ::testing::ElementsAre(Way::kRing));
    for (const Op& op : plan.ops) EXPECT_EQ(op.device, "/job:localhost/replica:0/task:0/device:GPU:1") << op.name;
    EXPECT_EQ(plan.tensors[static_cast<std::size_t>(findTensor(plan, "dense/kernel"))].device,
              "/job:localhost/replica:0/task:0/device:GPU:1");
}

TEST(Strategy, MirroredNamesAReductionDeviceThatIsNotThere) {
    const spec::StrategySpec settings{.cross_device_ops = {"ReductionToOneDevice", {{"reduce_to_device", std::string("GPU:7")}}}};
    try {
        mirrored().distribute(replicaPlan(), {.settings = settings, .devices = kTwoDevices});
        FAIL() << "it was taken";
    } catch (const Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::kInvalidArgument);
        EXPECT_THAT(e.what(), HasSubstr("strategy.cross_device_ops.reduce_to_device: expected one of the strategy's devices, got GPU:7"));
    }
}

TEST(Strategy, CentralStorageUpdatesOnceOnTheProcessor) {
    const spec::StrategySpec settings{.name = "CentralStorageStrategy"};
    const spec::TaskId task{"worker", 0};
    const auto isUpdate = [](const Op& op) { return op.phase == Phase::kUpdate; };
    for (int device = 0; device < 2; ++device) {
        const StrategyTarget target{.settings = settings, .devices = kTwoDevices, .device = device, .task = &task};
        const Plan plan = centralStorage().place(centralStorage().distribute(replicaPlan(), target), target);
        EXPECT_EQ(std::any_of(plan.ops.begin(), plan.ops.end(), isUpdate), device == 0);
        EXPECT_EQ(plan.tensors[static_cast<std::size_t>(findTensor(plan, "dense/kernel"))].device,
                  device == 0 ? "/job:worker/replica:0/task:0/device:CPU:0" : "");
        EXPECT_EQ(findTensor(plan, "dense/kernel:momentum") == kNoTensor, device == 1);
        EXPECT_EQ(plan.ops[1].device, "/job:worker/replica:0/task:0/device:GPU:" + std::to_string(device));
    }
}

TEST(Strategy, MultiWorkerMirroredSumsOnTheFirstDeviceBetweenTasks) {
    const spec::StrategySpec settings;
    Plan plan = replicaPlan();
    plan.replicas = 4;  // two tasks of two devices
    const StrategyTarget target{.settings = settings, .devices = kTwoDevices};
    EXPECT_THAT(waysOf(multiWorkerMirrored().distribute(plan, target)), ::testing::Each(Way::kWorkers));
    plan.replicas = 2;  // one task
    EXPECT_THAT(waysOf(multiWorkerMirrored().distribute(plan, target)), ::testing::Each(Way::kRing));
}

// The kinds of these two in the order of the plan, each as often as it follows the other.
std::vector<OpKind> clippingAndReduction(const Plan& plan) {
    std::vector<OpKind> kinds;
    for (const Op& op : plan.ops) {
        const bool is_one = op.kind == OpKind::kPrepareGradients || op.kind == OpKind::kAllReduce;
        if (is_one && (kinds.empty() || kinds.back() != op.kind)) kinds.push_back(op.kind);
    }
    return kinds;
}

TEST(Strategy, EveryReplicaClipsItsOwnGradientsBeforeTheSum) {
    const spec::StrategySpec settings;
    for (const char* field : {"clipnorm", "global_clipnorm", "clipvalue"}) {
        for (const Strategy* strategy : {&mirrored(), &multiWorkerMirrored(), &centralStorage()}) {
            for (int device = 0; device < 2; ++device) {
                const StrategyTarget target{.settings = settings, .devices = kTwoDevices, .device = device};
                const Plan plan = strategy->distribute(replicaPlan({"SGD", {{field, 0.5}}}), target);
                EXPECT_THAT(clippingAndReduction(plan), ::testing::ElementsAre(OpKind::kPrepareGradients, OpKind::kAllReduce)) << field;
            }
        }
    }
    // What is clipped on its way to the processor does not come back.
    const StrategyTarget target{.settings = settings, .devices = kTwoDevices};
    EXPECT_THAT(waysOf(centralStorage().distribute(replicaPlan({"SGD", {{"clipnorm", 0.5}}}), target)), ::testing::Each(Way::kKeep));
}

TEST(Strategy, AccumulatedGradientsAreTheSumsOfAllReplicas) {
    const spec::StrategySpec settings;
    const StrategyTarget target{.settings = settings, .devices = kTwoDevices};
    const spec::ObjectSpec optimizer{"SGD", {{"clipnorm", 0.5}, {"gradient_accumulation_steps", std::int64_t{2}}}};
    EXPECT_THAT(clippingAndReduction(mirrored().distribute(replicaPlan(optimizer), target)),
                ::testing::ElementsAre(OpKind::kAllReduce, OpKind::kPrepareGradients));
}

}  // namespace
}  // namespace engine::plan
