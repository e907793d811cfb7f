// A loop of the program's own on several workers, which are threads here.
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "loop_rig.h"
#include "tests/support/near.h"
#include "tests/support/spawn_ranks.h"

namespace engine::custom_training {
namespace {

using testing::HasSubstr;
using Devices = std::vector<std::string>;

// Runs `program(strategy)` on so many workers at once; its results by rank. Throws what the first of them by rank threw.
template <class Program>
auto onWorkers(int workers, const Devices& devices, Program program) {
    std::vector<std::invoke_result_t<Program&, const Strategy&>> results(static_cast<std::size_t>(workers));
    auto transports = distribute::makeLoopbackTransports(workers);
    tests::support::spawnRanks(workers, std::function<void(int)>([&](int rank) {
                                   const auto index = static_cast<std::size_t>(rank);
                                   const Strategy strategy = Strategy::multiWorkerMirrored(
                                       {.workers = distribute::makeRingCollective(std::move(transports[index]))},
                                       {.devices = devices, .threads = 1});
                                   results[index] = program(strategy);
                               }));
    return results;
}

// The losses, then the weights.
std::vector<float> trained(const Strategy& strategy) {
    Model model = denseModel(strategy, {"SGD", {{"learning_rate", 0.1}, {"momentum", 0.9}}});
    std::vector<float> values =
        trainOn(strategy, model, strategy.distribute(points(), {.global_batch = kBatch, .repeat = 3, .shuffle = 30, .seed = 5}));
    const std::vector<float> weights = weightsOf(model);
    values.insert(values.end(), weights.begin(), weights.end());
    return values;
}

TEST(MultiWorker, TrainsAsOneWorkerWithTheSameGlobalBatch) {
    const std::vector<float> alone = trained(Strategy::oneDevice());
    for (const auto& [workers, devices] : {std::pair{1, Devices{"CPU:0"}}, {2, {"CPU:0"}}, {3, {"CPU:0"}}, {2, {"CPU:0", "CPU:1"}}}) {
        const auto results = onWorkers(workers, devices, trained);
        for (const std::vector<float>& of_worker : results) {
            EXPECT_EQ(of_worker, results.front()) << workers << " workers hold the same bytes";
            EXPECT_TRUE(tests::support::isNear(of_worker, alone, 1e-6)) << workers << " workers of " << devices.size();
        }
    }
}

TEST(MultiWorker, TakesTheChiefsWeights) {
    const auto weights = onWorkers(3, {"CPU:0"}, [](const Strategy& strategy) {
        return weightsOf(denseModel(strategy, {"SGD", {}}, strategy.isChief() ? 3 : 40 + static_cast<std::uint64_t>(strategy.worker())));
    });
    const std::vector<float> chiefs = weightsOf(denseModel(Strategy::oneDevice(), {"SGD", {}}, 3));
    EXPECT_EQ(weights, (std::vector<std::vector<float>>{chiefs, chiefs, chiefs}));
}

TEST(MultiWorker, CountsTheReplicasOfAllWorkers) {
    const auto seen = onWorkers(3, {"CPU:0", "CPU:1"}, [](const Strategy& strategy) {
        EXPECT_EQ(strategy.replicasInSync(), 6);
        EXPECT_EQ(strategy.localReplicas(), 2);
        EXPECT_EQ(strategy.workers(), 3);
        EXPECT_EQ(strategy.isChief(), strategy.worker() == 0);
        Model model = denseModel(strategy);
        const auto inputs = strategy.distribute(points(), {.global_batch = 27}).iterator().next();
        EXPECT_EQ(inputs->globalSamples(), 27);
        return localResults(strategy.run(model, *inputs, [](ReplicaContext& replica) {
            EXPECT_EQ(replica.replicasInSync(), 6);
            return std::pair(replica.replica(), replica.samples());
        }));
    });
    using Parts = std::vector<std::pair<int, std::int64_t>>;  // of 27 samples five replicas take 5 each
    EXPECT_EQ(seen, (std::vector<Parts>{{{0, 5}, {1, 5}}, {{2, 5}, {3, 5}}, {{4, 5}, {5, 2}}}));
}

// A worker whose part of the last batch is empty still takes part in its sums.
TEST(MultiWorker, GoesOnWithoutSamplesOfItsOwn) {
    const auto parts = onWorkers(2, {"CPU:0"}, [](const Strategy& strategy) {
        Model model = denseModel(strategy);
        std::vector<std::int64_t> samples;
        for (const DistributedBatch& inputs : strategy.distribute(points(), {.global_batch = 26})) {
            samples.push_back(inputs.samples());
            strategy.run(model, inputs, [](ReplicaContext& replica) { return meanSquaredError(replica, 1.0F / 26); });
        }
        return samples;
    });
    EXPECT_EQ(parts, (std::vector<std::vector<std::int64_t>>{{13, 4}, {13, 0}}));
}

TEST(MultiWorker, ReducesOverAllWorkers) {
    onWorkers(2, {"CPU:0"}, [](const Strategy& strategy) {
        const bool first = strategy.worker() == 0;
        const PerReplica<float> one{{first ? 1.0F : 2.0F}};
        EXPECT_EQ(strategy.reduce(ReduceOp::kSum, one), 3);
        EXPECT_EQ(strategy.reduce(ReduceOp::kMean, one), 1.5F);
        const PerReplica<std::vector<float>> uneven{{first ? std::vector{1.0F, 2.0F} : std::vector{6.0F}}};
        EXPECT_EQ(strategy.reduceFirstAxis(ReduceOp::kSum, uneven), 9);
        EXPECT_EQ(strategy.reduceFirstAxis(ReduceOp::kMean, uneven), 3);
        const PerReplica<std::vector<float>> even{{first ? std::vector{1.0F, 2.0F} : std::vector{5.0F, 8.0F}}};
        EXPECT_EQ(strategy.reduce(ReduceOp::kSum, even), (std::vector{6.0F, 10.0F}));
        EXPECT_EQ(strategy.reduce(ReduceOp::kMean, even), (std::vector{3.0F, 5.0F}));
        EXPECT_THROW(strategy.reduce(ReduceOp::kMean, uneven), Error);
        EXPECT_EQ(strategy.reduce(ReduceOp::kSum, one), 3) << "after a mistake that every worker saw";
        return 0;
    });
}

TEST(MultiWorker, RefusesAnotherModelOnAWorker) {
    std::mutex mutex;
    std::vector<std::string> messages;
    onWorkers(3, {"CPU:0"}, [&](const Strategy& strategy) {
        try {
            denseModel(strategy, {"SGD", {{"learning_rate", strategy.worker() == 2 ? 0.5 : 0.1}}});
        } catch (const Error& error) {
            const std::lock_guard lock(mutex);
            messages.emplace_back(error.what());
        }
        return 0;
    });
    EXPECT_THAT(messages, testing::Each(HasSubstr("got others on worker 2")));
    EXPECT_EQ(messages.size(), 3U);
}

// A worker that ends in the middle leaves nobody waiting.
TEST(MultiWorker, NamesTheWorkerThatIsGone) {
    std::mutex mutex;
    std::vector<std::string> messages;
    onWorkers(2, {"CPU:0"}, [&](const Strategy& strategy) {
        Model model = denseModel(strategy);
        const DistributedDataset dataset = strategy.distribute(points(), {.global_batch = kBatch, .repeat = 4});
        try {
            int steps = 0;
            for (const DistributedBatch& inputs : dataset) {
                if (strategy.worker() == 1 && ++steps == 4) break;
                strategy.run(model, inputs, [](ReplicaContext& replica) { return meanSquaredError(replica, 1.0F / kBatch); });
            }
        } catch (const Error& error) {
            const std::lock_guard lock(mutex);
            messages.emplace_back(error.what());
        }
        return 0;
    });
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_THAT(messages.front(), HasSubstr("worker 1"));
}

}  // namespace
}  // namespace engine::custom_training
