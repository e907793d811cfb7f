#include <atomic>
#include <fstream>
#include <future>
#include <thread>
#include <tuple>

#include <gmock/gmock.h>

#include "agent/local/control_file.h"
#include "agent/local/scheduler_job.h"
#include "agent/server/followed/run_follower.h"
#include "engine/spec/error.h"
#include "tests/agent/server/followed_run_fixture.h"
#include "tests/support/eventually.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::server;
using namespace engine::spec;
using agent::convert::SchedulerJob;
using engine::run::RunInfo;
using engine::run::RunState;
using ::testing::ElementsAre;
using Stage = JobReport::Stage;

class MadeUpQueue final : public JobQueue {
public:
    JobReport look(const SchedulerJob& job) override {
        asked = job.job;
        return report;
    }
    void cancel(const SchedulerJob& job) override { cancelled.push_back(job.job); }
    JobReport report{.stage = Stage::kQueued, .text = "job 12 waits in Slurm's queue: Priority, place 2 of 2"};
    std::string asked;
    std::vector<std::string> cancelled;
};

class FollowedJobTest : public tests::agent_server::FollowedRunTest {
protected:
    FollowedJobTest() {
        std::filesystem::remove(run() / "events");
        options_.jobs = queue_;
        submit("12", -2);
    }
    void submit(const std::string& number, double second) {
        std::ofstream(run() / agent::convert::kSubmittedProject) << toProjectJson(RunSpec{});
        const auto folder = engine::files::SafeFolder::open(run());
        agent::convert::writeSchedulerJob(folder, {.scheduler = "slurm",
                                                   .job = number,
                                                   .run = "run-of-job",
                                                   .name = "mnist",
                                                   .tasks = 2,
                                                   .submitted_unix_ns = begin_ + static_cast<std::int64_t>(second * 1e9)});
    }
    // Slurm has found nodes, and the tasks begin.
    void startTasks(double second) {
        std::filesystem::create_directories(run() / "events");
        queue_->report = {.stage = Stage::kRunning, .text = "job 12 runs on node[1-2]"};
        start(chief_, second);
        start(other_, second);
        state(chief_, second + 0.5, TaskState::kTraining);
    }
    void end(const std::string& text, bool cancelled = false, bool completed = false) {
        queue_->report = {.stage = Stage::kEnded, .text = text, .is_cancelled = cancelled, .is_completed = completed};
    }
    const std::shared_ptr<MadeUpQueue> queue_ = std::make_shared<MadeUpQueue>();
};

TEST_F(FollowedJobTest, IsARunFromTheQueueOn) {
    const auto followed = follow();
    EXPECT_EQ(queue_->asked, "12");
    const RunInfo waits = indexed("run-of-job");
    EXPECT_EQ(waits.state, RunState::kStarting);
    EXPECT_EQ(waits.detail, "job 12 waits in Slurm's queue: Priority, place 2 of 2");
    EXPECT_EQ(waits.name, "mnist");
    EXPECT_EQ(waits.tasks, 2);
    EXPECT_EQ(waits.created_unix_ns, begin_ - 2 * tests::agent_server::kSecond);
    startTasks(0);
    followed->step(now_);
    EXPECT_EQ(indexed("run-of-job").state, RunState::kTraining);
    EXPECT_EQ(indexed("run-of-job").detail, "job 12 runs on node[1-2]") << "and waits no more";
    tell(chief_, 5, TaskFinished{{{"test_accuracy", 0.5}}, "checkpoints/ckpt_1", "ab"});
    state(chief_, 5, TaskState::kDone);
    state(other_, 5, TaskState::kDone);
    followed->step(now_);
    EXPECT_TRUE(followed->isOver()) << "what is done is done before Slurm says so";
    EXPECT_EQ(indexed("run-of-job").state, RunState::kDone);
    EXPECT_EQ(indexed("run-of-job").detail, "");
    EXPECT_EQ(indexed("run-of-job").attempts, 1);
    EXPECT_THAT(journal(), ElementsAre("w0 Waiting", "w0 Training", "w0 other", "w0 Done", "w1 Done"));
}

TEST_F(FollowedJobTest, TellsEachPlaceInTheQueueOnce) {
    const auto followed = follow();
    followed->step(now_);
    queue_->report.text = "job 12 waits in Slurm's queue: Priority, place 1 of 2";
    followed->step(now_);
    followed->step(now_);
    EXPECT_EQ(indexed("run-of-job").detail, "job 12 waits in Slurm's queue: Priority, place 1 of 2");
    EXPECT_THAT(journal(), ElementsAre("w0 Waiting", "w0 Waiting"));
}

TEST_F(FollowedJobTest, ThatIsQueuedAgainIsNotOver) {
    const auto followed = follow();
    startTasks(0);
    followed->step(now_);
    state(chief_, 3, TaskState::kFailed, "worker 1 closed its connection");
    state(other_, 3, TaskState::kFailed, "node2 is down");
    followed->step(now_);
    EXPECT_FALSE(followed->isOver());
    queue_->report = {.stage = Stage::kQueued, .text = "job 12 waits in Slurm's queue: BeginTime"};
    followed->step(now_);
    EXPECT_EQ(indexed("run-of-job").state, RunState::kStarting);
    EXPECT_EQ(indexed("run-of-job").detail, "job 12 waits in Slurm's queue: BeginTime");
    startTasks(10);
    followed->step(now_);
    const RunInfo again = indexed("run-of-job");
    EXPECT_EQ(again.state, RunState::kTraining);
    EXPECT_EQ(again.attempts, 2);
    EXPECT_EQ(again.detail, "job 12 runs on node[1-2]");
    EXPECT_THAT(journal(), ::testing::Contains("w0 attempt 2: worker 0: worker 1 closed its connection"));
}

// The project's own cluster, which was submitted, has other addresses and maybe other tasks.
TEST_F(FollowedJobTest, SaysOnWhichComputersItsTasksAre) {
    told_.cluster.spec.jobs = {{"worker", {{0, "node1:10012"}, {1, "node2:10012"}}}};
    const auto followed = follow();
    startTasks(0);
    followed->step(now_);
    EXPECT_THAT(journal(), ElementsAre("w0 Waiting", "w0 attempt 1:  node1 node2", "w0 Training"));
    EXPECT_EQ(indexed("run-of-job").attempts, 1);
    state(chief_, 3, TaskState::kFailed, "worker 1 closed its connection");
    state(other_, 3, TaskState::kFailed, "node2 is down");
    followed->step(now_);
    told_.cluster.spec.jobs = {{"worker", {{0, "node1:10012"}, {1, "node3:10012"}}}};
    startTasks(10);
    followed->step(now_);
    EXPECT_THAT(journal(), ::testing::Contains("w0 attempt 2: worker 0: worker 1 closed its connection node1 node3"));
}

TEST_F(FollowedJobTest, ThatWasCancelledIsStopped) {
    const auto followed = follow();
    startTasks(0);
    followed->step(now_);
    end("job 12 was cancelled", true);
    followed->step(now_);
    EXPECT_FALSE(followed->isOver()) << "its tasks may still write";
    now_ += 11s;
    followed->step(now_);
    EXPECT_TRUE(followed->isOver());
    EXPECT_EQ(indexed("run-of-job").state, RunState::kStopped);
    EXPECT_EQ(indexed("run-of-job").detail, "job 12 was cancelled");
    EXPECT_THAT(journal(), ElementsAre("w0 Waiting", "w0 Training", "w0 Waiting", "w1 Waiting", "w0 Stopped", "w1 Stopped"));
}

TEST_F(FollowedJobTest, WhoseTasksNeverBeganSaysWhatItsLogSays) {
    const auto followed = follow();
    std::ofstream(run() / "slurm-12.log") << "loading\nslurmstepd: error: execve(): tandem-worker: No such file or directory\n\n";
    end("job 12 ended with exit code 2");
    followed->step(now_);
    EXPECT_EQ(indexed("run-of-job").state, RunState::kFailed);
    EXPECT_EQ(indexed("run-of-job").detail,
              "job 12 ended with exit code 2, and none of its tasks told anything: "
              "slurmstepd: error: execve(): tandem-worker: No such file or directory");
}

TEST_F(FollowedJobTest, ThatSlurmHasForgottenIsSaidToBeGone) {
    const auto followed = follow();
    end("");
    followed->step(now_);
    EXPECT_TRUE(followed->isOver());
    EXPECT_EQ(indexed("run-of-job").state, RunState::kFailed);
    EXPECT_EQ(indexed("run-of-job").detail, "job 12 is gone from Slurm, and none of its tasks told anything");
}

TEST_F(FollowedJobTest, ThatSlurmHasForgottenInMidTrainingIsSaidToBeGone) {
    const auto followed = follow();
    startTasks(0);
    followed->step(now_);
    end("");
    followed->step(now_);
    now_ += 11s;
    followed->step(now_);
    EXPECT_TRUE(followed->isOver());
    EXPECT_EQ(indexed("run-of-job").state, RunState::kFailed);
    EXPECT_EQ(indexed("run-of-job").detail, "job 12 is gone from Slurm, and its tasks told no end");
}

TEST_F(FollowedJobTest, WaitsForItsEvaluatorUntilItsJobIsOver) {
    const TaskId evaluator{"evaluator", 0};
    const auto followed = follow();
    startTasks(0);
    start(evaluator, 0);
    state(evaluator, 1, TaskState::kTraining, "evaluates checkpoints/ckpt_1");
    state(chief_, 3, TaskState::kDone);
    state(other_, 3, TaskState::kDone);
    followed->step(now_);
    now_ += 30s;
    followed->step(now_);
    EXPECT_FALSE(followed->isOver()) << "it evaluates";
    end("job 12 is over", false, true);
    followed->step(now_);
    EXPECT_FALSE(followed->isOver()) << "its last words are on their way";
    now_ += 11s;
    followed->step(now_);
    EXPECT_TRUE(followed->isOver());
    EXPECT_EQ(indexed("run-of-job").state, RunState::kDone);
    EXPECT_EQ(indexed("run-of-job").detail, "");
    EXPECT_EQ(journal().back(), "e0 Stopped");
}

TEST_F(FollowedJobTest, TakesAStopForItsJobWhileItWaits) {
    const auto followed = follow();
    EXPECT_EQ(followed->control({ControlVerb::kStop, 0})->job, "12");
    EXPECT_THROW(followed->control({ControlVerb::kPause, 0}), engine::Error);
    startTasks(0);
    followed->step(now_);
    EXPECT_FALSE(followed->control({ControlVerb::kStop, 0})) << "its tasks stop by themselves, with a backup";
    EXPECT_EQ(agent::convert::readControls(engine::files::SafeFolder::open(run())).size(), 1U);
    EXPECT_EQ(followed->control({ControlVerb::kStopNow, 0})->job, "12");
}

TEST_F(FollowedJobTest, ThatIsSubmittedAgainIsTheSameRun) {
    {
        const auto followed = follow();
        startTasks(0);
        state(chief_, 2, TaskState::kStopped, "on request");
        state(other_, 2, TaskState::kStopped);
        followed->step(now_);
        end("job 12 is over", false, true);
        followed->step(now_);
        ASSERT_TRUE(followed->isOver());
        EXPECT_EQ(indexed("run-of-job").state, RunState::kStopped);
        EXPECT_EQ(indexed("run-of-job").detail, "on request");
        EXPECT_FALSE(followed->isOfAnEarlierJob());
        submit("15", 3);
        EXPECT_TRUE(followed->isOfAnEarlierJob());
    }
    queue_->report = {.stage = Stage::kQueued, .text = "job 15 waits in Slurm's queue"};
    const auto again = follow(indexed("run-of-job"));
    EXPECT_FALSE(again->isOver());
    EXPECT_EQ(again->record().id, "run-of-job");
    EXPECT_EQ(indexed("run-of-job").detail, "job 15 waits in Slurm's queue");
    startTasks(5);
    again->step(now_);
    EXPECT_EQ(indexed("run-of-job").attempts, 2);
    EXPECT_EQ(indexed("run-of-job").state, RunState::kTraining);
}

TEST_F(FollowedJobTest, IsFollowedOnWhileSlurmDoesNotAnswer) {
    queue_->report = {.stage = Stage::kUnanswered, .text = "Slurm does not answer: Unable to contact slurm controller"};
    const auto followed = follow();
    EXPECT_EQ(indexed("run-of-job").detail, "Slurm does not answer: Unable to contact slurm controller");
    now_ += 1h;
    followed->step(now_);
    EXPECT_FALSE(followed->isOver());
}

// A step may take long: much was written since the last one.
class SlowQueue final : public JobQueue {
public:
    JobReport look(const SchedulerJob&) override {
        if (is_slow_) is_in_step_ = true;
        while (is_slow_) std::this_thread::sleep_for(1ms);
        return {.stage = Stage::kQueued, .text = "waits"};
    }
    void cancel(const SchedulerJob& job) override { cancelled_ = job.job; }
    std::atomic<bool> is_slow_ = false, is_in_step_ = false;
    std::string cancelled_;
};

TEST_F(FollowedJobTest, AStepKeepsNoOtherRunWaiting) {
    const auto queue = std::make_shared<SlowQueue>();
    RunFollower follower({.run = {.jobs = queue}, .interval = 1ms}, *book_, log());
    EXPECT_EQ(follower.follow(run()).id, "run-of-job");
    queue->is_slow_ = true;
    ASSERT_TRUE(tests::support::eventually([&] { return queue->is_in_step_.load(); }));
    auto others = std::async(std::launch::async, [&] {
        return std::tuple(follower.control("another", {ControlVerb::kStop, 0}), follower.follows("another"),
                          follower.follows("run-of-job"));
    });
    const bool came = others.wait_for(180s) == std::future_status::ready;
    auto own = std::async(std::launch::async, [&] { return follower.control("run-of-job", {ControlVerb::kStop, 0}); });
    queue->is_slow_ = false;
    EXPECT_TRUE(came);
    EXPECT_EQ(others.get(), std::tuple(false, false, true));
    EXPECT_TRUE(own.get()) << "once the step is over";
    EXPECT_EQ(queue->cancelled_, "12");
}

}  // namespace
