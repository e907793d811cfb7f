#include "agent/server/rpc/agent_server.h"

#include <algorithm>
#include <fstream>
#include <future>
#include <sstream>

#include <sys/resource.h>
#include <sys/stat.h>

#include "agent/history/journal.h"
#include "agent/history/run_store.h"
#include "engine/spec/cluster/task_plan.h"
#include "tests/agent/server/agent_fixture.h"
#include "tests/support/listening_port.h"
#include "tests/support/small_disk.h"
#include "tests/support/stopwatch.h"

namespace {

using namespace tests::agent_server;
using engine::run::RunState;
using spec::ControlVerb;
using spec::TaskState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(AgentTest, ListsMoreRunsThanOneMessageHolds) {
    const std::filesystem::path folder = world_.path() / "runs";
    std::filesystem::create_directories(folder);
    constexpr int kRuns = 1200;
    {
        agent::history::RunStore store(folder / agent::history::kIndexFile);
        for (int i = 0; i < kRuns; ++i) {
            engine::run::RunInfo run;
            run.id = "run-" + std::to_string(i);
            run.state = engine::run::RunState::kDone;
            run.created_unix_ns = 1 + i;
            run.project_json = std::string(6000, ' ');  // 7 MB in all
            store.insert(run);
        }
    }
    start();
    const auto runs = client_->listRuns(kDeadline);
    ASSERT_EQ(runs.size(), static_cast<std::size_t>(kRuns));
    for (int i = 0; i < kRuns; ++i) {
        EXPECT_EQ(runs[static_cast<std::size_t>(i)].created_unix_ns, kRuns - i) << "newest first, each once";
    }
}

TEST_F(AgentTest, RunsTwoLocalWorkersToTheirEnd) {
    start("0:finish,1:finish");
    const engine::run::RunInfo run = submit(2);
    EXPECT_EQ(run.state, RunState::kStarting);
    EXPECT_EQ(run.tasks, 2);
    Collected seen;
    const auto watch = client_->watch(run.id, 1, seen.handler());
    ASSERT_TRUE(seen.waitForEnd());
    EXPECT_EQ(seen.error(), "");

    const engine::run::RunInfo done = client_->getRun(run.id, kDeadline);
    EXPECT_EQ(done.state, RunState::kDone);
    EXPECT_EQ(done.detail, "");
    EXPECT_GT(done.finished_unix_ns, done.created_unix_ns);
    EXPECT_THAT(done.results, ElementsAre(std::pair<std::string, double>("test_accuracy", 0.5)));
    EXPECT_EQ(done.checkpoint, "checkpoints/ckpt_1");
    EXPECT_EQ(done.weights_sha256, "feed");

    const std::vector<spec::TaskEvent> events = seen.events();
    for (std::size_t i = 0; i < events.size(); ++i) {
        ASSERT_EQ(events[i].sequence, i + 1);
        EXPECT_GT(events[i].time_unix_ns, run.created_unix_ns);
    }
    const auto points = seen.all<spec::StepPoints>();
    EXPECT_EQ(std::count_if(points.begin(), points.end(), [](const auto& entry) { return entry.first.index == 1; }), 5);
    EXPECT_EQ(seen.all<spec::TaskFinished>().size(), 2U);
    EXPECT_TRUE(seen.all<spec::TaskFailed>().empty());
}

// What the host used, as a watch delivers it.
class HostHeard {
public:
    client::HostHandler handler() {
        return {.loads =
                    [this](std::vector<spec::HostLoad> loads) {
                        const std::lock_guard lock(mutex_);
                        loads_.insert(loads_.end(), loads.begin(), loads.end());
                        changed_.notify_all();
                        return true;
                    },
                .finished =
                    [this](std::optional<std::string> error) {
                        const std::lock_guard lock(mutex_);
                        finished_ = true;
                        error_ = error.value_or("");
                        changed_.notify_all();
                    }};
    }
    std::optional<spec::HostLoad> waitFor(const std::function<bool(const spec::HostLoad&)>& wanted) {
        std::unique_lock lock(mutex_);
        std::optional<spec::HostLoad> found;
        changed_.wait_for(lock, kDeadline, [&] {
            const auto at = std::find_if(loads_.begin(), loads_.end(), wanted);
            found = at == loads_.end() ? std::nullopt : std::optional(*at);
            return found.has_value();
        });
        return found;
    }
    bool waitForEnd() {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, kDeadline, [&] { return finished_; });
    }
    std::string error() {
        const std::lock_guard lock(mutex_);
        return error_;
    }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<spec::HostLoad> loads_;  // guarded by mutex_, as all below
    bool finished_ = false;
    std::string error_;
};

TEST_F(AgentTest, StreamsWhatTheHostAndItsTasksUse) {
    start("0:train,1:train");
    const engine::run::RunInfo run = submit(2);
    HostHeard heard;
    const auto watch = client_->watchHost(0, heard.handler());
    const auto load = heard.waitFor([](const spec::HostLoad& one) { return one.tasks.size() == 2; });
    ASSERT_TRUE(load);
    EXPECT_GT(load->cores, 0);
    EXPECT_GT(load->interval_s, 0);
    EXPECT_GT(load->memory_used_bytes, 0);
    EXPECT_LT(load->memory_used_bytes, load->memory_bytes);
    for (int i = 0; i < 2; ++i) {
        const spec::TaskLoad& task = load->tasks[static_cast<std::size_t>(i)];
        EXPECT_EQ(task.run_id, run.id);
        EXPECT_EQ(task.task, (spec::TaskId{"worker", i}));
        EXPECT_TRUE(eventually([&] { return pidIn(std::filesystem::path(run.run_dir) / ("pid-" + std::to_string(i))) == task.pid; }));
        EXPECT_GT(task.resident_bytes, 0);
    }
    control(run.id, ControlVerb::kStopNow);
    EXPECT_TRUE(heard.waitFor([&](const spec::HostLoad& one) { return one.tasks.empty() && one.time_unix_ns > load->time_unix_ns; }))
        << "tasks that ended are gone";
}

TEST_F(AgentTest, EndsTheWatchOfTheHostWithItself) {
    start();
    HostHeard heard;
    const auto watch = client_->watchHost(0, heard.handler());
    ASSERT_TRUE(heard.waitFor([](const spec::HostLoad&) { return true; }));
    const tests::support::Stopwatch since;
    server_.reset();
    EXPECT_TRUE(since.isWithin(1s)) << "it does not hold up the agent's end";
    EXPECT_TRUE(heard.waitForEnd());
}

TEST_F(AgentTest, WritesTheProjectAsResolved) {
    start("0:finish,1:finish");
    const engine::run::RunInfo run = submit(2);
    std::ifstream file(std::filesystem::path(run.run_dir) / "project.tandem");
    std::stringstream text;
    text << file.rdbuf();
    EXPECT_EQ(text.str(), run.project_json);
    const spec::RunSpec resolved = spec::parseProject(text.str()).run;
    EXPECT_EQ(resolved.strategy.name, "MultiWorkerMirroredStrategy");
    EXPECT_EQ(resolved.cluster.spec.taskCount("worker"), 2);
    EXPECT_EQ(resolved.cluster.threads_per_task, 4) << "8 cores shared by two tasks";
    EXPECT_EQ(std::filesystem::path(run.run_dir), world_.path() / "runs" / run.id);
    waitForEnd(run.id);
}

TEST_F(AgentTest, StartsOneTaskWithoutACluster) {
    start("0:finish");
    const engine::run::RunInfo run = submit(1);
    EXPECT_EQ(waitForEnd(run.id).state, RunState::kDone) << "the fake worker reads TF_CONFIG when it has one";
    EXPECT_TRUE(spec::parseProject(run.project_json).run.cluster.spec.empty());
}

TEST_F(AgentTest, ReplaysARunThatIsOverFromAnySequence) {
    start("0:finish");
    const engine::run::RunInfo run = submit(1);
    Collected first, again, rest;
    const auto watch = client_->watch(run.id, 1, first.handler());
    ASSERT_TRUE(first.waitForEnd());
    const auto second = client_->watch(run.id, 1, again.handler());
    const auto third = client_->watch(run.id, 4, rest.handler());
    ASSERT_TRUE(again.waitForEnd());
    ASSERT_TRUE(rest.waitForEnd());
    EXPECT_EQ(again.events(), first.events());
    const std::vector<spec::TaskEvent> all = first.events();
    EXPECT_EQ(rest.events(), std::vector<spec::TaskEvent>(all.begin() + 3, all.end()));
}

TEST_F(AgentTest, CarriesControlsToTheChief) {
    start();
    const engine::run::RunInfo run = submit(2);
    Collected seen;
    const auto watch = client_->watch(run.id, 1, seen.handler());
    ASSERT_TRUE(seen.waitFor([](const auto& event) { return std::holds_alternative<spec::StepPoints>(event.body); }));
    EXPECT_TRUE(eventually([&] { return client_->getRun(run.id, kDeadline).state == RunState::kTraining; }));

    control(run.id, ControlVerb::kPause);
    ASSERT_TRUE(seen.waitFor([](const auto& event) { return event.task.index == 0 && isState(event, TaskState::kPaused); }));
    EXPECT_TRUE(eventually([&] { return client_->getRun(run.id, kDeadline).state == RunState::kPaused; }));
    control(run.id, ControlVerb::kResume);
    control(run.id, ControlVerb::kSetLearningRate, 0.25);
    ASSERT_TRUE(seen.waitFor([](const auto& event) {
        const auto* applied = std::get_if<spec::ControlApplied>(&event.body);
        return applied != nullptr && applied->what == "learning_rate 0.250000";
    }));
    EXPECT_TRUE(eventually([&] { return client_->getRun(run.id, kDeadline).state == RunState::kTraining; }));
    control(run.id, ControlVerb::kStopNow);
    ASSERT_TRUE(seen.waitForEnd());
}

TEST_F(AgentTest, StopsNowWithinSeconds) {
    start();
    const engine::run::RunInfo run = submit(2);
    const tests::support::Stopwatch since;
    control(run.id, ControlVerb::kStopNow);
    EXPECT_EQ(waitForEnd(run.id).state, RunState::kStopped);
    EXPECT_TRUE(since.isWithin(5s));
}

TEST_F(AgentTest, StopsGracefullyThroughTheChief) {
    start();
    const engine::run::RunInfo run = submit(1);
    control(run.id, ControlVerb::kStop);
    Collected seen;
    const auto watch = client_->watch(run.id, 1, seen.handler());
    ASSERT_TRUE(seen.waitForEnd());
    EXPECT_EQ(client_->getRun(run.id, kDeadline).state, RunState::kStopped);
    EXPECT_TRUE(seen.waitFor([](const auto& event) { return isState(event, TaskState::kStopped); }));
    EXPECT_TRUE(seen.all<spec::TaskFailed>().empty());
}

TEST_F(AgentTest, KillsATaskThatDoesNotStop) {
    start("0:stubborn", {.graceful_stop = 50ms, .stop_while_starting = 50ms, .kill_after = 50ms});
    const engine::run::RunInfo run = submit(1);
    ASSERT_TRUE(eventually([&] { return client_->getRun(run.id, kDeadline).state == RunState::kTraining; }));
    control(run.id, ControlVerb::kStop);
    EXPECT_EQ(waitForEnd(run.id).state, RunState::kStopped);
    EXPECT_FALSE(isRunning(pidIn(run.run_dir + "/pid-0")));
}

struct FailureRow {
    const char* behaviour;
    const char* detail;
    int exit_code;
    int signal;
};

TEST_F(AgentTest, FailsARunWithTheTaskAndTheReason) {
    const std::vector<FailureRow> rows{
        {"crash", "worker 1: killed by signal 6 (SIGABRT)", -1, 6},
        {"killed", "worker 1: killed by signal 9 (SIGKILL)", -1, 9},
        {"exit3", "worker 1: exit code 3", 3, 0},
        {"fail", "worker 1: exit code 1: sample 7: expected a label below 10, got 12", 1, 0},
        {"early", "worker 1: exit code 0 before it was done: closed its event stream", 0, 0},
    };
    for (const FailureRow& row : rows) {
        start(std::string("0:train,1:") + row.behaviour);
        const tests::support::Stopwatch since;
        const engine::run::RunInfo run = submit(2);
        Collected seen;
        const auto watch = client_->watch(run.id, 1, seen.handler());
        ASSERT_TRUE(seen.waitForEnd());
        EXPECT_TRUE(since.isWithin(5s)) << row.behaviour;
        const engine::run::RunInfo failed = client_->getRun(run.id, kDeadline);
        EXPECT_EQ(failed.state, RunState::kFailed) << row.behaviour;
        EXPECT_THAT(failed.detail, ::testing::StartsWith(row.detail)) << row.behaviour;
        const auto failures = seen.all<spec::TaskFailed>();
        ASSERT_EQ(failures.size(), 1U) << row.behaviour;
        EXPECT_EQ(failures[0].first, (spec::TaskId{"worker", 1}));
        EXPECT_EQ(failures[0].second.exit_code, row.exit_code) << row.behaviour;
        EXPECT_EQ(failures[0].second.signal, row.signal) << row.behaviour;
        EXPECT_FALSE(isRunning(pidIn(run.run_dir + "/pid-0"))) << "the other task was stopped";
        EXPECT_TRUE(seen.waitFor([](const auto& event) { return event.task.index == 0 && isState(event, TaskState::kStopped); }));
        server_.reset();
    }
}

TEST_F(AgentTest, KeepsTheLastFiftyLinesOfATaskThatFailed) {
    start("0:exit3");
    const engine::run::RunInfo run = submit(1);
    Collected seen;
    const auto watch = client_->watch(run.id, 1, seen.handler());
    ASSERT_TRUE(seen.waitForEnd());
    const std::vector<std::string> lines = seen.all<spec::TaskFailed>().at(0).second.last_lines;
    ASSERT_EQ(lines.size(), 50U);
    EXPECT_EQ(lines.front(), "line 11");
    EXPECT_EQ(lines.back(), "line 60");
    EXPECT_EQ(seen.all<spec::LogLine>().size(), 60U);
}

TEST_F(AgentTest, FailsARunWhoseWorkerIsKilledFromOutside) {
    start();
    const engine::run::RunInfo run = submit(2);
    ASSERT_TRUE(
        eventually([&] { return client_->getRun(run.id, kDeadline).state == RunState::kTraining && pidIn(run.run_dir + "/pid-1") > 0; }));
    ::kill(pidIn(run.run_dir + "/pid-1"), SIGKILL);
    const engine::run::RunInfo failed = waitForEnd(run.id);
    EXPECT_EQ(failed.detail, "worker 1: killed by signal 9 (SIGKILL)");
    EXPECT_EQ(failed.state, RunState::kFailed);
}

TEST_F(AgentTest, GivesUpATaskThatSendsNonsense) {
    start("0:garbage", {.kill_after = 100ms, .stream_grace = 50ms});
    const engine::run::RunInfo run = submit(1);
    EXPECT_THAT(waitForEnd(run.id).detail, HasSubstr("expected a length of at most 5 bytes"));
}

// Its last word counts, not how long its process takes to end.
TEST_F(AgentTest, ATaskThatIsDoneAndDoesNotEndFailsNoRun) {
    start("0:lingering", {.kill_after = 100ms, .stream_grace = 50ms});
    const engine::run::RunInfo run = submit(1);
    const engine::run::RunInfo ended = waitForEnd(run.id);
    EXPECT_EQ(ended.state, RunState::kDone) << ended.detail;
    EXPECT_FALSE(isRunning(pidIn(run.run_dir + "/pid-0")));
}

TEST_F(AgentTest, NamesATaskThatIsSilentAndThenFailsTheRun) {
    // It is alone: on a loaded machine another one might be silent for as long, and first.
    start("0:silent", {.heartbeat_lost = 100ms, .heartbeat_fatal = 400ms, .kill_after = 100ms});
    const engine::run::RunInfo run = submit(1);
    Collected seen;
    const auto watch = client_->watch(run.id, 1, seen.handler());
    ASSERT_TRUE(seen.waitFor([](const auto& event) { return event.task.index == 0 && isState(event, TaskState::kWaiting); }));
    ASSERT_TRUE(seen.waitForEnd());
    EXPECT_THAT(client_->getRun(run.id, kDeadline).detail, HasSubstr("worker 0: no heartbeat for"));
}

TEST_F(AgentTest, LosesNoLineOfATaskThatFloods) {
    start("0:flood");
    const engine::run::RunInfo run = submit(1);
    Collected seen;
    const auto watch = client_->watch(run.id, 1, seen.handler());
    ASSERT_TRUE(seen.waitForEnd());
    const auto lines = seen.all<spec::LogLine>();
    ASSERT_EQ(lines.size(), 20000U);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        ASSERT_EQ(lines[i].second.text, "flood " + std::to_string(i));
    }
}

// Over the real stream: the subscriber stands still until the run is over, then reads on.
TEST_F(AgentTest, TellsASlowSubscriberHowManyPointsItMissed) {
    start("0:burst");
    const engine::run::RunInfo run = submit(1);
    std::int64_t steps = 0, dropped = 0, last_step = 0, lines = 0;
    std::promise<void> finished;
    const auto watch =
        client_->watch(run.id, 1,
                       {.events =
                            [&](const std::vector<spec::TaskEvent>& events) {
                                if (steps == 0) {
                                    EXPECT_TRUE(eventually([&] { return isFinal(client_->getRun(run.id, kDeadline).state); }));
                                }
                                for (const spec::TaskEvent& event : events) {
                                    if (const auto* points = std::get_if<spec::StepPoints>(&event.body)) {
                                        steps += static_cast<std::int64_t>(points->step.size());
                                        last_step = points->step.back();
                                    }
                                    lines += std::holds_alternative<spec::LogLine>(event.body) ? 1 : 0;
                                }
                                return true;
                            },
                        .dropped = [&](std::int64_t points) { dropped += points; },
                        .finished =
                            [&](const std::optional<std::string>& error) {
                                EXPECT_EQ(error, std::nullopt);
                                finished.set_value();
                            }});
    ASSERT_EQ(finished.get_future().wait_for(kDeadline), std::future_status::ready);
    EXPECT_EQ(last_step, 200'000) << "the newest is never left out";
    EXPECT_EQ(lines, 200) << "nor is anything but points";
    EXPECT_EQ(steps + dropped, 200'000);
}

// A full disk, as far as a test can fill one: this process may not make any file longer.
TEST_F(AgentTest, GoesOnWhileEventsCanNotBeWritten) {
    start();
    const engine::run::RunInfo run = submit(1);
    Collected seen;
    const auto watch = client_->watch(run.id, 1, seen.handler());
    const auto says = [](const std::string& text) {
        return [text](const auto& event) {
            const auto* line = std::get_if<spec::LogLine>(&event.body);
            return line != nullptr && line->text.find(text) != std::string::npos;
        };
    };
    ASSERT_TRUE(seen.waitFor([](const auto& event) { return std::holds_alternative<spec::StepPoints>(event.body); }));
    {
        const tests::support::SmallDisk full(1);
        EXPECT_TRUE(seen.waitFor(says("events can't be kept on disk: " + run.run_dir)));
        EXPECT_EQ(client_->getRun(run.id, kDeadline).state, RunState::kTraining);
        EXPECT_TRUE(isRunning(pidIn(run.run_dir + "/pid-0")));
    }
    EXPECT_TRUE(seen.waitFor(says("events are kept on disk again")));
    control(run.id, ControlVerb::kStopNow);
    EXPECT_EQ(waitForEnd(run.id).state, RunState::kStopped);
    EXPECT_TRUE(seen.waitForEnd());
    const agent::history::Journal journal(run.run_dir + "/journal", agent::history::Journal::Access::kReadOnly);
    EXPECT_EQ(journal.read(1, 1 << 20, 1 << 30).size(), journal.lastSequence()) << "nothing is missing";
}

TEST_F(AgentTest, LeavesNoChildOfATaskBehind) {
    start("0:family");
    const engine::run::RunInfo run = submit(1);
    EXPECT_EQ(waitForEnd(run.id).state, RunState::kDone);
    const int child = pidIn(run.run_dir + "/pid-child");
    ASSERT_GT(child, 0);
    EXPECT_TRUE(eventually([&] { return !isRunning(child); }));
}

TEST_F(AgentTest, StopsItsRunsWhenItEnds) {
    start();
    const engine::run::RunInfo run = submit(2);
    Collected seen;
    const auto watch = client_->watch(run.id, 1, seen.handler());
    ASSERT_TRUE(eventually([&] { return pidIn(run.run_dir + "/pid-0") > 0 && pidIn(run.run_dir + "/pid-1") > 0; }));
    server_.reset();
    EXPECT_FALSE(isRunning(pidIn(run.run_dir + "/pid-0")));
    EXPECT_FALSE(isRunning(pidIn(run.run_dir + "/pid-1")));
    ASSERT_TRUE(seen.waitForEnd());
    start();
    EXPECT_EQ(client_->getRun(run.id, kDeadline).state, RunState::kStopped);
    EXPECT_EQ(client_->getRun(run.id, kDeadline).detail, "the agent was stopped");
}

TEST_F(AgentTest, RefusesAPortThatIsTakenAndNamesIt) {
    start();
    client::SubmitRequest request;
    request.run = AgentWorld::project();
    const tests::support::ListeningPort taken;
    const int port = taken.port();
    spec::useLocalWorkers(request.run, {port, 1});
    const std::string message = messageOf(engine::ErrorCode::kAlreadyExists, [&] { client_->submit(request, kDeadline); });
    EXPECT_THAT(message, HasSubstr("port " + std::to_string(port)));
    EXPECT_THAT(message, HasSubstr("(pid " + std::to_string(::getpid()) + ")"));
    EXPECT_TRUE(client_->listRuns(kDeadline).empty());
}

TEST_F(AgentTest, TakesAnAddressOfAnotherHostForATaskThere) {
    start();
    client::SubmitRequest request;
    request.run = AgentWorld::project();
    spec::useLocalWorkers(request.run, {12345, 23456});
    request.run.cluster.spec.jobs[0].tasks[1] = "10.255.255.1:23456";
    EXPECT_THAT(messageOf(engine::ErrorCode::kInvalidArgument, [&] { client_->submit(request, kDeadline); }),
                HasSubstr("hosts: expected an agent that reaches other computers"));
}

TEST_F(AgentTest, SaysThatTheWorkerProgramIsMissing) {
    std::filesystem::remove(world_.bin() / "tandem-worker");
    start();
    const engine::run::RunInfo run = submit(2);
    const engine::run::RunInfo failed = waitForEnd(run.id);
    EXPECT_EQ(failed.state, RunState::kFailed);
    EXPECT_THAT(failed.detail, HasSubstr("worker 0: could not be started: " + (world_.bin() / "tandem-worker").string()));
    EXPECT_THAT(failed.detail, HasSubstr("No such file"));
}

TEST_F(AgentTest, RefusesAFolderThatALiveRunUses) {
    start();
    client::SubmitRequest request;
    request.run = AgentWorld::project();
    request.run_dir = (world_.path() / "out").string();
    const engine::run::RunInfo run = client_->submit(request, kDeadline);
    EXPECT_EQ(run.run_dir, request.run_dir);
    EXPECT_THAT(messageOf(engine::ErrorCode::kAlreadyExists, [&] { client_->submit(request, kDeadline); }), HasSubstr(run.id));
    control(run.id, ControlVerb::kStopNow);
    waitForEnd(run.id);
    EXPECT_NE(client_->submit(request, kDeadline).id, run.id) << "free again";
}

TEST_F(AgentTest, RefusesControlsThatMakeNoSense) {
    start("0:finish");
    const engine::run::RunInfo run = submit(1);
    EXPECT_THAT(messageOf(engine::ErrorCode::kInvalidArgument, [&] { control(run.id, ControlVerb::kSetLearningRate, -1); }),
                HasSubstr("learning rate"));
    messageOf(engine::ErrorCode::kNotFound, [&] { control("20200101-000000-0000", ControlVerb::kPause); });
    waitForEnd(run.id);
    EXPECT_THAT(messageOf(engine::ErrorCode::kFailedPrecondition, [&] { control(run.id, ControlVerb::kPause); }), HasSubstr("is over"));
}

TEST_F(AgentTest, FailsTheRunsOfAnAgentThatWasKilled) {
    std::filesystem::create_directories(world_.path() / "runs");
    engine::run::RunInfo record;
    record.id = "20261121-143205-7f3a";
    record.state = engine::run::RunState::kTraining;
    record.run_dir = (world_.path() / "runs" / record.id).string();
    std::filesystem::create_directories(record.run_dir);
    agent::history::RunStore(world_.path() / "runs" / agent::history::kIndexFile).insert(record);
    start();
    const engine::run::RunInfo run = client_->getRun(record.id, kDeadline);
    EXPECT_EQ(run.state, RunState::kFailed);
    EXPECT_EQ(run.detail, "the agent was killed while the run went on");
}

TEST_F(AgentTest, LetsOnlyOneAgentOfARunsFolderRun) {
    start();
    agent::server::AgentServerConfig second;
    second.program_dir = world_.bin();
    EXPECT_THAT(messageOf(engine::ErrorCode::kAlreadyExists, [&] { agent::server::AgentServer agent(std::move(second)); }),
                HasSubstr("another agent of this user is running"));
}

TEST_F(AgentTest, KeepsItsAddressFromOtherUsers) {
    start();
    const std::filesystem::path runs = agent::convert::defaultRunsDir();
    const std::filesystem::path socket = *agent::convert::socketOf(*agent::convert::readAgentAddress(runs));
    const auto owner_alone = std::filesystem::perms::owner_read | std::filesystem::perms::owner_write;
    EXPECT_EQ(std::filesystem::status(agent::convert::agentFolder()).permissions(), std::filesystem::perms::owner_all);
    EXPECT_EQ(socket.parent_path(), agent::convert::agentFolder());
    EXPECT_EQ(std::filesystem::status(socket).permissions(), owner_alone);
    EXPECT_EQ(std::filesystem::status(agent::convert::addressFile(runs)).permissions(), owner_alone);
    server_.reset();
    EXPECT_FALSE(std::filesystem::exists(agent::convert::addressFile(runs)));
    EXPECT_FALSE(std::filesystem::exists(socket));
}

TEST_F(AgentTest, MakesFoldersForItsUserAloneWhateverTheUmask) {
    const mode_t before = ::umask(0);
    start();
    ::umask(before);
    EXPECT_EQ(std::filesystem::status(agent::convert::defaultRunsDir()).permissions(), std::filesystem::perms::owner_all);
}

TEST_F(AgentTest, RefusesTextsThatAreTooLongBeforeAnythingIsStored) {
    start();
    client::SubmitRequest request;
    request.run = AgentWorld::project();
    request.run.name = std::string(2000, 'n');
    EXPECT_EQ(messageOf(engine::ErrorCode::kInvalidArgument, [&] { client_->submit(request, kDeadline); }),
              "error: name: expected at most 1000 bytes of text, got 2000");
    request.run.name = std::string(9'000'000, 'n');
    EXPECT_THAT(messageOf(engine::ErrorCode::kInvalidArgument, [&] { client_->submit(request, kDeadline); }),
                HasSubstr("project: expected at most 8388608 bytes, got 900"));
    EXPECT_THAT(messageOf(engine::ErrorCode::kInvalidArgument, [&] { client_->doctor(request.run, kDeadline, {}); }),
                HasSubstr("project: expected at most 8388608 bytes, got 900"));
    request.run.name = "small";
    request.run_dir = "/" + std::string(5000, 'd');
    EXPECT_EQ(messageOf(engine::ErrorCode::kInvalidArgument, [&] { client_->submit(request, kDeadline); }),
              "run_dir: expected at most 4095 bytes, got 5001");
    EXPECT_TRUE(client_->listRuns(kDeadline).empty());
}

TEST_F(AgentTest, ListsRunsOfAnyStoredSizeInPagesThatFit) {
    {
        std::filesystem::create_directories(world_.path() / "runs");
        agent::history::RunStore store(world_.path() / "runs" / agent::history::kIndexFile);
        for (int i = 0; i < 6; ++i) {
            engine::run::RunInfo run;
            run.id = "run-" + std::to_string(i);
            run.state = engine::run::RunState::kDone;
            run.created_unix_ns = 1000 + i;
            run.name = run.detail = run.checkpoint = std::string(i % 2 == 0 ? 3'000'000 : 10, 'x');
            run.project_json = R"({"name":")" + std::string(1'000'000 + i, 'p') + R"("})";
            for (int k = 0; k < 5000; ++k) {
                run.results.emplace_back(std::string(500, 'r'), 1.0);
            }
            store.insert(run);
        }
    }
    start();
    const std::vector<engine::run::RunInfo> runs = client_->listRuns(kDeadline);
    ASSERT_EQ(runs.size(), 6U);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        EXPECT_EQ(runs[i].id, "run-" + std::to_string(5 - i));
        EXPECT_LT(runs[i].name.size(), 10'000U);
        EXPECT_GT(runs[i].project_json.size(), 1'000'000U);
    }
    EXPECT_LT(client_->getRun("run-0", kDeadline).detail.size(), 10'000U);
}

TEST_F(AgentTest, DescribesThisComputer) {
    start();
    const engine::run::HostInfo host = client_->describe(kDeadline);
    EXPECT_FALSE(host.host_name.empty());
    EXPECT_EQ(host.agent_version, "test");
    EXPECT_GT(host.cores, 0);
    EXPECT_GT(host.memory_bytes, host.memory_available_bytes);
    EXPECT_GT(host.disk_available_bytes, 0);
    EXPECT_EQ(host.runs_dir, (world_.path() / "runs").string());
    EXPECT_NE(host.gpus.gpus.empty(), host.gpus.no_gpu_reason.empty()) << "a GPU, or the reason why there is none";
}

TEST_F(AgentTest, IsIdleOnlyWithoutRunsAndWatches) {
    start();
    const engine::run::RunInfo run = submit(1);
    EXPECT_EQ(server_->idleFor().count(), 0);
    control(run.id, ControlVerb::kStopNow);
    waitForEnd(run.id);
    EXPECT_TRUE(eventually([&] { return server_->activeRuns() == 0; }));
    const auto idle = server_->idleFor();
    EXPECT_TRUE(eventually([&] { return server_->idleFor() > idle; }));
}

TEST_F(AgentTest, TheDoctorAnswersOverTheWire) {
    start("0:finish,1:finish");
    spec::RunSpec run = AgentWorld::project();
    const tests::support::ListeningPort held;
    run.strategy.name = "MultiWorkerMirroredStrategy";
    run.cluster.spec.jobs = {{"worker", {{0, "localhost:" + std::to_string(held.port())}, {1, "localhost:99999"}}}};
    const spec::DoctorReport report = client_->doctor(run, kDeadline, {});
    const auto titled = [&](const std::string& part) {
        return std::any_of(report.rows.begin(), report.rows.end(), [&](const spec::DoctorRow& row) {
            return row.title.find(part) != std::string::npos && row.state == spec::DoctorState::kError;
        });
    };
    EXPECT_TRUE(titled("expected a port of at most 65535"));
    EXPECT_TRUE(titled("worker 0: port " + std::to_string(held.port()) + " is not free"));
    ASSERT_EQ(report.links.size(), 2U);
    EXPECT_EQ(report.links[0].to, (spec::TaskId{"worker", 1}));
    EXPECT_EQ(report.links[0].problem, "");
    EXPECT_EQ(client_->listRuns(kDeadline).size(), 0U) << "it starts nothing";
}

}  // namespace
