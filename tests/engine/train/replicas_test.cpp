// Several replicas against one, in one process over the loopback ring.
#include <barrier>
#include <span>
#include <tuple>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/dataset_catalog.h"
#include "engine/data/shard_preview.h"
#include "engine/spec/error.h"
#include "tests/support/near.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::RecordingObserver;
using tests::support::replica;
using tests::support::result;

using distribute::Collective;

struct RankResult {
    std::vector<float> weights;
    FitOutcome outcome;
};

data::Dataset quarters() {
    return {"quarters", quarterImages(3200), quarterImages(101, 8, 2)};
}

// What every rank ended with.
std::vector<RankResult> fitTogether(const spec::RunSpec& run, int replicas, std::vector<RecordingObserver>& observers,
                                    const data::Dataset& dataset = quarters(),
                                    ExecutorFactory make_executor = &backend::makeReferenceExecutor,
                                    distribute::LoopbackOptions loopback = {}) {
    std::vector<RankResult> results(static_cast<std::size_t>(replicas));
    std::vector<tests::support::TempDir> folders(static_cast<std::size_t>(replicas));
    const auto fit = [&](int rank, Collective* collective) {
        const auto at = static_cast<std::size_t>(rank);
        TrainerOptions options;
        options.make_executor = make_executor;
        options.run_dir = folders[at].path();
        options.dataset = dataset;
        options.pause_poll = std::chrono::milliseconds(5);
        Trainer trainer(run, replica(run, rank, replicas), collective, observers[at], options);
        results[at].outcome = trainer.fit();
        for (const auto& entry : trainer.variables().entries()) {
            if (!entry.is_slot) {
                results[at].weights.insert(results[at].weights.end(), entry.values.begin(), entry.values.end());
            }
        }
    };
    if (replicas == 1) {
        fit(0, nullptr);
    } else {
        tests::support::spawnRanks(
            replicas, [&](Collective& collective) { fit(collective.rank(), &collective); }, {}, loopback);
    }
    return results;
}

std::vector<RankResult> fitTogether(const spec::RunSpec& run, int replicas) {
    std::vector<RecordingObserver> observers(static_cast<std::size_t>(replicas));
    return fitTogether(run, replicas, observers);
}

spec::RunSpec fiftySteps(spec::ObjectSpec optimizer, std::int64_t batch) {
    spec::RunSpec run = quarterRun();
    run.compile.optimizer = std::move(optimizer);
    run.data.shuffle = 0;
    run.data.auto_shard = spec::AutoShardPolicy::kData;
    run.data.batch_size_per_replica = batch;
    run.fit.epochs = 1;
    return run;
}

class TwoReplicas : public testing::TestWithParam<spec::ObjectSpec> {};

TEST_P(TwoReplicas, TrainAsOneWithTwiceTheBatch) {
    const auto one = fitTogether(fiftySteps(GetParam(), 64), 1);
    const auto two = fitTogether(fiftySteps(GetParam(), 32), 2);
    EXPECT_EQ(result(one[0].outcome, "steps"), 50);
    EXPECT_EQ(result(two[0].outcome, "steps"), 50);
    EXPECT_TRUE(tests::support::isNear(two[0].weights, one[0].weights, 1e-5));
    EXPECT_EQ(two[0].weights, two[1].weights);
    EXPECT_DOUBLE_EQ(result(two[0].outcome, "test_loss"), result(two[1].outcome, "test_loss"));
}

// The tutorial's model on real MNIST with the kernels that users get.
// As one for ten steps: after some more, what is rounded another way turns the sign of a ReLU's input or the largest of a pooling window,
// and from then on both train apart.
TEST_P(TwoReplicas, TrainAsOneOnMnistWithTheCpuKernels) {
    spec::DataSpec source;
    const data::Dataset mnist = data::loadDataset(source, {std::filesystem::path(TANDEM_RESOURCES) / "datasets"});
    const auto fit = [&](std::int64_t batch, std::int64_t steps, int replicas) {
        spec::RunSpec run = fiftySteps(GetParam(), batch);
        run.model = tests::support::tutorialModel();
        run.data.take = 64 * steps;
        run.data.validate_on_test = false;
        std::vector<RecordingObserver> observers(static_cast<std::size_t>(replicas));
        return fitTogether(run, replicas, observers, mnist, &backend::makeCpuExecutor);
    };
    const auto one = fit(64, 10, 1);
    const auto two = fit(32, 10, 2);
    EXPECT_EQ(result(two[0].outcome, "steps"), 10);
    EXPECT_TRUE(tests::support::isNear(two[0].weights, one[0].weights, 1e-6));
    const auto fifty = fit(32, 50, 2);
    EXPECT_EQ(result(fifty[0].outcome, "steps"), 50);
    EXPECT_EQ(fifty[0].weights, fifty[1].weights);
    EXPECT_EQ(fit(32, 50, 2)[0].outcome.finished.weights_sha256, fifty[0].outcome.finished.weights_sha256);
}

INSTANTIATE_TEST_SUITE_P(Replicas, TwoReplicas,
                         testing::Values(spec::ObjectSpec{"Adam", {{"learning_rate", 0.001}}},
                                         spec::ObjectSpec{"SGD", {{"learning_rate", 0.01}, {"momentum", 0.9}}},
                                         // The average is one of all replicas' weights.
                                         spec::ObjectSpec{"AdamW", {{"learning_rate", 0.001}, {"use_ema", true}}}),
                         [](const auto& row) { return row.param.class_name; });

// A bound that all gradients pass: each replica of Keras clips to it what it has, and then they are summed.
TEST(Replicas, ClipTheirOwnGradientsBeforeTheSum) {
    constexpr double kBound = 1e-3;
    const auto weights = [&](double rate, int replicas, ExecutorFactory make) {
        spec::RunSpec run = fiftySteps({"SGD", {{"learning_rate", rate}, {"clipvalue", kBound}}}, 16);
        run.fit.epochs = 1;
        run.fit.steps_per_epoch = 1;
        std::vector<RecordingObserver> observers(static_cast<std::size_t>(replicas));
        return fitTogether(run, replicas, observers, quarters(), make)[0].weights;
    };
    for (const ExecutorFactory make : {&backend::makeReferenceExecutor, &backend::makeCpuExecutor}) {
        const auto begun = weights(1e-30, 1, make);
        for (const int replicas : {1, 2, 3}) {
            const auto after = weights(1, replicas, make);
            double farthest = 0;
            for (std::size_t i = 0; i < begun.size(); ++i)
                farthest = std::max(farthest, std::abs(static_cast<double>(after[i]) - begun[i]));
            EXPECT_NEAR(farthest, kBound * replicas, 1e-5) << replicas << " replicas";
        }
    }
}

// A sum over the samples is that of the global batch, as Keras tells it, in training as in the evaluation behind it.
TEST(Replicas, TellTheSumOfTheGlobalBatch) {
    const auto fit = [](std::int64_t batch, int replicas, ExecutorFactory make) {
        spec::RunSpec run = fiftySteps({"SGD", {{"learning_rate", 1e-4}}}, batch);
        run.compile.loss.config.set("reduction", std::string("sum"));
        run.data.validate_on_test = true;
        std::vector<RecordingObserver> observers(static_cast<std::size_t>(replicas));
        const data::Dataset whole_batches{"quarters", quarterImages(320), quarterImages(96, 8, 2)};
        fitTogether(run, replicas, observers, whole_batches, make);
        return observers[0].all<spec::EpochEnd>().back().logs;
    };
    for (const ExecutorFactory make : {&backend::makeReferenceExecutor, &backend::makeCpuExecutor}) {
        const Logs one = fit(32, 1, make), two = fit(16, 2, make);
        EXPECT_GT(*findLog(one, "loss"), 20) << "more than a mean";
        for (const char* name : {"loss", "val_loss"}) {
            EXPECT_NEAR(*findLog(two, name), *findLog(one, name), 1e-3 * *findLog(one, name)) << name;
        }
    }
}

// Values are rounded sample by sample and a batch twice as large halves no digit: replicas share what one replica computes.
TEST(Replicas, OfMixedPrecisionTrainAsOne) {
    spec::DataSpec source;
    const data::Dataset mnist = data::loadDataset(source, {std::filesystem::path(TANDEM_RESOURCES) / "datasets"});
    const auto fit = [&](std::int64_t batch, int replicas, const char* policy) {
        spec::RunSpec run = fiftySteps({"SGD", {{"learning_rate", 0.05}, {"momentum", 0.9}}}, batch);
        run.model = tests::support::tutorialModel();
        run.model.dtype_policy = policy;
        run.model.layers.back().config.set("dtype", std::string("float32"));
        run.data.take = 6400;
        run.fit.epochs = 2;
        run.data.validate_on_test = true;
        std::vector<RecordingObserver> observers(static_cast<std::size_t>(replicas));
        return fitTogether(run, replicas, observers, mnist, &backend::makeCpuExecutor);
    };
    const auto wide = fit(64, 1, "float32"), one = fit(64, 1, "mixed_bfloat16"), two = fit(32, 2, "mixed_bfloat16");
    EXPECT_NE(one[0].weights, wide[0].weights);
    EXPECT_EQ(two[0].weights, two[1].weights);
    EXPECT_EQ(fit(32, 2, "mixed_bfloat16")[0].outcome.finished.weights_sha256, two[0].outcome.finished.weights_sha256);
    EXPECT_GT(result(wide[0].outcome, "test_accuracy"), 0.9);
    EXPECT_NEAR(result(one[0].outcome, "test_accuracy"), result(wide[0].outcome, "test_accuracy"), 0.01);
    EXPECT_NEAR(result(two[0].outcome, "test_accuracy"), result(wide[0].outcome, "test_accuracy"), 0.01);
}

// Each replica normalises by its own batch; the moving statistics are the mean over the replicas, so they are the same bytes everywhere.
TEST(Replicas, KeepTheSameMovingStatistics) {
    spec::RunSpec run = fiftySteps({"SGD", {{"learning_rate", 0.01}}}, 16);
    run.model.layers.insert(run.model.layers.begin() + 1, tests::support::layer("BatchNormalization", "norm", {{"momentum", 0.9}}));
    for (const ExecutorFactory make : {&backend::makeReferenceExecutor, &backend::makeCpuExecutor}) {
        std::vector<RecordingObserver> observers(3);
        const auto three = fitTogether(run, 3, observers, quarters(), make);
        EXPECT_EQ(three[0].weights, three[1].weights);
        EXPECT_EQ(three[0].weights, three[2].weights);
    }
}

TEST(Replicas, WithSynchronizedNormalisationTrainAsOne) {
    const auto fit = [](std::int64_t batch, int replicas, ExecutorFactory make) {
        spec::RunSpec run = fiftySteps({"SGD", {{"learning_rate", 0.01}}}, batch);
        run.model.layers.insert(run.model.layers.begin() + 1,
                                tests::support::layer("BatchNormalization", "norm", {{"momentum", 0.9}, {"synchronized", true}}));
        std::vector<RecordingObserver> observers(static_cast<std::size_t>(replicas));
        return fitTogether(run, replicas, observers, quarters(), make);
    };
    for (const ExecutorFactory make : {&backend::makeReferenceExecutor, &backend::makeCpuExecutor}) {
        const auto one = fit(64, 1, make), two = fit(32, 2, make);
        EXPECT_TRUE(tests::support::isNear(two[0].weights, one[0].weights, 2e-5));
        EXPECT_EQ(two[0].weights, two[1].weights);
    }
}

// Sums of metrics travel with the gradients; a penalty counts once, not once a replica.
TEST(Replicas, AddUpMetricsAndPenaltiesAsOneDoes) {
    const auto one_hot = [](std::int64_t count, std::uint32_t salt) {
        auto samples = std::const_pointer_cast<data::Samples>(quarterImages(count, 8, salt));
        data::oneHotLabels(*samples, 4);
        return samples;
    };
    const data::Dataset dataset{"quarters", one_hot(3200, 1), one_hot(101, 2)};
    const auto fit = [&](std::int64_t batch, int replicas) {
        spec::RunSpec run = fiftySteps({"SGD", {{"learning_rate", 0.01}}}, batch);
        run.model.layers.back().config.set("activation", std::string("softmax"));
        run.model.layers.back().config.set("kernel_regularizer", spec::ObjectBox({"L2", {{"l2", 0.1}}}));
        run.compile.loss = {"CategoricalCrossentropy", {}};
        run.compile.metrics = {"accuracy", {"AUC", {{"num_thresholds", std::int64_t{20}}}}, "mae"};
        std::vector<RecordingObserver> observers(static_cast<std::size_t>(replicas));
        const RankResult first = fitTogether(run, replicas, observers, dataset).front();
        EXPECT_EQ(observers[0].column("auc").size(), 50U);
        Logs logs = observers[0].all<spec::EpochEnd>().at(0).logs;
        logs.emplace_back("test_auc", result(first.outcome, "test_auc"));
        return logs;
    };
    const Logs one = fit(64, 1), two = fit(32, 2);
    EXPECT_THAT(one, testing::SizeIs(9));  // accuracy, auc, loss, mae, the same of the validation, and the test's
    ASSERT_EQ(two.size(), one.size());
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_EQ(two[i].first, one[i].first);
        EXPECT_NEAR(two[i].second, one[i].second, 2e-3) << one[i].first;  // an element at a threshold may fall on either side
    }
    EXPECT_NEAR(*findLog(two, "loss"), *findLog(one, "loss"), 1e-5);
    EXPECT_NEAR(*findLog(two, "mae"), *findLog(one, "mae"), 1e-5);
}

TEST(Replicas, GiveTheSameBytesTwice) {
    const spec::RunSpec run = fiftySteps({"Adam", {{"learning_rate", 0.001}}}, 32);
    EXPECT_EQ(fitTogether(run, 2)[0].outcome.finished.weights_sha256, fitTogether(run, 2)[1].outcome.finished.weights_sha256);
}

TEST(Replicas, TakePartWithNothingWhenTheirDataEndFirst) {
    spec::RunSpec run = fiftySteps({"SGD", {{"learning_rate", 0.01}}}, 16);
    run.data.take = 49;  // the second batch of 48 has one sample, for the first replica
    const auto three = fitTogether(run, 3);
    EXPECT_EQ(result(three[2].outcome, "steps"), 2);
    EXPECT_EQ(three[0].weights, three[2].weights);
}

TEST(Replicas, ActOnAControlAtOneStep) {
    std::vector<RecordingObserver> observers(3);
    observers[0].askBeforeStep(7, {spec::ControlVerb::kPause, 0});
    observers[0].whenState([](const spec::StateChanged& change) -> std::optional<spec::Control> {
        return change.state == spec::TaskState::kPaused ? std::optional(spec::Control{spec::ControlVerb::kStop, 0}) : std::nullopt;
    });
    const auto results = fitTogether(fiftySteps({"SGD", {}}, 16), 3, observers);
    for (std::size_t rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(results[rank].outcome.state, spec::TaskState::kStopped);
        EXPECT_EQ(result(results[rank].outcome, "steps"), 7) << rank;
        EXPECT_THAT(observers[rank].all<spec::StateChanged>(),
                    testing::Contains(spec::StateChanged{spec::TaskState::kPaused, "after step 7"}));
    }
    EXPECT_EQ(observers[0].all<spec::ControlApplied>(), (std::vector<spec::ControlApplied>{{"pause", 7}, {"stop", 7}}));
}

TEST(Replicas, AllStopWhenAnyOfThemHasToLeave) {
    std::vector<RecordingObserver> observers(3);
    observers[2].askBeforeStep(4, {spec::ControlVerb::kStop, 0});
    observers[0].askBeforeStep(4, {spec::ControlVerb::kSetLearningRate, 0.5});
    const auto results = fitTogether(fiftySteps({"SGD", {}}, 16), 3, observers);
    for (const RankResult& one : results) {
        EXPECT_EQ(one.outcome.state, spec::TaskState::kStopped);
        EXPECT_EQ(result(one.outcome, "steps"), 4);
    }
}

TEST(Replicas, OnlyTheChiefWrites) {
    const auto results = fitTogether(fiftySteps({"SGD", {}}, 64), 2);
    EXPECT_EQ(results[0].outcome.finished.checkpoint, "checkpoints/ckpt_1");
    EXPECT_EQ(results[1].outcome.finished.checkpoint, "");
}

TEST(Replicas, RefuseToTrainDifferentProjects) {
    const data::Dataset dataset{"quarters", quarterImages(64), nullptr};
    tests::support::TempDir folder;
    try {
        tests::support::spawnRanks(2, [&](Collective& collective) {
            spec::RunSpec run = fiftySteps({"SGD", {{"learning_rate", collective.rank() == 0 ? 0.01 : 0.02}}}, 16);
            RecordingObserver observer;
            TrainerOptions options;
            options.make_executor = &backend::makeReferenceExecutor;
            options.run_dir = folder.path();
            options.dataset = dataset;
            Trainer(run, replica(run, collective.rank(), 2), &collective, observer, options).fit();
        });
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("replica 1: expected the project of replica 0, the chief"));
    }
}

spec::RunSpec onTwoDevicesEach(spec::RunSpec run) {
    run.strategy.name = "MultiWorkerMirroredStrategy";
    run.strategy.logical_cpus = 2;
    return run;
}

// Four replicas, two a worker, with dropout: which units a sample loses does not depend on who has it.
TEST_P(TwoReplicas, OfTwoDevicesEachTrainAsOneWithFourTimesTheBatch) {
    const auto projectWith = [](std::int64_t batch) {
        spec::RunSpec run = fiftySteps(GetParam(), batch);
        run.model.layers.insert(run.model.layers.end() - 1, tests::support::layer("Dropout", "dropout", {{"rate", 0.25}}));
        return run;
    };
    const auto one = fitTogether(projectWith(64), 1);
    std::vector<float> first_losses, first_weights;
    for (const bool peer_views : {true, false}) {
        std::vector<RecordingObserver> observers(2);
        const auto four = fitTogether(onTwoDevicesEach(projectWith(16)), 2, observers, quarters(), &backend::makeReferenceExecutor,
                                      {.peer_views = peer_views});
        EXPECT_EQ(result(four[0].outcome, "steps"), 50);
        EXPECT_TRUE(tests::support::isNear(four[0].weights, one[0].weights, 1e-5));
        EXPECT_EQ(four[0].weights, four[1].weights);
        EXPECT_EQ(four[0].outcome.finished.weights_sha256, four[1].outcome.finished.weights_sha256) << "slots too";
        EXPECT_NEAR(result(four[0].outcome, "test_loss"), result(one[0].outcome, "test_loss"), 1e-5);
        EXPECT_EQ(result(four[0].outcome, "test_accuracy"), result(one[0].outcome, "test_accuracy"));
        if (peer_views) {
            first_losses = observers[0].column("loss");
            first_weights = four[0].weights;
        }
        EXPECT_EQ(observers[0].column("loss"), first_losses) << "the same whatever carries the bytes";
        EXPECT_EQ(four[0].weights, first_weights);
    }
}

// As one for ten steps, as above.
TEST_P(TwoReplicas, OfTwoDevicesEachTrainAsOneOnMnistWithTheCpuKernels) {
    const data::Dataset mnist = data::loadDataset({}, {std::filesystem::path(TANDEM_RESOURCES) / "datasets"});
    const auto fit = [&](spec::RunSpec run, std::int64_t steps, int workers) {
        run.model = tests::support::tutorialModel();
        run.data.take = 64 * steps;
        run.data.validate_on_test = false;
        std::vector<RecordingObserver> observers(static_cast<std::size_t>(workers));
        return fitTogether(run, workers, observers, mnist, &backend::makeCpuExecutor);
    };
    const auto one = fit(fiftySteps(GetParam(), 64), 10, 1);
    const auto four = fit(onTwoDevicesEach(fiftySteps(GetParam(), 16)), 10, 2);
    EXPECT_EQ(result(four[0].outcome, "steps"), 10);
    EXPECT_TRUE(tests::support::isNear(four[0].weights, one[0].weights, 1e-6));
    const auto fifty = fit(onTwoDevicesEach(fiftySteps(GetParam(), 16)), 50, 2);
    EXPECT_EQ(result(fifty[0].outcome, "steps"), 50);
    EXPECT_EQ(fifty[0].weights, fifty[1].weights);
    EXPECT_EQ(fit(onTwoDevicesEach(fiftySteps(GetParam(), 16)), 50, 2)[0].outcome.finished.weights_sha256,
              fifty[0].outcome.finished.weights_sha256);
}

TEST(WorkersOfTwoDevices, TrainInMixedPrecisionAsOne) {
    const data::Dataset mnist = data::loadDataset({}, {std::filesystem::path(TANDEM_RESOURCES) / "datasets"});
    const auto fit = [&](spec::RunSpec run, int workers) {
        run.model = tests::support::tutorialModel();
        run.model.dtype_policy = "mixed_bfloat16";
        run.model.layers.back().config.set("dtype", std::string("float32"));
        run.data.take = 6400;
        run.fit.epochs = 2;
        run.data.validate_on_test = true;
        std::vector<RecordingObserver> observers(static_cast<std::size_t>(workers));
        return fitTogether(run, workers, observers, mnist, &backend::makeCpuExecutor);
    };
    const spec::ObjectSpec momentum{"SGD", {{"learning_rate", 0.05}, {"momentum", 0.9}}};
    const auto one = fit(fiftySteps(momentum, 64), 1);
    const auto four = fit(onTwoDevicesEach(fiftySteps(momentum, 16)), 2);
    EXPECT_EQ(four[0].weights, four[1].weights);
    EXPECT_GT(result(one[0].outcome, "test_accuracy"), 0.9);
    EXPECT_NEAR(result(four[0].outcome, "test_accuracy"), result(one[0].outcome, "test_accuracy"), 0.01);
    EXPECT_EQ(fit(onTwoDevicesEach(fiftySteps(momentum, 16)), 2)[0].outcome.finished.weights_sha256,
              four[0].outcome.finished.weights_sha256);
}

TEST(WorkersOfTwoDevices, NormaliseTogether) {
    for (const bool synchronized : {true, false}) {
        const auto projectWith = [&](std::int64_t batch) {
            spec::RunSpec run = fiftySteps({"SGD", {{"learning_rate", 0.01}}}, batch);
            run.model.layers.insert(
                run.model.layers.begin() + 1,
                tests::support::layer("BatchNormalization", "norm", {{"momentum", 0.9}, {"synchronized", synchronized}}));
            return run;
        };
        for (const ExecutorFactory make : {&backend::makeReferenceExecutor, &backend::makeCpuExecutor}) {
            std::vector<RecordingObserver> observers(2), alone(1);
            const auto four = fitTogether(onTwoDevicesEach(projectWith(16)), 2, observers, quarters(), make);
            EXPECT_EQ(four[0].weights, four[1].weights);
            if (synchronized) {
                EXPECT_TRUE(
                    tests::support::isNear(four[0].weights, fitTogether(projectWith(64), 1, alone, quarters(), make)[0].weights, 2e-5));
            }
        }
    }
}

// Every replica weighs the same (tf.distribute), whichever worker it is of: 5 samples over four replicas of 2 are 2, 2, 1 and 0.
TEST(WorkersOfTwoDevices, WeighEveryReplicaTheSame) {
    const auto quarters_of = [](std::int64_t first, std::int64_t count) {
        auto samples = std::make_shared<data::Samples>();
        const auto all = quarterImages(8);
        samples->count = count;
        samples->sample_shape = all->sample_shape;
        samples->samples = data::ByteBuffer(static_cast<std::size_t>(count * 64));
        samples->labels = data::ByteBuffer(static_cast<std::size_t>(count));
        std::copy_n(all->samples.data() + first * 64, count * 64, samples->samples.data());
        std::copy_n(all->labels.data() + first, count, samples->labels.data());
        return data::Dataset{"quarters", samples, nullptr};
    };
    const auto weightsAfter = [&](double rate, std::int64_t first, std::int64_t count, int workers) {
        spec::RunSpec run = fiftySteps({"SGD", {{"learning_rate", rate}}}, 2);
        run = workers > 1 ? onTwoDevicesEach(run) : run;
        std::vector<RecordingObserver> observers(static_cast<std::size_t>(workers));
        return fitTogether(run, workers, observers, quarters_of(first, count))[0].weights;
    };
    const std::vector<float> before = weightsAfter(0, 0, 2, 1);
    std::vector<float> expected = before;
    for (const auto& [first, count] : {std::pair<std::int64_t, std::int64_t>{0, 2}, {2, 2}, {4, 1}}) {
        const std::vector<float> moved = weightsAfter(1, first, count, 1);
        for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += (moved[i] - before[i]) / 4;
    }
    EXPECT_TRUE(tests::support::isNear(weightsAfter(1, 0, 5, 2), expected, 1e-6));
    EXPECT_FALSE(tests::support::isNear(before, expected, 1e-3));
}

// 3 of 49 samples are left for the second step: a piece of one for three of the four replicas.
TEST(WorkersOfTwoDevices, TakePartWithNothingWhenTheirDataEnd) {
    spec::RunSpec run = onTwoDevicesEach(fiftySteps({"SGD", {{"learning_rate", 0.01}}}, 12));
    run.fit.epochs = 3;
    for (const auto policy : {spec::AutoShardPolicy::kData, spec::AutoShardPolicy::kOff}) {
        run.data.auto_shard = policy;
        run.data.take = policy == spec::AutoShardPolicy::kData ? 51 : 27;  // OFF: each worker has all, 24 a step
        const auto two = fitTogether(run, 2);
        EXPECT_EQ(result(two[0].outcome, "steps"), 6);
        EXPECT_EQ(two[0].weights, two[1].weights);
    }
}

TEST(WorkersOfTwoDevices, SayWhatTheyDoInPlanAndLog) {
    spec::RunSpec run = onTwoDevicesEach(fiftySteps({"SGD", {{"learning_rate", 0.01}}}, 16));
    run.data.take = 64;
    run.strategy.log_device_placement = true;
    run.cluster.spec.jobs = {{"worker", {{0, "localhost:12345"}, {1, "localhost:23456"}}}};
    const std::vector<spec::TaskPlan> tasks = spec::planTasks(run);
    std::vector<RecordingObserver> observers(2);
    std::vector<std::string> plans(2);
    tests::support::spawnRanks(2, [&](Collective& collective) {
        const auto at = static_cast<std::size_t>(collective.rank());
        const tests::support::TempDir folder;
        TrainerOptions options;
        options.make_executor = &backend::makeCpuExecutor;
        options.run_dir = folder.path();
        options.dataset = quarters();
        Trainer trainer(run, tasks[at], &collective, observers[at], options);
        trainer.fit();
        plans[at] = trainer.planText();
    });
    EXPECT_THAT(plans[1], testing::HasSubstr("[sum on 0, then between workers, bucket 0]"));
    EXPECT_THAT(plans[1], testing::HasSubstr("replica 1 on CPU:1: the same plan"));
    std::vector<std::string> log;
    for (const auto& line : observers[1].all<spec::LogLine>()) log.push_back(line.text);
    const std::string host = "/job:worker/replica:0/task:1/device:";
    EXPECT_THAT(log, testing::Contains("Using MultiWorkerMirroredStrategy with devices ('" + host + "CPU:0', '" + host + "CPU:1')"));
    EXPECT_THAT(log, testing::Contains("dense/kernel/replica_1: (Variable): " + host + "CPU:1"));
    const auto started = observers[0].all<spec::RunStarted>();
    ASSERT_EQ(started.size(), 1U);
    EXPECT_EQ(started[0].global_batch_size, 64);
    EXPECT_THAT(started[0].executor, testing::HasSubstr("2 x "));
}

// A label that only the second device of the second worker sees.
TEST(WorkersOfTwoDevices, EndTogetherWhenADeviceOfOneFails) {
    const auto spoilt = std::const_pointer_cast<data::Samples>(quarterImages(64));
    const data::Dataset dataset{"quarters", spoilt, nullptr};
    spec::RunSpec run = onTwoDevicesEach(fiftySteps({"SGD", {{"learning_rate", 0.01}}}, 16));
    run.data.validate_on_test = false;
    std::vector<std::string> told(2);
    std::barrier looked(2, [&]() noexcept { spoilt->labels.data()[60] = std::byte{9}; });  // both trainers have
    const auto fit = [&](Collective& collective) {
        const auto at = static_cast<std::size_t>(collective.rank());
        const tests::support::TempDir folder;
        RecordingObserver observer;
        TrainerOptions options;
        options.make_executor = &backend::makeCpuExecutor;
        options.run_dir = folder.path();
        options.dataset = dataset;
        Trainer trainer(run, replica(run, collective.rank(), 2), &collective, observer, options);
        looked.arrive_and_wait();
        try {
            trainer.fit();
        } catch (const Error& error) {
            told[at] = error.what();
            throw;
        }
    };
    EXPECT_THROW(tests::support::spawnRanks(2, fit), Error);
    EXPECT_THAT(told[1], testing::HasSubstr("label of sample 60"));
    EXPECT_THAT(told[0], testing::HasSubstr("worker 1"));
}

TEST(Replicas, LogTheSamplesThatThePreviewForetells) {
    using enum spec::DataStep;
    const std::vector<spec::DataStep> usual = spec::DataSpec().order;
    const std::vector<spec::DataStep> other{kScale, kNormalize, kOneHot, kBatch, kShuffle, kTake, kCache, kRepeat, kPrefetch};
    for (const auto& [policy, order, devices] : {std::tuple{spec::AutoShardPolicy::kData, usual, 1},
                                                 {spec::AutoShardPolicy::kOff, usual, 1},
                                                 {spec::AutoShardPolicy::kData, other, 1},
                                                 {spec::AutoShardPolicy::kOff, other, 1},
                                                 {spec::AutoShardPolicy::kData, usual, 2},
                                                 {spec::AutoShardPolicy::kOff, other, 2}}) {
        spec::RunSpec run = quarterRun();
        run.strategy.logical_cpus = devices;
        run.data.batch_size_per_replica /= devices;
        run.data.auto_shard = policy;
        run.data.order = order;
        run.data.take = order == other ? 2 : 0;
        run.data.log_shards = 6;
        const data::Dataset dataset{"quarters", quarterImages(70), nullptr};  // three steps an epoch, the last one short
        std::vector<RecordingObserver> observers(3);
        fitTogether(run, 3, observers, dataset);
        std::vector<spec::TaskPlan> tasks;
        for (int rank = 0; rank < 3; ++rank) {
            tasks.push_back(replica(run, rank, 3));
        }
        const std::vector<data::ShardStep> preview = data::previewShards(run, *dataset.train, tasks, run.data.log_shards);
        for (std::size_t rank = 0; rank < observers.size(); ++rank) {
            std::vector<std::string> expected, logged;
            for (const data::ShardStep& step : preview) {
                const auto parts = step.parts.empty() ? std::span<const std::uint32_t>() : step.parts[rank];
                expected.push_back("shard: " + data::shardLine(step.step, step.epoch, tasks[rank].task, step.elements[rank], parts));
            }
            for (const auto& line : observers[rank].all<spec::LogLine>()) {
                if (line.text.starts_with("shard: ")) {
                    logged.push_back(line.text);
                }
            }
            EXPECT_EQ(logged, expected);
            EXPECT_GE(logged.size(), 4U);
        }
    }
}

}  // namespace
}  // namespace engine::train
