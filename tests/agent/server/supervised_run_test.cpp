// The life of a run without processes and without waiting: fake processes, and a clock that the test moves on.
#include "agent/server/supervision/supervised_run.h"
#include "agent/local/task_exit.h"

#include <csignal>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "agent/local/file_descriptor.h"
#include "agent/proto/task_event.pb.h"
#include "agent/wire/fault_convert.h"
#include "agent/wire/task_event_convert.h"
#include "engine/chaos/fault.h"
#include "engine/spec/error.h"
#include "tests/agent/server/fake_process.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::server;
using namespace engine::spec;
using agent::convert::FileDescriptor;
using engine::run::RunState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::agent_server::FakeLauncher;
using tests::agent_server::FakeProcess;
using tests::agent_server::FakeTask;

// Somebody else on a port.
class Listener {
public:
    explicit Listener(int port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(socket_.get(), 1), 0);
    }

private:
    FileDescriptor socket_;
};

class SupervisedRunTest : public ::testing::Test {
protected:
    SupervisedRunTest() {
        record_.id = "run";
        record_.run_dir = dir_.path().string();
    }

    void start(const std::vector<std::string>& programs, RestartPolicy restarts = {}, std::vector<PortReservation> ports = {}) {
        RunLaunch launch{record_, book_.open(record_), {}, std::move(restarts)};
        ports.resize(programs.size());
        for (std::size_t i = 0; i < programs.size(); ++i) {
            const bool serves = programs[i] == "ps";
            launch.tasks.push_back({serves ? TaskId{"ps", 0} : TaskId{"worker", static_cast<int>(i)},
                                    i == 0,
                                    {.program = programs[i], .arguments = {}, .environment = {}, .working_dir = {}},
                                    std::move(ports[i])});
        }
        launch.secret = given_secret_;
        launch.attempt = by_hand_;
        launch.heartbeat_fatal = heartbeat_fatal_;
        launch.tasks_are_independent = tasks_are_independent_;
        watch_ = launch.log->subscribe(1, [] {});
        run_ = std::make_unique<SupervisedRun>(std::move(launch), SupervisorOptions(), book_, [](LogLevel, const std::string&) {});
        run_->start(launcher_, now_);
    }
    FakeTask& task(std::size_t i) { return *launcher_.tasks.at(i); }

    // As the supervisor's thread does it, once.
    void step(std::chrono::milliseconds later = 0ms) {
        now_ += later;
        std::vector<pollfd> descriptors;
        run_->addDescriptors(descriptors);
        ::poll(descriptors.data(), descriptors.size(), 0);
        run_->step(descriptors, now_);
    }
    // Both tasks give a sign of life, then time passes.
    void pass(std::chrono::milliseconds time, const std::vector<std::size_t>& alive) {
        for (const std::size_t i : alive) {
            task(i).tell(Heartbeat{});
        }
        step(time);
    }

    // "worker 1 Waiting: no heartbeat for 4 s", "worker 0 failed: exit code 3 (2 lines)"; heartbeats left out. Each event once.
    std::vector<std::string> news() {
        std::vector<std::string> out;
        for (auto batch = watch_->next(); !batch.events.empty(); batch = watch_->next()) {
            for (const std::string& bytes : batch.events) {
                const TaskEvent event = agent::convert::decodeEvent(bytes);
                if (const auto* change = std::get_if<StateChanged>(&event.body)) {
                    out.push_back(toString(event.task) + " " + std::string(toString(change->state)) +
                                  (change->detail.empty() ? "" : ": " + change->detail));
                } else if (const auto* failed = std::get_if<TaskFailed>(&event.body)) {
                    out.push_back(toString(event.task) + " failed: " + failed->reason + " (" + std::to_string(failed->last_lines.size()) +
                                  " lines)");
                } else if (const auto* line = std::get_if<LogLine>(&event.body)) {
                    out.push_back(toString(event.task) + " says " + line->text);
                } else if (const auto* attempt = std::get_if<AttemptStarted>(&event.body)) {
                    out.push_back(toString(event.task) + (attempt->by_hand ? " by hand: " : " lost: ") + attempt->reason +
                                  (attempt->from_backup ? ", backup" : ", anew") + " " + std::to_string(attempt->attempt) + "/" +
                                  std::to_string(attempt->attempts));
                }
            }
        }
        return out;
    }
    // Both tasks train; worker 1 is killed and worker 0 notices it.
    void loseWorker1(std::size_t first = 0) {
        for (const std::size_t i : {first, first + 1}) {
            task(i).tell(StateChanged{TaskState::kTraining, {}});
        }
        step();
        task(first + 1).end({-1, SIGKILL});
        step();
        task(first).tell(StateChanged{TaskState::kFailed, "worker 1 is gone"});
        task(first).end({1, 0});
        step();
    }
    static RestartPolicy threeTimes() {
        return {3, [] { return true; }};
    }
    engine::run::RunInfo record() { return book_.find("run"); }

    tests::support::TempDir dir_;
    engine::run::RunInfo record_;
    RunBook book_{dir_.path()};
    FakeLauncher launcher_;
    std::optional<agent::convert::Secret> given_secret_;
    std::optional<AttemptStarted> by_hand_;
    std::chrono::milliseconds heartbeat_fatal_{10000};
    bool tasks_are_independent_ = false;
    SteadyTime now_ = SteadyTime() + 1h;
    std::unique_ptr<EventLog::Subscription> watch_;
    std::unique_ptr<SupervisedRun> run_;
};

TEST_F(SupervisedRunTest, FollowsItsTasksToTheEnd) {
    start({"worker", "worker"});
    EXPECT_EQ(record().state, RunState::kStarting);
    for (const std::size_t i : {0U, 1U}) {
        task(i).tell(StateChanged{TaskState::kTraining, {}});
    }
    task(1).print("hello\n");
    step();
    EXPECT_EQ(record().state, RunState::kTraining);
    EXPECT_THAT(news(), ElementsAre("worker 0 Training", "worker 1 Training", "worker 1 says hello"));
    for (const std::size_t i : {0U, 1U}) {
        task(i).tell(StateChanged{TaskState::kDone, {}});
        task(i).end({0, 0});
    }
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().state, RunState::kDone);
    EXPECT_THAT(news(), ElementsAre("worker 0 Done", "worker 1 Done"));
}

TEST_F(SupervisedRunTest, HandsEveryTaskTheSecretOfTheRunBeforeAnythingElse) {
    start({"worker", "worker"});
    run_->control({ControlVerb::kPause, 0}, now_);
    const auto first = task(0).order(), second = task(1).order();
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->secret().size(), 32U);
    EXPECT_NE(first->secret(), std::string(32, '\0'));
    EXPECT_EQ(first->secret(), second->secret());
    EXPECT_EQ(task(0).control(), (Control{ControlVerb::kPause, 0}));
    EXPECT_TRUE(news().empty()) << "it is no event";

    launcher_.tasks.clear();
    record_.id = "another run";
    record_.run_dir = (dir_.path() / "another").string();
    std::filesystem::create_directory(record_.run_dir);
    start({"worker"});
    EXPECT_NE(task(0).order().value().secret(), first->secret()) << "another run, another secret";
}

TEST_F(SupervisedRunTest, HandsOnTheSecretThatARunIsGiven) {
    given_secret_ = agent::convert::makeSecret();
    start({"worker"});
    EXPECT_EQ(task(0).order().value().secret(), agent::convert::bytesOf(*given_secret_));
}

// What is done inside a task goes to it as an order; the journal has a line of each.
TEST_F(SupervisedRunTest, LetsAUserPutFaultsIntoItsTasks) {
    using namespace engine::chaos;
    start({"worker", "worker"});
    for (std::size_t i : {0U, 1U}) task(i).tell(StateChanged{TaskState::kTraining, {}});
    step();
    news();
    run_->inject(usualFault(FaultKind::kStop, {"worker", 1}), now_);
    EXPECT_THAT(task(1).signals, ElementsAre(SIGSTOP));
    EXPECT_TRUE(task(0).signals.empty());
    EXPECT_THAT(news(), ElementsAre("worker 1 says chaos: stop worker:1 for 5s"));
    EXPECT_EQ(run_->nextDeadline(now_), now_ + 4s) << "it is silent before the stop is over";
    pass(4100ms, {0});
    EXPECT_EQ(run_->nextDeadline(now_), now_ + 900ms);
    EXPECT_THAT(news(), ElementsAre("worker 1 Waiting: no heartbeat for 4 s"));
    pass(900ms, {0});
    EXPECT_THAT(task(1).signals, ElementsAre(SIGSTOP, SIGCONT));
    EXPECT_THAT(news(), ElementsAre("worker 1 says chaos: over: stop worker:1 for 5s"));

    const Fault cut{FaultKind::kCut, {"worker", 0}, TaskId{"worker", 1}, 3s};
    run_->inject(cut, now_);
    auto order = task(0).order();
    while (order && !order->has_fault()) order = task(0).order();
    ASSERT_TRUE(order);
    EXPECT_EQ(agent::convert::fromProto(order->fault()), cut);
    EXPECT_THROW(run_->inject(cut, now_), engine::Error) << "it is not over yet";
    pass(3100ms, {0, 1});
    EXPECT_THAT(news(), ElementsAre("worker 0 says chaos: cut worker:0-worker:1 for 3s", "worker 1 Training",
                                    "worker 0 says chaos: over: cut worker:0-worker:1 for 3s"));

    run_->inject(usualFault(FaultKind::kKill, {"worker", 1}), now_);
    EXPECT_THAT(task(1).signals, ElementsAre(SIGSTOP, SIGCONT, SIGKILL));
    task(1).end({-1, SIGKILL});
    step();
    EXPECT_THAT(news(), ::testing::Contains("worker 1 Failed: killed by signal 9 (SIGKILL)"));
}

TEST_F(SupervisedRunTest, SaysInOneSentenceWhichFaultItCantHave) {
    using namespace engine::chaos;
    const auto refusal = [&](const Fault& fault) -> std::string {
        try {
            run_->inject(fault, now_);
        } catch (const engine::Error& error) {
            return error.what();
        }
        return {};
    };
    start({"worker", "worker"}, threeTimes());
    EXPECT_EQ(refusal(usualFault(FaultKind::kKill, {"worker", 7})), "run run: has no task worker:7");
    EXPECT_EQ(refusal({FaultKind::kCut, {"worker", 0}, TaskId{"ps", 0}, 3s}), "run run: has no task ps:0");
    loseWorker1();
    EXPECT_EQ(refusal(usualFault(FaultKind::kKill, {"worker", 1})), "run run: has lost a task; it ends, or is about to start again");
    run_->control({ControlVerb::kStop, 0}, now_);
    EXPECT_EQ(refusal(usualFault(FaultKind::kKill, {"worker", 1})), "run run: is over");
}

TEST_F(SupervisedRunTest, CutsNoWayWhereWorkersDoNotSumWithEachOther) {
    using namespace engine::chaos;
    tasks_are_independent_ = true;
    start({"worker", "worker", "ps"});
    for (const FaultKind kind : {FaultKind::kSlow, FaultKind::kCut}) {
        Fault fault = usualFault(kind, {"worker", 1});
        if (kind == FaultKind::kCut) fault.peer = TaskId{"worker", 0};
        EXPECT_THROW(run_->inject(fault, now_), engine::Error);
    }
    run_->inject(usualFault(FaultKind::kKill, {"ps", 0}), now_);
    EXPECT_THAT(task(2).signals, ElementsAre(SIGKILL));
}

// A stopped process that its agent gives up gets no signal to go on from the fault.
TEST_F(SupervisedRunTest, ForgetsAFaultWithItsTask) {
    using namespace engine::chaos;
    heartbeat_fatal_ = 2s;
    start({"worker", "worker"});
    for (std::size_t i : {0U, 1U}) task(i).tell(StateChanged{TaskState::kTraining, {}});
    step();
    run_->inject(usualFault(FaultKind::kStop, {"worker", 1}), now_);
    pass(2100ms, {0});
    task(1).end({-1, SIGKILL});
    step();
    news();
    pass(5000ms, {0});
    EXPECT_THAT(task(1).signals, ElementsAre(SIGSTOP, SIGTERM));
    EXPECT_THAT(news(), ::testing::Not(::testing::Contains(HasSubstr("chaos"))));
}

TEST_F(SupervisedRunTest, NamesASilentTaskAfterFourSecondsAndSaysWhenItIsBack) {
    start({"worker", "worker"});
    task(0).tell(StateChanged{TaskState::kTraining, {}});
    task(1).tell(StateChanged{TaskState::kTraining, {}});
    step();
    news();
    pass(3900ms, {0});
    EXPECT_TRUE(news().empty());
    pass(200ms, {0});
    EXPECT_THAT(news(), ElementsAre("worker 1 Waiting: no heartbeat for 4 s"));
    pass(1000ms, {0});
    EXPECT_TRUE(news().empty()) << "named once";
    pass(0ms, {0, 1});
    EXPECT_THAT(news(), ElementsAre("worker 1 Training"));
    EXPECT_EQ(record().state, RunState::kTraining);
}

TEST_F(SupervisedRunTest, TellsTheSilenceOfATaskFromItsWaitingForAnother) {
    start({"worker", "worker"});
    const StateChanged waits{TaskState::kWaiting, "waiting for worker 1", WaitCause::kPeers, {{"worker", 1}}};
    task(0).tell(waits);
    task(1).tell(StateChanged{TaskState::kConnecting, {}});
    step();
    pass(4100ms, {1});
    pass(0ms, {0, 1});
    std::vector<StateChanged> changes;
    for (auto batch = watch_->next(); !batch.events.empty(); batch = watch_->next()) {
        for (const std::string& bytes : batch.events) {
            const TaskEvent event = agent::convert::decodeEvent(bytes);
            if (const auto* change = std::get_if<StateChanged>(&event.body); change != nullptr && event.task.index == 0) {
                changes.push_back(*change);
            }
        }
    }
    EXPECT_THAT(changes, ElementsAre(waits, StateChanged{TaskState::kWaiting, "no heartbeat for 4 s", WaitCause::kSilence}, waits))
        << "heard again, it still waits";
}

TEST_F(SupervisedRunTest, FailsWhenATaskStaysSilentForTenSeconds) {
    start({"worker", "worker"});
    task(1).tell(StateChanged{TaskState::kTraining, {}});
    step();
    for (int i = 0; i < 9; ++i) {
        pass(1000ms, {0});
    }
    EXPECT_TRUE(task(0).signals.empty());
    pass(1100ms, {0});
    EXPECT_THAT(task(0).signals, ElementsAre(SIGTERM));
    EXPECT_THAT(task(1).signals, ElementsAre(SIGTERM));
    task(0).end({-1, SIGTERM});
    pass(2000ms, {});
    EXPECT_THAT(task(1).signals, ElementsAre(SIGTERM, SIGKILL));
    task(1).end({-1, SIGKILL});
    step();
    EXPECT_EQ(record().state, RunState::kFailed);
    EXPECT_EQ(record().detail, "worker 1: no heartbeat for 10 s");
}

TEST_F(SupervisedRunTest, TellsItsVerdictAtOnceAndOfTheTaskThatHangs) {
    start({"worker", "worker"});
    for (std::size_t i : {0U, 1U}) task(i).tell(StateChanged{TaskState::kTraining, {}});
    step();
    for (int i = 0; i < 9; ++i) pass(1000ms, {0});
    news();
    pass(1100ms, {0});
    EXPECT_THAT(news(), ElementsAre("worker 1 Failed: no heartbeat for 10 s")) << "before the process has ended";
    task(0).tell(StateChanged{TaskState::kStopped, {}});
    task(0).end({0, 0});
    pass(2000ms, {});
    task(1).end({-1, SIGKILL});
    step();
    EXPECT_THAT(news(), ElementsAre("worker 0 Stopped", "worker 1 failed: no heartbeat for 10 s (1 lines)"));
}

TEST_F(SupervisedRunTest, WaitsForASilentTaskAsLongAsItsRunSays) {
    heartbeat_fatal_ = 25s;
    start({"worker", "worker"});
    for (std::size_t i : {0U, 1U}) task(i).tell(StateChanged{TaskState::kTraining, {}});
    step();
    for (int i = 0; i < 24; ++i) pass(1000ms, {0});
    EXPECT_TRUE(task(1).signals.empty());
    news();
    pass(0ms, {0, 1});
    EXPECT_THAT(news(), ElementsAre("worker 1 Training")) << "it goes on";
    for (int i = 0; i < 25; ++i) pass(1000ms, {0});
    EXPECT_THAT(task(1).signals, ElementsAre(SIGTERM));
}

TEST_F(SupervisedRunTest, BlamesTheTaskThatFailedFirstNotTheOneThatEndedFirst) {
    start({"worker", "worker"});
    task(1).tell(StateChanged{TaskState::kFailed, "expected a label below 10, got 12"});
    step();
    task(0).tell(StateChanged{TaskState::kFailed, "worker 1 is gone"});
    task(0).end({1, 0});
    step();
    EXPECT_THAT(task(1).signals, ElementsAre(SIGTERM));
    task(1).end({1, 0});
    step();
    EXPECT_EQ(record().detail, "worker 1: exit code 1: expected a label below 10, got 12");
}

TEST_F(SupervisedRunTest, BlamesTheTaskThatWasKilledNotTheOneThatNoticed) {
    start({"worker", "worker"});
    task(0).tell(StateChanged{TaskState::kFailed, "worker 1 is gone"});
    task(0).end({1, 0});
    task(1).end({-1, SIGKILL});
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().detail, "worker 1: killed by signal 9 (SIGKILL)");
    EXPECT_THAT(news(), ::testing::Contains("worker 1 failed: killed by signal 9 (SIGKILL) (0 lines)"));
}

TEST_F(SupervisedRunTest, BlamesTheTaskThatHangsNotTheOneThatNoticed) {
    start({"worker", "worker", "worker"});
    for (const std::size_t i : {0U, 1U, 2U}) {
        task(i).tell(StateChanged{TaskState::kTraining, {}});
    }
    step();
    for (int i = 0; i < 3; ++i) {
        pass(1000ms, {0, 2});
    }
    news();
    task(0).tell(StateChanged{TaskState::kFailed, "worker 1 sent no heartbeat for 4 s"});
    task(0).end({1, 0});
    step();
    EXPECT_THAT(news(), ::testing::Contains("worker 1 Waiting: no heartbeat for 3 s")) << "at once, not when it has ended";
    EXPECT_THAT(task(1).signals, ElementsAre(SIGTERM));
    task(2).end({0, 0});
    pass(2000ms, {});
    EXPECT_THAT(task(1).signals, ElementsAre(SIGTERM, SIGKILL));
    task(1).end({-1, SIGKILL});
    step();
    EXPECT_EQ(record().detail, "worker 1: no heartbeat for 3 s");
    EXPECT_THAT(news(), ::testing::Contains("worker 1 failed: no heartbeat for 3 s (1 lines)"));
}

TEST_F(SupervisedRunTest, GoesOnWhileTheDiskIsFullAndSaysSo) {
    start({"worker", "worker"});
    task(0).tell(StateChanged{TaskState::kTraining, {}});
    step();
    news();
    {
        const tests::support::SmallDisk full(0);
        task(0).tell(LogLine{LogLevel::kInfo, "while it is full"});
        task(0).askForReceipt(1);
        step();
        EXPECT_EQ(task(0).receipt(), (std::pair<std::uint64_t, bool>{1, false})) << "what it counts on is not kept";
        EXPECT_THAT(news(), ElementsAre("worker 0 says while it is full",
                                        ::testing::AllOf(HasSubstr("worker 0 says events can't be kept on disk: "),
                                                         HasSubstr("training goes on"))));
        step(250ms);
        EXPECT_THAT(news(), ElementsAre()) << "told once";
        EXPECT_EQ(record().state, RunState::kTraining);
        EXPECT_TRUE(task(0).signals.empty());
    }
    EXPECT_LE(run_->nextDeadline(now_), now_ + 250ms) << "it looks again by itself";
    step(250ms);
    EXPECT_THAT(news(), ElementsAre("worker 0 says events are kept on disk again"));
    task(0).askForReceipt(2);
    step();
    EXPECT_EQ(task(0).receipt(), (std::pair<std::uint64_t, bool>{2, true}));
    for (const std::size_t i : {0U, 1U}) {
        task(i).tell(StateChanged{TaskState::kDone, {}});
        task(i).end({0, 0});
    }
    step();
    EXPECT_EQ(record().state, RunState::kDone);
    const agent::history::Journal journal(dir_.path() / "journal", agent::history::Journal::Access::kReadOnly);
    EXPECT_EQ(journal.read(1, 100, 1 << 20).size(), journal.lastSequence()) << "nothing is missing";
}

TEST_F(SupervisedRunTest, KeepsWhatAKilledTaskToldLast) {
    start({"worker"});
    task(0).tell(StateChanged{TaskState::kConnecting, "listening at localhost:12345"});
    task(0).tell(StateChanged{TaskState::kTraining, {}});
    task(0).tell(Heartbeat{});
    step();
    task(0).print("a library's warning\n");
    task(0).end({-1, SIGKILL});
    step();
    std::vector<std::string> lines;
    for (auto batch = watch_->next(); !batch.events.empty(); batch = watch_->next()) {
        for (const std::string& bytes : batch.events) {
            const TaskEvent event = agent::convert::decodeEvent(bytes);
            if (const auto* failed = std::get_if<TaskFailed>(&event.body)) {
                lines = failed->last_lines;
            }
        }
    }
    EXPECT_THAT(lines, ElementsAre("Connecting: listening at localhost:12345", "Training", "a library's warning"));
}

TEST_F(SupervisedRunTest, AsksTheChiefToStopAndInsistsAfterHalfAMinute) {
    start({"worker", "worker"});
    task(0).tell(StateChanged{TaskState::kTraining, {}});
    step();
    run_->control({ControlVerb::kStop, 0}, now_);
    EXPECT_EQ(task(0).control(), (Control{ControlVerb::kStop, 0}));
    EXPECT_EQ(task(1).control(), std::nullopt);
    for (int i = 0; i < 29; ++i) {
        pass(1000ms, {0, 1});
    }
    EXPECT_TRUE(task(0).signals.empty());
    pass(1000ms, {0, 1});
    EXPECT_THAT(task(0).signals, ElementsAre(SIGTERM));
    EXPECT_THAT(task(1).signals, ElementsAre(SIGTERM));
    task(0).end({-1, SIGTERM});
    task(1).end({-1, SIGTERM});
    step();
    EXPECT_EQ(record().state, RunState::kStopped);
}

TEST_F(SupervisedRunTest, RefusesControlsWhileItEnds) {
    start({"worker"});
    run_->control({ControlVerb::kStopNow, 0}, now_);
    EXPECT_THAT(task(0).signals, ElementsAre(SIGTERM));
    EXPECT_THROW(run_->control({ControlVerb::kPause, 0}, now_), engine::Error);
    run_->control({ControlVerb::kStopNow, 0}, now_);
    EXPECT_THAT(task(0).signals, ElementsAre(SIGTERM)) << "asked twice, told once";
    step();
    EXPECT_THAT(task(0).signals, ElementsAre(SIGTERM, SIGKILL)) << "no time for a checkpoint";
}

TEST_F(SupervisedRunTest, StopsTheTasksThatStartedWhenOneCouldNot) {
    start({"worker", "missing"});
    EXPECT_THAT(task(0).signals, ElementsAre(SIGTERM));
    task(0).end({-1, SIGTERM});
    step();
    EXPECT_EQ(record().state, RunState::kFailed);
    EXPECT_EQ(record().detail, "worker 1: could not be started: missing: start: No such file or directory");
    EXPECT_THAT(news(), ElementsAre("worker 1 Failed: could not be started: missing: start: No such file or directory",
                                    "worker 1 failed: could not be started: missing: start: No such file or directory (0 lines)",
                                    "worker 0 Stopped: stopped because worker 1 failed"));
}

TEST_F(SupervisedRunTest, EndsWithTheChiefEvenIfAnotherTaskHangs) {
    start({"worker", "worker"});
    task(0).tell(TaskFinished{{{"test_accuracy", 0.9}}, "checkpoints/ckpt_1", "feed"});
    task(0).end({0, 0});
    step();
    EXPECT_FALSE(run_->finished());
    for (int i = 0; i < 31; ++i) {
        pass(1000ms, {1});
    }
    EXPECT_THAT(task(1).signals, ::testing::Contains(SIGTERM));
    task(1).end({-1, SIGTERM});
    step();
    EXPECT_EQ(record().state, RunState::kDone);
    EXPECT_EQ(record().weights_sha256, "feed");
}

TEST_F(SupervisedRunTest, KeepsHeartbeatsOfAPausedRunAsSignsOfLife) {
    start({"worker"});
    task(0).tell(StateChanged{TaskState::kPaused, {}});
    step();
    EXPECT_EQ(record().state, RunState::kPaused);
    for (int i = 0; i < 60; ++i) {
        pass(1000ms, {0});
    }
    EXPECT_TRUE(task(0).signals.empty());
    EXPECT_THAT(news(), ElementsAre("worker 0 Paused"));
}

TEST_F(SupervisedRunTest, KeepsTheLastWordOfEachTaskOnItsExchangeAndItsAge) {
    start({"worker", "worker"});
    const ExchangeState waits{
        .sequence = 12, .bucket = 2, .buckets = 3, .bytes = 400, .wait_s = 1.5, .awaited = TaskId{"worker", 1}, .step_wait_s = 0.25};
    ExchangeState first = waits;
    first.sequence = 11;
    task(0).tellLive(first);
    task(0).tellLive(waits);
    step();
    now_ += 2500ms;
    std::vector<agent::load::LiveTask> live;
    run_->addLiveTasks(live, now_);
    ASSERT_EQ(live.size(), 2U);
    ExchangeState aged = waits;
    aged.age_s = 2.5;
    EXPECT_EQ(live[0].exchange, aged);
    EXPECT_EQ(live[1].exchange, std::nullopt) << "it told nothing of it";
    std::size_t beats = 0;
    for (auto batch = watch_->next(); !batch.events.empty(); batch = watch_->next()) {
        for (const std::string& bytes : batch.events) {
            agent::proto::TaskEvent event;
            ASSERT_TRUE(event.ParseFromString(bytes));
            beats += event.has_heartbeat();
            EXPECT_FALSE(event.heartbeat().has_exchange()) << "it is live, and no journal has it";
        }
    }
    EXPECT_GT(beats, 0U);
}

TEST_F(SupervisedRunTest, StartsAllTasksAgainWhenOneIsLost) {
    start({"worker", "worker"}, threeTimes());
    loseWorker1();
    EXPECT_FALSE(run_->finished());
    EXPECT_EQ(record().state, RunState::kStarting);
    EXPECT_THAT(news(), ElementsAre("worker 0 Training", "worker 1 Training", "worker 1 Failed: killed by signal 9 (SIGKILL)",
                                    "worker 1 failed: killed by signal 9 (SIGKILL) (1 lines)", "worker 0 Failed: worker 1 is gone",
                                    "worker 0 failed: exit code 1: worker 1 is gone (1 lines)",
                                    "worker 1 lost: killed by signal 9 (SIGKILL), backup 2/4"));
    EXPECT_LE(run_->nextDeadline(now_), now_ + 500ms);
    step(499ms);
    EXPECT_EQ(launcher_.tasks.size(), 2U) << "a pause before";
    step(1ms);
    ASSERT_EQ(launcher_.tasks.size(), 4U);
    for (const std::size_t i : {2U, 3U}) {
        task(i).tell(StateChanged{TaskState::kTraining, {}});
    }
    step();
    EXPECT_EQ(record().state, RunState::kTraining);
    for (const std::size_t i : {2U, 3U}) {
        task(i).tell(StateChanged{TaskState::kDone, {}});
        task(i).end({0, 0});
    }
    step();
    EXPECT_EQ(record().state, RunState::kDone);
    EXPECT_EQ(record().detail, "");
}

TEST_F(SupervisedRunTest, StartsALostTaskAgainAloneWhereTasksAreIndependent) {
    tasks_are_independent_ = true;
    start({"worker", "worker", "ps"}, threeTimes());
    for (const std::size_t i : {0U, 1U, 2U}) task(i).tell(StateChanged{TaskState::kTraining, {}});
    step();
    news();
    const std::string secret = task(1).order().value().secret();
    task(1).end({-1, SIGKILL});
    step();
    EXPECT_THAT(news(), ElementsAre("worker 1 says worker 1: killed by signal 9 (SIGKILL); it is started again (1 of 3), the others go on",
                                    "worker 1 Not started: killed by signal 9 (SIGKILL)"));
    EXPECT_TRUE(task(0).signals.empty());
    EXPECT_LE(run_->nextDeadline(now_), now_ + 500ms);
    step(499ms);
    EXPECT_EQ(launcher_.tasks.size(), 3U) << "a pause before";
    step(1ms);
    ASSERT_EQ(launcher_.tasks.size(), 4U);
    EXPECT_EQ(task(3).order().value().secret(), secret) << "the others know it by that";
    EXPECT_EQ(record().state, RunState::kTraining);
    for (const std::size_t i : {0U, 3U, 2U}) {
        task(i).tell(StateChanged{TaskState::kDone, {}});
        task(i).end({0, 0});
    }
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().state, RunState::kDone);
}

TEST_F(SupervisedRunTest, IndependentTasksAreToldOfControlsAndServersEndWithThem) {
    tasks_are_independent_ = true;
    start({"worker", "worker", "ps"}, threeTimes());
    for (const std::size_t i : {0U, 1U, 2U}) task(i).tell(StateChanged{TaskState::kTraining, {}});
    step();
    run_->control({ControlVerb::kStop, 0}, now_);
    EXPECT_EQ(task(0).control(), (Control{ControlVerb::kStop, 0}));
    EXPECT_EQ(task(1).control(), (Control{ControlVerb::kStop, 0}));
    EXPECT_FALSE(task(2).control()) << "it trains nothing";
    for (const std::size_t i : {0U, 1U}) {
        task(i).tell(StateChanged{TaskState::kStopped, {}});
        task(i).end({0, 0});
    }
    step();
    EXPECT_THAT(task(2).signals, ElementsAre(SIGTERM)) << "there is nobody to serve";
    task(2).end({0, 0});
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().state, RunState::kStopped);
}

TEST_F(SupervisedRunTest, AnIndependentTaskThatFailsByItselfFailsTheRun) {
    tasks_are_independent_ = true;
    start({"worker", "worker", "ps"}, threeTimes());
    task(1).tell(StateChanged{TaskState::kFailed, "no data"});
    task(1).end({1, 0});
    step();
    EXPECT_THAT(task(0).signals, ElementsAre(SIGTERM)) << "it would fail so again";
}

TEST_F(SupervisedRunTest, CountsTheAttemptsOfARunThatGoesOn) {
    record_.attempts = 4;
    by_hand_ = AttemptStarted{4, 7, true, "stopped", true};
    start({"worker", "worker"}, threeTimes());
    EXPECT_THAT(news(), ElementsAre("worker 0 by hand: stopped, backup 4/7")) << "before anything that its tasks tell";
    loseWorker1();
    EXPECT_THAT(news(), ::testing::Contains("worker 1 lost: killed by signal 9 (SIGKILL), backup 5/7"));
    EXPECT_EQ(record().attempts, 5);
}

TEST_F(SupervisedRunTest, FailsAfterTheLastRestartAndPausesLongerEachTime) {
    start({"worker", "worker"}, threeTimes());
    for (const auto pause : {500ms, 1000ms, 2000ms}) {
        loseWorker1(launcher_.tasks.size() - 2);
        const std::size_t before = launcher_.tasks.size();
        step(pause - 1ms);
        EXPECT_EQ(launcher_.tasks.size(), before);
        step(1ms);
        EXPECT_EQ(launcher_.tasks.size(), before + 2);
    }
    loseWorker1(launcher_.tasks.size() - 2);
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().state, RunState::kFailed);
    EXPECT_EQ(record().detail, "worker 1: killed by signal 9 (SIGKILL), after 3 restarts");
}

// Between its results and its last word a chief writes the mark of a finished run.
TEST_F(SupervisedRunTest, StartsAgainWhenTheChiefIsLostBeforeItsLastWord) {
    start({"worker"}, threeTimes());
    task(0).tell(StateChanged{TaskState::kTraining, {}});
    task(0).tell(TaskFinished{{{"loss", 0.25}}, "checkpoints/ckpt_2", "9f86"});
    step();
    task(0).end({-1, SIGKILL});
    step();
    EXPECT_FALSE(run_->finished());
    step(500ms);
    ASSERT_EQ(launcher_.tasks.size(), 2U);
    task(1).tell(StateChanged{TaskState::kDone, {}});
    task(1).end({0, 0});
    step();
    EXPECT_EQ(record().state, RunState::kDone);
}

TEST_F(SupervisedRunTest, StartsAgainWhenATaskIsSilent) {
    start({"worker", "worker"}, threeTimes());
    for (const std::size_t i : {0U, 1U}) {
        task(i).tell(StateChanged{TaskState::kTraining, {}});
    }
    step();
    for (int i = 0; i < 11; ++i) {
        pass(1000ms, {0});
    }
    task(0).end({-1, SIGTERM});
    pass(2000ms, {});
    task(1).end({-1, SIGKILL});
    step();
    EXPECT_THAT(news(), ::testing::Contains("worker 1 lost: no heartbeat for 10 s, backup 2/4"));
    step(500ms);
    EXPECT_EQ(launcher_.tasks.size(), 4U);
}

TEST_F(SupervisedRunTest, DoesNotRepeatWhatATaskFailedOf) {
    start({"worker", "worker"}, threeTimes());
    task(1).tell(StateChanged{TaskState::kFailed, "expected a label below 10, got 12"});
    task(1).end({1, 0});
    step();
    task(0).end({-1, SIGTERM});  // asked to end
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().detail, "worker 1: exit code 1: expected a label below 10, got 12");
}

TEST_F(SupervisedRunTest, StartsAgainWhoeverToldFirst) {
    start({"worker", "worker"}, threeTimes());
    task(0).tell(StateChanged{TaskState::kFailed, "worker 1 is gone"});
    task(0).end({1, 0});
    step();
    EXPECT_THAT(task(1).signals, ElementsAre(SIGTERM)) << "it is dead by then, and nobody knows";
    task(1).end({-1, SIGKILL});
    step();
    EXPECT_FALSE(run_->finished());
    EXPECT_THAT(news(), ::testing::Contains("worker 1 lost: killed by signal 9 (SIGKILL), backup 2/4"));
}

TEST_F(SupervisedRunTest, StartsAgainWhenTasksThatAreWellCanNotReachEachOther) {
    start({"worker", "worker"}, threeTimes());
    for (const std::size_t i : {0U, 1U}) {
        task(i).tell(StateChanged{TaskState::kFailed, "worker " + std::to_string(1 - i) + " sent no heartbeat for 15 s"});
        task(i).end({agent::local::kPeerLostExit, 0});
        step();
    }
    EXPECT_FALSE(run_->finished());
    EXPECT_THAT(news(), ::testing::Contains("worker 0 lost: exit code 69: worker 1 sent no heartbeat for 15 s, backup 2/4"));
}

TEST_F(SupervisedRunTest, DoesNotRepeatWhatOneTaskFailedOfAndAnotherMissedItFor) {
    start({"worker", "worker"}, threeTimes());
    task(0).tell(StateChanged{TaskState::kFailed, "worker 1 gave up: expected a label below 10, got 12"});
    task(0).end({agent::local::kPeerLostExit, 0});
    step();
    task(1).tell(StateChanged{TaskState::kFailed, "expected a label below 10, got 12"});
    task(1).end({1, 0});
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().state, RunState::kFailed);
}

TEST_F(SupervisedRunTest, BeginsAnewWithoutABackup) {
    start({"worker", "worker"}, {3, [] { return false; }});
    loseWorker1();
    EXPECT_THAT(news(), ::testing::Contains("worker 1 lost: killed by signal 9 (SIGKILL), anew 2/4"));
}

TEST_F(SupervisedRunTest, StopsBetweenTwoAttempts) {
    start({"worker", "worker"}, threeTimes());
    loseWorker1();
    EXPECT_THROW(run_->control({ControlVerb::kPause, 0}, now_), engine::Error);
    run_->control({ControlVerb::kStop, 0}, now_);
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().state, RunState::kStopped);
    EXPECT_EQ(launcher_.tasks.size(), 2U);
}

TEST_F(SupervisedRunTest, EndsBetweenTwoAttemptsWithItsAgent) {
    start({"worker", "worker"}, threeTimes());
    loseWorker1();
    run_->shutDown(now_);
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().detail, "the agent was stopped");
}

TEST_F(SupervisedRunTest, AStopThatWasAskedForIsNoLoss) {
    start({"worker", "worker"}, threeTimes());
    task(0).tell(StateChanged{TaskState::kTraining, {}});
    step();
    run_->control({ControlVerb::kStopNow, 0}, now_);
    step();
    task(0).end({-1, SIGKILL});
    task(1).end({-1, SIGKILL});
    step();
    EXPECT_EQ(record().state, RunState::kStopped);
}

TEST_F(SupervisedRunTest, AStopAtOnceIsNoFailureOfWhoLosesAPeerByIt) {
    start({"worker", "worker"});
    for (const std::size_t i : {0U, 1U}) {
        task(i).tell(StateChanged{TaskState::kTraining, {}});
    }
    step();
    run_->control({ControlVerb::kStopNow, 0}, now_);
    task(0).end({-1, SIGKILL});
    task(1).tell(StateChanged{TaskState::kFailed, "worker 0 closed its connection"});
    step();
    task(1).end({1, 0});
    step();
    EXPECT_EQ(record().state, RunState::kStopped);
    EXPECT_EQ(record().detail, "");
    EXPECT_THAT(news(), ElementsAre("worker 0 Training", "worker 1 Training", "worker 1 Failed: worker 0 closed its connection",
                                    "worker 0 Stopped", "worker 1 Stopped"));
}

TEST_F(SupervisedRunTest, AStopBeforeItHasBegunIsNoFailureOfThoseThatWaitForEachOther) {
    start({"worker", "worker"});
    task(0).tell(StateChanged{TaskState::kConnecting, {}});
    step();
    run_->control({ControlVerb::kStop, 0}, now_);
    task(0).tell(StateChanged{TaskState::kFailed, "stopped while waiting for worker 1"});
    step();
    task(0).end({1, 0});
    task(1).end({1, 0});
    step();
    EXPECT_EQ(record().state, RunState::kStopped);
}

TEST_F(SupervisedRunTest, HoldsTheSamePortsForTheNextAttempt) {
    std::vector<PortReservation> ports;
    ports.push_back(PortReservation::anyPort());
    ports.push_back(PortReservation::anyPort());
    const int port = ports[1].port();
    start({"worker", "worker"}, threeTimes(), std::move(ports));
    for (const std::size_t i : {0U, 1U}) {
        task(i).tell(StateChanged{TaskState::kConnecting, {}});
    }
    step();
    loseWorker1();
    std::optional<Listener> other(port);  // somebody took it meanwhile
    step(500ms);
    EXPECT_EQ(launcher_.tasks.size(), 2U) << "waits for the port";
    other.reset();
    step(100ms);
    EXPECT_EQ(launcher_.tasks.size(), 4U);
}

TEST_F(SupervisedRunTest, FailsWhenAPortIsNotGivenBack) {
    std::vector<PortReservation> ports;
    ports.push_back(PortReservation::anyPort());
    const int port = ports[0].port();
    start({"worker"}, threeTimes(), std::move(ports));
    task(0).tell(StateChanged{TaskState::kConnecting, {}});
    step();
    task(0).end({-1, SIGKILL});
    step();
    const Listener other(port);
    for (int i = 0; i < 12; ++i) {
        step(1000ms);
    }
    EXPECT_EQ(record().state, RunState::kFailed);
    EXPECT_THAT(record().detail, HasSubstr("worker 0: could not be started again: port " + std::to_string(port)));
}

TEST_F(SupervisedRunTest, IsDoneWhenAnotherTaskIsKilledBehindTheChiefsLastWord) {
    start({"worker", "worker"}, threeTimes());
    task(0).tell(TaskFinished{{{"test_accuracy", 0.9}}, "checkpoints/ckpt_1", "feed"});
    task(0).tell(StateChanged{TaskState::kDone, {}});
    task(0).end({0, 0});
    step();
    task(1).end({-1, SIGKILL});
    step();
    EXPECT_EQ(record().state, RunState::kDone);
    EXPECT_THAT(news(), ::testing::Contains("worker 1 says killed by signal 9 (SIGKILL); the run was done by then"));
}

}  // namespace
