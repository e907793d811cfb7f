// Runs of several computers as the supervisor of one of them sees them: at home, with processes that stand for far tasks, and in a part.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/server/supervision/supervised_run.h"
#include "agent/trust/tls_session.h"
#include "agent/wire/credentials_convert.h"
#include "engine/spec/error.h"
#include "tests/agent/server/fake_process.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace std::chrono_literals;
using namespace agent::server;
using namespace engine::spec;
using engine::run::RunState;
using ::testing::HasSubstr;
using tests::agent_server::FakeLauncher;
using tests::agent_server::FakeProcess;
using tests::agent_server::FakeTask;

// What stands for a process on another host. The test says what its agent found.
class FakeFarProcess final : public FakeProcess {
public:
    FakeFarProcess(std::shared_ptr<FakeTask> task, std::string host, const std::string& found, const bool& reached)
        : FakeProcess(std::move(task)), host_(std::move(host)), found_(found), reached_(reached) {}
    std::string host() const override { return host_; }
    bool isReached() const override { return reached_; }
    std::string givenUp() const override { return found_; }

private:
    const std::string host_;
    const std::string& found_;
    const bool& reached_;
};

class FakePart final : public FarPart {
public:
    explicit FakePart(std::string name) : name_(std::move(name)) {}
    const std::string& host() const override { return text_; }
    const std::string& address() const override { return text_; }
    const std::vector<int>& ports() const override { return ports_; }
    const std::string& addressOfHome() const override { return text_; }
    void plan(PartPlan) override {}
    void goOnWith(PartChange change) override { changed = std::move(change); }
    std::unique_ptr<Process> launch(const TaskId&) override {
        tasks.push_back(std::make_shared<FakeTask>());
        return std::make_unique<FakeFarProcess>(tasks.back(), name_, found, reached);
    }
    std::vector<std::shared_ptr<FakeTask>> tasks;
    std::string found;
    bool reached = true;
    std::optional<PartChange> changed;

private:
    const std::string name_;
    const std::string text_;
    const std::vector<int> ports_;
};

class FarTasks : public ::testing::Test {
protected:
    FarTasks() {
        record_.id = "run";
        record_.run_dir = dir_.path().string();
    }

    // Worker 0 here, worker 1 on node2.
    void startAtHome() {
        RunLaunch launch{record_, book_.open(record_), {}};
        launch.across_hosts = true;
        launch.tasks.push_back({.task = {"worker", 0}, .chief = !chief_is_far_, .process = {}, .port = {}});
        launch.tasks.push_back({.task = {"worker", 1}, .chief = chief_is_far_, .process = {}, .port = {}, .part = part_});
        start(std::move(launch));
    }
    // Worker 0, the chief, on node3 and worker 1 on node2.
    void startFarFromHome() {
        RunLaunch launch{record_, book_.open(record_), {}};
        launch.across_hosts = true;
        launch.tasks.push_back({.task = {"worker", 0}, .chief = true, .process = {}, .port = {}, .part = chiefs_part_});
        launch.tasks.push_back({.task = {"worker", 1}, .chief = false, .process = {}, .port = {}, .part = part_});
        start(std::move(launch));
    }
    // Two tasks of a run whose home and chief are elsewhere.
    void startPart(const TaskId& one, const TaskId& other, bool independent) {
        RunLaunch launch{record_, book_.open(record_), {}};
        launch.is_part = true;
        launch.home_lost = home_lost_;
        launch.tasks_are_independent = independent;
        for (const TaskId& task : {one, other}) {
            launch.tasks.push_back({.task = task, .chief = task == chief_, .process = {}, .port = {}, .part = {}, .credentials = given_});
        }
        start(std::move(launch));
    }
    void start(RunLaunch launch) {
        watch_ = launch.log->subscribe(1, [] {});
        run_ = std::make_unique<SupervisedRun>(std::move(launch), SupervisorOptions(), book_, [](LogLevel, const std::string&) {});
        run_->start(launcher_, now_);
    }
    void step(std::chrono::milliseconds later = 0ms) {
        now_ += later;
        std::vector<pollfd> descriptors;
        run_->addDescriptors(descriptors);
        ::poll(descriptors.data(), descriptors.size(), 0);
        run_->step(descriptors, now_);
    }
    FakeTask& here(std::size_t i) { return *launcher_.tasks.at(i); }
    FakeTask& there() { return *part_->tasks.at(0); }
    FakeTask& chiefThere() { return *chiefs_part_->tasks.at(0); }
    engine::run::RunInfo record() { return book_.find("run"); }
    // "worker 1: a line of the log", each once.
    std::vector<std::string> said() {
        std::vector<std::string> lines;
        for (auto batch = watch_->next(); !batch.events.empty(); batch = watch_->next()) {
            for (const std::string& bytes : batch.events) {
                const TaskEvent event = agent::convert::decodeEvent(bytes);
                if (const auto* line = std::get_if<LogLine>(&event.body)) {
                    lines.push_back(toString(event.task) + ": " + line->text);
                }
            }
        }
        return lines;
    }

    tests::support::TempDir dir_;
    RunBook book_{dir_.path()};
    engine::run::RunInfo record_;
    FakeLauncher launcher_;
    TaskId chief_{"none", 0};
    bool chief_is_far_ = false;
    std::unique_ptr<EventLog::Subscription> watch_;
    const std::shared_ptr<FakePart> part_ = std::make_shared<FakePart>("node2");
    const std::shared_ptr<FakePart> chiefs_part_ = std::make_shared<FakePart>("node3");
    agent::trust::RunCredentials given_{agent::convert::makeSecret(), {"authority", "certificate", "key"}};
    SteadyTime now_ = std::chrono::steady_clock::now();
    std::chrono::milliseconds home_lost_{0};
    std::unique_ptr<SupervisedRun> run_;
};

TEST_F(FarTasks, AreGivenCertificatesOfTheirOwnByOneAuthority) {
    startAtHome();
    const auto first = here(0).order(), second = there().order();
    ASSERT_TRUE(first && second && first->has_credentials() && second->has_credentials());
    const auto one = agent::convert::fromProto(first->credentials()), other = agent::convert::fromProto(second->credentials());
    EXPECT_EQ(one.secret, other.secret);
    EXPECT_EQ(one.tls.authority_pem, other.tls.authority_pem);
    EXPECT_NE(one.tls.certificate_pem, other.tls.certificate_pem);
    EXPECT_NO_THROW(agent::trust::TlsContext{one.tls});
    EXPECT_NO_THROW(agent::trust::TlsContext{other.tls});
}

TEST_F(FarTasks, GetInAPartWhatHomeHasSent) {
    startPart({"worker", 1}, {"worker", 2}, false);
    const auto order = here(1).order();
    ASSERT_TRUE(order && order->has_credentials());
    EXPECT_EQ(agent::convert::fromProto(order->credentials()).tls.certificate_pem, "certificate");
}

TEST_F(FarTasks, AreNotJudgedByTheirSilence) {
    startAtHome();
    for (int i = 0; i < 40; ++i) {
        here(0).tell(Heartbeat{});
        step(1s);
    }
    EXPECT_TRUE(there().signals.empty()) << "its agent watches it";
    EXPECT_FALSE(run_->finished());
}

TEST_F(FarTasks, AreNamedWithTheirHost) {
    startAtHome();
    there().tell(StateChanged{TaskState::kFailed, "killed by signal 9 (SIGKILL)"});  // what the agent there says of it
    there().end({.exit_code = -1, .signal = SIGKILL});
    step();
    EXPECT_EQ(here(0).signals, std::vector<int>{SIGTERM});
    here(0).end({.exit_code = -1, .signal = SIGTERM});
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().detail, "worker 1: killed by signal 9 (SIGKILL) on node2");
}

TEST_F(FarTasks, AreTheCauseWhenTheirHostWasGivenUp) {
    startAtHome();
    here(0).tell(StateChanged{TaskState::kFailed, "worker 1 gives no sign of life"});
    here(0).end({.exit_code = 1, .signal = 0});
    step();
    EXPECT_EQ(there().signals, std::vector<int>{SIGTERM});
    part_->found = "node2 has not answered for 4 s";
    there().end({.exit_code = -1, .signal = 0});
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().state, RunState::kFailed);
    EXPECT_EQ(record().detail, "worker 1: node2 has not answered for 4 s");
}

TEST_F(FarTasks, AreNoLoadOfThisComputer) {
    startAtHome();
    std::vector<agent::load::LiveTask> tasks;
    run_->addLiveTasks(tasks, now_);
    ASSERT_EQ(tasks.size(), 1U);
    EXPECT_EQ(tasks[0].task, (TaskId{"worker", 0}));
}

TEST_F(FarTasks, OfAPartWithServersGoOnWithoutALostOne) {
    startPart({"ps", 0}, {"worker", 1}, true);
    here(1).end({.exit_code = -1, .signal = SIGKILL});
    step();
    step(10s);
    EXPECT_TRUE(here(0).signals.empty()) << "home decides";
    EXPECT_FALSE(run_->finished());
    run_->control({ControlVerb::kStop, 0}, now_);
    EXPECT_EQ(here(0).signals, std::vector<int>{SIGTERM});
}

TEST_F(FarTasks, OfAPartWithServersServeOnWhenTheWorkersHereHaveEnded) {
    startPart({"ps", 0}, {"worker", 1}, true);
    here(1).tell(StateChanged{TaskState::kDone, ""});
    here(1).end({.exit_code = 0, .signal = 0});
    step();
    for (int i = 0; i < 60; ++i) {
        here(0).tell(Heartbeat{});
        step(1s);
    }
    EXPECT_TRUE(here(0).signals.empty()) << "workers of other hosts need it";
}

TEST_F(FarTasks, OfARingEndTogether) {
    startPart({"worker", 1}, {"worker", 2}, false);
    here(1).end({.exit_code = -1, .signal = SIGKILL});
    step();
    EXPECT_EQ(here(0).signals, std::vector<int>{SIGTERM});
}

TEST_F(FarTasks, OfAPartStopWithTheirChiefWhenHomeIsAwayForTooLong) {
    home_lost_ = 20s;
    chief_ = {"worker", 1};
    startPart({"worker", 1}, {"worker", 2}, false);
    const auto pass = [this](std::chrono::seconds time) {
        for (int i = 0; i < time.count(); ++i) {
            here(0).tell(Heartbeat{});
            here(1).tell(Heartbeat{});
            step(1s);
        }
    };
    pass(19s);
    run_->hearHome(now_);
    pass(19s);
    EXPECT_EQ(here(0).control(), std::nullopt) << "home was there in between";
    EXPECT_LE(run_->nextDeadline(now_), now_ + 1s);
    pass(1s);
    EXPECT_EQ(here(0).control(), (Control{ControlVerb::kStop, 0}));
    EXPECT_TRUE(here(1).signals.empty()) << "it ends with the chief, after the same step";
    for (const std::size_t i : {0U, 1U}) {
        here(i).tell(StateChanged{TaskState::kStopped, ""});
        here(i).end({.exit_code = 0, .signal = 0});
    }
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().state, RunState::kStopped);
    EXPECT_EQ(record().detail, "its home was away for 20 s");
}

TEST_F(FarTasks, OfAPartWithoutAChiefLeaveItTimeToStop) {
    home_lost_ = 20s;
    startPart({"worker", 1}, {"worker", 2}, false);
    for (int i = 0; i < 49; ++i) {
        here(0).tell(Heartbeat{});
        here(1).tell(Heartbeat{});
        step(1s);
    }
    EXPECT_TRUE(here(0).signals.empty());
    step(1s);
    EXPECT_EQ(here(0).signals, std::vector<int>{SIGTERM}) << "nobody else has stopped it";
}

TEST_F(FarTasks, OfAPartMayBeWithoutHomeForEver) {
    startPart({"worker", 1}, {"worker", 2}, false);
    for (int i = 0; i < 3600; ++i) {
        here(0).tell(Heartbeat{});
        here(1).tell(Heartbeat{});
        step(1s);
    }
    EXPECT_TRUE(here(0).signals.empty());
}

TEST_F(FarTasks, EndTheRunWhenTheyWereStoppedWhereTheyAre) {
    startAtHome();
    there().tell(StateChanged{TaskState::kStopped, "node2: its home was away for 20 s"});
    there().end({.exit_code = 0, .signal = 0});
    step();
    EXPECT_EQ(here(0).control(), (Control{ControlVerb::kStop, 0}));
    here(0).tell(StateChanged{TaskState::kStopped, ""});
    here(0).end({.exit_code = 0, .signal = 0});
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().state, RunState::kStopped);
    EXPECT_EQ(record().detail, "node2: its home was away for 20 s");
}

TEST_F(FarTasks, OfAHostOutOfReachDoNotHoldAStop) {
    startAtHome();
    here(0).tell(StateChanged{TaskState::kTraining, {}});
    there().tell(StateChanged{TaskState::kTraining, {}});
    step();
    part_->reached = false;
    part_->found = "node2 has not answered for 9 s";
    run_->control({ControlVerb::kStop, 0}, now_);
    EXPECT_EQ(here(0).control(), (Control{ControlVerb::kStop, 0}));
    step();
    EXPECT_THAT(said(), ::testing::Contains("worker 1: node2 is out of reach and was not asked to stop; the others end without it"));
    here(0).tell(Heartbeat{});  // it waits for the task that nobody can ask
    step(4s);
    EXPECT_TRUE(here(0).signals.empty());
    step(1s);
    EXPECT_EQ(here(0).signals, std::vector<int>{SIGTERM}) << "sooner than one that only has its step to end";
    EXPECT_EQ(there().signals, std::vector<int>{SIGTERM});
    here(0).end({.exit_code = -1, .signal = SIGTERM});
    there().end({.exit_code = -1, .signal = 0});
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().state, RunState::kStopped);
    EXPECT_EQ(record().detail, "out of reach and not asked to stop: node2");
}

TEST_F(FarTasks, OfAHostThatGoesSilentInAStopEndWithTheLastOfTheOthers) {
    startAtHome();
    here(0).tell(StateChanged{TaskState::kTraining, {}});
    step();
    run_->control({ControlVerb::kStop, 0}, now_);
    part_->reached = false;
    step(1s);
    EXPECT_TRUE(there().signals.empty());
    here(0).tell(StateChanged{TaskState::kStopped, {}});
    here(0).end({.exit_code = 0, .signal = 0});
    step();
    step();
    EXPECT_EQ(there().signals, std::vector<int>{SIGTERM}) << "nobody else is there to be waited for";
}

// Where the chief itself can't be asked, nobody hears of the stop but by a signal.
TEST_F(FarTasks, AChiefOutOfReachIsNotWaitedFor) {
    chief_is_far_ = true;
    startAtHome();
    there().tell(StateChanged{TaskState::kTraining, {}});
    step();
    part_->reached = false;
    run_->control({ControlVerb::kStop, 0}, now_);
    EXPECT_EQ(here(0).signals, std::vector<int>{SIGTERM});
}

// A home that comes back reaches one host after the other.
TEST_F(FarTasks, ThatWereStoppedWhereTheyAreAreAwaitedOneAfterTheOther) {
    startFarFromHome();
    chiefThere().tell(StateChanged{TaskState::kTraining, {}});
    there().tell(StateChanged{TaskState::kStopped, ""});
    there().end({.exit_code = 0, .signal = 0});
    chiefs_part_->reached = false;
    step();
    step(20s);
    EXPECT_TRUE(chiefThere().signals.empty()) << "it may have stopped as well, and can tell soon";
    chiefs_part_->reached = true;
    chiefThere().tell(StateChanged{TaskState::kStopped, "node3: its home was away for 20 s"});
    chiefThere().end({.exit_code = 0, .signal = 0});
    step();
    step();
    EXPECT_TRUE(run_->finished());
    EXPECT_EQ(record().state, RunState::kStopped);
    EXPECT_EQ(record().detail, "node3: its home was away for 20 s");
}

TEST_F(FarTasks, WhoseChiefStillTrainsIsStoppedWhenItIsReached) {
    startFarFromHome();
    chiefThere().tell(StateChanged{TaskState::kTraining, {}});
    there().tell(StateChanged{TaskState::kStopped, ""});
    there().end({.exit_code = 0, .signal = 0});
    chiefs_part_->reached = false;
    step();
    EXPECT_EQ(chiefThere().control(), std::nullopt);
    chiefs_part_->reached = true;
    step();
    EXPECT_EQ(chiefThere().control(), (Control{ControlVerb::kStop, 0}));
}

TEST_F(FarTasks, WhoseChiefStaysOutOfReachEndWithoutIt) {
    startFarFromHome();
    chiefThere().tell(StateChanged{TaskState::kTraining, {}});
    there().tell(StateChanged{TaskState::kStopped, ""});
    there().end({.exit_code = 0, .signal = 0});
    chiefs_part_->reached = false;
    step();
    step(31s);
    EXPECT_EQ(chiefThere().signals, std::vector<int>{SIGTERM});
}

TEST_F(FarTasks, GetTheirFaultsFromTheAgentThatHasThem) {
    using namespace engine::chaos;
    startAtHome();
    here(0).tell(StateChanged{TaskState::kTraining, {}});
    there().tell(StateChanged{TaskState::kTraining, {}});
    step();
    run_->inject(usualFault(FaultKind::kStop, {"worker", 1}), now_);
    EXPECT_TRUE(there().signals.empty()) << "a signal would end the part";
    auto order = there().order();
    while (order && !order->has_fault()) order = there().order();
    ASSERT_TRUE(order);
    EXPECT_EQ(order->fault().lasting_ms(), 5000);
    part_->reached = false;
    try {
        run_->inject(usualFault(FaultKind::kKill, {"worker", 1}), now_);
        FAIL() << "nobody can do it";
    } catch (const engine::Error& error) {
        EXPECT_STREQ(error.what(), "run run: node2, where worker 1 runs, is out of reach");
    }
}

// Its peer may be a task of another part.
TEST_F(FarTasks, OfAPartAreCutOffFromOthers) {
    using namespace engine::chaos;
    startPart({"worker", 1}, {"worker", 2}, false);
    run_->inject({FaultKind::kCut, {"worker", 1}, TaskId{"worker", 0}, std::chrono::seconds(3)}, now_);
    auto order = here(0).order();
    while (order && !order->has_fault()) order = here(0).order();
    ASSERT_TRUE(order);
    EXPECT_EQ(order->fault().peer().index(), 0);
}

TEST_F(FarTasks, OfAPartTakeControlsWithoutAChief) {
    startPart({"worker", 1}, {"worker", 2}, true);
    run_->control({ControlVerb::kPause, 0}, now_);
    EXPECT_EQ(here(0).control(), (Control{ControlVerb::kPause, 0}));
    EXPECT_EQ(here(1).control(), (Control{ControlVerb::kPause, 0}));
}

}  // namespace
