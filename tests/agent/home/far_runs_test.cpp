// A home in this process that follows a folder by the agent behind an ssh that stays on this computer: the real tandem-agent, with a home
// and folders of its own. The tasks are files that the test writes.
#include "agent/home/far_runs.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <mutex>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/client/followed_folder.h"
#include "agent/history/journal.h"
#include "agent/hosts/host_list.h"
#include "agent/local/address_file.h"
#include "agent/local/control_file.h"
#include "agent/local/far_run_note.h"
#include "agent/server/runs/run_records.h"
#include "agent/server/runs/unfinished_runs.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"
#include "tests/agent/server/followed_run_fixture.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_ssh.h"

namespace {

using namespace std::chrono_literals;
using namespace engine::spec;
namespace fs = std::filesystem;
namespace hosts = agent::hosts;
using agent::server::FarRuns;
using agent::server::RunBook;
using engine::run::RunInfo;
using engine::run::RunState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::support::eventually;

class FarRunsTest : public tests::agent_server::FollowedRunTest {
protected:
    FarRunsTest() {
        ::setenv("XDG_RUNTIME_DIR", (ssh_.path() / "here").c_str(), 1);
        ::setenv("XDG_CONFIG_HOME", (ssh_.path() / "config").c_str(), 1);
        ::setenv("SSH_CONNECTION", "127.0.0.1 40000 127.0.0.1 22", 1);
        const fs::path bundle = ssh_.home() / hosts::kDefaultFolder / "bin";
        fs::create_directories(bundle);
        fs::create_directories(ssh_.path() / "here");
        fs::permissions(ssh_.path() / "here", fs::perms::owner_all);
        fs::create_symlink(fs::path(TANDEM_BIN) / "tandem-agent", bundle / "tandem-agent");
        hosts::HostList().add({.name = "login", .ssh = {.host = "login.lan", .user = "ann"}});
        openHome();
    }
    ~FarRunsTest() override {
        closeHome();
        killFarAgent();
        ::unsetenv("SSH_CONNECTION");
        ::unsetenv("XDG_CONFIG_HOME");
    }
    void killFarAgent() const {
        const auto address = agent::convert::readAgentAddress(ssh_.farRuns());
        if (address && agent::convert::agentLives(ssh_.farRuns())) {
            ::kill(static_cast<pid_t>(address->pid), SIGKILL);
            eventually([&] { return !agent::convert::agentLives(ssh_.farRuns()); });
        }
    }
    fs::path homeRuns() const { return dir_.path() / "home"; }
    void openHome() {
        fs::create_directories(homeRuns());
        home_ = std::make_unique<RunBook>(homeRuns(), agent::server::RunBookOptions{.may_go_on = agent::server::isFollowedFarAway});
        far_ = agent::home::farRunsOverSsh({.version = TANDEM_VERSION, .log = log()})(*home_, homeRuns(), log(), loads());
        for (const agent::server::InterruptedRun& one : home_->interrupted()) far_->resume(one.record);
    }
    agent::server::LoadSink loads() {
        return [this](const std::vector<HostLoad>& some) {
            const std::lock_guard lock(loads_mutex_);
            loads_.insert(loads_.end(), some.begin(), some.end());
        };
    }
    // What the computer `host` uses, as it was told last.
    std::optional<HostLoad> newestOf(const std::string& host) {
        const std::lock_guard lock(loads_mutex_);
        const auto found = std::find_if(loads_.rbegin(), loads_.rend(), [&](const HostLoad& one) { return one.host == host; });
        return found == loads_.rend() ? std::nullopt : std::optional(*found);
    }
    void closeHome() {
        if (far_) far_->shutDown();
        far_.reset();
        home_.reset();
    }
    // One word an event, of the journal here.
    std::vector<std::string> told(const RunInfo& run) const {
        const agent::history::Journal file(agent::server::journalOf(run), agent::history::Journal::Access::kReadOnly);
        std::vector<std::string> words;
        for (const auto& entry : file.read(1, 10000, 16u << 20)) {
            const TaskEvent event = agent::convert::decodeEvent(entry.event);
            const std::string task = toString(event.task);
            if (const auto* change = std::get_if<StateChanged>(&event.body)) {
                words.push_back(task + " " + std::string(toString(change->state)));
            } else if (const auto* pack = std::get_if<StepPoints>(&event.body)) {
                words.push_back(task + " step " + std::to_string(pack->step.front()));
            }
        }
        return words;
    }
    std::string refusal(const std::function<void()>& action) const {
        try {
            action();
        } catch (const engine::Error& error) {
            return error.what();
        }
        return "no error";
    }

    std::mutex loads_mutex_;
    std::vector<HostLoad> loads_;  // guarded by loads_mutex_; above what writes there
    tests::FakeSsh ssh_;
    std::unique_ptr<RunBook> home_;
    std::unique_ptr<FarRuns> far_;
};

TEST_F(FarRunsTest, AFolderThereIsARunHereToItsEnd) {
    start(chief_, 0);
    state(chief_, 1, TaskState::kTraining);
    points(chief_, 2, 1);
    const RunInfo run = far_->follow("login", this->run().string(), "");
    EXPECT_EQ(run.name, "mnist");
    EXPECT_TRUE(run.followed);
    EXPECT_EQ(fs::path(run.run_dir).parent_path(), homeRuns());
    const auto place = agent::client::farPlaceOf(run.run_dir, run.id);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->host + ":" + place->folder, "login:" + fs::canonical(this->run()).string());
    EXPECT_FALSE(agent::client::farPlaceOf(run.run_dir, "a-later-run"));
    EXPECT_EQ(far_->activeRuns(), 1);
    EXPECT_TRUE(eventually([&] { return told(run).size() == 2; }));
    EXPECT_TRUE(eventually([&] { return home_->find(run.id).state == RunState::kTraining; }));
    EXPECT_EQ(far_->follow("ann@login.lan", this->run().string(), "").id, run.id) << "the same run, by where ssh goes";

    ASSERT_TRUE(far_->control(run.id, {.verb = ControlVerb::kPause}));
    EXPECT_TRUE(fs::exists(this->run() / agent::convert::kControlFile)) << "where the chief looks";
    EXPECT_FALSE(far_->control("another", {.verb = ControlVerb::kPause}));

    fs::create_directories(this->run() / "checkpoints");
    std::ofstream(this->run() / "checkpoints" / "ckpt_1.index") << "weights";
    std::ofstream(this->run() / "cluster.key") << "secret";
    tell(chief_, 5, TaskFinished{{{"test_accuracy", 0.5}}, "checkpoints/ckpt_1", "ab"});
    state(chief_, 5, TaskState::kDone);
    ASSERT_TRUE(eventually([&] { return home_->find(run.id).state == RunState::kDone; }));
    const RunInfo done = home_->find(run.id);
    EXPECT_EQ(done.checkpoint, "checkpoints/ckpt_1");
    ASSERT_EQ(done.results.size(), 1U);
    EXPECT_TRUE(eventually([&] { return far_->activeRuns() == 0; }));
    EXPECT_THAT(told(done), ElementsAre("worker 0 Training", "worker 0 step 1", "worker 0 Done"));
    const fs::path here = done.run_dir;
    EXPECT_TRUE(fs::exists(here / "checkpoints" / "ckpt_1.index"));
    EXPECT_FALSE(fs::exists(here / "cluster.key") || fs::exists(here / "events") || fs::exists(here / "followed.json"));
}

TEST_F(FarRunsTest, ShowsWhatTheComputersOfAFolderThereUse) {
    start(chief_, 0);  // this process: on the computer of the agent there
    state(chief_, 1, TaskState::kTraining);
    start(other_, 0, "a-boot-of-another-computer pid:[1] 4711 99");  // on node2
    state(other_, 1, TaskState::kTraining);
    const RunInfo run = far_->follow("login", this->run().string(), "");
    ASSERT_TRUE(eventually([&] {
        const auto login = newestOf("login");
        return login && !login->tasks.empty();
    }));
    const HostLoad login = *newestOf("login");
    EXPECT_GT(login.cores, 0);
    EXPECT_EQ(login.tasks[0].run_id, run.id);
    EXPECT_EQ(login.tasks[0].task, chief_);
    EXPECT_EQ(login.tasks[0].pid, ::getpid());

    double second = 6;
    ASSERT_TRUE(eventually([&] {
        write(other_, second += 0.001, [&](agent::proto::TaskEvent& message) {
            message = agent::convert::toProto(TaskEvent{0, message.time_unix_ns(), other_, Heartbeat{1, 2, 0.5}});
            message.mutable_heartbeat()->mutable_exchange()->set_sequence(9);
            message.mutable_heartbeat()->mutable_host()->set_cpu_cores(5.5);
            message.mutable_heartbeat()->mutable_host()->set_cores(6);
        });
        return newestOf("node2").has_value();
    }));
    const HostLoad node = *newestOf("node2");
    EXPECT_EQ(node.cpu_cores, 5.5);
    EXPECT_EQ(node.cores, 6);
    ASSERT_EQ(node.tasks.size(), 1U);
    EXPECT_EQ(node.tasks[0].run_id, run.id);
    EXPECT_EQ(node.tasks[0].task, other_);
    ASSERT_TRUE(node.tasks[0].exchange);
    EXPECT_EQ(node.tasks[0].exchange->sequence, 9U);
}

TEST_F(FarRunsTest, GoesOnWhereAKilledHomeAndAKilledAgentLeftIt) {
    start(chief_, 0);
    state(chief_, 1, TaskState::kTraining);
    points(chief_, 2, 1);
    const RunInfo run = far_->follow("login", this->run().string(), "");
    ASSERT_TRUE(eventually([&] { return told(run).size() == 2; }));
    closeHome();
    killFarAgent();
    points(chief_, 3, 2);
    openHome();
    EXPECT_EQ(far_->activeRuns(), 1);
    EXPECT_TRUE(eventually([&] { return told(run).size() == 3; }));
    fs::create_directories(this->run() / "checkpoints");
    std::ofstream(this->run() / "checkpoints" / "ckpt_2.index") << "weights";
    const fs::path checkpoint = fs::path(run.run_dir) / "checkpoints" / "ckpt_2.index";
    EXPECT_FALSE(fs::exists(checkpoint)) << "no word of it has come";
    killFarAgent();  // while it is watched
    EXPECT_TRUE(eventually([&] { return fs::exists(checkpoint); })) << "a cut may have kept it from coming";
    points(chief_, 4, 3);
    state(chief_, 5, TaskState::kStopped, "on request");
    ASSERT_TRUE(eventually([&] { return home_->find(run.id).state == RunState::kStopped; }));
    EXPECT_EQ(home_->find(run.id).detail, "on request");
    EXPECT_THAT(told(run), ElementsAre("worker 0 Training", "worker 0 step 1", "worker 0 step 2", "worker 0 step 3", "worker 0 Stopped"));
}

TEST_F(FarRunsTest, IsNotOverBeforeItsFilesAreHere) {
    constexpr std::uintmax_t kBytes = 300'000'000;  // large enough to be on its way while the test looks
    start(chief_, 0);
    state(chief_, 1, TaskState::kTraining);
    const RunInfo run = far_->follow("login", this->run().string(), "");
    ASSERT_TRUE(eventually([&] { return told(run).size() == 1; }));
    std::ofstream(this->run() / "large").close();
    fs::resize_file(this->run() / "large", kBytes);
    state(chief_, 5, TaskState::kDone);
    const fs::path here = fs::path(run.run_dir) / "large";
    ASSERT_TRUE(eventually([&] { return fs::exists(here.string() + ".part"); }));
    killFarAgent();
    ASSERT_TRUE(eventually([&] { return home_->find(run.id).state == RunState::kDone; }));
    ASSERT_TRUE(fs::exists(here));
    EXPECT_EQ(fs::file_size(here), kBytes);
}

TEST_F(FarRunsTest, NamesTheHostOfWhatIsWrong) {
    EXPECT_THAT(refusal([&] { far_->follow("login", (dir_.path() / "nowhere").string(), ""); }), HasSubstr("login: "));
    EXPECT_THAT(refusal([&] { far_->follow("nobody", run().string(), ""); }),
                HasSubstr("nobody: expected one of the list of hosts (login)"));
    agent::server::JobSubmission submission{.job = {}, .project_json = toProjectJson(RunSpec{})};
    submission.job.run_folder = "here";
    EXPECT_THAT(refusal([&] { far_->submit("login", submission, ""); }), HasSubstr("login: a job: expected an absolute folder"));
    EXPECT_EQ(far_->activeRuns(), 0);
}

TEST_F(FarRunsTest, FailsARunWhoseHostIsNotInTheListAnyMore) {
    start(chief_, 0);
    const RunInfo run = far_->follow("login", this->run().string(), "");
    closeHome();
    hosts::HostList().remove("login");
    openHome();
    EXPECT_EQ(home_->find(run.id).state, RunState::kFailed);
    EXPECT_THAT(home_->find(run.id).detail, HasSubstr("login: expected a host of the list, which is empty"));
}

}  // namespace
