#include "agent/worker/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace agent::worker {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::filesystem::path kMirrored = std::filesystem::path(TANDEM_RESOURCES) / "templates/mnist_mirrored.tandem";
const std::filesystem::path kMultiWorker = std::filesystem::path(TANDEM_RESOURCES) / "templates/mnist_multi_worker.tandem";

struct Printed {
    int code = -1;
    std::string out, errors;
};
Printed print(const PlacementOptions& options) {
    std::ostringstream out, errors;
    const int code = runPlacement(options, out, errors);
    return {code, out.str(), errors.str()};
}

TEST(Placement, NamesTheDeviceOfEveryReplica) {
    const Printed printed = print({.project = kMirrored, .settings = {"strategy.logical_cpus=2"}});
    EXPECT_EQ(printed.code, 0) << printed.errors;
    EXPECT_THAT(printed.out, HasSubstr("conv2d/kernel: (Variable): /job:localhost/replica:0/task:0/device:CPU:0\n"));
    EXPECT_THAT(printed.out, HasSubstr("conv2d/kernel/replica_1: (Variable): /job:localhost/replica:0/task:0/device:CPU:1\n"));
    EXPECT_THAT(printed.out,
                HasSubstr("replica_1/loss/SoftmaxCrossEntropy: (SoftmaxCrossEntropy): /job:localhost/replica:0/task:0/device:CPU:1\n"));
}

TEST(Placement, ShowsCentralVariablesOnce) {
    const Printed printed =
        print({.project = kMirrored, .settings = {"strategy.logical_cpus=2", "strategy.name=CentralStorageStrategy"}, .json = true});
    EXPECT_THAT(printed.out,
                HasSubstr(R"({"device":"/job:localhost/replica:0/task:0/device:CPU:0","kind":"Variable","name":"conv2d/kernel",)"
                          R"("replica":0,"task":"worker 0"})"));
    EXPECT_THAT(printed.out, Not(HasSubstr("kernel/replica_1")));
}

TEST(Placement, NeedsNoTfConfigForTheTasksOfACluster) {
    const Printed printed = print({.project = kMultiWorker, .settings = {}});
    EXPECT_EQ(printed.code, 0) << printed.errors;
    for (const char* task : {"/task:0/", "/task:1/"})
        EXPECT_THAT(printed.out, HasSubstr(std::string("(Variable): /job:worker/replica:0") + task));
}

TEST(Placement, NumbersTheReplicasOfAllWorkers) {
    const Printed printed = print({.project = kMultiWorker, .settings = {"strategy.logical_cpus=2"}, .json = true});
    EXPECT_EQ(printed.code, 0) << printed.errors;
    EXPECT_THAT(printed.out,
                HasSubstr(R"({"device":"/job:worker/replica:0/task:1/device:CPU:1","kind":"Variable","name":"conv2d/kernel/replica_1",)"
                          R"("replica":3,"task":"worker 1"})"));
}

TEST(Placement, NeedsNoGpuToPlaceOnOne) {
    const Printed printed = print({.project = kMirrored, .settings = {R"(strategy.devices=["GPU:0","/gpu:1"])"}, .json = true});
    EXPECT_EQ(printed.code, 0) << printed.errors;
    EXPECT_THAT(printed.out, HasSubstr("/device:GPU:1"));
}

TEST(Placement, SaysWhatIsWrongWithTheProject) {
    const Printed printed = print({.project = kMirrored, .settings = {R"(strategy.devices=["TPU:0"])"}});
    EXPECT_EQ(printed.code, 2);
    EXPECT_THAT(printed.errors, HasSubstr("strategy.devices[0]"));
}

}  // namespace
}  // namespace agent::worker
