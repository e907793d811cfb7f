#include "engine/event_files/run_events.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/run/run_history.h"
#include "engine/run/run_series.h"
#include "tests/engine/event_files/event_bytes.h"
#include "tests/support/temp_dir.h"

namespace engine::event_files {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace tests::event_files;

// A run's folder, and a history that hears what its files say.
class RunEventsTest : public testing::Test {
protected:
    void write(std::initializer_list<std::string> events, const std::string& file = "events.out.tfevents.1") {
        for (const std::string& one : events) append(dir_.path() / file, record(one));
    }
    void follow(bool with_validation = false) {
        std::vector<RunSource> sources{{dir_.path()}};
        if (with_validation) sources = {{dir_.path() / "train"}, {dir_.path() / "validation", true}};
        run_ = std::make_unique<RunEvents>(sources);
        history_ = std::make_unique<run::RunHistory>(run::RunInfo{.created_unix_ns = 1'000'000'000'000});
        step();
    }
    void step(std::uint64_t most = 1u << 30) {
        run_->findFiles();
        while (run_->read(most)) {
        }
        run_->settle();
        changes_ = history_->add(run_->takeEvents());
    }
    // "1:0.5 2:0.25" of a series.
    std::string series(const std::string& name) const {
        for (const run::StreamedSeries& one : run::streamedSeries(*history_)) {
            if (one.name != name) continue;
            const run::SeriesData data = run::pointsOf(*history_, one);
            std::string text;
            for (std::size_t i = 0; i < data.size(); ++i) {
                if (!std::isnan(data.value[i]))
                    text += (text.empty() ? "" : " ") + std::to_string(data.step[i]) + ":" + shown(data.value[i]);
            }
            return text;
        }
        return "none";
    }
    static std::string shown(double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%g", value);
        return text;
    }
    std::vector<std::string> lines() const {
        std::vector<std::string> texts;
        for (const run::LogEntry& line : history_->logs()) texts.push_back(line.text);
        return texts;
    }

    const tests::support::TempDir dir_;
    std::unique_ptr<RunEvents> run_;
    std::unique_ptr<run::RunHistory> history_;
    unsigned changes_ = 0;
};

TEST_F(RunEventsTest, MakesRowsOfTagsAtTheSameSteps) {
    write({version(), simple("loss", 1, 0.5F), simple("accuracy", 1, 0.25F), scalar("loss", 2, 0.125F), scalar("accuracy", 2, 0.75F)});
    follow();
    EXPECT_EQ(series("loss"), "1:0.5 2:0.125");
    EXPECT_EQ(series("accuracy"), "1:0.25 2:0.75");
    EXPECT_EQ(history_->tasks().size(), 1U);
    EXPECT_EQ(history_->state(), run::RunState::kTraining);
    EXPECT_EQ(run_->firstUnixNs(), 1'000'000'000'000);
}

TEST_F(RunEventsTest, FollowsAFileThatGrows) {
    write({version(), simple("loss", 1, 0.5F)});
    follow();
    const std::string whole = record(simple("loss", 2, 0.25F));
    append(dir_.path() / "events.out.tfevents.1", whole.substr(0, 20));
    step();
    EXPECT_EQ(series("loss"), "1:0.5");
    append(dir_.path() / "events.out.tfevents.1", whole.substr(20));
    step();
    EXPECT_EQ(series("loss"), "1:0.5 2:0.25");
    EXPECT_FALSE(changes_ & run::RunHistory::kSuperseded);
}

TEST_F(RunEventsTest, TellsAStepOnceWhileItsValuesAreOnTheirWay) {
    write({simple("a", 1, 1), simple("b", 1, 2), simple("a", 2, 3)});
    run_ = std::make_unique<RunEvents>(std::vector<RunSource>{{dir_.path()}});
    history_ = std::make_unique<run::RunHistory>(run::RunInfo{});
    run_->findFiles();
    run_->read(1u << 20);
    EXPECT_FALSE(history_->add(run_->takeEvents()) & run::RunHistory::kSuperseded);
    EXPECT_EQ(series("a"), "1:1");
    write({simple("b", 2, 4)});
    run_->read(1u << 20);
    run_->settle();
    EXPECT_FALSE(history_->add(run_->takeEvents()) & run::RunHistory::kSuperseded);
    EXPECT_EQ(series("b"), "1:2 2:4");
}

TEST_F(RunEventsTest, PutsTagsOfOtherStepsBetweenTheRows) {
    write({simple("loss", 100, 1), simple("loss", 200, 2), simple("test", 1, 5), simple("loss", 300, 3), simple("test", 2, 6)});
    follow();
    EXPECT_EQ(series("loss"), "100:1 200:2 300:3");
    EXPECT_EQ(series("test"), "1:5 2:6");
    write({simple("test", 3, 7)});
    step();
    EXPECT_EQ(series("loss"), "100:1 200:2 300:3");
    EXPECT_EQ(series("test"), "1:5 2:6 3:7");
}

TEST_F(RunEventsTest, GivesTagsOfOtherStepsATableOfTheirOwnInALongRun) {
    std::string bytes;
    for (int i = 1; i <= 30000; ++i) {
        bytes += record(simple("loss", 100 * i, static_cast<float>(i)));
        if (i % 10000 == 0) bytes += record(simple("test", i / 10000, static_cast<float>(i)));
    }
    append(dir_.path() / "events.out.tfevents.1", bytes);
    follow();
    const run::PointTable& table = history_->global();
    ASSERT_EQ(table.size(), 30000U);
    EXPECT_EQ(table.step.back(), 3000000);
    EXPECT_EQ((*table.find("loss"))[12344], 12345);
    EXPECT_EQ(series("curves 1/test"), "1:10000 2:20000 3:30000");
}

TEST_F(RunEventsTest, MovesATagWhoseStepsTurnOutToBeOthers) {
    write({simple("test", 1, 1)});
    std::string bytes;
    for (int i = 1; i <= 20000; ++i) bytes += record(simple("loss", 100 * i, 1));
    append(dir_.path() / "events.out.tfevents.1", bytes);
    write({simple("test", 2, 2)});
    follow();
    EXPECT_EQ(series("curves 1/test"), "1:1 2:2");
    EXPECT_EQ(history_->global().find("loss")->back(), 1);
}

TEST_F(RunEventsTest, TakesAnotherStartForWhatCameAgain) {
    write({version(), simple("loss", 1, 1), simple("loss", 2, 2), simple("loss", 3, 3)});
    follow();
    write({version(), sessionStart(2, 1000), simple("loss", 2, 20)}, "events.out.tfevents.2");
    step();
    EXPECT_EQ(series("loss"), "1:1 2:20");
    EXPECT_EQ(run_->attempt(), 2);
    ASSERT_EQ(history_->attempts().size(), 1U);
}

TEST_F(RunEventsTest, TakesStepsThatGoBackForWhatCameAgain) {
    write({simple("loss", 1, 1), simple("acc", 1, 1), simple("loss", 2, 2), simple("acc", 2, 2)});
    write({simple("loss", 1, 10), simple("acc", 1, 10)}, "events.out.tfevents.2");
    follow();
    EXPECT_EQ(series("loss"), "1:10");
    EXPECT_EQ(series("acc"), "1:10");
    EXPECT_EQ(history_->global().size(), 1U) << "a row without any value goes";
    write({simple("loss", 2, 99), simple("loss", 0, 99)});  // the older file no longer counts
    write({simple("loss", 2, 20)}, "events.out.tfevents.2");
    step();
    EXPECT_EQ(series("loss"), "1:10 2:20");
}

TEST_F(RunEventsTest, TakesBatchesThatAreCountedAnewEachEpochForNoNewBeginning) {
    for (int epoch = 0; epoch < 3; ++epoch) {
        const auto value = static_cast<float>(epoch);
        for (int batch = 0; batch < 5 - epoch; ++batch) write({simple("loss", batch, value), simple("lr", batch, value / 4)});
        write({simple("acc", epoch, 1 + value), simple("far", 100 * epoch, value)});
        if (epoch == 1) follow();
    }
    step();
    EXPECT_EQ(series("loss"), "0:2 1:2 2:2");
    EXPECT_EQ(series("lr"), "0:0.5 1:0.5 2:0.5");
    EXPECT_EQ(series("acc"), "0:1 1:2 2:3");
    EXPECT_EQ(series("far"), "0:0 100:1 200:2");
    EXPECT_EQ(run_->attempt(), 1);
}

TEST_F(RunEventsTest, GivesRowsThatComeAgainTheirNewTime) {
    write({simple("loss", 0, 1, 1000), simple("loss", 1, 1, 1001), simple("acc", 5, 1, 1002)});
    write({simple("loss", 0, 2, 1010), simple("loss", 1, 2, 1011)});
    follow();
    EXPECT_THAT(history_->global().time_s, ElementsAre(10, 11, 2));
}

// Rows that left the window can't be told again one by one.
TEST_F(RunEventsTest, KeepsTagsOfFewPointsWhereManyBatchesAreCountedAnew) {
    std::string bytes;
    for (int epoch = 0; epoch < 3; ++epoch) {
        for (int batch = 0; batch < 20000 - epoch; ++batch) {
            bytes += record(simple("loss", batch, static_cast<float>(epoch))) + record(simple("lr", batch, 1));
        }
        bytes += record(simple("acc", epoch, static_cast<float>(10 + epoch)));
    }
    append(dir_.path() / "events.out.tfevents.1", bytes);
    follow();
    const run::PointTable& table = history_->global();
    ASSERT_EQ(table.size(), 19998U);
    for (std::size_t i = 0; i < table.size(); ++i) ASSERT_EQ((*table.find("loss"))[i], 2) << i;
    for (std::size_t i = 0; i < table.size(); ++i) ASSERT_EQ((*table.find("lr"))[i], 1) << i;
    EXPECT_EQ(series("curves 1/acc"), "0:10 1:11 2:12");
}

TEST_F(RunEventsTest, KeepsALongCurveWhereAShortOneIsCountedAnew) {
    std::string bytes;
    for (int step = 0; step < 100; ++step) bytes += record(simple("loss", step, 1));
    for (int batch = 0; batch < 3; ++batch) bytes += record(simple("val", batch, 1));
    for (int step = 100; step < 20000; ++step) bytes += record(simple("loss", step, 1));
    for (int epoch = 2; epoch < 4; ++epoch) {
        for (int batch = 0; batch < 3; ++batch) bytes += record(simple("val", batch, static_cast<float>(epoch)));
    }
    append(dir_.path() / "events.out.tfevents.1", bytes);
    follow();
    const run::PointTable& table = history_->global();
    ASSERT_EQ(table.size(), 20000U);
    for (std::size_t i = 0; i < table.size(); ++i) ASSERT_EQ((*table.find("loss"))[i], 1) << i;
    EXPECT_EQ(series("curves 1/val"), "0:3 1:3 2:3");
}

TEST_F(RunEventsTest, TakesALongRunThatGoesOnFromAnEarlierStep) {
    std::string bytes;
    const auto tell = [&](int from, int to, float value) {
        for (int step = from; step < to; ++step) {
            bytes += record(simple("loss", step, value));
            if (step % 1000 == 0) bytes += record(simple("acc", step, value));
        }
    };
    tell(0, 20000, 1);
    append(dir_.path() / "events.out.tfevents.1", std::exchange(bytes, {}));
    tell(5500, 7500, 2);
    append(dir_.path() / "events.out.tfevents.2", bytes);
    follow();
    const run::PointTable& table = history_->global();
    EXPECT_EQ(table.step.back(), 7499);
    ASSERT_EQ(table.size(), 7500U);
    for (std::size_t i = 0; i < table.size(); ++i) ASSERT_EQ((*table.find("loss"))[i], i < 5500 ? 1 : 2) << i;
    EXPECT_EQ(series("acc"), "0:1 1000:1 2000:1 3000:1 4000:1 5000:1 6000:2 7000:2");
}

// As many rows as the window holds, and none that has left it.
TEST_F(RunEventsTest, LosesNothingOfAFullWindow) {
    std::string bytes;
    for (int i = 1; i <= static_cast<int>(2 * StepRows::kWindow); ++i) bytes += record(simple("loss", 100 * i, 1));
    append(dir_.path() / "events.out.tfevents.1", bytes);
    write({simple("test", 3, 5), simple("test", 4, 6)});
    follow();
    EXPECT_EQ(history_->global().size(), 2 * StepRows::kWindow);
    EXPECT_EQ(series("curves 1/test"), "3:5 4:6");
}

TEST_F(RunEventsTest, ReadsWhatKerasWrites) {
    write({scalar("epoch_loss", 0, 4), scalar("epoch_accuracy", 0, 0.25F), scalar("epoch_loss", 1, 2), scalar("epoch_accuracy", 1, 0.5F),
           scalar("epoch_learning_rate", 1, 0.125F)},
          "train/events.out.tfevents.1.v2");
    write({scalar("evaluation_loss_vs_iterations", 10, 5), scalar("epoch_loss", 0, 5), scalar("evaluation_loss_vs_iterations", 20, 3),
           scalar("epoch_loss", 1, 3)},
          "validation/events.out.tfevents.1.v2");
    follow(true);
    EXPECT_EQ(series("loss"), "0:4 1:2");
    EXPECT_EQ(series("accuracy"), "0:0.25 1:0.5");
    EXPECT_EQ(series("learning_rate"), "1:0.125");
    EXPECT_EQ(series("val_loss"), "0:5 1:3");
    ASSERT_EQ(history_->epochs().size(), 2U);
    EXPECT_EQ(history_->epochs()[1].log("loss"), 2);
    EXPECT_EQ(history_->epochs()[1].log("val_loss"), 3);
}

TEST_F(RunEventsTest, PutsKerasEpochsBehindTheirBatches) {
    write({scalar("batch_loss", 0, 9), scalar("batch_loss", 10, 8), scalar("epoch_loss", 0, 8.5F), scalar("epoch_learning_rate", 0, 0.5F),
           scalar("batch_loss", 20, 7), scalar("epoch_loss", 1, 7.5F), scalar("epoch_learning_rate", 1, 0.25F)},
          "train/events.out.tfevents.1.v2");
    write({scalar("epoch_loss", 0, 10), scalar("epoch_loss", 1, 11)}, "validation/events.out.tfevents.1.v2");
    follow(true);
    EXPECT_EQ(series("loss"), "0:9 10:8 20:7");
    EXPECT_EQ(series("epoch_loss"), "10:8.5 20:7.5");
    EXPECT_EQ(series("learning_rate"), "10:0.5 20:0.25");
    EXPECT_EQ(series("val_loss"), "10:10 20:11");
}

TEST_F(RunEventsTest, ReadsKerasRunsThatWereWrittenIntoOneFolder) {
    for (const std::string file : {"1", "2"}) {
        const float value = file == "1" ? 4 : 40;
        const std::int64_t batches = file == "1" ? 10 : 5;
        for (int epoch = 0; epoch < 2; ++epoch) {
            write({scalar("batch_loss", batches * epoch, value), scalar("batch_loss", batches * (epoch + 1), value),
                   scalar("epoch_loss", epoch, value), scalar("epoch_learning_rate", epoch, value / 4)},
                  "train/events.out.tfevents." + file + ".v2");
            write({scalar("epoch_loss", epoch, value / 2)}, "validation/events.out.tfevents." + file + ".v2");
        }
    }
    follow(true);
    EXPECT_EQ(series("loss"), "0:40 5:40 10:40");
    EXPECT_EQ(series("learning_rate"), "5:10 10:10");
    EXPECT_EQ(series("val_loss"), "5:20 10:20");
}

TEST_F(RunEventsTest, ReportsHistogramsOfOneStepTogether) {
    write({histogram("m/dense/kernel/histogram", 0, {{-1, 0, 3}, {0, 1, 3}}),
           histogram("m/dense/kernel/gradient/histogram", 0, {{0, 1, 2}}), oldHistogram("bias", 1, 0, 3, 6, 14, {1, 2, 3}, {1, 1, 1})});
    follow();
    const run::WeightHistory& reports = history_->weightReports();
    ASSERT_EQ(reports.weights().size(), 2U);
    EXPECT_EQ(reports.weights()[0].name, "m/dense/kernel");
    EXPECT_THAT(reports.weights()[0].entries[0].counts, testing::SizeIs(30));
    EXPECT_EQ(reports.weights()[1].entries[0].mean, 2);
    EXPECT_NEAR(reports.weights()[1].entries[0].norm, std::sqrt(14), 1e-9);
    ASSERT_EQ(reports.gradients().size(), 1U);
    EXPECT_EQ(reports.gradients()[0].name, "m/dense/kernel");
}

TEST_F(RunEventsTest, LogsTextHparamsAndDamage) {
    const std::string start = part(3, part(1, part(1, "lr") + part(2, fixed(2, 0.5))));
    write({text("notes/text_summary", 0, "first\nsecond"), event(0, 1000, summary(part(1, "_h") + metadata("hparams", start))),
           simple("loss", 1, 1)});
    std::string damaged = record(simple("loss", 2, 2));
    damaged[15] ^= 1;
    append(dir_.path() / "events.out.tfevents.1", damaged);
    write({"\xFF", simple("loss", 3, 3)});
    follow();
    EXPECT_EQ(series("loss"), "1:1 3:3");
    EXPECT_THAT(lines(), Contains("notes/text_summary: first"));
    EXPECT_THAT(lines(), Contains("notes/text_summary: second"));
    EXPECT_THAT(lines(), Contains("hparams: lr=0.5"));
    EXPECT_THAT(lines(), Contains(HasSubstr("damaged at byte")));
    EXPECT_THAT(lines(), Contains(HasSubstr("got 1 bytes that are none")));
}

TEST_F(RunEventsTest, KnowsTheEndOfASession) {
    write({simple("loss", 1, 1)});
    follow();
    EXPECT_FALSE(run_->isOver());
    write({event(0, 1000, summary(part(1, "_hparams_/session_end_info") + metadata("hparams", part(4, number(1, 1)))))});
    step();
    EXPECT_TRUE(run_->isOver());
    EXPECT_FALSE(run_->hasFailed());
    EXPECT_THAT(run_->lastValues(), ElementsAre(testing::Pair("loss", 1)));
}

TEST_F(RunEventsTest, KnowsTheLastValueOfALongCurve) {
    std::string bytes;
    for (int step = 1; step <= 9000; ++step) bytes += record(simple("loss", step, static_cast<float>(step)));
    append(dir_.path() / "events.out.tfevents.1", bytes);
    follow();
    EXPECT_THAT(run_->lastValues(), ElementsAre(testing::Pair("loss", 9000)));
}

TEST_F(RunEventsTest, BeginsAnewWhereAnotherFileHasTheName) {
    write({simple("loss", 1, 1), simple("loss", 2, 2)});
    follow();
    std::filesystem::remove(dir_.path() / "events.out.tfevents.1");
    write({simple("loss", 1, 10)});
    step();
    EXPECT_EQ(series("loss"), "1:10");
    EXPECT_THAT(lines(), Contains(HasSubstr("another file has its place")));
}

TEST_F(RunEventsTest, ReadsInPiecesOfAnySize) {
    std::string bytes;
    for (int i = 1; i <= 20000; ++i) bytes += record(simple("a", i, 1)) + record(simple("b", i, 2));
    append(dir_.path() / "events.out.tfevents.1", bytes);
    run_ = std::make_unique<RunEvents>(std::vector<RunSource>{{dir_.path()}});
    history_ = std::make_unique<run::RunHistory>(run::RunInfo{});
    run_->findFiles();
    while (run_->read(1000)) EXPECT_FALSE(history_->add(run_->takeEvents()) & run::RunHistory::kSuperseded);
    run_->settle();
    EXPECT_FALSE(history_->add(run_->takeEvents()) & run::RunHistory::kSuperseded);
    EXPECT_EQ(history_->global().size(), 20000U);
    for (const double value : *history_->global().find("b")) ASSERT_EQ(value, 2);
}

TEST(EventFolder, NamesRunsAsTensorBoardDoes) {
    const tests::support::TempDir dir;
    append(dir.path() / "events.out.tfevents.1", "");
    append(dir.path() / "sgd" / "a" / "events.out.tfevents.1", "");
    append(dir.path() / "keras" / "train" / "events.out.tfevents.1.v2", "");
    append(dir.path() / "keras" / "validation" / "events.out.tfevents.1.v2", "");
    append(dir.path() / "none" / "notes.txt", "");
    append(dir.path() / "none" / "events.out.tfevents.1.profile-empty", "");
    std::filesystem::create_directory_symlink(dir.path() / "sgd", dir.path() / "link");
    std::vector<std::string> names;
    for (const EventFolder& run : eventFoldersBelow(dir.path())) names.push_back(run.name);
    EXPECT_THAT(names, testing::UnorderedElementsAre(dir.path().filename().string(), "keras", "sgd/a"));
    const auto keras = eventFoldersBelow(dir.path() / "keras");
    ASSERT_EQ(keras.size(), 1U);
    EXPECT_EQ(keras[0].name, "keras");
    EXPECT_THAT(keras[0].sources,
                ElementsAre(RunSource{dir.path() / "keras" / "train"}, RunSource{dir.path() / "keras" / "validation", true}));
    EXPECT_EQ(eventFoldersBelow(dir.path() / "keras" / "train").front().name, "train");
    EXPECT_TRUE(holdsEventFiles(dir.path()));
    EXPECT_FALSE(holdsEventFiles(dir.path() / "none"));
    EXPECT_THAT(eventFoldersBelow(dir.path() / "missing"), IsEmpty());
}

}  // namespace
}  // namespace engine::event_files
