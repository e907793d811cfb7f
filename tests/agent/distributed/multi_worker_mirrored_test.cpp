#include "agent/distributed/multi_worker_mirrored.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task_rig.h"
#include "tests/support/near.h"

namespace agent::distributed {
namespace {

using namespace engine::custom_training;
using testing::HasSubstr;

std::vector<float> train(const Strategy& strategy) {
    Model model = lineModel(strategy, 3 + static_cast<std::uint64_t>(strategy.worker()));
    std::vector<float> values;
    for (const DistributedBatch& inputs : strategy.distribute(line(), {.global_batch = 8, .repeat = 20, .shuffle = 16, .seed = 1})) {
        const auto losses = strategy.run(model, inputs, [](ReplicaContext& replica) { return meanSquaredError(replica, 1.0F / 8); });
        values.push_back(strategy.reduceFirstAxis(ReduceOp::kMean, losses));
    }
    values.push_back(model.values("dense/kernel").front());
    values.push_back(model.values("dense/bias").front());
    return values;
}

TEST(MultiWorkerMirroredStrategy, TrainsOverSocketsAsOneWorkerAlone) {
    const std::vector<float> alone = train(MultiWorkerMirroredStrategy({.cluster = {.tf_config = "{}"}}));
    EXPECT_LT(alone[39], alone[0] / 20);
    for (const auto transport : {engine::spec::TransportChoice::kAuto, engine::spec::TransportChoice::kGrpc}) {
        TaskRig rig({{"chief", 1}, {"worker", 1}});
        std::vector<std::vector<float>> results(2);
        const auto task = [&](std::size_t rank) {
            MultiWorkerOptions options{.cluster = rig.options(rank == 0 ? "chief" : "worker", 0), .threads = 1};
            options.cluster.transport = transport;
            const MultiWorkerMirroredStrategy strategy(options);
            EXPECT_EQ(strategy.isChief(), rank == 0);
            EXPECT_EQ(strategy.replicasInSync(), 2);
            EXPECT_THAT(strategy.describe(), HasSubstr(rank == 0 ? "chief 0 <-> worker 0: " : "worker 0 <-> chief 0: "));
            results[rank] = train(strategy);
        };
        TaskThread other([&] { task(1); });
        task(0);
        other.join();
        EXPECT_EQ(results[0], results[1]);
        EXPECT_TRUE(tests::support::isNear(results[0], alone, 1e-6));
    }
}

TEST(MultiWorkerMirroredStrategy, NamesATaskThatDoesNotCome) {
    TaskRig rig({{"worker", 2}});
    MultiWorkerOptions options{.cluster = rig.options("worker", 0)};
    options.cluster.start_timeout = std::chrono::milliseconds(300);
    EXPECT_THAT(messageOf([&] { MultiWorkerMirroredStrategy{options}; }), HasSubstr("gave up waiting for worker 1 at localhost:"));
    options.cluster.is_cancelled = [] { return true; };
    options.cluster.start_timeout = std::chrono::minutes(10);
    EXPECT_THAT(messageOf([&] { MultiWorkerMirroredStrategy{options}; }), HasSubstr("waiting for worker 1"));
}

TEST(MultiWorkerMirroredStrategy, SaysWhatIsWrongWithTfConfig) {
    const auto messageFor = [](const std::string& text) {
        return messageOf([&] { MultiWorkerMirroredStrategy({.cluster = {.tf_config = text}}); });
    };
    EXPECT_THAT(messageFor(""), HasSubstr("TF_CONFIG"));
    EXPECT_THAT(messageFor(R"({"cluster": {"worker": ["localhost:1", "localhost:2"]}})"), HasSubstr("TF_CONFIG, task"));
    EXPECT_THAT(messageFor(R"({"cluster": {"worker": ["localhost:1"]}, "task": {"type": "worker", "index": 4}})"),
                HasSubstr("TF_CONFIG, task.index"));
    EXPECT_THAT(messageFor(R"({"cluster": {"worker": ["localhost:1"], "ps": ["localhost:2"]}, "task": {"type": "ps", "index": 0}})"),
                HasSubstr("TF_CONFIG, task"));
    EXPECT_THAT(messageFor(R"({"cluster": {"trainer": ["localhost:1"]}, "task": {"type": "trainer", "index": 0}})"),
                HasSubstr("TF_CONFIG, cluster"));
}

TEST(MultiWorkerMirroredStrategy, IsAloneWithoutAClusterAndAsAnEvaluator) {
    const MultiWorkerMirroredStrategy alone({.cluster = {.tf_config = "{}"}, .devices = {"CPU:0", "CPU:1"}});
    EXPECT_EQ(alone.replicasInSync(), 2);
    EXPECT_TRUE(alone.isChief());
    EXPECT_EQ(alone.describe(), "");
    TaskRig rig({{"worker", 2}, {"evaluator", 1}});
    const MultiWorkerMirroredStrategy evaluator({.cluster = rig.options("evaluator", 0)});
    EXPECT_EQ(evaluator.replicasInSync(), 1);
    EXPECT_LT(train(evaluator)[39], 0.01F);
}

}  // namespace
}  // namespace agent::distributed
