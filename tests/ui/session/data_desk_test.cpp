// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/data/data_desk.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QTest>
#include <atomic>
#include <chrono>
#include <thread>

#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/fake_agent_client.h"
#include "ui/session/data/data_answers.h"
#include "ui/session/data/dataset_reader.h"
#include "ui/session/host/client_slot.h"

namespace ui::session {
namespace {

namespace spec = engine::spec;

constexpr int kDeadlineMs = 180'000;

spec::DataFacts tinySet() {
    return {.dataset = "tiny",
            .train_samples = 3,
            .test_samples = 1,
            .train_files = {2, 1},
            .sample_shape = {1, 2},
            .sample_dtype = "uint8",
            .label_dtype = "int32",
            .largest = 9,
            .bytes = 77,
            .is_checked = true,
            .bad = 2,
            .first_bad = {"a.jpg: is empty"},
            .columns = {{"y", "category", true, 4}},
            .has_classes = true,
            .groups_left_out = 5,
            .groups = {{"cat", 3, 1, {{7, 1, 2, 1, {9, 10}, ""}, {8, 0, 0, 0, {}, "1, 2"}, {9, 1, 1, 3, {1, 2, 3}, ""}}}}};
}

TEST(DataAnswers, BecomeWhatViewsShow) {
    DataState state;
    take(spec::EngineProgress{spec::EngineProgress::Stage::kFetch, "train.gz", 12000, 60000}, state);
    EXPECT_EQ(state.phase, DataPhase::kFetching);
    EXPECT_EQ(state.name, "train.gz");
    EXPECT_EQ(state.done, 12000);
    take(spec::EngineProgress{spec::EngineProgress::Stage::kRead, "mnist", 1, 2}, state);
    EXPECT_EQ(state.phase, DataPhase::kReading);
    take(tinySet(), state);
    EXPECT_EQ(state.phase, DataPhase::kReady);
    const DataSummary& summary = state.summary;
    EXPECT_EQ(summary.train_samples, 3);
    EXPECT_TRUE(summary.checksum_fits);
    EXPECT_EQ(summary.bad, 2);
    EXPECT_EQ(summary.columns.at(0).categories, 4);
    EXPECT_EQ(summary.groups.at(0).samples.at(0).image.pixelColor(1, 0).red(), 10);
    EXPECT_EQ(summary.groups.at(0).samples.at(1).text, "1, 2");
    EXPECT_TRUE(summary.groups.at(0).samples.at(1).image.isNull());
    EXPECT_EQ(summary.groups.at(0).samples.at(2).image.pixelColor(0, 0), QColor(1, 2, 3));
    take(spec::DataFacts{.problem = spec::DataProblem{engine::ErrorCode::kNotFound, "kmnist: none", true}}, state);
    EXPECT_EQ(state.phase, DataPhase::kFailed);
    EXPECT_EQ(state.code, "not found");
    EXPECT_TRUE(state.can_fetch);
    EXPECT_TRUE(state.has_summary) << "the last answer stays";
}

TEST(DataAnswers, BecomeAPreviewOfShards) {
    const ShardState shards = toShards({.dataset = "tiny",
                                        .training_samples = 10,
                                        .policy = "DATA",
                                        .reason = "because",
                                        .chain = "",
                                        .meanings = {},
                                        .advice = {"a"},
                                        .tasks = {{"worker", 0}, {"worker", 1}},
                                        .global_batch_size = 4,
                                        .steps_per_epoch = 3,
                                        .steps = {{1, 0, {{0, 2, 4}, {1, 3}}, {{2, 1}, {1, 1}}}}});
    EXPECT_EQ(shards.tasks, (QStringList{"worker 0", "worker 1"}));
    EXPECT_EQ(shards.steps.at(0).samples.at(1), (std::vector<std::uint32_t>{1, 3}));
    EXPECT_EQ(shards.steps.at(0).parts.at(0), (std::vector<std::uint32_t>{2, 1}));
    EXPECT_EQ(shards.steps_per_epoch, 3);
}

// An agent whose engine answers at once, but a set called "slow" never.
class AskedData : public testing::Test {
protected:
    AskedData() {
        world_->engine = [this](const spec::EngineQuestion& question, const agent::client::AskOptions& options) -> spec::EngineAnswer {
            options.progress({spec::EngineProgress::Stage::kRead, question.run.data.dataset, 1, 2});
            if (question.run.data.dataset == "slow") {
                while (!options.is_cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
                ended_ = true;
                throw engine::Error(engine::ErrorCode::kCancelled, "question: cancelled");
            }
            if (question.run.data.dataset == "broken") throw engine::Error(engine::ErrorCode::kInternal, "tandem-worker: out of paper");
            return tinySet();
        };
        slot_->put(std::make_shared<tests::FakeAgentClient>(world_));
    }
    static spec::DataSpec set(const std::string& name) {
        spec::DataSpec data;
        data.dataset = name;
        return data;
    }

    std::atomic<bool> ended_ = false;
    std::shared_ptr<tests::FakeAgentWorld> world_ = std::make_shared<tests::FakeAgentWorld>();
    std::shared_ptr<ClientSlot> slot_ = std::make_shared<ClientSlot>();
};

TEST_F(AskedData, IsCancelledAndNotHeardAgain) {
    DataInspection inspection(slot_);
    inspection.start(set("slow"), {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return inspection.state().total == 2; }, kDeadlineMs));
    inspection.cancel();
    EXPECT_EQ(inspection.state().phase, DataPhase::kIdle);
    ASSERT_TRUE(QTest::qWaitFor([&] { return ended_.load(); }, kDeadlineMs)) << "the engine is told";
    QCoreApplication::processEvents();
    EXPECT_EQ(inspection.state().phase, DataPhase::kIdle);
}

TEST_F(AskedData, SaysWhyThereIsNoAnswer) {
    DataInspection inspection(slot_);
    inspection.start(set("broken"), {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return inspection.state().phase == DataPhase::kFailed; }, kDeadlineMs));
    EXPECT_EQ(inspection.state().problem, "tandem-worker: out of paper");
    EXPECT_EQ(inspection.state().code, "") << "the set itself has no fault";
}

TEST_F(AskedData, AsksWhatTheUserWants) {
    DataInspection inspection(slot_);
    inspection.start(set("tiny"), "/home/me", DataInspection::Fetch::kYes, DataInspection::Depth::kCheckAll, 3);
    EXPECT_EQ(inspection.state().phase, DataPhase::kFetching) << "at once";
    ASSERT_TRUE(QTest::qWaitFor([&] { return inspection.state().phase == DataPhase::kReady; }, kDeadlineMs));
    ASSERT_EQ(world_->asked.size(), 1U);
    EXPECT_EQ(world_->asked[0].base_dir, "/home/me");
    EXPECT_EQ(std::get<spec::DataQuestion>(world_->asked[0].asked), (spec::DataQuestion{.fetch = true, .check = true, .draw = 3}));
}

// Asking returns at once, whatever the engine does (a set that is slow is so until nobody wants it any more); an earlier question is not
// heard any more.
TEST_F(AskedData, TellsTheFactsOfASetWithoutWaiting) {
    DatasetReader reader(slot_, {});
    std::vector<DatasetFacts> answers;
    QObject::connect(&reader, &DatasetReader::answered, &reader, [&](const DatasetFacts& facts) { answers.push_back(facts); });
    reader.ask(set("slow"), {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !world_->asked.empty(); }, kDeadlineMs));
    reader.ask(set("fast"), {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !answers.empty(); }, kDeadlineMs));
    EXPECT_TRUE(answers[0].found);
    EXPECT_EQ(answers[0].train_samples, 3);
    EXPECT_EQ(answers[0].train_files, (std::vector<std::int64_t>{2, 1}));
    ASSERT_TRUE(QTest::qWaitFor([&] { return ended_.load(); }, kDeadlineMs));
    QCoreApplication::processEvents();
    EXPECT_EQ(answers.size(), 1U);
    answers.clear();
    reader.ask(set("broken"), {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !answers.empty(); }, kDeadlineMs));
    EXPECT_EQ(answers[0].problem, "tandem-worker: out of paper");
}

TEST(SourceOf, LeavesOutWhatHappensAfterReading) {
    engine::spec::DataSpec data;
    data.dataset = "csv";
    data.csv.label = "y";
    const engine::spec::DataSpec source = sourceOf(data);
    data.batch_size_per_replica = 7;
    data.shuffle = 0;
    data.take = 3;
    data.on_error = engine::spec::BadRecord::kSkip;
    std::swap(data.order.front(), data.order.back());
    EXPECT_EQ(sourceOf(data), source);
    data.csv.label = "x";
    EXPECT_NE(sourceOf(data), source);
}

}  // namespace
}  // namespace ui::session
