#include "engine/sweep/sweep_project.h"

#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/model_builder.h"

namespace engine::sweep {
namespace {

spec::RunSpec project() {
    spec::RunSpec run;
    run.name = "digits";
    run.model = tests::support::tutorialModel();
    run.compile = tests::support::compileWith({"Adam", {}});
    run.fit.epochs = 9;
    run.fit.seed = 5;
    return run;
}

SweepSettings settingsOf(Method method) {
    SweepSettings settings{
        .method = method, .fields = {parseField("compile.optimizer.learning_rate=0.1,0.01")}, .objective = {}, .trials = 0};
    settings.seeds = 2;
    return settings;
}

const spec::ObjectSpec* backupOf(const spec::RunSpec& run) {
    const auto at =
        std::find_if(run.callbacks.begin(), run.callbacks.end(), [](const auto& one) { return one.class_name == "BackupAndRestore"; });
    return at == run.callbacks.end() ? nullptr : &*at;
}

TEST(SweepProject, HasTheTrialsValuesItsSeedAndTheRungsEpochs) {
    const Sweep sweep(settingsOf(Method::kAsha), 9);
    const spec::RunSpec run = trialProject(project(), sweep, {.trial = 1, .seed = 1, .rung = 1, .epochs = 3});
    EXPECT_EQ(run.compile.optimizer.config.getDouble("learning_rate", 0), std::stod(sweep.trials()[1].configuration[0]));
    EXPECT_EQ(run.fit.seed, 6);
    EXPECT_EQ(run.fit.epochs, 3);
    EXPECT_EQ(run.name, "Sweep 2: optimizer.learning_rate " + sweep.trials()[1].configuration[0]);
    ASSERT_NE(backupOf(run), nullptr);
    EXPECT_FALSE(backupOf(run)->config.getBool("delete_checkpoint", true)) << "the next rung goes on from it";
    EXPECT_EQ(run.model, project().model);
}

TEST(SweepProject, AGridLeavesTheProjectsEpochs) {
    const Sweep sweep(settingsOf(Method::kGrid), 9);
    const spec::RunSpec run = trialProject(project(), sweep, {.trial = 0, .seed = 0, .rung = 0, .epochs = 9});
    EXPECT_EQ(run.fit.epochs, 9);
    ASSERT_NE(backupOf(run), nullptr) << "so that a run that was stopped goes on";
    EXPECT_TRUE(backupOf(run)->config.getBool("delete_checkpoint", true));
}

TEST(SweepProject, SaysWhatIsWrongWithACombination) {
    SweepSettings settings = settingsOf(Method::kGrid);
    settings.fields = {parseField("compile.optimizer.learning_rate=0.1,-1")};
    const Sweep sweep(settings, 9);
    try {
        trialProject(project(), sweep, {.trial = 1, .seed = 0, .rung = 0, .epochs = 9});
        ADD_FAILURE();
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::StartsWith("compile.optimizer.learning_rate: "));
    }
}

TEST(SweepProject, NamesAreShortAndFoldersApart) {
    EXPECT_EQ(shortPath("compile.optimizer.config.learning_rate"), "optimizer.learning_rate");
    EXPECT_EQ(shortPath("model.layers[1].config.units"), "layers[1].units");
    EXPECT_EQ(shortPath("data.batch_size_per_replica"), "data.batch_size_per_replica");
    const Sweep grouped(settingsOf(Method::kGrid), 9);
    EXPECT_EQ(trialFolder(grouped, {.trial = 6, .seed = 1, .rung = 0, .epochs = 9}), "trials/007-seed-1");
    SweepSettings single = settingsOf(Method::kGrid);
    single.seeds = 1;
    EXPECT_EQ(trialFolder(Sweep(single, 9), {.trial = 6, .seed = 0, .rung = 2, .epochs = 9}), "trials/007");
}

}  // namespace
}  // namespace engine::sweep
