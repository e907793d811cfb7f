#include "engine/sweep/sweep_settings.h"

#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/model_builder.h"

namespace engine::sweep {
namespace {

using testing::ElementsAre;

spec::RunSpec project() {
    spec::RunSpec run;
    run.name = "digits";
    run.model = tests::support::tutorialModel();
    run.compile = tests::support::compileWith({"Adam", {}});
    run.fit.epochs = 10;
    return run;
}

std::vector<std::string> problemsOf(const SweepSettings& settings, const spec::RunSpec& run = project()) {
    std::vector<std::string> texts;
    for (const spec::Diagnostic& one : checkSweep(settings, run)) texts.push_back(one.path + ": " + one.message);
    return texts;
}

SweepSettings good() {
    return {
        .method = Method::kAsha, .fields = {parseField("compile.optimizer.learning_rate=log:1e-4..1e-1:4")}, .objective = {}, .trials = 0};
}

TEST(SweepSettings, RungsEndWithTheLongest) {
    SweepSettings settings = good();
    EXPECT_THAT(rungsOf(settings, 27), ElementsAre(1, 3, 9, 27));
    EXPECT_THAT(rungsOf(settings, 10), ElementsAre(1, 3, 10));
    EXPECT_THAT(rungsOf(settings, 2), ElementsAre(2));
    settings.min_epochs = 4;
    EXPECT_THAT(rungsOf(settings, 27), ElementsAre(9, 27));
    settings.reduction = 2;
    settings.min_epochs = 1;
    EXPECT_THAT(rungsOf(settings, 5), ElementsAre(1, 3, 5));
    settings.method = Method::kRandom;
    EXPECT_THAT(rungsOf(settings, 27), ElementsAre(27));
}

TEST(SweepSettings, AnObjectiveFallsOrRisesByItsName) {
    EXPECT_TRUE(objectiveOf("val_accuracy").rises);
    EXPECT_FALSE(objectiveOf("val_loss").rises);
    EXPECT_TRUE(objectiveOf("reward").rises);
}

struct Refused {
    std::function<void(SweepSettings& settings)> change;
    const char* message;
};

TEST(SweepSettings, SaysEverythingThatKeepsThemFromBeingASweep) {
    EXPECT_THAT(problemsOf(good()), ElementsAre());
    const std::vector<Refused> rows{
        {[](auto& one) { one.fields.clear(); }, "fields: expected a field to vary, got none"},
        {[](auto& one) { one.trials = -1; }, "trials: expected 0 to 10000, got -1"},
        {[](auto& one) { one.seeds = 0; }, "seeds: expected 1 to 100, got 0"},
        {[](auto& one) { one.at_once = 0; }, "at_once: expected 1 to 256, got 0"},
        {[](auto& one) { one.reduction = 1; }, "reduction: expected 2 to 100, got 1"},
        {[](auto& one) { one.min_epochs = 11; }, "min_epochs: expected 1 to 10, got 11"},
        {[](auto& one) { one.objective.log.clear(); }, "objective: expected a log of an epoch's end such as val_accuracy, got none"},
        {[](auto& one) { one.fields.push_back(one.fields[0]); }, "compile.optimizer.learning_rate: expected each field once, got it twice"},
        {[](auto& one) { one.fields[0].points = 0; },
         "compile.optimizer.learning_rate: expected trials, or points as in log:0.0001..0.1:4, got neither"},
        {[](auto& one) {
             one.fields[0].points = 0;
             one.method = Method::kGrid;
         },
         "compile.optimizer.learning_rate: expected a number of points for a grid, such as log:0.0001..0.1:4, got none"},
        {[](auto& one) { one.fields = {parseField("fit.epochs=1,2")}; },
         "fit.epochs: expected another field: asha says how many epochs a run trains"},
        {[](auto& one) {
             one.fields = {parseField("fit.seed=1,2")};
             one.seeds = 2;
         },
         "fit.seed: expected one run a configuration where the seed is a field, got seeds 2"},
        {[](auto& one) { one.place.spread = true; }, "spread: expected hosts beside it, got none"},
        {[](auto& one) { one.place.servers = 1; }, "servers: expected workers or hosts beside it, got neither"},
        {[](auto& one) {
             one.place.hosts = "a";
             one.place.workers = 2;
         },
         "workers: expected 0 beside hosts, which say it, got 2"},
    };
    for (const Refused& row : rows) {
        SweepSettings settings = good();
        row.change(settings);
        EXPECT_THAT(problemsOf(settings), ElementsAre(row.message));
    }
}

TEST(SweepSettings, TriesEachValueOnTheProject) {
    SweepSettings settings = good();
    settings.fields = {parseField("model.layers[9].units=1,2"), parseField("compile.optimizer.learning_rate=0.1,fast"),
                       parseField("model.layers[0].filters=int:-4..8:3")};
    const std::vector<std::string> problems = problemsOf(settings);
    ASSERT_EQ(problems.size(), 4U) << testing::PrintToString(problems);
    EXPECT_THAT(problems[0], testing::StartsWith("model.layers[9].units: with the value 1: expected an index below"));
    EXPECT_THAT(problems[2], testing::StartsWith("compile.optimizer.learning_rate: with the value fast: "));
    EXPECT_THAT(problems[3], testing::StartsWith("model.layers[0].filters: with the value -4: "));
}

TEST(SweepSettings, AnObjectiveIsALogOfEachRun) {
    SweepSettings settings = good();
    settings.objective = objectiveOf("val_mae");
    spec::RunSpec run = project();
    EXPECT_THAT(problemsOf(settings, run), ElementsAre("objective: expected accuracy, loss, val_accuracy or val_loss, got val_mae"));
    settings.objective = objectiveOf("val_loss");
    run.fit.validation_freq = 2;
    EXPECT_THAT(problemsOf(settings, run), ElementsAre("objective: expected accuracy or loss, got val_loss"))
        << "the first rung ends after an epoch";
    settings.min_epochs = 2;
    EXPECT_THAT(problemsOf(settings, run), ElementsAre());
    settings.objective = objectiveOf("learning_rate");
    EXPECT_THAT(problemsOf(settings, run), ElementsAre("objective: expected accuracy, loss, val_accuracy or val_loss, got learning_rate"));
    run.callbacks = {{"ReduceLROnPlateau", {}}};
    EXPECT_THAT(problemsOf(settings, run), ElementsAre()) << "a callback that sets the rate tells it";
}

TEST(SweepSettings, AFieldMayChangeWhatIsLogged) {
    SweepSettings settings = good();
    settings.method = Method::kGrid;
    settings.objective = objectiveOf("val_loss");
    spec::RunSpec run = project();
    run.data.validate_on_test = false;
    settings.fields = {parseField("data.validation_split=0.1,0.2")};
    EXPECT_THAT(problemsOf(settings, run), ElementsAre());
    settings.fields = {parseField("data.validation_split=0.1,0.0")};
    EXPECT_THAT(problemsOf(settings, run),
                ElementsAre("objective: with data.validation_split=0.0: expected accuracy or loss, got val_loss"));
}

TEST(SweepSettings, AnEstimatorHasNoEpochs) {
    spec::RunSpec run = project();
    run.estimator.emplace();
    EXPECT_THAT(problemsOf(good(), run), testing::Contains("estimator: expected a project that fit() trains, got one of an estimator"));
}

}  // namespace
}  // namespace engine::sweep
