#include "engine/plan/traffic.h"

#include <gtest/gtest.h>

#include "engine/plan/compile.h"
#include "tests/support/model_builder.h"

namespace engine::plan {
namespace {

using tests::support::layer;

// 4 x 10 weights and 10 of the bias: 200 bytes.
constexpr std::int64_t kVariables = 200;

spec::RunSpec project() {
    spec::RunSpec run;
    run.model = tests::support::model({4}, {layer("Dense", "dense", {{"units", std::int64_t{10}}})});
    run.compile = tests::support::compileWith({"SGD", {}});
    return run;
}

Plan planOf(const std::string& strategy, const CompileTarget& target) {
    spec::RunSpec run = project();
    run.strategy.name = strategy;
    return compile(run, target);
}

std::int64_t reducedBytes(const Plan& plan) {
    std::int64_t bytes = 0;
    for (const Bucket& bucket : plan.buckets) bytes += bucket.bytes;
    return bytes;
}

TEST(Traffic, OneReplicaKeepsEverythingToItself) {
    EXPECT_EQ(trafficOfStep(planOf("DefaultStrategy", {})), 0);
}

TEST(Traffic, ASumGoesInAndOutOfEveryOtherReplica) {
    for (const int workers : {2, 3, 4}) {
        const Plan plan = planOf("MultiWorkerMirroredStrategy", {.replicas = workers, .has_cluster = true});
        EXPECT_GE(reducedBytes(plan), kVariables) << "gradients, and the step's header";
        EXPECT_EQ(trafficOfStep(plan), 2 * (workers - 1) * reducedBytes(plan));
    }
    const Plan mirrored = planOf("MirroredStrategy", {.replicas = 2, .devices = {"CPU:0", "CPU:1"}});
    EXPECT_EQ(trafficOfStep(mirrored), 2 * reducedBytes(mirrored));
}

TEST(Traffic, CentralStorageSumsOnceAndCopiesVariables) {
    const Plan plan = planOf("CentralStorageStrategy", {.replicas = 2, .devices = {"CPU:0", "CPU:1"}});
    EXPECT_EQ(trafficOfStep(plan), kVariables + reducedBytes(plan));
}

TEST(Traffic, AWorkerPullsVariablesAndPushesGradients) {
    const Plan plan = planOf("ParameterServerStrategy", {.servers = 1, .has_cluster = true});
    EXPECT_EQ(trafficOfStep(plan), 2 * kVariables);
}

TEST(Traffic, OfATableABatchMovesTheRowsThatItCanName) {
    spec::RunSpec run = project();
    run.strategy.name = "ParameterServerStrategy";
    run.model =
        tests::support::model({3}, {layer("Embedding", "words", {{"input_dim", std::int64_t{1000}}, {"output_dim", std::int64_t{2}}}),
                                    layer("Flatten", "flat"), layer("Dense", "dense", {{"units", std::int64_t{10}}})});
    const std::int64_t dense = (6 * 10 + 10) * 4, rows = 8 * 3 * 2 * 4;
    EXPECT_EQ(trafficOfStep(compile(run, {.batch = 8, .servers = 1, .has_cluster = true})), 2 * (dense + rows));
}

}  // namespace
}  // namespace engine::plan
