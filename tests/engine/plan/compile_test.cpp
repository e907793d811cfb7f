// The plan of the tutorial's net as text: what the passes make of it, at one glance.
#include "engine/plan/compile.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "engine/plan/passes/passes.h"
#include "tests/support/model_builder.h"

namespace engine::plan {
namespace {

spec::RunSpec tutorialRun() {
    spec::RunSpec run;
    run.model = tests::support::tutorialModel("softmax");
    run.compile = tests::support::compileWith({"SGD", {{"momentum", 0.9}}}, false);
    return run;
}

// From a line that starts with `from` to the end or to a line that starts with `until`.
std::string section(const std::string& text, const std::string& from, const std::string& until = "") {
    const std::size_t begin = text.find("\n" + from) + 1;
    const std::size_t end = until.empty() ? std::string::npos : text.find("\n" + until, begin);
    return text.substr(begin, end == std::string::npos ? end : end + 1 - begin);
}

TEST(Compile, OneReplicaAppliesUpdatesInsideTheGradients) {
    const std::string text = toString(compile(tutorialRun(), {.batch = 64}));
    EXPECT_EQ(text.substr(0, text.find("\ntensors")),
              "plan: batch 64, replicas 1, training\n"
              "device: /job:localhost/replica:0/task:0/device:CPU:0");
    EXPECT_EQ(section(text, "ops"), R"(ops
  forward  input/Gather                    -> input, label
  forward  conv2d/FusedConvBlock          input, conv2d/kernel, conv2d/bias -> max_pooling2d:pool, max_pooling2d:argmax  [3x3/1x1, relu, pool 2x2/2x2]
  forward  flatten/Reshape                max_pooling2d:pool -> flatten:reshaped
  forward  dense/FusedDense               flatten:reshaped, dense/kernel, dense/bias -> dense:relu  [relu]
  forward  dense_1/FusedDense             dense:relu, dense_1/kernel, dense_1/bias -> dense_1:bias_add  [linear]
  forward  loss/SoftmaxCrossEntropy       dense_1:bias_add, label -> dense_1:bias_add:grad, header  [logits]
  backward dense_1/FusedDenseBack         dense:relu, dense_1/kernel, dense_1:bias_add:grad, dense_1:bias_add:grad -> dense_1/kernel:grad, dense_1/bias:grad, dense:relu:grad  [linear, applies SGD]
  backward dense/FusedDenseBack           flatten:reshaped, dense/kernel, dense:relu, dense:relu:grad -> dense/kernel:grad, dense/bias:grad, flatten:reshaped:grad  [relu, applies SGD]
  backward flatten/Reshape                flatten:reshaped:grad -> max_pooling2d:pool:grad
  backward conv2d/FusedConvBlockBack      input, conv2d/kernel, max_pooling2d:pool, max_pooling2d:argmax, max_pooling2d:pool:grad -> conv2d/kernel:grad, conv2d/bias:grad  [3x3/1x1, relu, pool 2x2/2x2, applies SGD]
memory: private 4735808 bytes, shared 0 bytes, variables 2777216 bytes
)");
}

TEST(Compile, TwoReplicasReduceBucketsAndUpdateAfterwards) {
    const std::string text = toString(compile(tutorialRun(), {.batch = 64, .replicas = 2, .task = {"worker", 1}, .has_cluster = true}));
    EXPECT_EQ(text.substr(0, text.find("\ntensors")),
              "plan: batch 64, replicas 2, training\n"
              "device: /job:worker/replica:0/task:1/device:CPU:0");
    EXPECT_EQ(section(text, "tensors", "  input "), R"(tensors
  conv2d/kernel                parameter  float32 (3, 3, 1, 32)        variables+1387456
  conv2d/bias                  parameter  float32 (32)                 variables+1387328
  dense/kernel                 parameter  float32 (5408, 64)           variables+2880
  dense/bias                   parameter  float32 (64)                 variables+2624
  dense_1/kernel               parameter  float32 (64, 10)             variables+64
  dense_1/bias                 parameter  float32 (10)                 variables+0
  conv2d/kernel:momentum       slot       float32 (3, 3, 1, 32)        variables+2776064
  conv2d/bias:momentum         slot       float32 (32)                 variables+2775936
  dense/kernel:momentum        slot       float32 (5408, 64)           variables+1391488
  dense/bias:momentum          slot       float32 (64)                 variables+1391232
  dense_1/kernel:momentum      slot       float32 (64, 10)             variables+1388672
  dense_1/bias:momentum        slot       float32 (10)                 variables+1388608
)");
    EXPECT_EQ(
        section(text, "  backward"),
        R"(  backward dense_1/FusedDenseBack         dense:relu, dense_1/kernel, dense_1:bias_add:grad, dense_1:bias_add:grad -> dense_1/kernel:grad, dense_1/bias:grad, dense:relu:grad  [linear]
  backward dense/FusedDenseBack           flatten:reshaped, dense/kernel, dense:relu, dense:relu:grad -> dense/kernel:grad, dense/bias:grad, flatten:reshaped:grad  [relu]
  backward bucket0/AllReduce              header, dense_1/bias:grad, dense_1/kernel:grad, dense/bias:grad, dense/kernel:grad  [bucket 0]
  backward flatten/Reshape                flatten:reshaped:grad -> max_pooling2d:pool:grad
  backward conv2d/FusedConvBlockBack      input, conv2d/kernel, max_pooling2d:pool, max_pooling2d:argmax, max_pooling2d:pool:grad -> conv2d/kernel:grad, conv2d/bias:grad  [3x3/1x1, relu, pool 2x2/2x2]
  backward bucket1/AllReduce              conv2d/bias:grad, conv2d/kernel:grad  [bucket 1]
  update   update/bucket0                 dense_1/bias, dense_1/kernel, dense/bias, dense/kernel  [bucket 0, SGD]
  update   update/bucket1                 conv2d/bias, conv2d/kernel  [bucket 1, SGD]
buckets
  0: shared+0, 1387392 bytes: header, dense_1/bias:grad, dense_1/kernel:grad, dense/bias:grad, dense/kernel:grad; ready after dense/FusedDenseBack
  1: shared+1387392, 1280 bytes: conv2d/bias:grad, conv2d/kernel:grad; ready after conv2d/FusedConvBlockBack
memory: private 3351040 bytes, shared 1388672 bytes, variables 2777216 bytes
)");
}

// The lines of the ops that a strategy adds.
std::string strategyLines(const Plan& plan) {
    std::string lines;
    for (const Op& op : plan.ops) {
        if (op.kind != OpKind::kAllReduce && op.kind != OpKind::kReadVariables && op.phase != Phase::kUpdate) continue;
        const auto* route = std::get_if<spec::ReduceRoute>(&op.attributes);
        lines += op.name + (route == nullptr || op.kind == OpKind::kReadVariables ? "" : " [" + spec::toString(*route) + "]") + " @" +
                 op.device.substr(op.device.rfind('/') + 1) + "\n";
    }
    return lines;
}

Plan onFourCpus(const std::string& strategy, const spec::ObjectSpec& cross_device_ops, int device) {
    spec::RunSpec run = tutorialRun();
    run.strategy.name = strategy;
    run.strategy.cross_device_ops = cross_device_ops;
    return compile(run, {.batch = 16, .replicas = 4, .devices = {"CPU:0", "CPU:1", "CPU:2", "CPU:3"}, .device = device});
}

TEST(Compile, MirrorsOverDevicesByTheirCrossDeviceOps) {
    const auto lines = [](const spec::ObjectSpec& ops) { return strategyLines(onFourCpus("MirroredStrategy", ops, 1)); };
    EXPECT_EQ(lines({"NcclAllReduce", {}}), "bucket0/AllReduce [ring] @device:CPU:1\nupdate/bucket0 @device:CPU:1\n");
    EXPECT_EQ(lines({"HierarchicalCopyAllReduce", {{"num_packs", std::int64_t{2}}}}),
              "bucket0/AllReduce [halves on 0 and 2] @device:CPU:1\n"
              "bucket1/AllReduce [halves on 1 and 3] @device:CPU:1\n"
              "update/bucket0 @device:CPU:1\nupdate/bucket1 @device:CPU:1\n");
    const std::string one = lines({"ReductionToOneDevice", {{"reduce_to_device", std::string("/cpu:3")}}});
    EXPECT_EQ(one.substr(0, one.find('\n')), "bucket0/AllReduce [sum on 3] @device:CPU:1");
    EXPECT_EQ(onFourCpus("MirroredStrategy", {"ReductionToOneDevice", {}}, 1).buckets.size(), 6U) << "a bucket for each gradient";
}

TEST(Compile, KeepsVariablesOnOneDeviceWithCentralStorage) {
    const Plan first = onFourCpus("CentralStorageStrategy", {"NcclAllReduce", {}}, 0);
    const Plan third = onFourCpus("CentralStorageStrategy", {"NcclAllReduce", {}}, 2);
    const std::string reads = strategyLines(third);
    EXPECT_EQ(reads.substr(0, reads.find("bucket1")), "variables/Read @device:CPU:2\nbucket0/Reduce [sum stays on 0] @device:CPU:0\n");
    EXPECT_EQ(reads.find("update"), std::string::npos);
    EXPECT_NE(strategyLines(first).find("update/bucket5 @device:CPU:0"), std::string::npos);
    EXPECT_NE(findTensor(first, "dense/kernel:momentum"), kNoTensor);
    EXPECT_EQ(findTensor(third, "dense/kernel:momentum"), kNoTensor);
    EXPECT_EQ(third.tensors[static_cast<std::size_t>(findTensor(third, "dense/kernel:grad"))].of, findTensor(third, "dense/kernel"));
    for (const Placed& placed : placements(third, 2)) EXPECT_NE(placed.kind, "Variable") << placed.name;
    EXPECT_EQ(placements(first).front().device, "/job:localhost/replica:0/task:0/device:CPU:0");
}

// The devices of a worker first, then the workers; one worker alone has nobody else to sum with.
TEST(Compile, SumsBetweenWorkersWhatTheirDevicesHaveAddedUp) {
    spec::RunSpec run = tutorialRun();
    run.strategy.name = "MultiWorkerMirroredStrategy";
    run.strategy.bytes_per_pack = 1;
    const auto onTwoCpus = [&run](int replicas, int device) {
        return compile(run, {.batch = 16,
                             .replicas = replicas,
                             .devices = {"CPU:0", "CPU:1"},
                             .device = device,
                             .task = {"worker", 1},
                             .has_cluster = true});
    };
    const Plan second = onTwoCpus(4, 1);
    const std::string lines = strategyLines(second);
    EXPECT_EQ(second.replicas, 4);
    EXPECT_EQ(lines.substr(0, lines.find("bucket1")), "bucket0/AllReduce [sum on 0, then between workers] @device:CPU:1\n");
    EXPECT_NE(lines.find("bucket5/AllReduce [sum on 0, then between workers]"), std::string::npos);
    EXPECT_NE(lines.find("update/bucket5 @device:CPU:1"), std::string::npos) << "each device has all variables";
    EXPECT_EQ(placements(second, 1).front().device, "/job:worker/replica:0/task:1/device:CPU:1");
    EXPECT_EQ(onTwoCpus(4, 0).shared_bytes, second.shared_bytes);
    const std::string alone = strategyLines(onTwoCpus(2, 0));
    EXPECT_EQ(alone.substr(0, alone.find('\n')), "bucket0/AllReduce [ring] @device:CPU:0");
}

TEST(Compile, TakesEveryStarterProject) {
    int projects = 0;
    for (const auto& file : std::filesystem::directory_iterator(std::string(TANDEM_RESOURCES) + "/templates")) {
        if (file.path().extension() != ".tandem") continue;
        SCOPED_TRACE(file.path().filename());
        std::ifstream stream(file.path());
        const spec::ProjectReport project = spec::parseProject(std::string(std::istreambuf_iterator<char>(stream), {}));
        ASSERT_FALSE(spec::hasErrors(project.diagnostics));
        for (int replicas : {1, 2}) {
            const Plan training = compile(project.run, {.batch = project.run.data.batch_size_per_replica, .replicas = replicas});
            EXPECT_EQ(training.buckets.empty(), replicas == 1);
            EXPECT_FALSE(compile(project.run, {.replicas = replicas, .training = false}).ops.empty());
        }
        ++projects;
    }
    EXPECT_GE(projects, 2);
}

TEST(Compile, IsTheSameEveryTime) {
    EXPECT_EQ(compile(tutorialRun(), {.replicas = 2}), compile(tutorialRun(), {.replicas = 2}));
}

}  // namespace
}  // namespace engine::plan
