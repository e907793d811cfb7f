// SPDX-License-Identifier: GPL-3.0-or-later
// What the marks of a chart say of tasks that were started again.
#include "ui/monitor/monitor_marks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace ui::views
