// A run with a home in this process and a part behind an ssh that stays on this computer: the real tandem-agent with a home and folders of
// its own, and real workers on both sides.
#include "agent/home/ssh_part.h"

#include <signal.h>

#include <atomic>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/client/agent_channel.h"
#include "agent/hosts/host_list.h"
#include "agent/local/address_file.h"
#include "agent/local/run_folder.h"
#include "agent/server/host/host_probe.h"
#include "tests/agent/server/agent_fixture.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_ssh.h"

namespace {

using namespace std::chrono_literals;
using namespace tests::agent_server;
namespace fs = std::filesystem;
namespace hosts = agent::hosts;
using agent::server::AgentServer;
using engine::run::RunState;
using ::testing::HasSubstr;

constexpr auto kWait = 180s;

class SshPartTest : public ::testing::Test {
protected:
    SshPartTest() {
        ::setenv("XDG_RUNTIME_DIR", (ssh_.path() / "here").c_str(), 1);
        ::setenv("XDG_CONFIG_HOME", (ssh_.path() / "config").c_str(), 1);
        ::setenv("SSH_CONNECTION", "127.0.0.1 40000 127.0.0.1 22", 1);  // as sshd says it to the far shell
        const fs::path bundle = ssh_.home() / hosts::kDefaultFolder / "bin";
        fs::create_directories(bundle);
        fs::create_symlink(fs::path(TANDEM_BIN) / "tandem-agent", bundle / "tandem-agent");
        hosts::HostList().add({.name = "node1", .ssh = {.host = "node1"}});
        run_ = spec::parseProject(textOf(fs::path(TANDEM_RESOURCES) / "templates" / "mnist_mlp.tandem")).run;
        run_.data.take = 640;
        run_.fit.epochs = 1;
    }
    ~SshPartTest() override {
        client_.reset();
        home_.reset();
        killFarAgent();
        ::unsetenv("SSH_CONNECTION");
        ::unsetenv("XDG_CONFIG_HOME");
    }

    void killFarAgent() const {
        if (const auto address = agent::convert::readAgentAddress(ssh_.farRuns()); address && agent::convert::agentLives(ssh_.farRuns())) {
            ::kill(static_cast<pid_t>(address->pid), SIGKILL);
            eventually([&] { return !agent::convert::agentLives(ssh_.farRuns()); });
        }
    }
    static std::string textOf(const fs::path& file) {
        std::ifstream in(file);
        return {std::istreambuf_iterator<char>(in), {}};
    }

    client::AgentClient& home() {
        if (!client_) {
            agent::server::AgentServerConfig config;
            config.folder = ssh_.path() / "here" / "tandem";
            config.runs_dir = runs();
            config.program_dir = TANDEM_BIN;
            config.version = TANDEM_VERSION;
            config.parts = [this, make = agent::home::partsOverSsh({.version = TANDEM_VERSION,
                                                                    .log = [](spec::LogLevel, const std::string&) {},
                                                                    .is_ending = [this] { return is_ending_.load(); }})](
                               const auto& requests, const std::string& project, const std::string& ssh_agent) {
                auto parts = make(requests, project, ssh_agent);
                if (std::exchange(dies_before_the_start_, false)) {
                    killFarAgent();
                }
                return parts;
            };
            fs::create_directories(config.folder);
            fs::permissions(config.folder, fs::perms::owner_all);
            home_ = std::make_unique<AgentServer>(std::move(config));
            client_ = client::makeAgentClient(std::make_shared<client::AgentChannel>(runs()));
        }
        return *client_;
    }
    fs::path runs() const { return ssh_.path() / "runs"; }

    engine::run::RunInfo submit(const std::string& shares) {
        client::SubmitRequest request;
        request.run = run_;
        request.hosts = spec::parseHostShares(shares);
        spec::dealServers(request.hosts, 0);
        request.run_dir = out_.string();
        return home().submit(request, kWait);
    }
    std::string refusal(const std::string& shares) {
        try {
            submit(shares);
        } catch (const engine::Error& error) {
            return error.what();
        }
        return "no error";
    }
    engine::run::RunInfo ended(const std::string& id) {
        engine::run::RunInfo info;
        eventually([&] {
            info = home().getRun(id, kDeadline);
            return isFinal(info.state);
        });
        return info;
    }
    void awaitTraining(const std::string& id) {
        const auto watch = home().watch(id, 1, events_.handler());
        ASSERT_TRUE(events_.waitFor([](const spec::TaskEvent& event) { return std::holds_alternative<spec::StepPoints>(event.body); }));
    }
    // Of the far agent's only part.
    int farWorker() const {
        const auto agent = agent::convert::readAgentAddress(ssh_.farRuns()).value().pid;
        for (const fs::directory_entry& thread : fs::directory_iterator("/proc/" + std::to_string(agent) + "/task")) {
            std::ifstream file(thread.path() / "children");
            int child = 0;
            if (file >> child) {
                return child;
            }
        }
        return 0;
    }

    tests::FakeSsh ssh_;
    spec::RunSpec run_;
    fs::path out_;  // empty: below the runs
    Collected events_;
    bool dies_before_the_start_ = false;   // the agent there, once, between its look at the run and the start of its tasks
    std::atomic<bool> is_ending_ = false;  // home's agent
    std::unique_ptr<AgentServer> home_;
    std::unique_ptr<client::AgentClient> client_;
};

TEST_F(SshPartTest, TrainsElsewhereAndBringsTheResultsHome) {
    const engine::run::RunInfo info = ended(submit("node1").id);
    EXPECT_EQ(info.state, RunState::kDone) << info.detail;
    EXPECT_FALSE(info.weights_sha256.empty());
    const fs::path folder = info.run_dir;
    EXPECT_TRUE(fs::exists(folder / "finished.json"));
    EXPECT_TRUE(fs::exists(folder / "checkpoints" / "checkpoint"));
    EXPECT_TRUE(fs::exists(folder / (info.checkpoint + ".index"))) << info.checkpoint;
    const auto watch = home().watch(info.id, 1, events_.handler());
    ASSERT_TRUE(events_.waitForEnd());
    std::size_t steps = 0;
    for (const auto& [task, points] : events_.all<spec::StepPoints>()) {
        steps += points.step.size();
    }
    EXPECT_EQ(steps, 5U);
}

TEST_F(SshPartTest, TrainsWithATaskHere) {
    const engine::run::RunInfo info = ended(submit(agent::server::hostName() + ",node1").id);
    EXPECT_EQ(info.state, RunState::kDone) << info.detail;
    const auto watch = home().watch(info.id, 1, events_.handler());
    ASSERT_TRUE(events_.waitForEnd());
    std::map<spec::TaskId, int> done;
    for (const auto& [task, change] : events_.all<spec::StateChanged>()) {
        done[task] += change.state == spec::TaskState::kDone ? 1 : 0;
    }
    EXPECT_THAT(done, ::testing::ElementsAre(::testing::Pair(spec::TaskId{"worker", 0}, 1), ::testing::Pair(spec::TaskId{"worker", 1}, 1)));
}

TEST_F(SshPartTest, StopsWhenItIsAskedTo) {
    run_.fit.epochs = 100000;
    const engine::run::RunInfo info = submit("node1");
    awaitTraining(info.id);
    home().control(info.id, {spec::ControlVerb::kStop, 0}, kDeadline);
    EXPECT_EQ(ended(info.id).state, RunState::kStopped);
}

TEST_F(SshPartTest, StopsAtOnce) {
    run_.fit.epochs = 100000;
    const engine::run::RunInfo info = submit("node1");
    awaitTraining(info.id);
    const int worker = farWorker();
    ASSERT_GT(worker, 0);
    home().control(info.id, {spec::ControlVerb::kStopNow, 0}, kDeadline);
    EXPECT_EQ(ended(info.id).state, RunState::kStopped);
    EXPECT_TRUE(eventually([&] { return !isRunning(worker); }));
}

TEST_F(SshPartTest, NamesTheHostOfAKilledTask) {
    run_.fit.epochs = 100000;
    run_.cluster.max_restarts = 0;
    const engine::run::RunInfo info = submit("node1");
    awaitTraining(info.id);
    ::kill(farWorker(), SIGKILL);
    const engine::run::RunInfo over = ended(info.id);
    EXPECT_EQ(over.state, RunState::kFailed);
    EXPECT_EQ(over.detail, "worker 0: killed by signal 9 (SIGKILL) on node1");
}

// The agent there does it, and its journal tells of it here.
TEST_F(SshPartTest, LetsAUserPutAFaultIntoATaskThere) {
    run_.fit.epochs = 100000;
    run_.cluster.max_restarts = 0;
    const engine::run::RunInfo info = submit("node1");
    awaitTraining(info.id);
    home().injectFault(info.id, engine::chaos::usualFault(engine::chaos::FaultKind::kKill, {"worker", 0}), kDeadline);
    const engine::run::RunInfo over = ended(info.id);
    EXPECT_EQ(over.detail, "worker 0: killed by signal 9 (SIGKILL) on node1");
    Collected all;
    const auto watch = home().watch(info.id, 1, all.handler());
    ASSERT_TRUE(all.waitForEnd());
    std::vector<std::string> lines;
    for (const auto& [task, line] : all.all<spec::LogLine>()) {
        if (line.text.starts_with("chaos: ")) lines.push_back(toString(task) + " " + line.text);
    }
    EXPECT_THAT(lines, ::testing::ElementsAre("worker 0 chaos: kill worker:0"));
}

TEST_F(SshPartTest, SaysThatTheAgentThereWasKilled) {
    run_.fit.epochs = 100000;
    run_.cluster.max_restarts = 0;
    const engine::run::RunInfo info = submit("node1");
    awaitTraining(info.id);
    ::kill(static_cast<pid_t>(agent::convert::readAgentAddress(ssh_.farRuns()).value().pid), SIGKILL);
    const engine::run::RunInfo over = ended(info.id);
    EXPECT_EQ(over.state, RunState::kFailed);
    EXPECT_THAT(over.detail, HasSubstr("worker 0: node1: the agent was killed"));
}

// In the same folder there, on the same ports.
TEST_F(SshPartTest, IsStartedAgainFromItsBackupWhenATaskThereWasKilled) {
    run_.fit.epochs = 12;
    const engine::run::RunInfo undisturbed = ended(submit("node1").id);
    ASSERT_EQ(undisturbed.state, RunState::kDone) << undisturbed.detail;
    const engine::run::RunInfo info = submit("node1");
    const auto watch = home().watch(info.id, 1, events_.handler());
    ASSERT_TRUE(events_.waitFor([](const spec::TaskEvent& event) {
        const auto* epoch = std::get_if<spec::EpochEnd>(&event.body);
        return epoch != nullptr && epoch->epoch == 2;  // the backup of the one before is written by then
    }));
    ASSERT_EQ(::kill(farWorker(), SIGKILL), 0);
    const engine::run::RunInfo over = ended(info.id);
    EXPECT_EQ(over.state, RunState::kDone) << over.detail;
    EXPECT_EQ(over.attempts, 2);
    EXPECT_EQ(over.weights_sha256, undisturbed.weights_sha256);
    ASSERT_TRUE(events_.waitForEnd());
    const auto attempts = events_.all<spec::AttemptStarted>();
    ASSERT_EQ(attempts.size(), 2U) << "home's words alone";
    EXPECT_FALSE(beginsAgain(attempts[0].second));
    EXPECT_THAT(attempts[1].second.reason, HasSubstr("killed by signal 9 (SIGKILL) on node1"));
    EXPECT_TRUE(attempts[1].second.from_backup);
}

// By hand, in the same folder here: the tasks find the one that they had there, and nothing is told twice.
TEST_F(SshPartTest, GoesOnFromItsBackupThere) {
    run_.fit.epochs = 12;
    const engine::run::RunInfo undisturbed = ended(submit("node1").id);
    out_ = ssh_.path() / "out";
    const engine::run::RunInfo info = submit("node1");
    const auto watch = home().watch(info.id, 1, events_.handler());
    ASSERT_TRUE(events_.waitFor([](const spec::TaskEvent& event) {
        const auto* epoch = std::get_if<spec::EpochEnd>(&event.body);
        return epoch != nullptr && epoch->epoch == 2;
    }));
    home().control(info.id, {spec::ControlVerb::kStop, 0}, kDeadline);
    ASSERT_EQ(ended(info.id).state, RunState::kStopped);
    const engine::run::RunInfo again = submit("node1");
    EXPECT_EQ(again.id, info.id);
    const engine::run::RunInfo over = ended(again.id);
    EXPECT_EQ(over.state, RunState::kDone) << over.detail;
    EXPECT_EQ(over.weights_sha256, undisturbed.weights_sha256);
    Collected all;
    const auto replay = home().watch(info.id, 1, all.handler());
    ASSERT_TRUE(all.waitForEnd());
    std::vector<std::int64_t> steps;
    for (const auto& [task, points] : all.all<spec::StepPoints>()) {
        steps.insert(steps.end(), points.step.begin(), points.step.end());
    }
    EXPECT_EQ(std::count(steps.begin(), steps.end(), 1), 1);
    EXPECT_EQ(steps.back(), 60);
}

// The backup of a chief that was here lies here: one that is elsewhere would begin anew and tell its steps twice.
TEST_F(SshPartTest, DoesNotBeginAnewWhereTheBackupIsNot) {
    run_.fit.epochs = 100000;
    out_ = ssh_.path() / "out";
    const engine::run::RunInfo info = submit(agent::server::hostName());
    const auto watch = home().watch(info.id, 1, events_.handler());
    ASSERT_TRUE(events_.waitFor([](const spec::TaskEvent& event) {
        const auto* epoch = std::get_if<spec::EpochEnd>(&event.body);
        return epoch != nullptr && epoch->epoch == 2;
    }));
    home().control(info.id, {spec::ControlVerb::kStop, 0}, kDeadline);
    ASSERT_EQ(ended(info.id).state, RunState::kStopped);
    const engine::run::RunInfo over = ended(submit("node1").id);
    EXPECT_EQ(over.state, RunState::kFailed);
    EXPECT_THAT(over.detail, HasSubstr("node1: its tasks could not be started: expected the backup that the run goes on from"));
}

TEST_F(SshPartTest, IsStartedAgainWhenTheAgentThereWasKilled) {
    run_.fit.epochs = 12;
    const engine::run::RunInfo info = submit("node1");
    awaitTraining(info.id);
    ASSERT_EQ(::kill(static_cast<pid_t>(agent::convert::readAgentAddress(ssh_.farRuns()).value().pid), SIGKILL), 0);
    const engine::run::RunInfo over = ended(info.id);
    EXPECT_EQ(over.state, RunState::kDone) << over.detail;
    EXPECT_EQ(over.attempts, 2);
}

TEST_F(SshPartTest, IsStartedAgainWhenTheAgentThereWasKilledDuringTheStart) {
    dies_before_the_start_ = true;
    const engine::run::RunInfo over = ended(submit(agent::server::hostName() + ",node1").id);
    EXPECT_EQ(over.state, RunState::kDone) << over.detail;
    EXPECT_EQ(over.attempts, 2);
}

// Its host is silent meanwhile: the next start finds that end in the journal there, in front of its own.
TEST_F(SshPartTest, AnEndThatWasNotHeardIsNotThatOfTheNextStart) {
    run_.fit.epochs = 12;
    const engine::run::RunInfo info = submit("node1," + agent::server::hostName());
    const auto watch = home().watch(info.id, 1, events_.handler());
    ASSERT_TRUE(events_.waitFor([](const spec::TaskEvent& event) {
        const auto* epoch = std::get_if<spec::EpochEnd>(&event.body);
        return epoch != nullptr && epoch->epoch == 2;
    }));
    const auto agent = static_cast<pid_t>(agent::convert::readAgentAddress(ssh_.farRuns()).value().pid);
    const int worker = farWorker();
    ASSERT_EQ(::kill(agent, SIGSTOP), 0);
    ASSERT_EQ(::kill(worker, SIGKILL), 0);
    EXPECT_TRUE(eventually([&] { return home().getRun(info.id, kDeadline).attempts == 2; }));
    ASSERT_EQ(::kill(agent, SIGCONT), 0);
    const engine::run::RunInfo over = ended(info.id);
    EXPECT_EQ(over.state, RunState::kDone) << over.detail;
    EXPECT_EQ(over.attempts, 2);
}

// The file is large enough to be on its way while the test looks.
TEST_F(SshPartTest, BringsTheLastFilesOverANewConnection) {
    constexpr std::uintmax_t kBytes = 300'000'000;
    std::erase_if(run_.callbacks, [](const spec::ObjectSpec& one) { return one.class_name == "ModelCheckpoint"; });
    run_.fit.epochs = 12;
    const engine::run::RunInfo info = submit("node1");
    awaitTraining(info.id);
    const agent::convert::PartNote there = agent::convert::partNotes(info.run_dir).at(0);
    std::ofstream(fs::path(there.folder) / "large").close();
    fs::resize_file(fs::path(there.folder) / "large", kBytes);
    const fs::path here = fs::path(info.run_dir) / "large";
    ASSERT_TRUE(eventually([&] { return fs::exists(here.string() + ".part"); }));
    const auto far = client::makeAgentClient(std::make_shared<client::AgentChannel>(ssh_.farRuns()));
    ASSERT_TRUE(eventually([&] { return isFinal(far->getRun(there.run, kDeadline).state); })) << "what is left are its files";
    killFarAgent();
    const engine::run::RunInfo over = ended(info.id);
    EXPECT_EQ(over.state, RunState::kDone) << over.detail;
    ASSERT_TRUE(fs::exists(here));
    EXPECT_EQ(fs::file_size(here), kBytes);
}

// A user's stop waits for the last files, that of the agent does not.
TEST_F(SshPartTest, AnAgentThatEndsDoesNotWaitForALargeFile) {
    is_ending_ = true;
    std::erase_if(run_.callbacks, [](const spec::ObjectSpec& one) { return one.class_name == "ModelCheckpoint"; });
    run_.fit.epochs = 12;
    const engine::run::RunInfo info = submit("node1");
    awaitTraining(info.id);
    const fs::path there = agent::convert::partNotes(info.run_dir).at(0).folder, here = fs::path(info.run_dir) / "large";
    std::ofstream(there / "large").close();
    fs::resize_file(there / "large", 2'000'000'000);
    ASSERT_TRUE(eventually([&] { return fs::exists(here.string() + ".part"); }));
    home().control(info.id, {spec::ControlVerb::kStopNow, 0}, kDeadline);
    EXPECT_TRUE(isFinal(ended(info.id).state));
    EXPECT_FALSE(fs::exists(here) || fs::exists(here.string() + ".part"));
}

TEST_F(SshPartTest, SaysThatItCouldNotBeStartedWhereItMayNotBeRestarted) {
    dies_before_the_start_ = true;
    run_.cluster.max_restarts = 0;
    const engine::run::RunInfo over = ended(submit("node1").id);
    EXPECT_EQ(over.state, RunState::kFailed);
    EXPECT_THAT(over.detail, HasSubstr("worker 0: node1: its tasks could not be started: "));
}

TEST_F(SshPartTest, IsRefusedWithTheHostsName) {
    EXPECT_THAT(refusal("node1,node7"), HasSubstr("node7"));
    fs::remove_all(ssh_.home() / hosts::kDefaultFolder);
    EXPECT_THAT(refusal("node1"), HasSubstr("node1"));
    EXPECT_TRUE(home().listRuns(kDeadline).empty());
}

}  // namespace
