#include "engine/run/task_records.h"

#include <algorithm>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace engine::run {
namespace {

using spec::StateChanged;
using spec::TaskId;
using spec::TaskState;

using testing::ElementsAre;

const TaskId kChief{"chief", 0}, kWorker0{"worker", 0}, kWorker1{"worker", 1};

spec::RunSpec clusterOf(std::vector<spec::Job> jobs) {
    spec::RunSpec run;
    run.cluster.spec.jobs = std::move(jobs);
    return run;
}

// Two workers and the chief, listed last.
TaskRecords threeTasks() {
    TaskRecords tasks;
    tasks.take(clusterOf({{"worker", {{0, "localhost:2"}, {1, "localhost:3"}}}, {"chief", {{0, "localhost:1"}}}}));
    return tasks;
}

StateChanged waitsFor(const TaskId& task) {
    StateChanged body;
    body.state = TaskState::kWaiting;
    body.awaited = {task};
    return body;
}

StateChanged silence() {
    StateChanged body;
    body.state = TaskState::kWaiting;
    body.cause = spec::WaitCause::kSilence;
    return body;
}

spec::TaskFailed failed(int exit_code) {
    spec::TaskFailed body;
    body.exit_code = exit_code;
    body.reason = "ended";
    return body;
}

std::vector<TaskId> idsOf(const std::vector<const TaskRecord*>& tasks) {
    std::vector<TaskId> ids;
    for (const TaskRecord* task : tasks) ids.push_back(task->id);
    return ids;
}

TEST(TaskRecords, AreWhereASchedulerPutThem) {
    TaskRecords tasks;
    tasks.take(clusterOf({{"worker", {{0, "localhost:12345"}, {1, "node2:23456"}}}}));
    EXPECT_TRUE(tasks.takeHosts({{{"worker", 2}, "node3"}, {kWorker0, "node1"}, {kWorker1, "node2"}}));
    std::vector<std::string> addresses;
    for (const TaskRecord& task : tasks) addresses.push_back(task.address);
    EXPECT_THAT(addresses, ElementsAre("node1", "node2:23456", "node3"));
    EXPECT_FALSE(tasks.takeHosts({{kWorker0, "node1"}}));
}

TEST(TaskRecords, StandInRankOrder) {
    const TaskRecords tasks = threeTasks();
    ASSERT_EQ(tasks.size(), 3U);
    EXPECT_EQ(tasks.front().id, kChief);
    EXPECT_EQ(tasks[2].id, kWorker1);
    EXPECT_EQ(tasks.find(kWorker0)->address, "localhost:2");
    EXPECT_EQ(tasks.find({"ps", 0}), nullptr);
}

TEST(TaskRecords, OfAProjectWithoutAClusterThereIsOne) {
    TaskRecords tasks;
    tasks.take(spec::RunSpec{});
    ASSERT_EQ(tasks.size(), 1U);
    EXPECT_EQ(tasks.front().id, kWorker0);
    EXPECT_EQ(tasks.lastStep(), 0);
    EXPECT_EQ(&tasks.global(), &tasks.front().own);
}

TEST(TaskRecords, AnotherProjectGivesNewAddressesAndKeepsWhatWasTold) {
    TaskRecords tasks = threeTasks();
    tasks.of(kWorker1).hear(failed(1), 5);
    tasks.take(clusterOf({{"worker", {{0, "a:1"}, {1, "b:1"}}}}));
    EXPECT_EQ(tasks.size(), 3U);
    EXPECT_EQ(tasks.find(kWorker1)->address, "b:1");
    EXPECT_TRUE(tasks.find(kWorker1)->failure);
}

TEST(TaskRecords, TheFirstFailureIsThatOfATaskThatWasKilled) {
    TaskRecords tasks = threeTasks();
    EXPECT_EQ(tasks.firstFailure(), nullptr);
    tasks.of(kChief).hear(failed(1), 4);
    EXPECT_EQ(tasks.firstFailure()->id, kChief);
    tasks.of(kWorker1).hear(failed(-9), 5);
    EXPECT_EQ(tasks.firstFailure()->id, kWorker1);
}

TEST(TaskRecords, WhoOnlyNoticedASilentTaskIsNotTheFailure) {
    TaskRecords tasks = threeTasks();
    tasks.of(kWorker0).hear(silence(), 3);
    tasks.of(kChief).hear(failed(1), 4);
    EXPECT_EQ(tasks.silent()->id, kWorker0);
    EXPECT_EQ(tasks.firstFailure(), nullptr);
}

TEST(TaskRecords, KnowWhomTheOthersWaitFor) {
    TaskRecords tasks = threeTasks();
    EXPECT_THAT(idsOf(tasks.missing()), ElementsAre(kChief, kWorker0, kWorker1)) << "nobody was heard";
    tasks.of(kChief).hear(waitsFor(kWorker1), 1);
    tasks.of(kWorker0).hear(waitsFor(kWorker1), 1);
    StateChanged connects;
    connects.state = TaskState::kConnecting;
    tasks.of(kWorker1).hear(connects, 1);
    EXPECT_THAT(idsOf(tasks.missing()), ElementsAre(kWorker1));
    EXPECT_THAT(idsOf(tasks.waitingFor(kWorker1)), ElementsAre(kChief, kWorker0));
}

TEST(TaskRecords, ANewAttemptForgetsHowTheLastOneEnded) {
    TaskRecords tasks = threeTasks();
    tasks.of(kWorker1).hear(failed(-9), 5);
    tasks.beginAttempt();
    EXPECT_EQ(tasks.firstFailure(), nullptr);
    EXPECT_EQ(tasks.find(kWorker1)->state, TaskState::kNotStarted);
    EXPECT_EQ(tasks.find(kWorker1)->failed_unix_ns, 0);
}

TEST(TaskRecords, StopThoseThatNeverSaidHowTheyEnded) {
    TaskRecords tasks = threeTasks();
    tasks.of(kChief).hear(spec::TaskFinished{});
    EXPECT_TRUE(tasks.stopAll("the agent was killed"));
    EXPECT_EQ(tasks.find(kChief)->state, TaskState::kDone);
    EXPECT_EQ(tasks.find(kWorker0)->state, TaskState::kStopped);
    EXPECT_EQ(tasks.find(kWorker0)->detail, "the agent was killed");
    EXPECT_FALSE(tasks.stopAll("again"));
}

TEST(TaskRecords, TheChiefsTableOfWholeBatchesIsTheCurve) {
    TaskRecords tasks = threeTasks();
    spec::StepPoints points;
    points.step = {1, 2};
    points.epoch = {0, 0};
    points.time_unix_ns = {10, 20};
    points.columns = {{"loss", {0.5F, 0.25F}}};
    points.aggregated = true;
    tasks.of(kChief).hear(points, 30, 0);
    EXPECT_EQ(tasks.global().size(), 2U);
    EXPECT_EQ(tasks.lastStep(), 2);
    EXPECT_EQ(tasks.front().heard_unix_ns, 30);
    tasks.dropAfter(1);
    EXPECT_EQ(tasks.global().size(), 1U);
}

TEST(TaskRecord, KeepsTheNewestStates) {
    TaskRecord task;
    for (std::size_t i = 0; i < kMostStates + 5; ++i) task.hear(StateChanged{TaskState::kTraining, std::to_string(i)}, 1);
    EXPECT_EQ(task.states.size(), kMostStates);
    EXPECT_EQ(task.states.front().detail, "5");
}

spec::StepPoints ownSteps(std::vector<std::int64_t> steps, float loss) {
    spec::StepPoints points;
    points.step = std::move(steps);
    points.epoch.assign(points.step.size(), 0);
    points.time_unix_ns.assign(points.step.size(), 1'000'000'000);
    points.examples_per_step = 50;
    points.aggregated = false;
    points.columns = {{"loss", std::vector<float>(points.step.size(), loss)}};
    points.compute_us = 100;
    return points;
}

// A parameter server was restored: the run goes on at an earlier step.
TEST(TaskRecords, StepsThatComeAgainTakeThePlaceOfTheOnesBefore) {
    TaskRecord worker;
    EXPECT_FALSE(worker.hear(ownSteps({1, 4, 8}, 1), 0, 0));
    EXPECT_FALSE(worker.hear(ownSteps({9, 12}, 1), 0, 0));
    EXPECT_TRUE(worker.hear(ownSteps({6, 7}, 2), 0, 0));
    EXPECT_THAT(worker.own.step, ElementsAre(1, 4, 6, 7));
    EXPECT_THAT(*worker.own.find("loss"), ElementsAre(1, 1, 2, 2));
    EXPECT_THAT(worker.phases.step, ElementsAre(7)) << "the packs of the lost steps went with them";
    EXPECT_EQ(worker.last_step, 7);
    EXPECT_FALSE(worker.hear(ownSteps({10, 11, 8, 9}, 3), 0, 0)) << "within one pack";
    EXPECT_THAT(worker.own.step, ElementsAre(1, 4, 6, 7, 8, 9));
    EXPECT_THAT(*worker.own.find("loss"), ElementsAre(1, 1, 2, 2, 3, 3));
}

TEST(TaskRecords, AServersLoadIsRatesAndCountsOfStaleness) {
    TaskRecords tasks;
    tasks.take(clusterOf({{"ps", {{0, "localhost:1"}, {1, "localhost:2"}}}, {"worker", {{0, "localhost:3"}}}}));
    EXPECT_THAT(tasks.stalenessCounts(), ElementsAre());
    TaskRecord& server = tasks.of({"ps", 1});
    server.hear(spec::ServerLoad{0, 1, 0, 1, 1, {1}}, 5, 0.5);
    EXPECT_EQ(server.serving.loads.size(), 0U) << "no rate without a time";
    server.hear(spec::ServerLoad{2, 40, 0, 4000, 1000, {30, 10}}, 20, 2);
    server.hear(spec::ServerLoad{1, 10, 0, 500, 500, {0, 0, 10}}, 15, 3);
    EXPECT_THAT(*server.serving.loads.find("updates_per_s"), ElementsAre(20, 10));
    EXPECT_THAT(*server.serving.loads.find("pulled_bytes_per_s"), ElementsAre(2000, 500));
    EXPECT_THAT(server.serving.loads.step, ElementsAre(20, 20)) << "time goes on when steps come again";
    tasks.of({"ps", 0}).hear(spec::ServerLoad{1, 5, 5, 10, 10, {5}}, 21, 3);
    EXPECT_THAT(tasks.stalenessCounts(), ElementsAre(35, 10, 10));
    tasks.dropAfter(20);
    EXPECT_THAT(tasks.stalenessCounts(), ElementsAre(30, 10, 10)) << "what ps 0 told came later";
    tasks.dropAfter(19);
    EXPECT_THAT(tasks.stalenessCounts(), ElementsAre());
}

}  // namespace
}  // namespace engine::run
