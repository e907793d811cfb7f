#include "agent/inspect/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "engine/spec/error.h"

namespace agent::worker {
namespace {

namespace spec = engine::spec;
using testing::HasSubstr;

spec::RunSpec starter(const std::string& name, const std::vector<std::string>& settings = {}) {
    std::ifstream file(std::string(TANDEM_RESOURCES) + "/templates/" + name + ".tandem");
    spec::RunSpec run = spec::parseProject(std::string(std::istreambuf_iterator<char>(file), {})).run;
    for (const std::string& setting : settings) {
        EXPECT_FALSE(hasErrors(spec::applySetting(run, setting))) << setting;
    }
    return run;
}

// Null when there is none.
const spec::PlacedOp* find(const spec::Placement& placement, const std::string& name) {
    const auto at = std::find_if(placement.ops.begin(), placement.ops.end(), [&](const spec::PlacedOp& op) { return op.name == name; });
    return at == placement.ops.end() ? nullptr : &*at;
}

bool placesOn(const spec::Placement& placement, const std::string& device) {
    return std::any_of(placement.ops.begin(), placement.ops.end(),
                       [&](const spec::PlacedOp& op) { return op.device.find(device) != std::string::npos; });
}

TEST(Placement, NamesTheDeviceOfEveryReplica) {
    const spec::Placement placed = placement(starter("mnist_mirrored", {"strategy.logical_cpus=2"}));
    const spec::PlacedOp first{"conv2d/kernel", "Variable", "/job:localhost/replica:0/task:0/device:CPU:0", "worker 0", 0};
    const spec::PlacedOp second{"conv2d/kernel/replica_1", "Variable", "/job:localhost/replica:0/task:0/device:CPU:1", "worker 0", 1};
    const spec::PlacedOp loss{"replica_1/loss/SoftmaxCrossEntropy", "SoftmaxCrossEntropy", second.device, "worker 0", 1};
    for (const spec::PlacedOp& op : {first, second, loss}) {
        ASSERT_NE(find(placed, op.name), nullptr) << op.name;
        EXPECT_EQ(*find(placed, op.name), op);
    }
}

TEST(Placement, ShowsCentralVariablesOnce) {
    const spec::Placement placed =
        placement(starter("mnist_mirrored", {"strategy.logical_cpus=2", "strategy.name=CentralStorageStrategy"}));
    ASSERT_NE(find(placed, "conv2d/kernel"), nullptr);
    EXPECT_EQ(find(placed, "conv2d/kernel")->device, "/job:localhost/replica:0/task:0/device:CPU:0");
    EXPECT_EQ(find(placed, "conv2d/kernel/replica_1"), nullptr);
}

TEST(Placement, NeedsNoTfConfigForTheTasksOfACluster) {
    const spec::Placement placed = placement(starter("mnist_multi_worker"));
    for (const char* task : {"/job:worker/replica:0/task:0/", "/job:worker/replica:0/task:1/"}) {
        EXPECT_TRUE(placesOn(placed, task)) << task;
    }
}

TEST(Placement, NumbersTheReplicasOfAllWorkers) {
    const spec::Placement placed = placement(starter("mnist_multi_worker", {"strategy.logical_cpus=2"}));
    EXPECT_TRUE(std::any_of(placed.ops.begin(), placed.ops.end(), [](const spec::PlacedOp& op) {
        return op == spec::PlacedOp{"conv2d/kernel/replica_1", "Variable", "/job:worker/replica:0/task:1/device:CPU:1", "worker 1", 3};
    }));
}

TEST(Placement, NeedsNoGpuToPlaceOnOne) {
    EXPECT_TRUE(placesOn(placement(starter("mnist_mirrored", {R"(strategy.devices=["GPU:0","/gpu:1"])"})), "/device:GPU:1"));
}

TEST(Placement, SaysWhatIsWrongWithTheProject) {
    spec::RunSpec run = starter("mnist_mirrored");
    run.strategy.devices = {"TPU:0"};
    try {
        placement(run);
        FAIL() << "no error";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kInvalidArgument);
        EXPECT_THAT(error.what(), HasSubstr("strategy.devices[0]"));
    }
}

}  // namespace
}  // namespace agent::worker
