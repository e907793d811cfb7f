// Whole programs with parameter servers: every task is a thread that runs the same lines, as its process would.
#include "agent/distributed/cluster_coordinator.h"

#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task_rig.h"

namespace agent::distributed {
namespace {

using namespace engine::custom_training;
using engine::Error;
using engine::ErrorCode;
using testing::HasSubstr;

constexpr std::int64_t kBatch = 8;

// What all tasks have in common.
struct Program {
    explicit Program(const ClusterOptions& options, const ParameterServerOptions& more = {})
        : strategy([&] {
              ParameterServerOptions all = more;
              all.cluster = options;
              all.cluster.transport = more.cluster.transport;
              all.threads = 1;
              return all;
          }()),
          model(lineModel(strategy)),
          coordinator(strategy, {.function_deadline = std::chrono::minutes(2)}),
          few(coordinator.createPerWorkerDataset([this](int) { return strategy.distribute(line(), {.global_batch = kBatch}); })),
          dataset(coordinator.createPerWorkerDataset([this](int worker) {
              return strategy.distribute(
                  line(), {.global_batch = kBatch, .repeat = 1000, .shuffle = 16, .seed = static_cast<std::uint64_t>(worker)});
          })) {
        coordinator.define("train step", [this](const WorkerCall&) -> Values {
            const DistributedBatch inputs = dataset.next();
            const auto losses =
                strategy.run(model, inputs, [](ReplicaContext& replica) { return meanSquaredError(replica, 1.0F / kBatch); });
            return {.numbers = {strategy.reduceFirstAxis(ReduceOp::kMean, losses)}};
        });
        coordinator.define("draw", [this](const WorkerCall&) -> Values { return {.numbers = {static_cast<float>(few.next().samples())}}; });
        coordinator.define("begin again", [this](const WorkerCall&) -> Values {
            few.restart();
            return {};
        });
        coordinator.define("who", [](const WorkerCall& call) -> Values {
            return {.numbers = {static_cast<float>(call.worker)}, .bytes = call.arguments.bytes};
        });
        coordinator.define("fail", [](const WorkerCall&) -> Values { throw Error(ErrorCode::kOutOfRange, "label: got 7"); });
    }

    const ParameterServerStrategy strategy;
    Model model;
    ClusterCoordinator coordinator;
    PerWorkerDataset few, dataset;
};

// The cluster's workers and ps as threads.
class Servers {
public:
    Servers(TaskRig& rig, const ParameterServerOptions& more = {}) {
        for (const char* type : {"worker", "ps"}) {
            for (int index = 0; index < rig.cluster().taskCount(type); ++index) {
                threads_.push_back(std::make_unique<TaskThread>([options = rig.options(type, index), more] {
                    Program program(options, more);
                    EXPECT_TRUE(program.coordinator.isServer());
                    EXPECT_EQ(program.coordinator.serve(), 0);
                }));
            }
        }
    }
    // Once the chief has gone: they end by themselves.
    void join() {
        for (const auto& thread : threads_) thread->join();
    }

private:
    std::vector<std::unique_ptr<TaskThread>> threads_;
};

TEST(ClusterCoordinator, TrainsAModelOnWorkersAndServers) {
    TaskRig rig({{"chief", 1}, {"worker", 2}, {"ps", 2}});
    Servers servers(rig);
    {
        Program program(rig.options("chief", 0));
        EXPECT_FALSE(program.coordinator.isServer());
        EXPECT_TRUE(program.strategy.isChief());
        EXPECT_EQ(program.strategy.replicasInSync(), 1);
        const float first = program.coordinator.fetch(program.coordinator.schedule("train step")).numbers.at(0);
        RemoteValue last;
        for (int step = 0; step < 120; ++step) last = program.coordinator.schedule("train step");
        program.coordinator.join();
        EXPECT_TRUE(program.coordinator.done());
        EXPECT_LT(program.coordinator.fetch(last).numbers.at(0), first / 10);
        EXPECT_EQ(program.model.iterations(), 121);
        EXPECT_NEAR(program.model.values("dense/kernel").front(), 2, 0.5);
        EXPECT_NEAR(program.model.values("dense/bias").front(), 1, 0.3);
        const auto inputs = program.strategy.distribute(line(), {.global_batch = 16}).iterator().next();
        EXPECT_NEAR(program.model.predict(*inputs).at(8), 2, 0.3) << "on the chief, with what the servers hold";
    }
    servers.join();
}

// Without shared memory, in shards and one step at a time.
TEST(ClusterCoordinator, TrainsOverGrpcWithAPartitionerAndABound) {
    TaskRig rig({{"chief", 1}, {"worker", 2}, {"ps", 2}});
    ParameterServerOptions options{.cluster = {.transport = engine::spec::TransportChoice::kGrpc},
                                   .variable_partitioner = {"FixedShardsPartitioner", {{"num_shards", std::int64_t{2}}}},
                                   .max_staleness = 0};
    Servers servers(rig, options);
    {
        Program program(rig.options("chief", 0), options);
        for (int step = 0; step < 100; ++step) program.coordinator.schedule("train step");
        program.coordinator.join();
        EXPECT_EQ(program.model.iterations(), 100);
        EXPECT_NEAR(program.model.values("dense/kernel").front(), 2, 0.6);
    }
    servers.join();
    EXPECT_THAT(rig.log().text(), HasSubstr("worker 1 <-> ps 1: gRPC"));
}

TEST(ClusterCoordinator, ThrowsAFunctionsErrorAndGoesOn) {
    TaskRig rig({{"chief", 1}, {"worker", 1}, {"ps", 1}});
    Servers servers(rig);
    {
        Program program(rig.options("chief", 0));
        ClusterCoordinator& coordinator = program.coordinator;
        const RemoteValue failing = coordinator.schedule("fail");
        EXPECT_THAT(messageOf([&] { coordinator.join(); }),
                    testing::AllOf(HasSubstr("function fail on worker 0 at localhost:"), HasSubstr("label: got 7")));
        EXPECT_THAT(messageOf([&] { coordinator.fetch(failing); }), HasSubstr("label: got 7"));
        coordinator.join();
        const Values who = coordinator.fetch(coordinator.schedule("who", {.bytes = "x"}));
        EXPECT_EQ(who, (Values{.numbers = {0}, .bytes = "x"}));
        for (int pass = 0; pass < 2; ++pass) {  // two batches each
            for (int i = 0; i < 2; ++i) EXPECT_EQ(coordinator.fetch(coordinator.schedule("draw")).numbers, std::vector{8.0F});
            coordinator.schedule("draw");
            EXPECT_THAT(messageOf([&] { coordinator.join(); }), HasSubstr("got the end of worker 0's data"));
            coordinator.schedule("begin again");
        }
        coordinator.join();
        EXPECT_EQ(program.model.iterations(), 0);
    }
    servers.join();
}

TEST(ClusterCoordinator, SaysWhatItExpects) {
    TaskRig rig({{"chief", 1}, {"worker", 1}, {"ps", 1}});
    Servers servers(rig);
    {
        Program program(rig.options("chief", 0));
        ClusterCoordinator& coordinator = program.coordinator;
        EXPECT_THAT(messageOf([&] { coordinator.define("who", [](const WorkerCall&) { return Values(); }); }), HasSubstr("function who"));
        EXPECT_THAT(messageOf([&] { coordinator.define("", [](const WorkerCall&) { return Values(); }); }), HasSubstr("expected a name"));
        EXPECT_THAT(messageOf([&] { coordinator.schedule("train"); }),
                    HasSubstr("function train: expected one that was defined (begin again, draw, "));
        EXPECT_THAT(messageOf([&] { coordinator.schedule("who", {.bytes = std::string(300000, 'x')}); }),
                    HasSubstr("at most 262144 bytes"));
        EXPECT_THAT(messageOf([&] { coordinator.fetch({}); }), HasSubstr("got an empty value"));
        EXPECT_THAT(messageOf([&] { program.dataset.next(); }), HasSubstr("expected a function on a worker"));
        EXPECT_THAT(messageOf([&] { lineModel(program.strategy); }), HasSubstr("expected one model"));
        coordinator.schedule("who");
        coordinator.join();
        EXPECT_THAT(messageOf([&] { coordinator.define("late", [](const WorkerCall&) { return Values(); }); }), HasSubstr("got it after"));
        EXPECT_THAT(messageOf([&] { coordinator.serve(); }), HasSubstr("expected a worker or a ps"));
    }
    servers.join();
}

// Its tasks end all the same.
TEST(ClusterCoordinator, EndsAClusterThatItNeverUsed) {
    TaskRig rig({{"chief", 1}, {"worker", 2}, {"ps", 1}});
    Servers servers(rig);
    { const Program program(rig.options("chief", 0)); }
    servers.join();
}

TEST(ClusterCoordinator, GivesUpWhenNoWorkerComes) {
    TaskRig rig({{"chief", 1}, {"worker", 1}, {"ps", 1}});
    TaskThread server([options = rig.options("ps", 0)] { Program(options).coordinator.serve(); });
    {
        ClusterOptions options = rig.options("chief", 0);
        options.start_timeout = std::chrono::seconds(1);  // the ps is there: Program has met it
        std::optional<Program> program;
        while (!program) {
            try {
                program.emplace(options);
            } catch (const Error& error) {
                ASSERT_EQ(error.code(), ErrorCode::kDeadlineExceeded) << error.what();
            }
        }
        const RemoteValue value = program->coordinator.schedule("who");
        EXPECT_THAT(messageOf([&] { program->coordinator.join(); }),
                    HasSubstr("no worker is left; gave up waiting for worker 0 at localhost:"));
        EXPECT_THAT(messageOf([&] { program->coordinator.fetch(value); }), HasSubstr("function who: not run"));
        EXPECT_THAT(messageOf([&] { program->coordinator.schedule("who"); }), HasSubstr("no worker is left"));
    }
    server.join();
}

TEST(ParameterServerStrategy, SaysWhatIsWrongWithTfConfig) {
    const auto messageFor = [](const std::string& text) {
        return messageOf([&] { ParameterServerStrategy({.cluster = {.tf_config = text}}); });
    };
    const std::string cluster = R"({"cluster": {"chief": ["localhost:1"], "worker": ["localhost:2"], "ps": ["localhost:3"]})";
    EXPECT_EQ(messageFor(cluster + R"(, "task": {"type": "worker", "index": 0}})"), "no error");
    EXPECT_THAT(messageFor(cluster + R"(, "task": {"type": "evaluator", "index": 0}})"),
                HasSubstr("TF_CONFIG, task: expected a chief, worker or ps of its cluster, got evaluator 0"));
    EXPECT_THAT(messageFor(cluster + "}"), HasSubstr("TF_CONFIG, task"));
    EXPECT_THAT(messageFor(R"({"cluster": {"worker": ["localhost:2"], "ps": ["localhost:3"]}, "task": {"type": "ps", "index": 0}})"),
                HasSubstr("got no chief"));
    EXPECT_THAT(messageFor(R"({"cluster": {"chief": ["localhost:2"], "worker": ["localhost:3"]}, "task": {"type": "chief", "index": 0}})"),
                HasSubstr("ps"));
    EXPECT_THAT(messageFor("{}"), HasSubstr("TF_CONFIG"));
}

}  // namespace
}  // namespace agent::distributed
