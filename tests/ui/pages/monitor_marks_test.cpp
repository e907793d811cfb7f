// SPDX-License-Identifier: GPL-3.0-or-later
// What the marks of a chart say of tasks that were started again.
#include "ui/monitor/monitor_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "engine/spec/project/run_spec.h"
#include "ui/session/runs/run_record.h"

namespace ui::views {
namespace {

using namespace engine::spec;
using ::testing::EndsWith;
using ::testing::StartsWith;

const TaskId kChief{"worker", 0}, kLost{"worker", 1};

session::RunSummary threeWorkers() {
    RunSpec run;
    run.cluster.spec.jobs = {{"worker", {{0, "localhost:1111"}, {1, "localhost:2222"}, {2, "localhost:3333"}}}};
    session::RunSummary summary;
    summary.id = "run-1";
    summary.created_unix_ns = 1'000'000'000;
    summary.project_json = QString::fromStdString(toProjectJson(run));
    return summary;
}

// The only mark's tooltip.
std::string markAfter(std::initializer_list<EventBody> bodies, const TaskId& task) {
    session::RunRecord record(threeWorkers());
    std::uint64_t sequence = 0;
    for (const EventBody& body : bodies) {
        const bool chiefs = std::holds_alternative<RunStarted>(body);
        record.ingest({{++sequence, 16'000'000'000, chiefs ? kChief : task, body}});
    }
    const auto marks = restartMarks(record);
    return marks.size() == 1 ? marks[0].tooltip.toStdString() : std::to_string(marks.size()) + " marks";
}

RunStarted behind(std::int64_t step) {
    RunStarted started;
    started.resumed_step = step;
    return started;
}

TEST(RestartMarks, SayThatAllTasksBeganAgainWhereTheyDid) {
    EXPECT_THAT(markAfter({AttemptStarted{2, 4, true, "killed by signal 9 (SIGKILL)"}, behind(70)}, kLost),
                ::testing::AllOf(StartsWith("worker 1: killed by signal 9 (SIGKILL)"),
                                 EndsWith("all tasks began again behind step 70 (attempt 2 of 4)")));
}

TEST(RestartMarks, OfARunThatGoesOnWithoutATaskThoseThatAreLeftBeganAgain) {
    AttemptStarted smaller{2, 4, true, "killed by signal 9 (SIGKILL); the run goes on with 2 of 3 workers, without worker 1"};
    smaller.left_out = {kLost};
    EXPECT_THAT(
        markAfter({smaller, behind(70)}, kLost),
        ::testing::AllOf(StartsWith("worker 1: killed by signal 9 (SIGKILL); the run goes on with 2 of 3 workers, without worker 1"),
                         EndsWith("the tasks that are left began again behind step 70 (attempt 2 of 4)")));
}

TEST(RestartMarks, ATaskThatCameBackAloneLeftTheOthersGoingOn) {
    EXPECT_EQ(markAfter({behind(0), StateChanged{TaskState::kNotStarted, "killed by signal 9 (SIGKILL)"}}, kLost),
              "worker 1: killed by signal 9 (SIGKILL), 00:15.000 after the launch; it alone began again, the others went on");
}

// Three epochs, each with a checkpoint.
void tellThreeEpochs(session::RunRecord& record, bool keeps_the_best_alone) {
    std::uint64_t sequence = 0;
    const auto tell = [&](EventBody body) {
        record.ingest({{++sequence, 16'000'000'000 + static_cast<std::int64_t>(sequence), kChief, std::move(body)}});
    };
    const std::array values{0.5, 0.9, 0.7};
    for (int epoch = 0; epoch < 3; ++epoch) {
        tell(EpochEnd{epoch, 10 * (epoch + 1), 1.0, {{"val_accuracy", values[static_cast<std::size_t>(epoch)]}}});
        tell(CheckpointSaved{"checkpoints/ckpt_" + std::to_string(epoch + 1), epoch, 10 * (epoch + 1), 1000, 0.01,
                             keeps_the_best_alone && epoch < 2});
    }
}

TEST(CheckpointMarks, FillTheBestWhereAllAreKept) {
    using Kind = charts::Marker::Kind;
    for (const bool keeps_the_best_alone : {false, true}) {
        session::RunRecord record(threeWorkers());
        tellThreeEpochs(record, keeps_the_best_alone);
        EXPECT_EQ(bestCheckpoint(record), 1U);
        const auto marks = checkpointMarks(record);
        ASSERT_EQ(marks.size(), 3U);
        EXPECT_EQ(marks[0].kind, Kind::kCheckpoint);
        EXPECT_EQ(marks[1].kind, Kind::kBestCheckpoint);
        EXPECT_EQ(marks[2].kind, Kind::kCheckpoint);
    }
    EXPECT_FALSE(bestCheckpoint(session::RunRecord(threeWorkers())));
}

}  // namespace
}  // namespace ui::views
