// Keras' rules of the callbacks that end training or change its rate, and what every callback keeps over a restart.
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "engine/train/callbacks/callback.h"
#include "tests/support/fake_training_context.h"

namespace engine::train {
namespace {

using testing::ElementsAre;
using tests::support::FakeContext;

// What a callback did to the world.
struct Trace {
    std::vector<std::string> lines;
    std::vector<std::string> saved;
    std::vector<float> rates;  // after each epoch
    std::vector<Logs> logs;    // as the callback left them
    std::string csv;
    int epochs = 0;
    float weight = 0;
    friend bool operator==(const Trace&, const Trace&) = default;
};

constexpr int kStepsPerEpoch = 3;

// Epochs with the given validation losses; the callback is replaced by a new one that gets its state before every epoch in `restarts`.
Trace train(const spec::ObjectSpec& callback, const std::vector<double>& losses, const std::vector<int>& restarts = {}) {
    FakeContext context;
    Trace trace;
    Callbacks callbacks = makeCallbacks({callback});
    callbacks[0]->onTrainBegin(context);
    for (int epoch = 0; epoch < static_cast<int>(losses.size()) && !context.stopped; ++epoch) {
        if (std::find(restarts.begin(), restarts.end(), epoch) != restarts.end()) {
            exporter::SavedObject state{"state", {}};
            callbacks[0]->save(state);
            callbacks = makeCallbacks({callback});
            callbacks[0]->restore(state);
            callbacks[0]->onTrainBegin(context);
        }
        callbacks[0]->onEpochBegin(context, epoch);
        for (int batch = 0; batch < kStepsPerEpoch; ++batch) {
            ++context.done;
            context.weight() = static_cast<float>(epoch);
            if (callbacks[0]->wantsSteps()) {
                callbacks[0]->onStepEnd(context, epoch, batch);
            }
        }
        const double loss = losses[static_cast<std::size_t>(epoch)];
        trace.logs.push_back({{"accuracy", 0.5}, {"loss", 1.0}, {"val_loss", loss}});
        callbacks[0]->onEpochEnd(context, epoch, trace.logs.back());
        trace.rates.push_back(context.rate);
        ++trace.epochs;
    }
    callbacks[0]->onTrainEnd(context);
    trace.lines = context.lines;
    for (std::string& line : trace.lines) {  // the folder has another name each time
        if (const std::size_t at = line.find(context.runDir().string()); at != std::string::npos) {
            line.erase(at, context.runDir().string().size());
        }
    }
    trace.saved = context.saved;
    trace.csv = context.read("log.csv");
    trace.weight = context.weight();
    return trace;
}

spec::ObjectSpec stopping(spec::Fields config) {
    config.set("verbose", std::int64_t{1});
    return {"EarlyStopping", std::move(config)};
}
spec::ObjectSpec plateau(spec::Fields config) {
    config.set("verbose", std::int64_t{1});
    return {"ReduceLROnPlateau", std::move(config)};
}

TEST(EarlyStopping, EndsAfterPatienceAndRestoresTheBestEpoch) {
    const Trace trace = train(stopping({{"patience", std::int64_t{2}}, {"restore_best_weights", true}}), {3, 1, 2, 2, 0});
    EXPECT_EQ(trace.epochs, 4);
    EXPECT_THAT(trace.lines, ElementsAre("Epoch 4: early stopping", "Restoring model weights from the end of the best epoch: 2."));
    EXPECT_EQ(trace.weight, 1) << "the weights of epoch 2, which counts from 0 as 1";
}

TEST(EarlyStopping, RestoresAfterTheLastEpochToo) {
    const Trace trace = train(stopping({{"patience", std::int64_t{9}}, {"restore_best_weights", true}}), {1, 2, 3});
    EXPECT_THAT(trace.lines, ElementsAre("Restoring model weights from the end of the best epoch: 1."));
    EXPECT_EQ(trace.weight, 0);
}

TEST(EarlyStopping, NeverEndsInTheFirstEpoch) {
    EXPECT_EQ(train(stopping({{"baseline", 0.5}}), {1, 1, 1}).epochs, 2) << "patience 0: the first epoch without a better value";
}

TEST(EarlyStopping, CountsSmallChangesAsNone) {
    EXPECT_EQ(train(stopping({{"min_delta", 0.5}, {"patience", std::int64_t{2}}}), {3, 2.75, 2.6, 2.55, 2}).epochs, 3);
    EXPECT_EQ(train(stopping({{"min_delta", -0.5}, {"patience", std::int64_t{2}}}), {3, 2.75, 2.6, 2.55, 2}).epochs, 3);
}

TEST(EarlyStopping, TakesLessThanAFloat32HoldsForNoChange) {
    EXPECT_EQ(train(stopping({{"patience", std::int64_t{2}}}), {1, 1 - 1e-9, 1 - 2e-9, 0.5}).epochs, 3);
    EXPECT_EQ(train(stopping({{"patience", std::int64_t{2}}}), {1, 1 - 1e-7, 1 - 2e-7, 0.5}).epochs, 4);
}

TEST(EarlyStopping, GoesOnOnlyWhenTheBaselineIsBeaten) {
    EXPECT_EQ(train(stopping({{"baseline", 1.0}, {"patience", std::int64_t{3}}}), {5, 4, 3, 3, 3}).epochs, 4);
    EXPECT_EQ(train(stopping({{"baseline", 1.0}, {"patience", std::int64_t{3}}}), {5, 0.5, 3, 3, 3, 3}).epochs, 5);
}

TEST(EarlyStopping, LooksAwayBeforeItsFirstEpoch) {
    EXPECT_EQ(train(stopping({{"start_from_epoch", std::int64_t{3}}}), {1, 2, 3, 4, 5, 6}).epochs, 5);
}

TEST(EarlyStopping, FollowsAnAccuracyUpwards) {
    spec::ObjectSpec callback = stopping({{"monitor", "val_accuracy"}});
    const Trace trace = train(callback, {1, 1});
    EXPECT_EQ(trace.epochs, 2);
    EXPECT_EQ(trace.lines[0],
              "Early stopping conditioned on metric `val_accuracy` which is not available. Available metrics are: accuracy,loss,val_loss");
}

TEST(ReduceLrOnPlateau, ReducesAfterPatienceDownToTheLeast) {
    const Trace trace = train(plateau({{"patience", std::int64_t{2}}, {"factor", 0.5}, {"min_lr", 0.0003}}), {1, 1, 1, 1, 1, 1, 1});
    EXPECT_THAT(trace.rates, ElementsAre(0.001F, 0.001F, 0.0005F, 0.0005F, 0.0003F, 0.0003F, 0.0003F));
    EXPECT_THAT(trace.lines, ElementsAre("Epoch 3: ReduceLROnPlateau reducing learning rate to 0.0005000000237487257.",
                                         "Epoch 5: ReduceLROnPlateau reducing learning rate to 0.0003."));
    EXPECT_EQ(*findLog(trace.logs[3], "learning_rate"), static_cast<double>(0.0005F)) << "the rate that the epoch was trained with";
}

TEST(ReduceLrOnPlateau, RestsDuringItsCooldown) {
    const Trace trace = train(plateau({{"patience", std::int64_t{1}}, {"factor", 0.5}, {"cooldown", std::int64_t{2}}}), {1, 1, 1, 1, 1});
    EXPECT_THAT(trace.rates, ElementsAre(0.001F, 0.0005F, 0.0005F, 0.00025F, 0.00025F));
}

TEST(ReduceLrOnPlateau, NamesAValueThatIsMissing) {
    const Trace trace = train(plateau({{"monitor", "val_accuracy"}}), {1});
    EXPECT_THAT(trace.lines,
                ElementsAre("Learning rate reduction is conditioned on metric `val_accuracy` which is not available. Available "
                            "metrics are: accuracy,loss,val_loss,learning_rate"));
}

TEST(TerminateOnNan, EndsTrainingAtTheBatch) {
    FakeContext context;
    const Callbacks callbacks = makeCallbacks({{"TerminateOnNaN", {}}});
    ASSERT_TRUE(callbacks[0]->wantsSteps());
    callbacks[0]->onStepEnd(context, 0, 3);
    EXPECT_FALSE(context.stopped);
    context.running_loss = std::numeric_limits<double>::infinity();
    callbacks[0]->onStepEnd(context, 0, 4);
    EXPECT_TRUE(context.stopped);
    EXPECT_THAT(context.lines, ElementsAre("Batch 4: Invalid loss, terminating training"));
}

TEST(TerminateOnNan, MayFailTheRun) {
    FakeContext context;
    context.running_loss = std::numeric_limits<double>::quiet_NaN();
    const Callbacks callbacks = makeCallbacks({{"TerminateOnNaN", {{"raise_error", true}}}});
    EXPECT_THROW(callbacks[0]->onStepEnd(context, 0, 4), Error);
}

struct Row {
    const char* name;
    spec::ObjectSpec callback;
};
void PrintTo(const Row& row, std::ostream* out) {
    *out << row.name;
}

class CallbackState : public testing::TestWithParam<Row> {};

// Every value that decides what a callback does next is in its state: wherever it is restarted, the rest goes as if it had not been.
TEST_P(CallbackState, LetsItGoOnAsIfNothingHadHappened) {
    const std::vector<double> losses{3, 2, 2.5, 2.4, 1, 2, 2, 2, 0.5, 2, 2, 2, 2};
    const Trace alone = train(GetParam().callback, losses);
    for (int epoch = 1; epoch < static_cast<int>(losses.size()); ++epoch) {
        EXPECT_TRUE(train(GetParam().callback, losses, {epoch}) == alone) << "restarted before epoch " << epoch + 1;
        EXPECT_TRUE(train(GetParam().callback, losses, {epoch, epoch + 1}) == alone) << "twice before epoch " << epoch + 1;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Callbacks, CallbackState,
    testing::Values(Row{"EarlyStopping", stopping({{"patience", std::int64_t{3}}, {"restore_best_weights", true}})},
                    Row{"EarlyStoppingWithBaseline",
                        stopping({{"patience", std::int64_t{4}}, {"baseline", 2.2}, {"start_from_epoch", std::int64_t{2}}})},
                    Row{"ReduceLrOnPlateau", plateau({{"patience", std::int64_t{1}}, {"factor", 0.5}, {"cooldown", std::int64_t{1}}})},
                    Row{"LearningRateScheduler",
                        {"LearningRateScheduler",
                         {{"epochs", std::vector<std::int64_t>{0, 4}}, {"rates", std::vector<double>{1e-3, 1e-4}}}}},
                    Row{"PrintLr", {"PrintLR", {}}}, Row{"CsvLogger", {"CSVLogger", {{"filename", "log.csv"}}}},
                    Row{"CsvLoggerThatAppends", {"CSVLogger", {{"filename", "log.csv"}, {"append", true}}}},
                    Row{"ModelCheckpointOfTheBest", {"ModelCheckpoint", {{"save_best_only", true}, {"verbose", std::int64_t{1}}}}},
                    Row{"ModelCheckpointByThreshold", {"ModelCheckpoint", {{"save_best_only", true}, {"initial_value_threshold", 2.2}}}},
                    Row{"ModelCheckpointBySteps", {"ModelCheckpoint", {{"filepath", "{epoch}_{batch}"}, {"save_freq", std::int64_t{5}}}}},
                    Row{"TerminateOnNan", {"TerminateOnNaN", {}}}),
    [](const auto& row) { return row.param.name; });

}  // namespace
}  // namespace engine::train
