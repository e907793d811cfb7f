#include "engine/export/event_file.h"

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/export/atomic_file.h"
#include "engine/export/tensor_board/run_logs.h"
#include "engine/files/place.h"
#include "engine/spec/error.h"
#include "tests/support/event_reader.h"
#include "tests/support/temp_dir.h"

namespace engine::exporter {
namespace {

using testing::ElementsAre;
using tests::support::EventLog;
using tests::support::readEventFile;
using tests::support::readEventFolder;
using tests::support::TempDir;

TEST(EventFile, HoldsWhatTensorBoardReads) {
    const TempDir folder;
    EventFile file(folder.path() / "train");
    file.addKerasModel("keras", "{}");
    file.addScalar("epoch_loss", 3, 0.5F);
    const std::vector<float> values{0, 1, 2, 3};
    file.addHistogram("w/histogram", 4, histogramOf(values, 3));
    file.addImages("w/image", 4, std::vector<Picture>{{1, 2, 1, {0, 255}}, {1, 2, 1, {255, 0}}});
    file.flush();

    EXPECT_THAT(file.path().filename().string(), testing::MatchesRegex("events\\.out\\.tfevents\\.[0-9]{10}\\..+\\.[0-9]+\\.[0-9]+\\.v2"));
    const EventLog log = readEventFolder(folder.path() / "train");
    EXPECT_EQ(log.version, "brain.Event:2");
    EXPECT_FALSE(log.starts_anew);
    ASSERT_EQ(log.values.size(), 4U);

    EXPECT_EQ(log.values[0].tag, "keras");
    EXPECT_EQ(log.values[0].plugin, "graph_keras_model");
    EXPECT_THAT(log.values[0].strings, ElementsAre("{}"));

    EXPECT_EQ(log.values[1].tag, "epoch_loss");
    EXPECT_EQ(log.values[1].step, 3);
    EXPECT_EQ(log.values[1].plugin, "scalars");
    EXPECT_TRUE(log.values[1].shape.empty());
    EXPECT_EQ(log.values[1].scalar(), 0.5F);

    EXPECT_EQ(log.values[2].plugin, "histograms");
    EXPECT_THAT(log.values[2].shape, ElementsAre(3, 3));
    EXPECT_THAT(log.values[2].doubles(), ElementsAre(0, 1, 1, 1, 2, 1, 2, 3, 2));

    EXPECT_EQ(log.values[3].plugin, "images");
    EXPECT_THAT(log.values[3].shape, ElementsAre(4));
    ASSERT_EQ(log.values[3].strings.size(), 4U);
    EXPECT_EQ(log.values[3].strings[0], "2");
    EXPECT_EQ(log.values[3].strings[1], "1");
    EXPECT_EQ(log.values[3].strings[2].substr(1, 3), "PNG");
}

// TensorBoard forgets what earlier files hold from the step of that word on.
TEST(EventFile, OfARunThatGoesOnSaysFromWhichStep) {
    const TempDir folder;
    { EventFile first(folder.path()); }
    const std::filesystem::path path = [&] { return EventFile(folder.path(), std::int64_t{21}).path(); }();
    const std::string bytes = readFile(files::Place(path));
    EXPECT_NE(bytes.find(std::string("\x10\x15")), std::string::npos) << "the event's step, field 2, is 21";
}

TEST(EventFile, HoldsThePagesBesideTheCurves) {
    const TempDir folder;
    EventFile file(folder.path());
    file.setWallTime(1234.5);
    file.addText("notes", 2, "**bold**");
    const std::vector<float> probabilities{0.9F, 0.4F, 0.2F, std::numeric_limits<float>::quiet_NaN()};
    file.addPrCurve("class 1", 3, prCurveOf(probabilities, std::vector<std::uint8_t>{1, 0, 1, 0}, 3));
    file.addSessionStart(std::vector<std::pair<std::string, std::variant<double, bool, std::string>>>{{"lr", 0.5}, {"name", "sgd"}});
    file.addSessionEnd(true);
    file.addGraph(std::vector<GraphNode>{{"input", "Input", {}, {-1, 4}}, {"dense/Dense", "Dense", {"input"}, {-1, 2}}});
    file.flush();
    const EventLog log = readEventFile(file.path());
    ASSERT_EQ(log.values.size(), 4U) << "a graph is no value";
    EXPECT_EQ(log.values[0].plugin, "text");
    EXPECT_THAT(log.values[0].strings, ElementsAre("**bold**"));
    EXPECT_EQ(log.values[1].plugin, "pr_curves");
    EXPECT_THAT(log.values[1].shape, ElementsAre(6, 3));
    EXPECT_EQ(log.values[2].plugin, "hparams");
    EXPECT_EQ(log.values[2].tag, "_hparams_/session_start_info");
    EXPECT_EQ(log.values[3].tag, "_hparams_/session_end_info");
}

TEST(PrCurve, CountsAsTensorBoardDoes) {
    const std::vector<float> probabilities{0.9F, 0.6F, 0.4F, 0.1F};
    const PrCurve curve = prCurveOf(probabilities, std::vector<std::uint8_t>{1, 0, 1, 0}, 3);  // thresholds 0, 0.5, 1
    EXPECT_THAT(curve.true_positives, ElementsAre(2, 1, 0));
    EXPECT_THAT(curve.false_positives, ElementsAre(2, 1, 0));
    EXPECT_THAT(curve.true_negatives, ElementsAre(0, 1, 2));
    EXPECT_THAT(curve.false_negatives, ElementsAre(0, 1, 2));
    EXPECT_THAT(curve.precision, ElementsAre(0.5F, 0.5F, 0));
    EXPECT_THAT(curve.recall, ElementsAre(1, 0.5F, 0));
}

TEST(RunLogs, AreThoseThatKerasCallbackWouldHaveLeft) {
    const TempDir folder;
    run::RunHistory history(run::RunInfo{.id = "a", .state = run::RunState::kDone, .created_unix_ns = 1'000'000'000});
    const spec::TaskId chief{"worker", 0};
    history.add(
        {{0, 2'000'000'000, chief,
          spec::StepPoints{.step = {1, 2}, .epoch = {0, 0}, .time_unix_ns = {2'000'000'000, 3'000'000'000}, .columns = {{"loss", {4, 2}}}}},
         {0, 3'000'000'000, chief, spec::EpochEnd{.epoch = 0, .step = 2, .logs = {{"loss", 3}, {"val_loss", 5}}}}});
    const WrittenRunLogs written = writeRunLogs(history, files::Place(folder.path()));
    EXPECT_EQ(written.files, 2);
    EXPECT_EQ(written.points, 4);
    const EventLog train = readEventFolder(folder.path() / "train"), validation = readEventFolder(folder.path() / "validation");
    EXPECT_THAT(train.steps("batch_loss"), ElementsAre(1, 2));
    EXPECT_EQ(train.find("batch_loss", 2)->scalar(), 2);
    EXPECT_EQ(train.find("epoch_loss", 0)->scalar(), 3);
    EXPECT_EQ(validation.find("epoch_loss", 0)->scalar(), 5);
    EXPECT_EQ(validation.find("evaluation_loss_vs_iterations", 2)->scalar(), 5);
    EXPECT_NE(train.find("project", 0), nullptr);
}

// Who reads a file from its beginning takes an epoch for as long as the batches before it.
TEST(RunLogs, HaveTheValuesOfAnEpochBehindItsSteps) {
    const TempDir folder;
    run::RunHistory history(run::RunInfo{.id = "a", .state = run::RunState::kDone, .created_unix_ns = 1'000'000'000});
    const spec::TaskId chief{"worker", 0};
    history.add({{0, 2'000'000'000, chief,
                  spec::StepPoints{.step = {1, 2, 3},
                                   .epoch = {0, 0, 1},
                                   .time_unix_ns = {2'000'000'000, 3'000'000'000, 4'000'000'000},
                                   .columns = {{"loss", {4, 2, 1}}}}},
                 {0, 3'500'000'000, chief, spec::EpochEnd{.epoch = 0, .step = 2, .logs = {{"loss", 3}}}},
                 {0, 5'000'000'000, chief, spec::EpochEnd{.epoch = 1, .step = 3, .logs = {{"loss", 1}}}}});
    writeRunLogs(history, files::Place(folder.path()));
    std::vector<std::string> tags;
    for (const auto& value : readEventFolder(folder.path() / "train").values) {
        if (value.tag.ends_with("_loss")) tags.push_back(value.tag);
    }
    EXPECT_THAT(tags, ElementsAre("batch_loss", "batch_loss", "epoch_loss", "batch_loss", "epoch_loss"));
}

TEST(EventFile, GoesOnAfterWhatCounts) {
    const TempDir folder;
    std::filesystem::path path;
    std::uintmax_t bytes = 0;
    {
        EventFile file(folder.path());
        file.addScalar("a", 1, 1);
        path = file.path();
        bytes = file.bytes();
        file.addScalar("a", 2, 2);  // after the backup
    }
    {
        EventFile file(path, bytes);
        file.addScalar("a", 2, 3);
    }
    const EventLog log = readEventFile(path);
    EXPECT_THAT(log.steps("a"), ElementsAre(1, 2));
    EXPECT_EQ(log.find("a", 2)->scalar(), 3);
}

TEST(EventFile, SaysThatEarlierFilesNoLongerCount) {
    const TempDir folder;
    const EventFile first(folder.path());
    const EventFile second(folder.path());
    EXPECT_FALSE(readEventFile(first.path()).starts_anew);
    EXPECT_TRUE(readEventFile(second.path()).starts_anew);
}

TEST(EventFile, NamesAFolderThatItCannotWriteTo) {
    const TempDir folder;
    std::ofstream(folder.path() / "file") << "x";
    try {
        EventFile file(folder.path() / "file" / "logs");
        FAIL() << "expected an error";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr((folder.path() / "file").string()));
    }
}

TEST(Histogram, CountsByTensorFlowsRule) {
    const std::vector<float> values{-1, 0, 0.5F, 1, 1};
    const Histogram histogram = histogramOf(values, 4);
    EXPECT_THAT(histogram.counts, ElementsAre(1, 0, 1, 3));
    EXPECT_EQ(histogram.minimum, -1);
    EXPECT_EQ(histogram.maximum, 1);
    EXPECT_DOUBLE_EQ(histogram.norm * histogram.norm, 3.25);
}

TEST(Histogram, PutsEqualValuesIntoTheLastBucket) {
    EXPECT_THAT(histogramOf(std::vector<float>{2, 2, 2}, 3).counts, ElementsAre(0, 0, 3));
}

TEST(Histogram, LeavesOutWhatIsNoNumber) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    const Histogram histogram = histogramOf(std::vector<float>{nan, 1, infinity, 3}, 2);
    EXPECT_THAT(histogram.counts, ElementsAre(1, 1));
    EXPECT_EQ(histogram.not_finite, 2);
    EXPECT_THAT(histogramOf({}, 2).counts, ElementsAre(0, 0));
}

TEST(Png, IsRefusedForSizesThatDoNotFit) {
    EXPECT_THROW(encodePng({2, 2, 1, {0}}), Error);
    EXPECT_THROW(encodePng({1, 1, 2, {0, 0}}), Error);
    EXPECT_NO_THROW(encodePng({1, 1, 3, {0, 1, 2}}));
}

}  // namespace
}  // namespace engine::exporter
