// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/runs/run_record.h"

#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QSignalSpy>
#include <cmath>

#include "engine/spec/project/run_spec.h"
#include "tests/support/sample_run.h"

namespace ui::session {
namespace {

using namespace engine::spec;

RunSummary twoWorkers() {
    RunSpec run;
    run.name = "two workers";
    run.cluster.spec.jobs = {{"worker", {{0, "localhost:12345"}, {1, "localhost:23456"}}}};
    RunSummary summary;
    summary.id = "run-1";
    summary.state = RunState::kStarting;
    summary.created_unix_ns = 1'000'000'000;
    summary.project_json = QString::fromStdString(toProjectJson(run));
    return summary;
}

TaskEvent event(std::uint64_t sequence, const TaskId& task, EventBody body) {
    return {sequence, 2'000'000'000, task, std::move(body)};
}

StepPoints points(std::int64_t first, std::initializer_list<float> losses, bool aggregated = true) {
    StepPoints out;
    out.aggregated = aggregated;
    out.examples_per_step = 64;
    out.columns = {{"loss", {}}};
    for (const float loss : losses) {
        out.step.push_back(first++);
        out.epoch.push_back(0);
        out.time_unix_ns.push_back(2'000'000'000);
        out.columns[0].values.push_back(loss);
    }
    return out;
}

const TaskId kWorker0{"worker", 0}, kWorker1{"worker", 1};

TEST(RunRecord, CollectsPointsIntoColumns) {
    RunRecord record(twoWorkers());
    record.ingest({event(1, kWorker0, points(1, {0.5f, 0.4f})), event(2, kWorker0, points(3, {0.3f}))});
    const PointTable& table = record.global();
    ASSERT_EQ(table.size(), 3u);
    EXPECT_EQ(table.step, (std::vector<double>{1, 2, 3}));
    ASSERT_NE(table.find("loss"), nullptr);
    EXPECT_FLOAT_EQ(static_cast<float>(table.find("loss")->back()), 0.3f);
    EXPECT_DOUBLE_EQ(table.time_s.front(), 1.0) << "seconds since the run was created";
    EXPECT_EQ(table.find("accuracy"), nullptr);
}

TEST(RunRecord, KnowsItsTasksBeforeTheyTellAnything) {
    const RunRecord record(twoWorkers());
    ASSERT_EQ(record.tasks().size(), 2u);
    EXPECT_EQ(record.tasks()[1].id, kWorker1);
    EXPECT_EQ(record.tasks()[1].address, "localhost:23456");
    EXPECT_EQ(record.tasks()[1].state, TaskState::kNotStarted);
}

TEST(RunRecord, SkipsEventsThatAReplayBringsAgain) {
    RunRecord record(twoWorkers());
    const std::vector<TaskEvent> first{event(1, kWorker0, points(1, {0.5f})), event(2, kWorker0, points(2, {0.4f}))};
    record.ingest(first);
    record.ingest(first);
    record.ingest({event(2, kWorker0, points(2, {0.4f})), event(3, kWorker0, points(3, {0.3f}))});
    EXPECT_EQ(record.global().size(), 3u);
    EXPECT_EQ(record.lastSequence(), 3u);
}

TEST(RunRecord, TellsWhoIsMissingFromWhoIsThereAndWaits) {
    RunRecord record(twoWorkers());
    std::uint64_t sequence = 0;
    const auto tell = [&](const TaskId& task, StateChanged change) { record.ingest({event(++sequence, task, std::move(change))}); };
    const auto missing = [&] {
        std::vector<TaskId> ids;
        for (const TaskRecord* task : record.tasks().missing()) ids.push_back(task->id);
        return ids;
    };
    using Ids = std::vector<TaskId>;
    const StateChanged waits_for_1{TaskState::kWaiting, "waiting for worker 1", WaitCause::kPeers, {kWorker1}};
    const StateChanged waits_for_0{TaskState::kWaiting, "waiting for worker 0", WaitCause::kPeers, {kWorker0}};
    EXPECT_EQ(missing(), (Ids{kWorker0, kWorker1})) << "nobody was heard";
    tell(kWorker0, {TaskState::kConnecting, "listening"});
    EXPECT_EQ(missing(), Ids{kWorker1}) << "never heard, before one that connects";
    tell(kWorker1, {TaskState::kConnecting, "listening"});
    EXPECT_EQ(missing(), (Ids{kWorker0, kWorker1}));
    tell(kWorker0, waits_for_1);
    EXPECT_EQ(missing(), Ids{kWorker1});
    EXPECT_EQ(record.tasks().silent(), nullptr) << "one that waits for another gives a sign of life";
    tell(kWorker1, {TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence});
    EXPECT_EQ(missing(), Ids{kWorker1});
    ASSERT_NE(record.tasks().silent(), nullptr);
    EXPECT_EQ(record.tasks().silent()->id, kWorker1);
    tell(kWorker1, waits_for_0);
    EXPECT_EQ(missing(), (Ids{kWorker0, kWorker1})) << "both are there and have not met";
    tell(kWorker0, {TaskState::kReady, ""});
    tell(kWorker1, {TaskState::kReady, ""});
    EXPECT_EQ(missing(), Ids{});
}

TEST(RunRecord, HoldsNoTaskOfARunThatIsOverForTraining) {
    RunSummary summary = twoWorkers();
    RunRecord record(summary);
    record.ingest({event(1, kWorker0, StateChanged{TaskState::kTraining, {}}), event(2, kWorker1, StateChanged{TaskState::kTraining, {}})});
    summary.state = RunState::kFailed;
    summary.detail = QStringLiteral("the agent was killed");
    record.setSummary(summary);
    EXPECT_EQ(record.tasks()[0].state, TaskState::kTraining) << "its last words may be on their way";
    record.ingest({event(3, kWorker1, StateChanged{TaskState::kDone, {}})});
    record.endOfEvents();
    EXPECT_EQ(record.tasks()[0].state, TaskState::kStopped);
    EXPECT_EQ(record.tasks()[0].detail, "the agent was killed");
    EXPECT_EQ(record.tasks()[1].state, TaskState::kDone);
}

TEST(RunRecord, FillsAColumnThatComesLaterWithNoValue) {
    RunRecord record(twoWorkers());
    StepPoints later = points(2, {0.4f});
    later.columns.push_back({"accuracy", {0.9f}});
    record.ingest({event(1, kWorker0, points(1, {0.5f})), event(2, kWorker0, later), event(3, kWorker0, points(3, {0.3f}))});
    const auto* accuracy = record.global().find("accuracy");
    ASSERT_NE(accuracy, nullptr);
    ASSERT_EQ(accuracy->size(), 3u);
    EXPECT_TRUE(std::isnan((*accuracy)[0]));
    EXPECT_FLOAT_EQ(static_cast<float>((*accuracy)[1]), 0.9f);
    EXPECT_TRUE(std::isnan((*accuracy)[2]));
}

TEST(RunRecord, KeepsAReplicasOwnPointsApartFromTheWhole) {
    RunRecord record(twoWorkers());
    record.ingest({event(1, kWorker0, points(1, {0.5f})), event(2, kWorker1, points(1, {0.7f}, false))});
    EXPECT_EQ(record.global().size(), 1u);
    EXPECT_EQ(record.tasks().find(kWorker1)->own.size(), 1u);
    EXPECT_EQ(record.tasks().find(kWorker1)->whole.size(), 0u);
}

TEST(RunRecord, SignalsOnceForABatchOfEvents) {
    RunRecord record(twoWorkers());
    QSignalSpy points_arrived(&record, &RunRecord::pointsArrived), logs(&record, &RunRecord::logsArrived);
    for (std::uint64_t i = 1; i <= 100; ++i) record.ingest({event(i, kWorker0, points(static_cast<std::int64_t>(i), {0.5f}))});
    EXPECT_EQ(points_arrived.count(), 0) << "not before the batch is due";
    ASSERT_TRUE(points_arrived.wait(180'000));
    EXPECT_EQ(points_arrived.count(), 1);
    EXPECT_EQ(logs.count(), 0);
}

TEST(RunRecord, NamesTheFirstFailureByTime) {
    RunRecord record(twoWorkers());
    TaskFailed late, early;
    late.reason = "connection to worker 1 lost";
    early.reason = "killed by signal 9 (SIGKILL)";
    TaskEvent second = event(1, kWorker0, late), first = event(2, kWorker1, early);
    second.time_unix_ns = 5'000'000'000;
    first.time_unix_ns = 4'000'000'000;
    record.ingest({second, first});
    ASSERT_NE(record.tasks().firstFailure(), nullptr);
    EXPECT_EQ(record.tasks().firstFailure()->id, kWorker1);
    EXPECT_EQ(record.tasks().firstFailure()->detail, "killed by signal 9 (SIGKILL)");
}

TEST(RunRecord, NamesTheKilledTaskBeforeTheOneThatNoticedIt) {
    RunRecord record(twoWorkers());
    TaskFailed noticed, killed;
    noticed.exit_code = 1;
    killed.signal = 9;
    TaskEvent first = event(1, kWorker0, noticed), second = event(2, kWorker1, killed);
    first.time_unix_ns = 4'000'000'000;
    second.time_unix_ns = 4'000'000'100;
    record.ingest({first, second});
    ASSERT_NE(record.tasks().firstFailure(), nullptr);
    EXPECT_EQ(record.tasks().firstFailure()->id, kWorker1);
}

// A worker that misses another's heartbeats ends before the agent has ended the one that hangs.
TEST(RunRecord, NamesTheSilentTaskAndNeverTheOneThatNoticedIt) {
    for (const auto& [hangs, notices] : {std::pair{kWorker1, kWorker0}, std::pair{kWorker0, kWorker1}}) {
        RunRecord record(twoWorkers());
        auto tell = [&, sequence = std::uint64_t{0}](const TaskId& task, engine::spec::EventBody body) mutable {
            TaskEvent told = event(++sequence, task, std::move(body));
            told.time_unix_ns = static_cast<std::int64_t>(sequence) * 1'000'000'000;
            record.ingest({told});
        };
        for (const TaskId& task : {kWorker0, kWorker1}) tell(task, StateChanged{TaskState::kTraining, ""});
        TaskFailed noticed, given_up;
        noticed.exit_code = 1;
        given_up.exit_code = -1;
        tell(notices, StateChanged{TaskState::kFailed, "no heartbeat of the other"});
        tell(hangs, StateChanged{TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence});
        tell(notices, noticed);
        ASSERT_NE(record.tasks().silent(), nullptr);
        EXPECT_EQ(record.tasks().silent()->id, hangs);
        EXPECT_EQ(record.tasks().firstFailure(), nullptr) << "the cause has not ended yet";
        tell(hangs, StateChanged{TaskState::kFailed, "no heartbeat for 4 s"});
        tell(hangs, given_up);
        ASSERT_NE(record.tasks().firstFailure(), nullptr);
        EXPECT_EQ(record.tasks().firstFailure()->id, hangs);
        EXPECT_EQ(record.tasks().firstFailure()->failed_unix_ns, 6'000'000'000) << "when it was given up";
        EXPECT_EQ(record.tasks().firstFailure()->silentSeconds(6'000'000'000), hangs == kWorker0 ? 5 : 4) << "since its last word";
    }
}

TEST(RunRecord, GoesOnWithTheNextAttempt) {
    RunRecord record(twoWorkers());
    QSignalSpy superseded(&record, &RunRecord::superseded);
    TaskFailed killed;
    killed.signal = 9;
    killed.reason = "killed by signal 9 (SIGKILL)";
    record.ingest({event(1, kWorker0, StateChanged{TaskState::kTraining, ""}), event(2, kWorker0, points(1, {0.5f, 0.4f, 0.3f})),
                   event(3, kWorker0, EpochEnd{0, 2, 1, {}}), event(4, kWorker0, CheckpointSaved{"checkpoints/ckpt_3", 0, 3, 1, 1, false}),
                   event(5, kWorker1, killed), event(6, kWorker0, StateChanged{TaskState::kFailed, "worker 1 is gone"})});
    ASSERT_NE(record.tasks().firstFailure(), nullptr);
    record.ingest({event(7, kWorker1, engine::spec::AttemptStarted{2, 4, true, killed.reason})});
    EXPECT_EQ(record.tasks().firstFailure(), nullptr);
    EXPECT_EQ(record.state(), RunState::kStarting);
    EXPECT_EQ(record.tasks()[0].state, TaskState::kNotStarted);
    EXPECT_EQ(record.global().size(), 3u) << "until it is known where it goes on";
    RunStarted started;
    started.resumed_step = 2;
    record.ingest({event(8, kWorker0, started)});
    EXPECT_EQ(record.global().step, (std::vector<double>{1, 2}));
    EXPECT_EQ(record.epochs().size(), 1u);
    EXPECT_TRUE(record.checkpoints().empty()) << "it is written again";
    ASSERT_EQ(record.attempts().size(), 1u);
    EXPECT_EQ(record.attempts()[0].resumed_step, 2);
    record.flush();
    EXPECT_EQ(superseded.count(), 1);
    // The backup was made before the end of its epoch was told of.
    record.ingest({event(9, kWorker0, StateChanged{TaskState::kTraining, ""}), event(10, kWorker0, EpochEnd{0, 2, 1, {}}),
                   event(11, kWorker0, points(3, {0.3f}))});
    EXPECT_EQ(record.epochs().size(), 1u);
    EXPECT_EQ(record.global().size(), 3u);
    EXPECT_EQ(record.state(), RunState::kTraining);
}

TEST(RunRecord, TheFirstAttemptIsNoRestart) {
    RunRecord record(twoWorkers());
    record.ingest({event(1, kWorker0, engine::spec::AttemptStarted{.attempt = 1, .reason = {}, .hosts = {{kWorker0, "node1"}}}),
                   event(2, kWorker0, points(1, {0.5f}))});
    EXPECT_TRUE(record.attempts().empty());
    EXPECT_TRUE(record.logs().empty());
}

// Beside parameter servers, and of an evaluator: its agent says so, and no attempt begins.
TEST(RunRecord, RemembersATaskThatWasStartedAgainAlone) {
    RunRecord record(twoWorkers());
    RunStarted started;
    record.ingest({event(1, kWorker0, started), event(2, kWorker0, points(1, {0.5f, 0.4f})),
                   event(3, kWorker1, StateChanged{TaskState::kNotStarted, "killed by signal 9 (SIGKILL)"})});
    EXPECT_TRUE(record.attempts().empty());
    ASSERT_EQ(record.history().returns().size(), 1u);
    EXPECT_EQ(record.history().returns()[0].task, kWorker1);
    EXPECT_EQ(record.history().returns()[0].step, 2);
    EXPECT_EQ(record.history().returns()[0].reason, "killed by signal 9 (SIGKILL)");
    started.resumed_step = 2;  // of the chief, which came back alone
    record.ingest({event(4, kWorker0, started)});
    EXPECT_EQ(record.history().resumedAtFirst(), 0) << "no earlier run's backup was gone on from";
}

TEST(RunRecord, ARunThatWasOverGoesOnAsItself) {
    RunRecord record(twoWorkers());
    TaskFinished finished;
    finished.weights_sha256 = "9f86";
    record.ingest({event(1, kWorker0, points(1, {0.5f, 0.4f, 0.3f})),
                   event(2, kWorker0, CheckpointSaved{"checkpoints/ckpt_2", 0, 2, 1, 1, true}),
                   event(3, kWorker0, CheckpointSaved{"checkpoints/ckpt_3", 1, 3, 1, 1, false}), event(4, kWorker0, finished)});
    RunSummary over = record.summary();
    over.state = RunState::kStopped;
    over.finished_unix_ns = 3'000'000'000;
    record.setSummary(over);
    record.endOfEvents();
    EXPECT_TRUE(record.hasAllEvents());
    RunSummary late = over;
    late.state = RunState::kTraining;
    record.setSummary(late);
    EXPECT_EQ(record.state(), RunState::kStopped) << "an older answer that overtook";
    RunSummary again = over;
    again.state = RunState::kStarting;
    again.attempts = 2;
    again.finished_unix_ns = 0;
    RunSpec project = parseProject(again.project_json.toStdString()).run;
    project.fit.epochs = 9;
    project.cluster.spec.jobs = {{"worker", {{0, "localhost:1111"}, {1, "localhost:2222"}}}};
    again.project_json = QString::fromStdString(toProjectJson(project));
    record.setSummary(again);
    EXPECT_EQ(record.state(), RunState::kStarting);
    EXPECT_EQ(record.run().fit.epochs, 9);
    EXPECT_EQ(record.tasks()[1].address, "localhost:2222");
    EXPECT_FALSE(record.finished());
    EXPECT_EQ(record.tasks()[0].state, TaskState::kNotStarted);
    RunStarted started;
    started.resumed_step = 2;
    record.ingest({event(5, kWorker0, engine::spec::AttemptStarted{2, 2, true, "stopped", true}), event(6, kWorker0, started),
                   event(7, kWorker0, points(3, {0.25f}))});
    EXPECT_EQ(record.global().step, (std::vector<double>{1, 2, 3}));
    ASSERT_EQ(record.checkpoints().size(), 1u) << "the one before the backup";
    EXPECT_EQ(record.checkpoints()[0].saved.prefix, "checkpoints/ckpt_2");
    EXPECT_TRUE(record.attempts()[0].started.by_hand);
    EXPECT_EQ(record.attempts()[0].idle_ns, 0) << "started again at once";
    EXPECT_TRUE(record.pausedBetween(0, 1));
    EXPECT_FALSE(record.pausedBetween(1, 2));
}

// Between the last word of an attempt and the next one that a hand started nobody worked on the run; a lost task is no pause.
TEST(RunRecord, KnowsHowLongARunWasOver) {
    RunRecord record(twoWorkers());
    engine::spec::TaskEvent last = event(1, kWorker0, points(1, {0.5f}));
    last.time_unix_ns = record.createdUnixNs() + 5'000'000'000;
    engine::spec::TaskEvent lost = event(2, kWorker1, engine::spec::AttemptStarted{2, 4, true, "killed"});
    lost.time_unix_ns = last.time_unix_ns + 2'000'000'000;
    engine::spec::TaskEvent again = event(3, kWorker0, engine::spec::AttemptStarted{3, 3, true, "stopped", true});
    again.time_unix_ns = lost.time_unix_ns + 3'600'000'000'000;
    record.ingest({last, lost, again});
    ASSERT_EQ(record.attempts().size(), 2u);
    EXPECT_EQ(record.attempts()[0].idle_ns, 0);
    EXPECT_EQ(record.attempts()[1].idle_ns, 3'600'000'000'000);
}

TEST(RunRecord, FollowsTheChiefBetweenTwoWordsOfTheAgent) {
    RunRecord record(twoWorkers());
    record.ingest({event(1, kWorker0, StateChanged{TaskState::kTraining, ""})});
    EXPECT_EQ(record.state(), RunState::kTraining);
    record.ingest({event(2, kWorker0, StateChanged{TaskState::kPaused, ""})});
    EXPECT_EQ(record.state(), RunState::kPaused);
    RunSummary done = record.summary();
    done.state = RunState::kDone;
    record.setSummary(done);
    record.ingest({event(3, kWorker0, StateChanged{TaskState::kTraining, ""})});
    EXPECT_EQ(record.state(), RunState::kDone) << "the end is the agent's to say";
}

TEST(RunRecord, KeepsWhatEveryEpochSaysOfWeightsByVariable) {
    RunRecord record(twoWorkers());
    WeightReport report;
    report.step = 10;
    report.weights = {{"conv2d/kernel", -1, 2, 0.5, 0.25, 4, 1, {2, 0, 6}}, {"conv2d/bias", 0, 0, 0, 0, 0, 0, {0, 0, 4}}};
    report.weights_norm = 4;
    report.filters = {"conv2d/kernel", 1, 2, 1, 1, {0.5f, -0.5f}};
    WeightReport next = report;
    next.epoch = 1;
    next.step = 20;
    next.gradients = {{"conv2d/kernel", -0.5, 0.5, 0, 0.1, 2, 0, {4, 4}}};
    next.gradients_norm = 2;
    QSignalSpy arrived(&record, &RunRecord::weightsArrived);
    record.ingest({event(1, kWorker0, report), event(2, kWorker0, next)});
    record.flush();
    EXPECT_EQ(arrived.count(), 1);

    ASSERT_EQ(record.weightReports().weights().size(), 2u);
    const VariableHistory& kernel = record.weightReports().weights()[0];
    EXPECT_EQ(kernel.name, "conv2d/kernel");
    ASSERT_EQ(kernel.entries.size(), 2u);
    EXPECT_EQ(kernel.entries[1].step, 20);
    EXPECT_EQ(kernel.entries[1].epoch, 1);
    EXPECT_EQ(kernel.entries[0].norm, 4);
    EXPECT_EQ(kernel.entries[0].deviation, 0.25);
    EXPECT_EQ(kernel.entries[0].limits, (std::vector<double>{-1, 0, 1, 2}));
    EXPECT_EQ(kernel.entries[0].counts, (std::vector<std::int64_t>{2, 0, 6}));
    EXPECT_EQ(record.weightReports().weights()[1].entries[0].limits, (std::vector<double>{0, 0, 0, 0})) << "all values are equal";
    ASSERT_EQ(record.weightReports().gradients().size(), 1u);
    EXPECT_EQ(record.weightReports().gradients()[0].entries.size(), 1u) << "the first epoch had none";
    ASSERT_EQ(record.weightReports().norms().size(), 2u);
    EXPECT_TRUE(std::isnan(record.weightReports().norms()[0].gradients));
    EXPECT_EQ(record.weightReports().norms()[1].gradients, 2);
    ASSERT_EQ(record.weightReports().filters().size(), 2u);
    EXPECT_EQ(record.weightReports().filters()[1].filters.values, (std::vector<float>{0.5f, -0.5f}));
}

TEST(RunRecord, TakesAWholeRun) {
    RunRecord record(twoWorkers());
    auto events = tests::sampleRun({.created_unix_ns = 1'000'000'000});
    std::uint64_t sequence = 0;
    for (auto& each : events) each.sequence = ++sequence;
    record.ingest(events);
    EXPECT_EQ(record.lastStep(), 7 * 469 + 312);
    EXPECT_EQ(record.totalSteps(), 12 * 469);
    EXPECT_EQ(record.epochs().size(), 7u);
    EXPECT_EQ(record.checkpoints().size(), 7u);
    EXPECT_EQ(record.global().size(), static_cast<std::size_t>(record.lastStep()));
    int best = 0;
    for (const auto& checkpoint : record.checkpoints()) best += checkpoint.saved.best;
    EXPECT_EQ(best, 1) << "only the newest best one is the best";
}

}  // namespace
}  // namespace ui::session

int main(int argc, char** argv) {
    QCoreApplication app(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
