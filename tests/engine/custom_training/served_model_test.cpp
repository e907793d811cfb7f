// A model whose variables live on parameter servers, in one process.
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/executor.h"
#include "engine/distribute/aligned_memory.h"
#include "engine/parameter_server/local_link.h"
#include "engine/parameter_server/parameter_client.h"
#include "engine/spec/error.h"
#include "loop_rig.h"
#include "tests/support/near.h"

namespace engine::custom_training {
namespace {

namespace ps = parameter_server;
using testing::HasSubstr;
using Role = ParameterServers::Role;

spec::TfConfig configOf(int servers, const spec::TaskId& task) {
    spec::TfConfig config{
        .cluster = {.jobs = {{"chief", {{0, "localhost:1"}}}, {"worker", {{0, "localhost:2"}, {1, "localhost:3"}}}, {"ps", {}}}},
        .task = task};
    for (int k = 0; k < servers; ++k) config.cluster.jobs[2].tasks[k] = "localhost:" + std::to_string(4 + k);
    return config;
}

// What ps tasks hold, made of the first plans that are declared.
struct Stores {
    std::vector<std::unique_ptr<ps::ParameterStore>> all;

    void make(const ps::ParameterPlans& plans) {
        for (const auto& own : plans.servers) {
            all.push_back(std::make_unique<ps::ParameterStore>(own, plans.worker.buckets.size(),
                                                               ps::StoreOptions{.make_executor = backend::makeCpuExecutor}));
        }
    }
};

class LocalServers final : public ParameterServers {
public:
    LocalServers(Stores& stores, Role role, int worker) : stores_(stores), role_(role), worker_(worker) {}

    Role role() const override { return role_; }
    void declare(std::shared_ptr<const ps::ParameterPlans> plans, std::uint64_t of) override {
        if (stores_.all.empty()) stores_.make(*plans);
        plans_ = std::move(plans);
        model = of;
    }
    Connection connect() override {
        region_ = distribute::AlignedMemory(static_cast<std::size_t>(plans_->worker.shared_bytes));
        Connection connection{.links = {}, .region = region_.span()};
        for (const auto& store : stores_.all) {
            links_.push_back(std::make_unique<ps::LocalLink>(*store, worker_, region_.span()));
            connection.links.push_back(links_.back().get());
        }
        return connection;
    }
    void checkWait() override { throw Error(ErrorCode::kDeadlineExceeded, "no values yet"); }

    std::uint64_t model = 0;

private:
    Stores& stores_;
    const Role role_;
    const int worker_;
    std::shared_ptr<const ps::ParameterPlans> plans_;
    distribute::AlignedMemory region_;
    std::vector<std::unique_ptr<ps::LocalLink>> links_;
};

class ServedModel : public testing::Test {
protected:
    Strategy strategyOf(const spec::TaskId& task, int servers = 2, StrategyOptions options = {.threads = 1}) {
        const Role role = task.type == "chief" ? Role::kCoordinator : task.type == "ps" ? Role::kServer : Role::kWorker;
        return Strategy::parameterServer(
            {.config = configOf(servers, task), .servers = std::make_shared<LocalServers>(stores_, role, task.index)}, std::move(options));
    }

    Stores stores_;
};

std::string messageOf(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "no error";
}

TEST_F(ServedModel, OneWorkerTrainsAsAProgramAlone) {
    const Strategy chief = strategyOf({"chief", 0});
    Model coordinators = denseModel(chief);
    const Strategy strategy = strategyOf({"worker", 0});
    Model model = denseModel(strategy, {"Adam", {{"learning_rate", 0.05}}}, 99);  // its own weights are not looked at
    const std::vector<float> losses = trainOn(strategy, model, strategy.distribute(points(), {.global_batch = kBatch, .repeat = 3}));

    const Strategy alone = Strategy::oneDevice();
    Model lone = denseModel(alone);
    EXPECT_TRUE(
        tests::support::isNear(losses, trainOn(alone, lone, alone.distribute(points(), {.global_batch = kBatch, .repeat = 3})), 1e-6));
    EXPECT_TRUE(tests::support::isNear(weightsOf(model), weightsOf(lone), 1e-6));
    EXPECT_EQ(weightsOf(coordinators), weightsOf(model)) << "both read the servers";
    EXPECT_EQ(model.iterations(), lone.iterations());
    EXPECT_EQ(coordinators.iterations(), lone.iterations());
    EXPECT_THAT(model.planText(), HasSubstr("Pull"));
}

TEST_F(ServedModel, CutsVariablesIntoShards) {
    const StrategyOptions options{.threads = 1, .variable_partitioner = {"FixedShardsPartitioner", {{"num_shards", std::int64_t{2}}}}};
    Model coordinators = denseModel(strategyOf({"chief", 0}, 2, options));
    const Strategy strategy = strategyOf({"worker", 1}, 2, options);
    Model model = denseModel(strategy);
    trainOn(strategy, model, strategy.distribute(points(), {.global_batch = kBatch, .repeat = 3}));
    const Strategy alone = Strategy::oneDevice();
    Model lone = denseModel(alone);
    trainOn(alone, lone, alone.distribute(points(), {.global_batch = kBatch, .repeat = 3}));
    EXPECT_TRUE(tests::support::isNear(weightsOf(coordinators), weightsOf(lone), 1e-6));
}

TEST_F(ServedModel, KeepsValuesThatServersHaveAlready) {
    Model first = denseModel(strategyOf({"chief", 0}));
    const Strategy strategy = strategyOf({"worker", 0});
    Model model = denseModel(strategy);
    trainOn(strategy, model, strategy.distribute(points(), {.global_batch = kBatch}));
    const Model again = denseModel(strategyOf({"chief", 0}));
    EXPECT_EQ(weightsOf(again), weightsOf(model));
}

TEST_F(ServedModel, TrainsOnWithALargerBatchAndAfterAStepThatThrew) {
    Model coordinators = denseModel(strategyOf({"chief", 0}));
    const Strategy strategy = strategyOf({"worker", 0});
    Model model = denseModel(strategy);
    const auto train = [&](std::int64_t batch) {
        const auto inputs = strategy.distribute(points(), {.global_batch = batch}).iterator().next();
        return strategy.reduceFirstAxis(ReduceOp::kMean, strategy.run(model, *inputs, [&](ReplicaContext& replica) {
            return meanSquaredError(replica, 1.0F / static_cast<float>(batch));
        }));
    };
    const float before = train(4);
    train(12);
    const auto inputs = strategy.distribute(points(), {.global_batch = 4}).iterator().next();
    EXPECT_THROW(strategy.run(model, *inputs, [](ReplicaContext&) -> int { throw Error(ErrorCode::kOutOfRange, "label: none"); }), Error);
    for (int step = 0; step < 50; ++step) train(30);
    EXPECT_LT(train(4), before / 5);
    EXPECT_EQ(model.iterations(), 53) << "the step that threw counts for nothing";
}

TEST_F(ServedModel, SaysWhoseTaskTrains) {
    Model coordinators = denseModel(strategyOf({"chief", 0}));
    Model servers = denseModel(strategyOf({"ps", 0}));
    const Strategy strategy = strategyOf({"worker", 0});
    const auto inputs = strategy.distribute(points(), {.global_batch = 4}).iterator().next();
    const auto nothing = [](ReplicaContext&) { return 0; };
    EXPECT_THAT(messageOf([&] { strategy.run(coordinators, *inputs, nothing); }), HasSubstr("expected a worker to train it"));
    EXPECT_THAT(messageOf([&] { strategy.run(servers, *inputs, nothing); }), HasSubstr("expected a worker to train it"));
    EXPECT_THAT(messageOf([&] { servers.values("dense/kernel"); }), HasSubstr("a ps, which only serves it"));
}

TEST_F(ServedModel, WaitsForTheCoordinatorsValues) {
    const Strategy strategy = strategyOf({"worker", 0});
    Model model = denseModel(strategy);
    EXPECT_THAT(messageOf([&] { trainOn(strategy, model, strategy.distribute(points(), {.global_batch = kBatch})); }),
                HasSubstr("no values yet"));
}

TEST_F(ServedModel, NamesAllTasksTheSameModel) {
    const auto modelOf = [this](const spec::TaskId& task, const spec::ObjectSpec& optimizer) {
        auto servers = std::make_shared<LocalServers>(stores_, Role::kServer, 0);
        denseModel(Strategy::parameterServer({.config = configOf(2, task), .servers = servers}, {.threads = 1}), optimizer);
        return servers->model;
    };
    EXPECT_EQ(modelOf({"ps", 0}, {"SGD", {}}), modelOf({"worker", 1}, {"SGD", {}}));
    EXPECT_NE(modelOf({"ps", 0}, {"SGD", {}}), modelOf({"ps", 0}, {"Adam", {}}));
}

}  // namespace
}  // namespace engine::custom_training
