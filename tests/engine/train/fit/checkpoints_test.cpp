#include "engine/train/fit/checkpoints.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/export/tf_checkpoint.h"
#include "engine/spec/error.h"
#include "engine/train/task_plans.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::quarterRun;
using tests::support::RecordingObserver;
using tests::support::replica;

using testing::HasSubstr;

class CheckpointsTest : public testing::Test {
protected:
    std::filesystem::path prefix(const std::string& name) const { return dir_.path() / "checkpoints" / name; }

    tests::support::TempDir dir_;
    RunFolder folder_{dir_.path(), nullptr};
    spec::RunSpec run_ = quarterRun();
    backend::Variables variables_{trainingPlan(run_, replica(run_), 0, 16)};
    RecordingObserver observer_;
    Checkpoints checkpoints_{run_, folder_, observer_};
};

TEST_F(CheckpointsTest, WritesOneAndTellsIt) {
    checkpoints_.write(prefix("ckpt_1"), variables_, {.epoch = 0, .step = 12, .applied_steps = 11, .learning_rate = 0.5F, .best = true});
    EXPECT_EQ(checkpoints_.last(), "checkpoints/ckpt_1");
    EXPECT_TRUE(checkpoints_.isSavedAt(12));
    EXPECT_FALSE(checkpoints_.isSavedAt(11));
    EXPECT_FALSE(checkpoints_.failure());
    const auto told = observer_.all<spec::CheckpointSaved>();
    ASSERT_EQ(told.size(), 1U);
    EXPECT_EQ(told[0].prefix, "checkpoints/ckpt_1");
    EXPECT_EQ(told[0].step, 12);
    EXPECT_TRUE(told[0].best);
    EXPECT_GT(told[0].bytes, 0);
    EXPECT_EQ(exporter::latestCheckpoint(dir_.path() / "checkpoints"), prefix("ckpt_1"));
}

TEST_F(CheckpointsTest, TheOldestGoWhenThereAreMoreThanAreKept) {
    checkpoints_.keep(2, 10000);
    for (const std::int64_t step : {0, 10, 20, 30}) {
        checkpoints_.write(prefix("model.ckpt-" + std::to_string(step)), variables_, {.step = step});
    }
    const auto told = observer_.all<spec::CheckpointSaved>();
    ASSERT_EQ(told.size(), 4U);
    EXPECT_TRUE(told[1].removed.empty());
    EXPECT_EQ(told[2].removed, std::vector<std::string>{"checkpoints/model.ckpt-0"});
    EXPECT_EQ(told[3].removed, std::vector<std::string>{"checkpoints/model.ckpt-10"});
    EXPECT_FALSE(std::filesystem::exists(prefix("model.ckpt-10.index")));
    EXPECT_FALSE(std::filesystem::exists(prefix("model.ckpt-10.data-00000-of-00001")));
    EXPECT_TRUE(std::filesystem::exists(prefix("model.ckpt-20.index")));
    EXPECT_EQ(exporter::latestCheckpoint(dir_.path() / "checkpoints"), prefix("model.ckpt-30"));
}

TEST_F(CheckpointsTest, OneInSoManyHoursStays) {
    checkpoints_.keep(1, 1e-12);
    for (const std::int64_t step : {0, 10, 20}) {
        checkpoints_.write(prefix("model.ckpt-" + std::to_string(step)), variables_, {.step = step});
    }
    EXPECT_TRUE(std::filesystem::exists(prefix("model.ckpt-0.index")));
    EXPECT_TRUE(std::filesystem::exists(prefix("model.ckpt-10.index")));
}

TEST_F(CheckpointsTest, OneThatCannotBeWrittenLeavesTheOthersAndIsTheFailure) {
    checkpoints_.write(prefix("ckpt_1"), variables_, {.step = 12});
    std::ofstream(dir_.path() / "file") << "no folder";
    checkpoints_.write(dir_.path() / "file" / "ckpt_2", variables_, {.epoch = 1, .step = 24});
    ASSERT_TRUE(checkpoints_.failure());
    EXPECT_EQ(checkpoints_.failure()->prefix, dir_.path() / "file" / "ckpt_2");
    EXPECT_EQ(checkpoints_.last(), "checkpoints/ckpt_1");
    EXPECT_TRUE(checkpoints_.isSavedAt(12));
    const auto lines = observer_.all<spec::LogLine>();
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_EQ(lines[0].level, spec::LogLevel::kError);
    EXPECT_EQ(lines[0].text,
              "the checkpoint file/ckpt_2 could not be written: " + checkpoints_.failure()->reason + "; earlier checkpoints are unchanged");
    checkpoints_.write(prefix("ckpt_3"), variables_, {.epoch = 2, .step = 36});
    EXPECT_FALSE(checkpoints_.failure());
}

TEST_F(CheckpointsTest, ARunThatGoesOnKnowsThoseBefore) {
    checkpoints_.write(prefix("ckpt_1"), variables_, {.step = 12});
    checkpoints_.write(prefix("ckpt_2"), variables_, {.epoch = 1, .step = 24});
    exporter::SavedObject state{"trainer", {}};
    checkpoints_.save(state);
    EXPECT_EQ(state.get<std::string>("saved_prefixes", ""), "checkpoints/ckpt_1\ncheckpoints/ckpt_2\n");

    Checkpoints later(run_, folder_, observer_);
    later.restore(state);
    EXPECT_EQ(later.last(), "checkpoints/ckpt_2");
    EXPECT_TRUE(later.isSavedAt(24));
    later.write(prefix("ckpt_3"), variables_, {.epoch = 2, .step = 36});
    std::ifstream listed(prefix("checkpoint"));
    const std::string text{std::istreambuf_iterator<char>(listed), {}};
    EXPECT_THAT(text, HasSubstr("model_checkpoint_path: \"ckpt_3\""));
    EXPECT_THAT(text, HasSubstr("all_model_checkpoint_paths: \"ckpt_1\""));
}

TEST_F(CheckpointsTest, AFileOfKerasIsNoneOfTensorFlows) {
    checkpoints_.write(dir_.path() / "best.keras", variables_, {.step = 12});
    EXPECT_EQ(checkpoints_.last(), "best.keras");
    exporter::SavedObject state{"trainer", {}};
    checkpoints_.save(state);
    EXPECT_EQ(state.get<std::string>("saved_prefixes", "?"), "");
    EXPECT_EQ(state.get<std::int64_t>("save_counter", 0), 1);
}

TEST(RunFolder, NamesWhatLiesBelowIt) {
    const tests::support::TempDir dir;
    const RunFolder folder(dir.path() / "run", nullptr);
    EXPECT_TRUE(std::filesystem::is_directory(dir.path() / "run"));
    EXPECT_EQ(folder.relative(dir.path() / "run/checkpoints/ckpt_1"), "checkpoints/ckpt_1");
    EXPECT_EQ(folder.relative(dir.path() / "other"), (dir.path() / "other").string());
    EXPECT_EQ(folder.placeOf(dir.path() / "run/log.csv").path(), dir.path() / "run/log.csv");
    EXPECT_THROW(folder.placeOf(dir.path() / "other").create(), Error);
}

TEST(RunFolder, IsNotMadeForATaskThatWritesNothing) {
    const RunFolder folder({}, nullptr);
    EXPECT_EQ(folder.path(), std::filesystem::path());
}

}  // namespace
}  // namespace engine::train
