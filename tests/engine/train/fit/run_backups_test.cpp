#include "engine/train/fit/run_backups.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/backend/initialize.h"
#include "engine/spec/error.h"
#include "engine/train/task_plans.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::quarterRun;
using tests::support::RecordingObserver;
using tests::support::replica;
using tests::support::TempDir;

using testing::HasSubstr;
using testing::StartsWith;

spec::RunSpec backedUp() {
    spec::RunSpec run = quarterRun();
    run.callbacks = {{"BackupAndRestore", {{"save_freq", std::int64_t{5}}}}};
    return run;
}

// One task with its variables.
struct Task {
    Task(const TempDir& dir, spec::RunSpec of, distribute::Collective* collective = nullptr)
        : run(std::move(of)),
          plan(replica(run, collective == nullptr ? 0 : collective->rank(), collective == nullptr ? 1 : collective->size())),
          folder(dir.path(), nullptr),
          variables(trainingPlan(run, plan, 0, 16)),
          backups(run, plan, collective, folder, observer) {}

    const spec::RunSpec run;
    const spec::TaskPlan plan;
    const RunFolder folder;
    backend::Variables variables;
    RecordingObserver observer;
    RunBackups backups;
};

void writeOne(Task& task) {
    exporter::SavedObject state = task.backups.newState();
    state.set("iterations", std::int64_t{5});
    task.backups.write(std::move(state), {{"EarlyStopping", {}}}, task.variables);
}

TEST(RunBackups, AreDueAsOftenAsTheProjectSays) {
    const TempDir dir;
    const Task task(dir, backedUp()), without(dir, quarterRun());
    EXPECT_TRUE(task.backups.writes());
    EXPECT_TRUE(task.backups.isDueAfterStep(10));
    EXPECT_FALSE(task.backups.isDueAfterStep(11));
    EXPECT_FALSE(task.backups.isDueAfterEpoch());
    EXPECT_FALSE(without.backups.writes());
    EXPECT_FALSE(without.backups.isDueAfterStep(10));
    EXPECT_FALSE(without.backups.isDueAfterEpoch());
}

TEST(RunBackups, GivesBackWhatWasWritten) {
    const TempDir dir;
    Task before(dir, backedUp());
    backend::initializeVariables(before.variables, before.run.model, 3);
    writeOne(before);

    Task after(dir, backedUp());
    const std::vector<exporter::SavedObject> objects = after.backups.read(after.variables);
    EXPECT_TRUE(after.backups.hasResumed());
    ASSERT_EQ(objects.size(), 2U);
    EXPECT_EQ(findObject(objects, kTrainerState)->get<std::int64_t>("iterations", 0), 5);
    after.backups.agree({.steps = 5, .epoch = 0, .step = 5, .learning_rate = 0.5F}, after.variables);
    const auto lines = after.observer.all<spec::LogLine>();
    ASSERT_EQ(lines.size(), 2U);
    EXPECT_EQ(lines[0].text, "Resumed at epoch 1, step 5 (5 steps done in all, learning rate 0.5)");
    EXPECT_THAT(lines[1].text, StartsWith("weights sha256 where it resumed: "));
}

TEST(RunBackups, WithoutAFileARunBeginsAnew) {
    const TempDir dir;
    Task task(dir, backedUp());
    EXPECT_TRUE(task.backups.read(task.variables).empty());
    EXPECT_FALSE(task.backups.hasResumed());
    task.backups.agree({}, task.variables);
    EXPECT_TRUE(task.observer.all<spec::LogLine>().empty());
}

TEST(RunBackups, AnotherProjectsIsRefused) {
    const TempDir dir;
    Task before(dir, backedUp());
    writeOne(before);
    spec::RunSpec other = backedUp();
    other.fit.seed = 99;
    Task after(dir, other);
    EXPECT_THROW(after.backups.read(after.variables), Error);
}

TEST(RunBackups, NobodyGoesOnWithOtherWeightsThanTheBackups) {
    const TempDir dir;
    Task before(dir, backedUp());
    writeOne(before);
    Task after(dir, backedUp());
    after.backups.read(after.variables);
    after.variables.entries()[0].values[0] += 1;
    try {
        after.backups.agree({.steps = 5, .epoch = 0, .step = 5}, after.variables);
        FAIL() << "other weights were taken";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
        EXPECT_THAT(error.what(), StartsWith("replica 0: expected to resume at epoch 1, step 5 with weights "));
    }
}

TEST(RunBackups, AReplicaWithoutFilesGetsTheChiefsState) {
    const TempDir chiefs, others;
    spec::RunSpec run = backedUp();
    tests::support::spawnRanks(2, [&](distribute::Collective& collective) {
        Task task(collective.rank() == 0 ? chiefs : others, run, &collective);
        if (collective.rank() == 0) {
            writeOne(task);
        }
        EXPECT_EQ(task.backups.writes(), collective.rank() == 0);
        const std::vector<exporter::SavedObject> objects = task.backups.read(task.variables);
        ASSERT_EQ(objects.size(), 2U);
        EXPECT_TRUE(task.backups.hasResumed());
        task.backups.agree({.steps = 5, .epoch = 0, .step = 5}, task.variables);
    });
    EXPECT_FALSE(std::filesystem::exists(others.path() / "backup"));
}

TEST(RunBackups, OneThatCannotBeWrittenIsReported) {
    const TempDir dir;
    std::ofstream(dir.path() / "backup") << "no folder";
    Task task(dir, backedUp());
    writeOne(task);
    const auto lines = task.observer.all<spec::LogLine>();
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].level, spec::LogLevel::kError);
    EXPECT_THAT(lines[0].text, StartsWith("the backup could not be written: "));
    EXPECT_THAT(lines[0].text, HasSubstr("; the one before is unchanged"));
}

}  // namespace
}  // namespace engine::train
