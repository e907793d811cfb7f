// Parameter servers in one process: what they make of the same samples beside a task that trains alone.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/initialize.h"
#include "engine/distribute/aligned_memory.h"
#include "engine/parameter_server/local_link.h"
#include "engine/parameter_server/parameter_client.h"
#include "engine/spec/error.h"
#include "engine/spec/project/strategy_table.h"
#include "tests/support/parameter_rig.h"

namespace engine::parameter_server {
namespace {

using tests::support::Batches;
using tests::support::kRate;
using tests::support::kSteps;
using tests::support::largestDifference;
using tests::support::parameterTarget;
using tests::support::serverProject;
using tests::support::textProject;
using tests::support::trainedAlone;

// A cluster of stores, and what one worker has of it.
class Cluster {
public:
    Cluster(const spec::RunSpec& run, int servers) : run_(run), plans_(parameterPlans(run, parameterTarget(servers))), all_(plans_.whole) {
        for (int k = 0; k < servers; ++k) {
            stores_.push_back(std::make_unique<ParameterStore>(
                plans_.servers[static_cast<std::size_t>(k)], plans_.worker.buckets.size(),
                StoreOptions{.make_executor = backend::makeCpuExecutor, .max_staleness = run.strategy.max_staleness}));
        }
    }

    class Worker {
    public:
        Worker(Cluster& cluster, int rank, ExecutorFactory make)
            : cluster_(cluster),
              region_(static_cast<std::size_t>(cluster.plans_.worker.shared_bytes)),
              variables_(cluster.plans_.worker),
              batches_(cluster.run_) {
            for (const auto& store : cluster.stores_) {
                links_.push_back(std::make_unique<LocalLink>(*store, rank, region_.span()));
            }
            std::vector<ServerLink*> links;
            for (const auto& link : links_) links.push_back(link.get());
            client_ = std::make_unique<ParameterClient>(cluster.plans_, links, variables_);
            executor_ = make(cluster.plans_.worker, variables_, {.threads = 1, .region = region_.span(), .parameters = client_.get()});
        }
        ParameterClient::Step step(std::int64_t iteration, float rate) {
            client_->setLearningRate(rate);
            executor_->trainStep(batches_.at(iteration), {.learning_rate = rate, .iteration = iteration});
            return client_->lastStep();
        }
        ParameterClient& client() { return *client_; }

    private:
        Cluster& cluster_;
        distribute::AlignedMemory region_;
        backend::Variables variables_;
        std::vector<std::unique_ptr<LocalLink>> links_;
        std::unique_ptr<ParameterClient> client_;
        std::unique_ptr<backend::Executor> executor_;
        Batches batches_;
    };

    const ParameterPlans& plans() const { return plans_; }
    backend::Variables& all() { return all_; }  // what give() and read() speak of
    ParameterStore& store(int server) { return *stores_[static_cast<std::size_t>(server)]; }
    void initialize() { backend::initializeVariables(all_, run_.model, 1); }

private:
    const spec::RunSpec run_;
    const ParameterPlans plans_;
    backend::Variables all_;
    std::vector<std::unique_ptr<ParameterStore>> stores_;
};

struct Case {
    std::string optimizer;
    spec::Fields settings;
    int servers = 1;
    spec::ObjectSpec partitioner{};
    ExecutorFactory make = backend::makeCpuExecutor;
    decltype(&serverProject) project = [](spec::ObjectSpec optimizer, spec::ObjectSpec shards) {
        return serverProject(std::move(optimizer), std::move(shards));
    };
};

spec::RunSpec words(spec::ObjectSpec optimizer, spec::ObjectSpec shards) {
    return textProject(std::move(optimizer), std::move(shards));
}

class OneWorker : public ::testing::TestWithParam<Case> {};

TEST_P(OneWorker, EqualsATaskThatTrainsAlone) {
    const Case& given = GetParam();
    spec::Fields settings = given.settings;
    settings.set("learning_rate", static_cast<double>(kRate));
    const spec::RunSpec run = given.project({given.optimizer, settings}, given.partitioner);
    Cluster cluster(run, given.servers);
    Cluster::Worker worker(cluster, 0, given.make);
    EXPECT_FALSE(worker.client().isReady());
    cluster.initialize();
    worker.client().give(cluster.all(), 0, 0);
    EXPECT_TRUE(worker.client().isReady());
    for (std::int64_t i = 0; i < kSteps; ++i) {
        const ParameterClient::Step step = worker.step(i, kRate);
        ASSERT_FALSE(step.is_void);
        ASSERT_EQ(step.global_step, i + 1);
        ASSERT_EQ(step.staleness, 0);
    }
    worker.client().read(cluster.all());
    EXPECT_LE(largestDifference(trainedAlone(run, kSteps, given.make), cluster.all()), 1e-6F);
}

const spec::ObjectSpec kThreeShards{"FixedShardsPartitioner", {{"num_shards", std::int64_t{3}}}};
const spec::ObjectSpec kSmallShards{"MaxSizePartitioner", {{"max_shard_bytes", std::int64_t{256}}}};

INSTANTIATE_TEST_SUITE_P(Optimizers, OneWorker,
                         ::testing::Values(Case{"SGD", {}}, Case{"SGD", {{"momentum", 0.9}}, 2}, Case{"Adam", {}}, Case{"Adam", {}, 2},
                                           Case{"Adam", {}, 3, kThreeShards}, Case{"Adam", {{"clipnorm", 0.5}}, 2},
                                           Case{"Adam", {{"global_clipnorm", 0.5}}, 2, kThreeShards}, Case{"Adam", {{"use_ema", true}}, 2},
                                           Case{"Ftrl", {}}, Case{"Ftrl", {}, 5, kSmallShards}, Case{"Adagrad", {}, 2},
                                           Case{"Nadam", {}, 2, kThreeShards}, Case{"RMSprop", {}, 2}, Case{"Lamb", {}, 2},
                                           Case{"Adafactor", {}, 2}, Case{"Muon", {}, 2}, Case{"ScheduleFreeAdamW", {}, 2, kThreeShards},
                                           Case{"SGD", {{"momentum", 0.9}}, 2, kThreeShards, backend::makeReferenceExecutor}));

// Rows that a batch does not name move all the same: by their slots.
INSTANTIATE_TEST_SUITE_P(Tables, OneWorker,
                         ::testing::Values(Case{"SGD", {}, 1, {}, backend::makeCpuExecutor, words},
                                           Case{"Adam", {}, 2, {}, backend::makeCpuExecutor, words},
                                           Case{"Adam", {}, 2, kThreeShards, backend::makeCpuExecutor, words},
                                           Case{"Adam", {}, 3, kSmallShards, backend::makeCpuExecutor, words},
                                           Case{"SGD", {{"clipnorm", 0.5}}, 2, kThreeShards, backend::makeCpuExecutor, words},
                                           Case{"Adafactor", {}, 2, {}, backend::makeCpuExecutor, words},
                                           Case{"Adagrad", {}, 1, {}, backend::makeReferenceExecutor, words},
                                           Case{"Adam", {}, 2, kThreeShards, backend::makeReferenceExecutor, words}));

// Bytes of the rows that a batch of textProject() names.
std::int64_t namedBytes(std::int64_t step) {
    Batches batches(textProject({"SGD", {}}));
    const tensor::BatchView batch = batches.at(step);
    const auto* all = reinterpret_cast<const float*>(batch.samples);
    std::set<float> named;
    for (const std::uint32_t sample : batch.indices)
        named.insert(all + sample * batch.sample_elements, all + (sample + 1) * batch.sample_elements);
    return static_cast<std::int64_t>(named.size() * 4 * sizeof(float));
}

TEST(ParameterServer, OfATableTheRowsOfTheBatchTravel) {
    constexpr std::int64_t kTaken = 4, kTable = tests::support::kVocabulary * 4 * 4;
    for (const auto& [servers, shards] : {std::pair{1, spec::ObjectSpec{}}, {2, spec::ObjectSpec{}}, {3, kThreeShards}}) {
        Cluster cluster(textProject({"SGD", {}}, shards), servers);
        Cluster::Worker worker(cluster, 0, backend::makeCpuExecutor);
        cluster.initialize();
        worker.client().give(cluster.all(), 0, 0);
        std::int64_t rows = 0, others = -kTable;
        for (std::int64_t i = 0; i < kTaken; ++i) {
            worker.step(i, kRate);
            rows += namedBytes(i);
        }
        for (const backend::Variables::Entry& entry : cluster.all().entries()) {
            others += static_cast<std::int64_t>(entry.values.size_bytes());
        }
        std::int64_t pulled = 0, pushed = 0;
        for (int k = 0; k < servers; ++k) {
            pulled += cluster.store(k).load().pulled_bytes;
            pushed += cluster.store(k).load().pushed_bytes;
        }
        EXPECT_LT(rows, kTaken * kTable);
        EXPECT_EQ(pulled, kTaken * others + rows) << servers << " servers";
        EXPECT_EQ(pushed, kTaken * others + rows) << servers << " servers";
        EXPECT_LE(pulled, kTaken * worker.client().pulledBytes());
        EXPECT_LE(pushed, kTaken * worker.client().pushedBytes());
    }
}

TEST(RowTables, AreThoseThatNothingElseTouches) {
    const auto tablesOf = [](spec::RunSpec run) { return plan::rowTables(parameterPlans(run, parameterTarget(2)).worker); };
    const std::vector<plan::RowTable> plain = tablesOf(textProject({"Adam", {}}));
    ASSERT_EQ(plain.size(), 1U);
    EXPECT_EQ(plain.front().rows, tests::support::kVocabulary);
    EXPECT_EQ(plain.front().most_rows, tests::support::kBatch * tests::support::kWords);
    EXPECT_NE(plain.front().gradient, plan::kNoTensor);
    EXPECT_TRUE(tablesOf(serverProject({"Adam", {}})).empty());
    EXPECT_TRUE(tablesOf(textProject({"SGD", {{"clipnorm", 0.5}}})).empty()) << "a norm is of the whole gradient";
    EXPECT_TRUE(tablesOf(textProject({"SGD", {}}, {}, {{"embeddings_regularizer", std::string("l2")}})).empty()) << "every row is pulled";
    spec::RunSpec frozen = textProject({"SGD", {}});
    frozen.model.layers.front().config.set("trainable", false);
    const std::vector<plan::RowTable> of_frozen = tablesOf(frozen);
    ASSERT_EQ(of_frozen.size(), 1U);
    EXPECT_EQ(of_frozen.front().gradient, plan::kNoTensor) << "pulled, and never pushed";
}

TEST(ParameterServer, SlotsLieBesideTheirVariables) {
    const Cluster cluster(serverProject({"Adam", {}}, kThreeShards), 2);
    for (const std::vector<plan::ServerPlan>& plans : cluster.plans().servers) {
        for (const plan::TensorDesc& tensor : plans.front().plan.tensors) {
            if (tensor.role != plan::TensorRole::kSlot) continue;
            EXPECT_EQ(plans.front().plan.tensors[static_cast<std::size_t>(tensor.of)].device, tensor.device);
        }
    }
}

TEST(ParameterServer, AWorkersPlanHasNoUpdateAndNoSlot) {
    const Cluster cluster(serverProject({"Adam", {}}), 2);
    const plan::Plan& worker = cluster.plans().worker;
    EXPECT_EQ(worker.ops.front().kind, plan::OpKind::kPull);
    EXPECT_TRUE(std::none_of(worker.ops.begin(), worker.ops.end(), [](const plan::Op& op) { return op.phase == plan::Phase::kUpdate; }));
    EXPECT_TRUE(std::none_of(worker.tensors.begin(), worker.tensors.end(),
                             [](const plan::TensorDesc& tensor) { return tensor.role == plan::TensorRole::kSlot; }));
    const auto pushes =
        std::count_if(worker.ops.begin(), worker.ops.end(), [](const plan::Op& op) { return op.kind == plan::OpKind::kPush; });
    EXPECT_EQ(static_cast<std::size_t>(pushes), worker.buckets.size());
    EXPECT_GT(pushes, 1);
}

TEST(ParameterServer, BytesOfAStepAreThoseOfTheVariables) {
    Cluster cluster(serverProject({"SGD", {}}, kThreeShards), 2);
    Cluster::Worker worker(cluster, 0, backend::makeCpuExecutor);
    std::int64_t trained = 0, states = 0;
    for (const backend::Variables::Entry& entry : cluster.all().entries()) {
        (entry.is_state ? states : trained) += static_cast<std::int64_t>(entry.values.size_bytes());
    }
    EXPECT_EQ(worker.client().pushedBytes(), trained + states) << "gradients, and the steps of moving statistics";
    EXPECT_GE(worker.client().pulledBytes(), trained + states);
}

TEST(ParameterServer, WorkersTrainTogetherAndEveryStepCounts) {
    constexpr int kWorkers = 3;
    constexpr std::int64_t kEach = 60;
    const spec::RunSpec run = serverProject({"SGD", {}});
    Cluster cluster(run, 2);
    std::vector<std::unique_ptr<Cluster::Worker>> workers;
    for (int i = 0; i < kWorkers; ++i) workers.push_back(std::make_unique<Cluster::Worker>(cluster, i, backend::makeCpuExecutor));
    cluster.initialize();
    workers.front()->client().give(cluster.all(), 0, 0);
    std::vector<std::vector<std::int64_t>> seen(kWorkers);
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < workers.size(); ++i) {
            threads.emplace_back([&, i] {
                for (std::int64_t step = 0; step < kEach; ++step) seen[i].push_back(workers[i]->step(step * kWorkers, kRate).global_step);
            });
        }
    }
    std::vector<std::int64_t> all;
    for (const auto& steps : seen) all.insert(all.end(), steps.begin(), steps.end());
    std::sort(all.begin(), all.end());
    std::vector<std::int64_t> expected(kWorkers * kEach);
    std::iota(expected.begin(), expected.end(), 1);
    EXPECT_EQ(all, expected) << "each number once";
    EXPECT_EQ(workers.front()->client().globalStep(), kWorkers * kEach);
}

TEST(ParameterServer, StepsAreSerialWithABoundOfZero) {
    constexpr std::int64_t kEach = 40;
    spec::RunSpec run = serverProject({"SGD", {}});
    run.strategy.max_staleness = 0;  // workers must know it, too: they say when all servers have a step
    Cluster cluster(run, 2);
    std::vector<std::unique_ptr<Cluster::Worker>> workers;
    for (int i = 0; i < 2; ++i) workers.push_back(std::make_unique<Cluster::Worker>(cluster, i, backend::makeCpuExecutor));
    cluster.initialize();
    workers.front()->client().give(cluster.all(), 0, 0);
    std::array<std::int64_t, 2> most{};
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < workers.size(); ++i) {
            threads.emplace_back([&, i] {
                for (std::int64_t step = 0; step < kEach; ++step) most[i] = std::max(most[i], workers[i]->step(step, kRate).staleness);
            });
        }
    }
    EXPECT_EQ(most[0], 0);
    EXPECT_EQ(most[1], 0);
    EXPECT_EQ(workers.front()->client().globalStep(), 2 * kEach);
}

TEST(ParameterServer, GradientsOfOtherValuesAreVoid) {
    const spec::RunSpec run = serverProject({"SGD", {}});
    Cluster cluster(run, 1);
    cluster.initialize();
    distribute::AlignedMemory region(static_cast<std::size_t>(cluster.plans().worker.shared_bytes));
    LocalLink link(cluster.store(0), 0, region.span());
    Cluster::Worker chief(cluster, 1, backend::makeCpuExecutor);
    chief.client().give(cluster.all(), 0, 0);
    const std::uint64_t before = link.state().generation;
    chief.client().give(cluster.all(), 10, 10);
    link.startPush({.generation = before, .bucket = 0, .learning_rate = kRate, .ends_step = true}, {});
    EXPECT_TRUE(link.awaitPush().is_void);
    EXPECT_EQ(link.state().global_step, 10) << "and counts for nothing";
    link.startPush({.generation = link.state().generation, .seen_version = 8, .bucket = 0, .learning_rate = kRate}, {});
    const PushReply reply = link.awaitPush();
    EXPECT_FALSE(reply.is_void);
    EXPECT_EQ(reply.staleness, 2);
}

TEST(ParameterServer, WhatItCannotDoIsSaidBeforeAnythingStarts) {
    const auto messageOf = [](const spec::RunSpec& run) -> std::string {
        try {
            parameterPlans(run, parameterTarget(1));
        } catch (const Error& error) {
            return error.what();
        }
        return "nothing";
    };
    EXPECT_THAT(messageOf(serverProject({"SGD", {{"gradient_accumulation_steps", std::int64_t{2}}}})),
                ::testing::HasSubstr("compile.optimizer.gradient_accumulation_steps: expected none with ParameterServerStrategy"));
    EXPECT_THAT(messageOf(serverProject({"SGD", {}}, {"FixedShardsPartitioner", {{"num_shards", std::int64_t{0}}}})),
                ::testing::HasSubstr("strategy.variable_partitioner.num_shards: expected 1 or more, got 0"));
    spec::RunSpec spectral = serverProject({"SGD", {}});
    const spec::LayerSpec last = spectral.model.layers.back();
    spectral.model.layers.back() = {"SpectralNormalization", "spectral", {{"layer", spec::ObjectBox({last.class_name, last.config})}}};
    EXPECT_THAT(messageOf(spectral),
                ::testing::HasSubstr("layer spectral: expected no SpectralNormalization with ParameterServerStrategy"));
    for (const char* optimizer : {"Adafactor", "Muon"}) {
        EXPECT_THAT(messageOf(serverProject({optimizer, {}}, kThreeShards)),
                    ::testing::AllOf(::testing::HasSubstr("compile.optimizer: expected an optimizer that updates variables in parts with "
                                                          "strategy.variable_partitioner, which cuts "),
                                     ::testing::EndsWith(std::string(", got ") + optimizer)));
    }
}

// The chief restores all servers after one was lost, those too that were told of the end.
TEST(ParameterStore, ValuesThatAreGivenHaveStepsToCome) {
    const spec::RunSpec run = serverProject({"SGD", {{"learning_rate", static_cast<double>(kRate)}}});
    Cluster cluster(run, 2);
    Cluster::Worker worker(cluster, 0, backend::makeCpuExecutor);
    cluster.initialize();
    worker.client().give(cluster.all(), 0, 0);
    cluster.store(1).end();
    EXPECT_TRUE(worker.step(0, kRate).is_over);
    worker.client().give(cluster.all(), 0, 0);
    EXPECT_FALSE(worker.step(0, kRate).is_over);
}

TEST(EpochSums, OfAllWorkersAreAddedUp) {
    const spec::RunSpec run = serverProject({"SGD", {{"learning_rate", static_cast<double>(kRate)}}}, {});
    Cluster cluster(run, 1);
    ParameterStore& store = cluster.store(0);
    EXPECT_EQ(store.epochSums(0).whole, 0);
    EXPECT_TRUE(store.epochSums(0).sums.empty());
    store.tellEpoch(1, {.epoch = 0, .sums = {50, 25}});
    store.tellEpoch(2, {.epoch = 0, .whole = 1, .sums = {100, 30}});
    store.tellEpoch(1, {.epoch = 0, .whole = 1, .sums = {150, 60}});  // in place of what it told before
    EXPECT_EQ(store.epochSums(0).whole, 2);
    EXPECT_THAT(store.epochSums(0).sums, ::testing::ElementsAre(250, 90));
    EXPECT_THROW(store.tellEpoch(1, {.epoch = 1, .sums = {1, 2, 3}}), Error);
    for (std::int64_t epoch = 1; epoch <= 256; ++epoch) store.tellEpoch(1, {.epoch = epoch, .sums = {1, 1}});
    EXPECT_GT(store.epochSums(0).whole, 2) << "nobody waits for what was let go";
    EXPECT_TRUE(store.epochSums(0).sums.empty());
}

TEST(State, IsOfAllServers) {
    const spec::RunSpec run = serverProject({"SGD", {{"learning_rate", static_cast<double>(kRate)}}}, {});
    Cluster cluster(run, 2);
    Cluster::Worker worker(cluster, 0, backend::makeCpuExecutor);
    cluster.initialize();
    worker.client().give(cluster.all(), 0, 0);
    EXPECT_NE(worker.client().state().generation, 0U);
    Cluster with_new_server(run, 2);  // as if server 1 were lost and started again
    Cluster::Worker other(with_new_server, 0, backend::makeCpuExecutor);
    with_new_server.store(0).give({.variables = std::vector<std::byte>(with_new_server.store(0).variableBytes())});
    EXPECT_EQ(other.client().state().generation, 0U) << "server 1 has no values";
}

TEST(EpochOrigin, ComesWithTheValues) {
    const spec::RunSpec run = serverProject({"SGD", {{"learning_rate", static_cast<double>(kRate)}}}, {});
    Cluster cluster(run, 2);
    Cluster::Worker chief(cluster, 0, backend::makeCpuExecutor), other(cluster, 1, backend::makeCpuExecutor);
    cluster.initialize();
    chief.client().give(cluster.all(), 7, 7, {.epoch = 2, .step = -3});
    EXPECT_EQ(other.client().state().origin, (EpochOrigin{.epoch = 2, .step = -3}));
}

TEST(OpenEpochs, AreToldToWorkers) {
    const spec::RunSpec run = serverProject({"SGD", {{"learning_rate", static_cast<double>(kRate)}}}, {});
    Cluster cluster(run, 2);
    Cluster::Worker worker(cluster, 0, backend::makeCpuExecutor);
    EXPECT_EQ(worker.client().state().open_epochs, 0);
    worker.client().openEpochs(3);
    EXPECT_EQ(worker.client().state().open_epochs, 3);
}

TEST(LearningRate, OfACoordinatorReachesTheNextStep) {
    const spec::RunSpec run = serverProject({"SGD", {{"learning_rate", static_cast<double>(kRate)}}}, {});
    Cluster cluster(run, 2);
    Cluster::Worker worker(cluster, 0, backend::makeCpuExecutor);
    cluster.initialize();
    worker.client().give(cluster.all(), 0, 0);
    EXPECT_EQ(worker.step(0, kRate).rate_changes, 0U);
    worker.client().tellLearningRate(0.125F);
    const ParameterClient::Step step = worker.step(1, kRate);
    EXPECT_EQ(step.rate_changes, 1U);
    EXPECT_EQ(step.told_rate, 0.125F);
}

}  // namespace
}  // namespace engine::parameter_server
