#include "engine/train/callbacks/callback.h"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "engine/train/callbacks/monitor.h"
#include "tests/support/fake_training_context.h"

namespace engine::train {
namespace {

using testing::ElementsAre;
using tests::support::FakeContext;

Logs logs(double loss, double accuracy) {
    return {{"accuracy", accuracy}, {"loss", loss}};
}
Logs validated(double val_loss) {
    return {{"accuracy", 0.5}, {"loss", 1.0}, {"val_accuracy", 0.4}, {"val_loss", val_loss}};
}

void run(Callbacks& callbacks, TrainingContext& context, const std::vector<Logs>& epochs) {
    for (auto& callback : callbacks) callback->onTrainBegin(context);
    for (std::size_t epoch = 0; epoch < epochs.size(); ++epoch) {
        Logs values = epochs[epoch];
        for (auto& callback : callbacks) callback->onEpochBegin(context, static_cast<std::int32_t>(epoch));
        for (auto& callback : callbacks) callback->onEpochEnd(context, static_cast<std::int32_t>(epoch), values);
    }
    for (auto& callback : callbacks) callback->onTrainEnd(context);
}

TEST(Callback, RunsTheTutorialsListInItsOrder) {
    FakeContext context;
    Callbacks callbacks =
        makeCallbacks({{"ModelCheckpoint", {{"filepath", std::string("checkpoints/ckpt_{epoch}")}}},
                       {"LearningRateScheduler", {{"epochs", std::vector<std::int64_t>{0, 1}}, {"rates", std::vector<double>{1e-3, 1e-4}}}},
                       {"PrintLR", {}},
                       {"CSVLogger", {{"filename", std::string("log.csv")}}}});
    run(callbacks, context, {logs(0.5, 0.75), logs(0.25, 0.875)});
    EXPECT_THAT(context.saved, ElementsAre("checkpoints/ckpt_1", "checkpoints/ckpt_2"));
    EXPECT_THAT(context.lines,
                ElementsAre("Learning rate for epoch 1 is 0.0010000000474974513", "Learning rate for epoch 2 is 9.999999747378752e-05"));
    EXPECT_EQ(context.read("log.csv"),
              "epoch,accuracy,learning_rate,loss,val_accuracy,val_learning_rate,val_loss\r\n"
              "0,0.75,0.0010000000474974513,0.5,NA,NA,NA\r\n"
              "1,0.875,9.999999747378752e-05,0.25,NA,NA,NA\r\n");
}

TEST(Callback, SaysTheRateInTheUsersWords) {
    FakeContext context;
    Callbacks callbacks =
        makeCallbacks({{"PrintLR", {{"text", std::string("\nRate of {epoch} ({index}): {rate:.4f}, {rate}; {what} {")}}}});
    run(callbacks, context, {logs(0.5, 0.75)});
    EXPECT_THAT(context.lines, ElementsAre("Rate of 1 (0): 0.0010, 0.0010000000474974513; {what} {"));
}

TEST(Callback, ALaterSchedulerComesTooLateForTheCsvFile) {
    FakeContext context;
    Callbacks callbacks =
        makeCallbacks({{"CSVLogger", {{"filename", std::string("log.csv")}, {"separator", std::string(";")}}},
                       {"LearningRateScheduler", {{"epochs", std::vector<std::int64_t>{0}}, {"rates", std::vector<double>{0.5}}}}});
    run(callbacks, context, {validated(2)});
    EXPECT_EQ(context.read("log.csv"), "epoch;accuracy;loss;val_accuracy;val_loss\r\n0;0.5;1.0;0.4;2.0\r\n");
}

TEST(CsvLogger, AppendsWithoutASecondHeader) {
    FakeContext context;
    const spec::CallbackSpecs specs{{"CSVLogger", {{"filename", std::string("logs/log.csv")}, {"append", true}}}};
    for (int time = 0; time < 2; ++time) {
        Callbacks callbacks = makeCallbacks(specs);
        run(callbacks, context, {validated(2)});
    }
    EXPECT_EQ(context.read("logs/log.csv"), "epoch,accuracy,loss,val_accuracy,val_loss\r\n0,0.5,1.0,0.4,2.0\r\n0,0.5,1.0,0.4,2.0\r\n");
}

TEST(CsvLogger, OnlyTheChiefWrites) {
    FakeContext context;
    context.chief = false;
    Callbacks callbacks = makeCallbacks({{"CSVLogger", {{"filename", std::string("log.csv")}}}});
    run(callbacks, context, {validated(2)});
    EXPECT_FALSE(std::filesystem::exists(context.runDir() / "log.csv"));
}

TEST(CsvLogger, SaysThatItCannotWriteAndLetsTrainingGoOn) {
    FakeContext context;
    std::filesystem::create_directory(context.runDir() / "log.csv");
    Callbacks callbacks = makeCallbacks({{"CSVLogger", {{"filename", std::string("log.csv")}}}});
    run(callbacks, context, {validated(2), validated(1)});
    ASSERT_EQ(context.lines.size(), 1U);
    EXPECT_THAT(context.lines[0], testing::HasSubstr("log.csv cannot be written"));
}

TEST(CsvLogger, LeavesTheRunsFolderOverNoLink) {
    const tests::support::TempDir elsewhere;
    const std::filesystem::path victim = elsewhere.path() / "victim.csv";
    std::ofstream(victim) << "precious";
    for (const auto& [name, append] : {std::pair{"log.csv", false}, {"log.csv", true}, {"logs/log.csv", false}, {"/victim.csv", false}}) {
        FakeContext context;
        std::filesystem::create_symlink(victim, context.runDir() / "log.csv");
        std::filesystem::create_directory_symlink(elsewhere.path(), context.runDir() / "logs");
        Callbacks callbacks =
            makeCallbacks({{"CSVLogger", {{"filename", std::string(name[0] == '/' ? victim.string() : name)}, {"append", append}}}});
        run(callbacks, context, {validated(2)});
        EXPECT_EQ(context.lines.size(), std::string(name) == "log.csv" && !append ? 0U : 1U) << name << " is replaced or refused";
        std::ostringstream text;
        text << std::ifstream(victim).rdbuf();
        EXPECT_EQ(text.str(), "precious") << name;
        EXPECT_EQ(std::distance(std::filesystem::directory_iterator(elsewhere.path()), {}), 1) << name;
    }
}

TEST(ModelCheckpoint, KeepsTheBestByItsMonitor) {
    FakeContext context;
    Callbacks callbacks = makeCallbacks(
        {{"ModelCheckpoint",
          {{"filepath", std::string("best_{epoch:02d}_{loss:.1f}")}, {"save_best_only", true}, {"verbose", std::int64_t{1}}}}});
    run(callbacks, context, {validated(2), validated(2.5), validated(1.5), logs(1, 1), validated(1.75)});
    EXPECT_THAT(context.saved, ElementsAre("best_01_1.0 best", "best_03_1.0 best", "best_04_1.0")) << "without the value it is saved, too";
    ASSERT_EQ(context.lines.size(), 7U);
    EXPECT_THAT(context.lines[0], testing::StartsWith("Epoch 1: val_loss improved from None to 2.00000, saving model to "));
    EXPECT_THAT(context.lines[1], testing::StartsWith("Epoch 1: finished saving model to "));
    EXPECT_EQ(context.lines[2], "Epoch 2: val_loss did not improve from 2.00000");
    EXPECT_THAT(context.lines[5], testing::HasSubstr("only when val_loss is available"));
    EXPECT_EQ(context.lines[6], "Epoch 5: val_loss did not improve from 1.50000");
}

TEST(ModelCheckpoint, CountsStepsOverTheBordersOfEpochs) {
    FakeContext context;
    const Callbacks callbacks =
        makeCallbacks({{"ModelCheckpoint", {{"filepath", std::string("{epoch}_{batch}")}, {"save_freq", std::int64_t{2}}}}});
    ASSERT_TRUE(callbacks[0]->wantsSteps());
    for (std::int32_t epoch = 0; epoch < 2; ++epoch) {
        for (std::int64_t batch = 0; batch < 3; ++batch) {
            callbacks[0]->onStepEnd(context, epoch, batch);
        }
        Logs values = logs(1, 1);
        callbacks[0]->onEpochEnd(context, epoch, values);
    }
    EXPECT_THAT(context.saved, ElementsAre("1_2", "2_1", "2_3"));
}

TEST(Monitor, KnowsTheDirectionOfUsualNames) {
    Monitor loss("val_loss", "auto");
    EXPECT_TRUE(loss.improves(5));
    loss.accept(5);
    EXPECT_TRUE(loss.improves(4));
    EXPECT_FALSE(loss.improves(5));
    Monitor accuracy("val_accuracy", "auto");
    accuracy.accept(0.5);
    EXPECT_TRUE(accuracy.improves(0.6));
    EXPECT_FALSE(accuracy.improves(0.4));
    EXPECT_THROW(Monitor("something", "auto"), Error);
    EXPECT_NO_THROW(Monitor("something", "max"));
}

struct BadCallback {
    const char* name;
    spec::ObjectSpec spec;
    const char* message;
};

class BadCallbacks : public testing::TestWithParam<BadCallback> {};

TEST_P(BadCallbacks, AreRefusedWithOneClearMessage) {
    try {
        makeCallbacks({GetParam().spec});
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().message));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Callback, BadCallbacks,
    testing::Values(
        BadCallback{"Unknown",
                    {"Magic", {}},
                    "expected one of ModelCheckpoint, EarlyStopping, ReduceLROnPlateau, LearningRateScheduler, PrintLR, "
                    "CSVLogger, TerminateOnNaN, TensorBoard, SwapEMAWeights, got \"Magic\""},
        BadCallback{"Hdf5",
                    {"ModelCheckpoint", {{"filepath", std::string("w.weights.h5")}}},
                    "expected a name that ends in .keras or .h5 without save_weights_only"},
        BadCallback{"SaveFreq", {"ModelCheckpoint", {{"save_freq", std::int64_t{0}}}}, "expected \"epoch\" or a number of steps"},
        BadCallback{"UnequalTable",
                    {"LearningRateScheduler", {{"epochs", std::vector<std::int64_t>{0, 3}}, {"rates", std::vector<double>{1e-3}}}},
                    "got 2 epochs and 1 rates"},
        BadCallback{"Unsorted",
                    {"LearningRateScheduler", {{"epochs", std::vector<std::int64_t>{3, 0}}, {"rates", std::vector<double>{1, 2}}}},
                    "ascending order"},
        BadCallback{"Separator", {"CSVLogger", {{"separator", std::string("||")}}}, "expected one character"}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace engine::train
