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

// A checkpoint an hour, of a run that keeps two, and one in three hours for good.
class CheckpointsByHours : public CheckpointsTest {
protected:
    Checkpoints begun() {
        return {run_, folder_, observer_, [this] { return now_; }};
    }
    void writeHourly(Checkpoints& checkpoints, std::int64_t first, std::int64_t last) {
        for (std::int64_t hour = first; hour <= last; ++hour) {
            now_ = kBegin + std::chrono::hours(hour);
            checkpoints.write(prefix("model.ckpt-" + std::to_string(hour)), variables_, {.step = hour});
        }
    }
    // Those whose files are there, by their hours.
    std::vector<std::int64_t> kept() const {
        std::vector<std::int64_t> hours;
        for (std::int64_t hour = 0; hour < 20; ++hour) {
            if (std::filesystem::exists(prefix("model.ckpt-" + std::to_string(hour) + ".index"))) hours.push_back(hour);
        }
        return hours;
    }
    std::string listed() const {
        std::ifstream file(prefix("checkpoint"));
        return {std::istreambuf_iterator<char>(file), {}};
    }

    static constexpr std::chrono::sys_seconds kBegin{std::chrono::seconds(1'700'000'000)};
    std::chrono::system_clock::time_point now_ = kBegin;
};

TEST_F(CheckpointsByHours, OneInSoManyStays) {
    Checkpoints checkpoints = begun();
    checkpoints.keep(2, 3);
    writeHourly(checkpoints, 0, 10);
    EXPECT_THAT(kept(), testing::ElementsAre(3, 6, 9, 10));
    EXPECT_EQ(listed(),
              "model_checkpoint_path: \"model.ckpt-10\"\n"
              "all_model_checkpoint_paths: \"model.ckpt-9\"\n"
              "all_model_checkpoint_paths: \"model.ckpt-10\"\n"
              "all_model_checkpoint_timestamps: 1700032400.0\n"
              "all_model_checkpoint_timestamps: 1700036000.0\n"
              "last_preserved_timestamp: 1700021600.0\n");
}

// A run that goes on counts from the last one that stays, not from its own start.
TEST_F(CheckpointsByHours, CountOverARestart) {
    exporter::SavedObject state{"trainer", {}};
    {
        Checkpoints before = begun();
        before.keep(2, 3);
        writeHourly(before, 0, 2);
        before.save(state);
    }
    now_ = kBegin + std::chrono::minutes(170);
    Checkpoints after = begun();
    after.restore(state);
    after.keep(2, 3);
    writeHourly(after, 3, 7);
    EXPECT_THAT(kept(), testing::ElementsAre(3, 6, 7)) << "one that counted from its own start would keep the last two alone";
}

// Nothing is younger than now, as TensorFlow's CheckpointManager has it.
TEST_F(CheckpointsByHours, FollowAClockThatWasSetBack) {
    exporter::SavedObject state{"trainer", {}};
    {
        Checkpoints before = begun();
        before.keep(2, 3);
        writeHourly(before, 10, 12);
        before.save(state);
    }
    now_ = kBegin;
    Checkpoints after = begun();
    after.restore(state);
    after.keep(2, 3);
    writeHourly(after, 1, 8);
    EXPECT_THAT(kept(), testing::ElementsAre(3, 6, 7, 8, 10));
}

TEST_F(CheckpointsByHours, AreFreshWhereTheListIsLost) {
    exporter::SavedObject state{"trainer", {}};
    {
        Checkpoints before = begun();
        before.keep(2, 3);
        writeHourly(before, 0, 2);
        before.save(state);
    }
    std::filesystem::remove(prefix("checkpoint"));
    std::filesystem::create_directory(prefix("checkpoint"));
    Checkpoints after = begun();
    after.restore(state);
    EXPECT_THAT(observer_.all<spec::LogLine>().back().text, testing::StartsWith("when checkpoints were written is not known: "));
    std::filesystem::remove(prefix("checkpoint"));
    after.keep(2, 3);
    writeHourly(after, 3, 6);
    EXPECT_THAT(kept(), testing::ElementsAre(5, 6));
}

TEST_F(CheckpointsTest, NobodyCountsTheHoursOfARunThatKeepsAll) {
    checkpoints_.write(prefix("ckpt_1"), variables_, {.step = 12});
    std::ifstream file(prefix("checkpoint"));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text, "model_checkpoint_path: \"ckpt_1\"\nall_model_checkpoint_paths: \"ckpt_1\"\n");
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
