#include "engine/train/trainer.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/export/tf_checkpoint.h"
#include "engine/spec/error.h"
#include "engine/spec/project/estimator_run.h"
#include "engine/train/averages.h"
#include "engine/train/estimator/session_hooks.h"
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

using testing::ElementsAre;
using testing::HasSubstr;

// The reference, which counts the samples that it is evaluated with.
class CountingExecutor final : public backend::Executor {
public:
    static inline std::int64_t evaluated = 0;

    static std::unique_ptr<backend::Executor> make(const plan::Plan& plan, backend::Variables& variables,
                                                   const backend::ExecutorOptions& options) {
        return std::make_unique<CountingExecutor>(backend::makeReferenceExecutor(plan, variables, options));
    }
    explicit CountingExecutor(std::unique_ptr<backend::Executor> counted) : counted_(std::move(counted)) {}

    backend::StepResult trainStep(const tensor::BatchView& batch, const backend::StepControl& control) override {
        return counted_->trainStep(batch, control);
    }
    backend::StepResult evaluateStep(const tensor::BatchView& batch) override {
        evaluated += static_cast<std::int64_t>(batch.indices.size());
        return counted_->evaluateStep(batch);
    }
    void predictStep(const tensor::BatchView& batch, std::span<float> output) override { counted_->predictStep(batch, output); }
    void syncVariables() override { counted_->syncVariables(); }
    void reloadVariables() override { counted_->reloadVariables(); }
    std::string describe() const override { return counted_->describe(); }
    std::string planText() const override { return counted_->planText(); }

private:
    const std::unique_ptr<backend::Executor> counted_;
};

class TrainerTest : public testing::Test {
protected:
    TrainerOptions options() const {
        TrainerOptions options;
        options.make_executor = &backend::makeReferenceExecutor;
        options.run_dir = dir_.path();
        options.dataset = {"quarters", train_, test_};
        options.pause_poll = std::chrono::milliseconds(5);
        return options;
    }
    FitOutcome fitAlone(const spec::RunSpec& run, RecordingObserver& observer) {
        Trainer trainer(run, replica(run), nullptr, observer, options());
        return trainer.fit();
    }

    tests::support::TempDir dir_;
    std::shared_ptr<const data::Samples> train_ = quarterImages(200);
    std::shared_ptr<const data::Samples> test_ = quarterImages(100, 8, 2);
};

// Validation looks at the first validation_steps batches alone; the same number another way gives the same values.
TEST_F(TrainerTest, ValidatesOnAsManyBatchesAsAsked) {
    spec::RunSpec run = quarterRun();
    run.fit.validation_steps = 2;
    RecordingObserver two_batches;
    fitAlone(run, two_batches);
    run.fit.validation_steps = 4;
    run.fit.validation_batch_size = 8;
    RecordingObserver four_smaller;
    fitAlone(run, four_smaller);
    run.fit.validation_steps = 0;
    test_ = quarterImages(32, 8, 2);  // the first 32 of the same
    RecordingObserver all;
    fitAlone(run, all);
    const auto logs = [](const RecordingObserver& observer) { return observer.all<spec::EpochEnd>().back().logs; };
    EXPECT_EQ(logs(two_batches), logs(all));
    EXPECT_EQ(logs(four_smaller), logs(all));
}

TEST_F(TrainerTest, SavesKerasFilesWhenTheNameAsksForThem) {
    spec::RunSpec run = quarterRun();
    run.callbacks = {{"ModelCheckpoint", {{"filepath", "models/{epoch:02d}.keras"}}}};
    RecordingObserver observer;
    EXPECT_EQ(fitAlone(run, observer).finished.checkpoint, "models/02.keras");
    EXPECT_TRUE(std::filesystem::exists(dir_.path() / "models" / "01.keras"));
    EXPECT_FALSE(std::filesystem::exists(dir_.path() / "models" / "checkpoint")) << "that file names TensorFlow's checkpoints";
}

// Links that somebody has planted in the run's folder lead nothing out of it.
TEST_F(TrainerTest, WritesNothingOverALink) {
    const tests::support::TempDir elsewhere;
    spec::RunSpec run = quarterRun();
    run.callbacks = {{"TensorBoard", {}}, {"BackupAndRestore", {{"delete_checkpoint", false}}}};
    run.fit.save_weights = "weights/last.keras";
    for (const char* name : {"checkpoints", "logs", "backup"}) {
        std::filesystem::create_directory_symlink(elsewhere.path(), dir_.path() / name);
    }
    RecordingObserver observer;
    EXPECT_THROW(fitAlone(run, observer), Error) << "a backup is looked for first";
    std::filesystem::remove(dir_.path() / "backup");
    const FitOutcome outcome = fitAlone(run, observer);
    EXPECT_EQ(outcome.state, spec::TaskState::kFailed);
    EXPECT_THAT(outcome.detail, testing::HasSubstr("the last checkpoint, checkpoints/ckpt_2, could not be written"));
    EXPECT_THAT(outcome.detail, testing::HasSubstr("expected no link below"));
    EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
    EXPECT_TRUE(std::filesystem::exists(dir_.path() / "backup/latest.backup"));
    EXPECT_TRUE(std::filesystem::exists(dir_.path() / "weights/last.keras"));
    std::filesystem::remove_all(dir_.path() / "weights");
    std::filesystem::create_directory_symlink(elsewhere.path(), dir_.path() / "weights");
    EXPECT_THROW(fitAlone(run, observer), Error) << "better now than after hours";
    EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
}

TEST_F(TrainerTest, WritesWeightsWhereItsUserSays) {
    const tests::support::TempDir elsewhere;
    RecordingObserver observer;
    TrainerOptions chosen = options();
    chosen.weights_file = elsewhere.path() / "mine" / "w.keras";
    Trainer trainer(quarterRun(), replica(quarterRun()), nullptr, observer, chosen);
    EXPECT_EQ(trainer.fit().state, spec::TaskState::kDone);
    EXPECT_TRUE(std::filesystem::exists(chosen.weights_file));
}

TEST_F(TrainerTest, EndsTheEpochInWhichALossIsNoNumber) {
    spec::RunSpec run = quarterRun();
    run.compile.optimizer = {"SGD", {{"learning_rate", 1e30}}};
    run.callbacks = {{"TerminateOnNaN", {}}};
    RecordingObserver observer;
    EXPECT_EQ(fitAlone(run, observer).state, spec::TaskState::kDone);
    EXPECT_EQ(observer.all<spec::EpochEnd>().size(), 1U);
    EXPECT_LT(observer.column("loss").size(), 13U);
}

// The end of a run asks for the test set's values, which its last evaluation may have measured already.
class MeasuredOnce : public TrainerTest {
protected:
    // An estimator that takes 13 steps and evaluates after the last one, as the worker sets it up.
    static spec::RunSpec estimator() {
        spec::RunSpec run = quarterRun();
        run.estimator.emplace();
        run.estimator->run_config.saves_checkpoints = false;
        run = spec::trainedRun(run);
        run.fit.steps_per_epoch = 13;
        run.fit.validation_steps = 0;
        return run;
    }
    // Samples that were evaluated in all.
    std::int64_t fitCounted(const spec::RunSpec& run) {
        TrainerOptions counted = options();
        counted.make_executor = &CountingExecutor::make;
        if (run.estimator) counted.hooks = [&run] { return estimator::sessionHooks(run, estimator::Evaluation::kHere); };
        CountingExecutor::evaluated = 0;
        Trainer trainer(run, replica(run), nullptr, observer_, counted);
        outcome_ = trainer.fit();
        return CountingExecutor::evaluated;
    }
    double lastValidationLoss() const { return *findLog(observer_.all<spec::EpochEnd>().back().logs, "val_loss"); }

    RecordingObserver observer_;
    FitOutcome outcome_;
};

TEST_F(MeasuredOnce, ByAnEstimatorsLastEvaluation) {
    EXPECT_EQ(fitCounted(estimator()), 100);
    EXPECT_DOUBLE_EQ(result(outcome_, "test_loss"), lastValidationLoss());
    EXPECT_EQ(findLog(outcome_.finished.results, "test_label/mean"), nullptr);
}

// A checkpoint and an evaluation that are due at the last step wait for the moving averages, which the weights end as.
TEST_F(MeasuredOnce, ByAnEstimatorThatEndsInAverages) {
    spec::RunSpec run = estimator();
    run.compile.optimizer = {"Adam", {{"learning_rate", 0.01}, {"use_ema", true}, {"ema_momentum", 0.9}}};
    run.estimator->run_config.saves_checkpoints = true;
    run.estimator->run_config.save_checkpoints_steps = 13;
    run.estimator->eval_spec.throttle_secs = 0;
    EXPECT_EQ(fitCounted(run), 100);
    EXPECT_DOUBLE_EQ(result(outcome_, "test_loss"), lastValidationLoss());
    const auto lines = observer_.all<spec::LogLine>();
    const auto places = [&](const std::string& begin) {
        std::vector<std::ptrdiff_t> found;
        for (auto line = lines.begin(); line != lines.end(); ++line) {
            if (line->text.starts_with(begin)) found.push_back(line - lines.begin());
        }
        return found;
    };
    ASSERT_EQ(places("Saving checkpoints for 13 ").size(), 1U);
    ASSERT_EQ(places("Saving dict for global step 13").size(), 1U);
    EXPECT_LT(places("Saving checkpoints for 13 ").front(), places("Loss for final step").front());
    EXPECT_GT(places("Saving dict for global step 13").front(), places("Loss for final step").front()) << "of the averages";
}

TEST_F(MeasuredOnce, ButWhereItLookedAtSomeBatchesAlone) {
    spec::RunSpec run = estimator();
    run.fit.validation_steps = 2;
    EXPECT_EQ(fitCounted(run), 2 * 16 + 100);
    run.fit.validation_steps = 7;  // of 16 samples: all there are
    EXPECT_EQ(fitCounted(run), 100);
}

TEST_F(MeasuredOnce, ByTheValidationOfTheLastEpoch) {
    EXPECT_EQ(fitCounted(quarterRun()), 2 * 100);
    EXPECT_DOUBLE_EQ(result(outcome_, "test_loss"), lastValidationLoss());
    spec::RunSpec run = quarterRun();
    run.data.validation_split = 0.1;
    EXPECT_EQ(fitCounted(run), 2 * 20 + 100) << "validation has samples of its own";
    run = quarterRun();
    run.fit.validation_epochs = {1};
    EXPECT_EQ(fitCounted(run), 2 * 100) << "the weights of the second epoch are others";
}

TEST_F(MeasuredOnce, ButWhereTheWeightsChangedAfterwards) {
    spec::RunSpec run = quarterRun();
    run.compile.optimizer = {"Adam", {{"learning_rate", 0.01}, {"use_ema", true}, {"ema_momentum", 0.9}}};
    EXPECT_EQ(fitCounted(run), 3 * 100) << "they end as their averages";
    EXPECT_NE(result(outcome_, "test_loss"), lastValidationLoss());
    run = quarterRun();
    run.compile.optimizer = {"SGD", {{"learning_rate", 1000.0}}};
    run.callbacks = {{"EarlyStopping", {{"monitor", "val_loss"}, {"restore_best_weights", true}, {"start_from_epoch", std::int64_t{0}}}}};
    run.fit.epochs = 4;
    fitCounted(run);
    Trainer trainer(run, replica(run), nullptr, observer_, options());
    trainer.restore(dir_.path() / outcome_.finished.checkpoint);
    EXPECT_DOUBLE_EQ(result(outcome_, "test_loss"), trainer.evaluateTest().loss);
}

// An evaluator asks for the test set's values of the checkpoint that it has evaluated last.
TEST_F(MeasuredOnce, OfEachCheckpoint) {
    fitCounted(quarterRun());
    TrainerOptions counted = options();
    counted.make_executor = &CountingExecutor::make;
    const spec::RunSpec run = estimator();
    Trainer trainer(run, replica(run), nullptr, observer_, counted);
    trainer.restore(dir_.path() / "checkpoints/ckpt_2");
    CountingExecutor::evaluated = 0;
    const Logs logs = trainer.evaluate();
    EXPECT_DOUBLE_EQ(trainer.evaluateTest().loss, *findLog(logs, "loss"));
    EXPECT_EQ(CountingExecutor::evaluated, 100);
    trainer.restore(dir_.path() / "checkpoints/ckpt_2");
    trainer.evaluateTest();
    EXPECT_EQ(CountingExecutor::evaluated, 200) << "it knows nothing of a file's weights";
}

// Keras' SwapEMAWeights: validation and, with swap_on_epoch, the checkpoints of an epoch have the moving averages; training never sees it.
class SwapEmaWeights : public TrainerTest {
protected:
    // Averages over few steps, so that they differ from the weights.
    static spec::RunSpec averaged(spec::CallbackSpecs callbacks) {
        spec::RunSpec run = quarterRun();
        run.compile.optimizer = {"Adam", {{"learning_rate", 0.01}, {"use_ema", true}, {"ema_momentum", 0.9}}};
        run.callbacks = std::move(callbacks);
        return run;
    }
    static std::vector<double> validationLosses(const RecordingObserver& observer) {
        std::vector<double> losses;
        for (const spec::EpochEnd& epoch : observer.all<spec::EpochEnd>()) losses.push_back(*findLog(epoch.logs, "val_loss"));
        return losses;
    }
    // The loss on what validation looks at, of the weights of a checkpoint, or of its averages.
    double lossOf(const spec::RunSpec& run, const std::string& checkpoint, bool of_averages) {
        RecordingObserver observer;
        Trainer trainer(run, replica(run), nullptr, observer, options());
        trainer.restore(dir_.path() / checkpoint);
        if (of_averages) {
            for (const AveragedWeight& one : averagedWeights(trainer.variables())) {
                std::copy(one.average.begin(), one.average.end(), one.weights.begin());
            }
        }
        return trainer.evaluateTest().loss;
    }
};

TEST_F(SwapEmaWeights, ValidatesTheAveragesAndTrainsAsWithoutIt) {
    const spec::ObjectSpec keeps{"ModelCheckpoint", {{"filepath", "plain/{epoch}"}}};
    const spec::RunSpec plain = averaged({keeps}), swapped = averaged({{"SwapEMAWeights", {}}, keeps});
    RecordingObserver alone, observer;
    const std::string weights = fitAlone(plain, alone).finished.weights_sha256;
    const double of_weights = lossOf(plain, "plain/1", false), of_averages = lossOf(plain, "plain/1", true);
    EXPECT_NE(of_averages, of_weights);
    EXPECT_EQ(validationLosses(alone)[0], of_weights);

    EXPECT_EQ(fitAlone(swapped, observer).finished.weights_sha256, weights);
    EXPECT_EQ(observer.column("loss"), alone.column("loss"));
    EXPECT_EQ(validationLosses(observer)[0], of_averages);
    EXPECT_EQ(lossOf(swapped, "plain/1", false), of_weights) << "a checkpoint has the weights";
}

TEST_F(SwapEmaWeights, OnEpochGivesTheAveragesToLaterCallbacks) {
    const spec::ObjectSpec swaps{"SwapEMAWeights", {{"swap_on_epoch", true}}};
    const spec::RunSpec run = averaged({{"ModelCheckpoint", {{"filepath", "before/{epoch}"}}}});
    RecordingObserver alone, observer;
    const std::string weights = fitAlone(run, alone).finished.weights_sha256;
    const spec::RunSpec swapped = averaged({swaps, {"ModelCheckpoint", {{"filepath", "after/{epoch}"}}}});
    EXPECT_EQ(fitAlone(swapped, observer).finished.weights_sha256, weights);
    EXPECT_EQ(observer.column("loss"), alone.column("loss"));
    for (std::size_t epoch : {0U, 1U}) {
        const std::string number = std::to_string(epoch + 1);
        EXPECT_EQ(lossOf(swapped, "after/" + number, false), validationLosses(observer)[epoch]);
        EXPECT_EQ(lossOf(swapped, "after/" + number, false), lossOf(run, "before/" + number, true));
        // They are exchanged, and what ends the run after the last epoch are the averages.
        EXPECT_EQ(lossOf(swapped, "after/" + number, true), lossOf(run, "before/" + number, epoch == 1));
    }
}

// Another callback ends training while the averages stand in the model, and the weights in their place: as in Keras, a run ends with what
// stands there. In the last epoch the averages stand in both.
TEST_F(SwapEmaWeights, OnEpochEndsWithTheWeightsWhereTrainingEndsEarly) {
    const spec::ObjectSpec stops{"EarlyStopping", {{"monitor", "loss"}, {"min_delta", 100.0}, {"patience", std::int64_t{1}}}};
    const spec::ObjectSpec swaps{"SwapEMAWeights", {{"swap_on_epoch", true}}};
    const auto lossAfter = [&](spec::CallbackSpecs callbacks, std::int64_t epochs) {
        spec::RunSpec run = averaged(std::move(callbacks));
        run.fit.epochs = epochs;
        RecordingObserver observer;
        const FitOutcome outcome = fitAlone(run, observer);
        EXPECT_EQ(observer.all<spec::EpochEnd>().size(), 2U);
        return result(outcome, "test_loss");
    };
    const spec::RunSpec run = averaged({{"ModelCheckpoint", {{"filepath", "plain/{epoch}"}}}});
    RecordingObserver observer;
    fitAlone(run, observer);
    const double of_weights = lossOf(run, "plain/2", false), of_averages = lossOf(run, "plain/2", true);
    EXPECT_NE(of_weights, of_averages);
    EXPECT_EQ(lossAfter({stops}, 9), of_averages);
    EXPECT_EQ(lossAfter({swaps, stops}, 9), of_weights);
    EXPECT_EQ(lossAfter({stops, swaps}, 9), of_weights);
    EXPECT_EQ(lossAfter({swaps, stops}, 2), of_averages);
}

TEST_F(SwapEmaWeights, KeepsReplicasEqual) {
    const spec::RunSpec run = averaged({{"SwapEMAWeights", {{"swap_on_epoch", true}}}});
    std::vector<std::string> weights(2);
    std::vector<std::vector<double>> losses(2);
    tests::support::spawnRanks(2, [&](distribute::Collective& collective) {
        const auto rank = static_cast<std::size_t>(collective.rank());
        const tests::support::TempDir folder;
        TrainerOptions own = options();
        own.run_dir = folder.path();
        RecordingObserver observer;
        weights[rank] = Trainer(run, replica(run, collective.rank(), 2), &collective, observer, own).fit().finished.weights_sha256;
        losses[rank] = validationLosses(observer);
    });
    EXPECT_EQ(weights[0], weights[1]);
    EXPECT_EQ(losses[0], losses[1]);
    EXPECT_EQ(losses[0].size(), 2U);
}

TEST_F(SwapEmaWeights, ExpectsAnOptimizerWithAverages) {
    spec::RunSpec run = quarterRun();
    run.callbacks = {{"SwapEMAWeights", {}}};
    RecordingObserver observer;
    try {
        fitAlone(run, observer);
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "callbacks: SwapEMAWeights expects an optimizer with use_ema=true, got Adam without it");
    }
}

TEST_F(TrainerTest, LearnsAndTellsAboutIt) {
    spec::RunSpec run = quarterRun();
    run.fit.epochs = 6;
    RecordingObserver observer;
    const FitOutcome outcome = fitAlone(run, observer);

    EXPECT_EQ(outcome.state, spec::TaskState::kDone);
    EXPECT_GT(result(outcome, "test_accuracy"), 0.95);
    EXPECT_GT(result(outcome, "images_per_s"), 0);
    EXPECT_GT(result(outcome, "first_step_unix_ns"), 1.6e18);
    EXPECT_EQ(outcome.finished.weights_sha256.size(), 64U);
    EXPECT_EQ(outcome.finished.checkpoint, "checkpoints/ckpt_6");
    EXPECT_THAT(observer.states(), ElementsAre(spec::TaskState::kTraining));

    const auto started = observer.all<spec::RunStarted>();
    ASSERT_EQ(started.size(), 1U);
    EXPECT_EQ(started[0].steps_per_epoch, 13);
    EXPECT_EQ(started[0].parameters, 3 * 3 * 4 + 4 + 3 * 3 * 4 * 4 + 4);
    EXPECT_EQ(started[0].global_batch_size, 16);

    EXPECT_EQ(observer.column("loss").size(), 6U * 13U);
    EXPECT_EQ(observer.column("accuracy").size(), 6U * 13U);
    EXPECT_THAT(observer.column("learning_rate"), testing::Each(0.01F));
    const auto epochs = observer.all<spec::EpochEnd>();
    ASSERT_EQ(epochs.size(), 6U);
    EXPECT_EQ(epochs[5].step, 78);
    ASSERT_EQ(epochs[5].logs.size(), 4U);
    EXPECT_EQ(epochs[5].logs[0].first, "accuracy");
    EXPECT_EQ(epochs[5].logs[1].first, "loss");
    EXPECT_EQ(epochs[5].logs[2].first, "val_accuracy");
    EXPECT_EQ(epochs[5].logs[3].first, "val_loss");
    EXPECT_DOUBLE_EQ(epochs[5].logs[2].second, result(outcome, "test_accuracy"));
}

TEST_F(TrainerTest, EpochLossIsTheMeanOverItsExamples) {
    spec::RunSpec run = quarterRun();
    run.fit.epochs = 1;
    RecordingObserver observer;
    fitAlone(run, observer);
    const std::vector<float> loss = observer.column("loss");
    ASSERT_EQ(loss.size(), 13U);
    double sum = 0;
    for (std::size_t i = 0; i < 12; ++i) {
        sum += 16.0 * static_cast<double>(loss[i]);
    }
    sum += 8.0 * static_cast<double>(loss[12]);
    EXPECT_NEAR(*findLog(observer.all<spec::EpochEnd>()[0].logs, "loss"), sum / 200, 1e-5);
}

TEST_F(TrainerTest, GivesTheSameBytesTwiceAndOthersWithAnotherSeed) {
    spec::RunSpec run = quarterRun();
    RecordingObserver observer;
    const std::string first = fitAlone(run, observer).finished.weights_sha256;
    EXPECT_EQ(fitAlone(run, observer).finished.weights_sha256, first);
    run.fit.seed = 1;
    EXPECT_NE(fitAlone(run, observer).finished.weights_sha256, first);
}

TEST_F(TrainerTest, SavesWhatItRestores) {
    spec::RunSpec run = quarterRun();
    run.callbacks = {{"ModelCheckpoint", {{"filepath", std::string("checkpoints/ckpt_{epoch}")}}}};
    RecordingObserver observer;
    const FitOutcome outcome = fitAlone(run, observer);
    EXPECT_EQ(outcome.finished.checkpoint, "checkpoints/ckpt_2");
    const auto saved = observer.all<spec::CheckpointSaved>();
    ASSERT_EQ(saved.size(), 2U);
    EXPECT_EQ(saved[0].prefix, "checkpoints/ckpt_1");
    EXPECT_EQ(saved[1].step, 26);

    Trainer other(run, replica(run), nullptr, observer, options());
    other.restore(dir_.path() / "checkpoints");
    EXPECT_EQ(other.iterations(), 26);
    const Metrics metrics = other.evaluateTest();
    EXPECT_EQ(metrics.samples, 100);
    EXPECT_DOUBLE_EQ(metrics.accuracy, result(outcome, "test_accuracy"));
    EXPECT_DOUBLE_EQ(metrics.loss, result(outcome, "test_loss"));
    EXPECT_THROW(other.restore(dir_.path() / "nowhere"), Error);
}

TEST_F(TrainerTest, PredictsWhatItEvaluates) {
    RecordingObserver observer;
    spec::RunSpec run = quarterRun();
    Trainer trainer(run, replica(run), nullptr, observer, options());
    const FitOutcome outcome = trainer.fit();
    const std::vector<float> outputs = trainer.predict(test_, {0, 100});
    ASSERT_EQ(outputs.size(), 400U);
    int right = 0;
    for (std::int64_t i = 0; i < 100; ++i) {
        const auto row = outputs.begin() + i * 4;
        right += std::max_element(row, row + 4) - row == test_->label(i) ? 1 : 0;
    }
    EXPECT_DOUBLE_EQ(right / 100.0, result(outcome, "test_accuracy"));
}

TEST_F(TrainerTest, FollowsATableOfRatesAndASchedule) {
    spec::RunSpec run = quarterRun();
    run.callbacks = {{"LearningRateScheduler", {{"epochs", std::vector<std::int64_t>{0, 1}}, {"rates", std::vector<double>{0.5, 0.25}}}}};
    RecordingObserver table;
    fitAlone(run, table);
    const auto rates = table.column("learning_rate");
    ASSERT_EQ(rates.size(), 26U);
    EXPECT_EQ(rates[12], 0.5F);
    EXPECT_EQ(rates[13], 0.25F);
    EXPECT_DOUBLE_EQ(*findLog(table.all<spec::EpochEnd>()[1].logs, "learning_rate"), 0.25);

    run.callbacks.clear();
    run.compile.optimizer = {
        "SGD",
        {{"learning_rate",
          spec::ObjectBox(spec::ObjectSpec{"ExponentialDecay",
                                           {{"initial_learning_rate", 0.5}, {"decay_steps", std::int64_t{1}}, {"decay_rate", 0.5}}})}}};
    RecordingObserver schedule;
    fitAlone(run, schedule);
    EXPECT_EQ(schedule.column("learning_rate")[0], 0.5F);
    EXPECT_EQ(schedule.column("learning_rate")[2], 0.125F);
}

TEST_F(TrainerTest, CountsAnEpochInStepsOfARepeatedSet) {
    spec::RunSpec run = quarterRun();
    run.fit.steps_per_epoch = 20;
    RecordingObserver observer;
    fitAlone(run, observer);
    EXPECT_EQ(observer.column("loss").size(), 40U);
}

// initial_epoch passes over epochs, not over samples: Keras' iterator is a new one.
TEST_F(TrainerTest, BeginsALaterEpochOfARepeatedSetWithItsFirstBatch) {
    spec::RunSpec run = quarterRun();
    run.data.shuffle = 0;
    run.fit.steps_per_epoch = 3;
    run.fit.epochs = 2;
    RecordingObserver whole, later;
    fitAlone(run, whole);
    run.fit.initial_epoch = 1;
    run.fit.epochs = 3;
    fitAlone(run, later);
    EXPECT_EQ(later.column("loss"), whole.column("loss"));
    EXPECT_EQ(later.all<spec::EpochEnd>().front().epoch, 1);
}

TEST_F(TrainerTest, ValidatesWithTheLastFractionWhenAsked) {
    spec::RunSpec run = quarterRun();
    run.data.validation_split = 0.5;
    run.fit.validation_freq = 2;
    RecordingObserver observer;
    fitAlone(run, observer);
    EXPECT_EQ(observer.all<spec::RunStarted>()[0].steps_per_epoch, 7);
    const auto epochs = observer.all<spec::EpochEnd>();
    EXPECT_EQ(findLog(epochs[0].logs, "val_loss"), nullptr);
    EXPECT_NE(findLog(epochs[1].logs, "val_loss"), nullptr);
}

TEST_F(TrainerTest, ValidatesAfterTheListedEpochs) {
    spec::RunSpec run = quarterRun();
    run.data.validation_split = 0.5;
    run.fit.epochs = 3;
    run.fit.validation_epochs = {1, 3};
    RecordingObserver observer;
    fitAlone(run, observer);
    std::vector<bool> validated;
    for (const spec::EpochEnd& end : observer.all<spec::EpochEnd>()) validated.push_back(findLog(end.logs, "val_loss") != nullptr);
    EXPECT_EQ(validated, (std::vector<bool>{true, false, true}));
}

// Keras' class_weight reaches the loss and the weighted metrics, of training alone.
TEST_F(TrainerTest, WeighsMetricsByTheClass) {
    spec::RunSpec run = quarterRun();
    run.data.validation_split = 0.5;
    run.fit.epochs = 1;
    run.fit.class_weight = {{0, 3.0}, {1, 0.0}};
    run.compile.weighted_metrics = {"accuracy"};
    RecordingObserver observer;
    fitAlone(run, observer);
    const Logs logs = observer.all<spec::EpochEnd>().at(0).logs;
    ASSERT_NE(findLog(logs, "weighted_accuracy"), nullptr);
    EXPECT_NE(*findLog(logs, "weighted_accuracy"), *findLog(logs, "accuracy"));
    EXPECT_EQ(*findLog(logs, "val_weighted_accuracy"), *findLog(logs, "val_accuracy")) << "samples of a validation have no weights";
}

TEST_F(TrainerTest, StopsGracefullyAndKeepsTheWeights) {
    RecordingObserver observer;
    observer.askBeforeStep(5, {spec::ControlVerb::kStop, 0});
    const FitOutcome outcome = fitAlone(quarterRun(), observer);
    EXPECT_EQ(outcome.state, spec::TaskState::kStopped);
    EXPECT_EQ(observer.column("loss").size(), 5U);
    EXPECT_EQ(outcome.finished.checkpoint, "checkpoints/step_5");
    EXPECT_EQ(observer.all<spec::ControlApplied>(), (std::vector<spec::ControlApplied>{{"stop", 5}}));
    EXPECT_TRUE(observer.all<spec::EpochEnd>().empty());
}

TEST_F(TrainerTest, PausesStepsResumesAndSetsTheRate) {
    RecordingObserver observer;
    observer.askBeforeStep(3, {spec::ControlVerb::kPause, 0});
    int pauses = 0;
    observer.whenState([&](const spec::StateChanged& change) -> std::optional<spec::Control> {
        if (change.state != spec::TaskState::kPaused) return std::nullopt;
        switch (++pauses) {
            case 1:
                return spec::Control{spec::ControlVerb::kStep, 0};
            default:
                return spec::Control{spec::ControlVerb::kResume, 0};
        }
    });
    const FitOutcome outcome = fitAlone(quarterRun(), observer);
    EXPECT_EQ(outcome.state, spec::TaskState::kDone);
    EXPECT_EQ(observer.all<spec::ControlApplied>(), (std::vector<spec::ControlApplied>{{"pause", 3}, {"step", 3}, {"resume", 4}}));
    const auto states = observer.all<spec::StateChanged>();
    ASSERT_GE(states.size(), 4U);
    EXPECT_EQ(states[1], (spec::StateChanged{spec::TaskState::kPaused, "after step 3"}));
    EXPECT_EQ(states[3], (spec::StateChanged{spec::TaskState::kPaused, "after step 4"}));

    RecordingObserver rate;
    rate.askBeforeStep(4, {spec::ControlVerb::kSetLearningRate, 0.125});
    fitAlone(quarterRun(), rate);
    EXPECT_EQ(rate.column("learning_rate")[3], 0.01F);
    EXPECT_EQ(rate.column("learning_rate")[4], 0.125F);
}

TEST_F(TrainerTest, SavesWhenAskedAndGoesOn) {
    RecordingObserver observer;
    observer.askBeforeStep(7, {spec::ControlVerb::kCheckpointNow, 0});
    fitAlone(quarterRun(), observer);
    ASSERT_EQ(observer.all<spec::CheckpointSaved>().size(), 2U);
    EXPECT_EQ(observer.all<spec::CheckpointSaved>()[0].prefix, "checkpoints/step_7");
    EXPECT_TRUE(exporter::latestCheckpoint(dir_.path() / "checkpoints").has_value());
}

TEST_F(TrainerTest, AFailedCheckpointIsAnErrorAtTheEndAndNothingIsLost) {
    spec::RunSpec run = quarterRun();
    std::ofstream(dir_.path() / "checkpoints") << "a file where the folder should be";
    RecordingObserver observer;
    const FitOutcome outcome = fitAlone(run, observer);
    EXPECT_EQ(outcome.state, spec::TaskState::kFailed);
    EXPECT_THAT(outcome.detail, HasSubstr("checkpoints/ckpt_2, could not be written"));
    EXPECT_GT(result(outcome, "test_accuracy"), 0);
    EXPECT_EQ(observer.all<spec::EpochEnd>().size(), 2U);
}

TEST_F(TrainerTest, RefusesDataThatDoNotFitTheModel) {
    RecordingObserver observer;
    const auto message = [&](const spec::RunSpec& run) -> std::string {
        try {
            Trainer(run, replica(run), nullptr, observer, options());
        } catch (const Error& error) {
            return error.what();
        }
        return "no error";
    };
    spec::RunSpec few_outputs = quarterRun();
    few_outputs.model.layers.back().config.set("units", std::int64_t{3});
    EXPECT_THAT(message(few_outputs), testing::AllOf(HasSubstr("quarter labels: label 3"), HasSubstr("expected 0 to 2")));
    spec::RunSpec other_input = quarterRun();
    other_input.model.input_shape = {10, 10, 1};
    EXPECT_THAT(message(other_input), HasSubstr("quarters: its samples have the shape (8, 8), the model's input expects (10, 10, 1)"));
    spec::RunSpec too_few = quarterRun();
    too_few.data.take = 5;
    too_few.data.drop_remainder = true;
    Trainer trainer(too_few, replica(too_few), nullptr, observer, options());
    EXPECT_THROW(trainer.fit(), Error);
}

}  // namespace
}  // namespace engine::train
