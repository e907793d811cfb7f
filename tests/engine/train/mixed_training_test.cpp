// Training with MixUp and CutMix from end to end: it learns, only training sees mixtures, and replicas train as one.
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/near.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::isNear;
using tests::support::layer;
using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::RecordingObserver;
using tests::support::replica;
using tests::support::result;

const spec::ObjectSpec kMixUp{"MixUp", {{"alpha", 0.4}}}, kCutMix{"CutMix", {}}, kNone{};

data::Dataset quarters(std::int64_t count) {
    const auto rows = [](std::int64_t samples, std::uint32_t salt) {
        auto set = std::const_pointer_cast<data::Samples>(quarterImages(samples, 8, salt));
        data::oneHotLabels(*set, 4);
        return set;
    };
    return {"quarters", rows(count, 1), rows(100, 2)};
}

spec::RunSpec mixedRun(const spec::ObjectSpec& mix) {
    spec::RunSpec run = quarterRun();
    run.compile.loss = {"CategoricalCrossentropy", {{"from_logits", true}}};
    run.data.one_hot = 4;
    run.data.mix = mix;
    return run;
}

struct Trained {
    std::vector<float> weights;
    FitOutcome outcome;
    Logs last_epoch;
};

// The chief of so many replicas.
Trained train(const spec::RunSpec& run, const data::Dataset& dataset, int replicas = 1,
              ExecutorFactory make_executor = &backend::makeReferenceExecutor) {
    Trained trained;
    std::vector<RecordingObserver> observers(static_cast<std::size_t>(replicas));
    std::vector<tests::support::TempDir> folders(static_cast<std::size_t>(replicas));
    const auto fit = [&](int rank, distribute::Collective* collective) {
        const auto at = static_cast<std::size_t>(rank);
        TrainerOptions options;
        options.make_executor = make_executor;
        options.run_dir = folders[at].path();
        options.dataset = dataset;
        Trainer trainer(run, replica(run, rank, replicas), collective, observers[at], options);
        const FitOutcome outcome = trainer.fit();
        if (rank != 0) return;
        trained.outcome = outcome;
        for (const auto& entry : trainer.variables().entries()) {
            if (!entry.is_slot) trained.weights.insert(trained.weights.end(), entry.values.begin(), entry.values.end());
        }
    };
    if (replicas == 1) {
        fit(0, nullptr);
    } else {
        tests::support::spawnRanks(replicas, [&](distribute::Collective& collective) { fit(collective.rank(), &collective); });
    }
    const auto epochs = observers[0].all<spec::EpochEnd>();
    if (!epochs.empty()) trained.last_epoch = epochs.back().logs;
    return trained;
}

TEST(MixedTraining, Learns) {
    for (const spec::ObjectSpec& mix : {kMixUp, kCutMix}) {
        for (const ExecutorFactory make_executor : {&backend::makeReferenceExecutor, &backend::makeCpuExecutor}) {
            spec::RunSpec run = mixedRun(mix);
            run.fit.epochs = 10;
            const Trained trained = train(run, quarters(400), 1, make_executor);
            EXPECT_EQ(trained.outcome.state, spec::TaskState::kDone);
            EXPECT_GT(result(trained.outcome, "test_accuracy"), 0.9) << mix.class_name;
            // Half of a mixture is seldom foretold as it is: what is trained on stays harder than what is validated with.
            EXPECT_GT(*findLog(trained.last_epoch, "loss"), *findLog(trained.last_epoch, "val_loss")) << mix.class_name;
        }
    }
}

// Weights that hardly move: what differs is what the samples are.
TEST(MixedTraining, MixesWhatIsTrainedOnAlone) {
    const auto lossesOf = [](const spec::ObjectSpec& mix) {
        spec::RunSpec run = mixedRun(mix);
        run.compile.optimizer = {"SGD", {{"learning_rate", 1e-12}}};
        run.fit.epochs = 1;
        const Trained trained = train(run, quarters(200));
        return std::vector<double>{*findLog(trained.last_epoch, "loss"), *findLog(trained.last_epoch, "val_loss"),
                                   result(trained.outcome, "test_loss")};
    };
    const std::vector<double> plain = lossesOf(kNone);
    for (const spec::ObjectSpec& mix : {kMixUp, kCutMix}) {
        const std::vector<double> mixed = lossesOf(mix);
        EXPECT_GT(std::abs(mixed[0] - plain[0]), 1e-6) << mix.class_name;
        EXPECT_NEAR(mixed[1], plain[1], 1e-7) << mix.class_name;
        EXPECT_NEAR(mixed[2], plain[2], 1e-7) << mix.class_name;
    }
}

// A global batch is mixed as a whole, and Dropout goes by the samples' numbers in their set: any sharing trains the same model.
TEST(MixedTraining, IsTheSameOnAnyNumberOfReplicas) {
    const data::Dataset dataset = quarters(640);
    for (const spec::ObjectSpec& mix : {kMixUp, kCutMix}) {
        const auto weightsOf = [&](int replicas, std::int64_t devices) {
            spec::RunSpec run = mixedRun(mix);
            run.model.layers.insert(run.model.layers.end() - 1, layer("Dropout", "dropout", {{"rate", 0.25}}));
            run.compile.optimizer = {"SGD", {{"learning_rate", 0.01}}};
            run.strategy.logical_cpus = devices;
            run.data.batch_size_per_replica = 32 / replicas / devices;
            return train(run, dataset, replicas, &backend::makeCpuExecutor).weights;
        };
        const std::vector<float> one = weightsOf(1, 1);
        EXPECT_FALSE(one.empty());
        EXPECT_TRUE(isNear(weightsOf(2, 1), one, 2e-5)) << mix.class_name;
        EXPECT_TRUE(isNear(weightsOf(1, 2), one, 2e-5)) << mix.class_name;
        EXPECT_TRUE(isNear(weightsOf(2, 2), one, 2e-5)) << mix.class_name;
    }
}

}  // namespace
}  // namespace engine::train
