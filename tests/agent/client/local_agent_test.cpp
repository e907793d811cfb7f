// The real tandem-agent program, found or started by the client, with fake workers.
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/client/agent_channel.h"
#include "agent/client/pulse.h"
#include "tests/agent/server/agent_fixture.h"

namespace {

using namespace tests::agent_server;
using engine::run::RunState;
using spec::ControlVerb;
using ::testing::HasSubstr;

// Waits for the end of a process that is not our child.
bool endsWithin(int pid, std::chrono::milliseconds time) {
    const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    EXPECT_GE(descriptor, 0);
    pollfd ended{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&ended, 1, static_cast<int>(time.count()));
    ::close(descriptor);
    return ready > 0;
}

class LocalAgentTest : public ::testing::Test {
protected:
    // A copy, so that the agent finds the fake worker beside itself.
    LocalAgentTest() { std::filesystem::copy_file(std::filesystem::path(TANDEM_BIN) / "tandem-agent", program()); }
    ~LocalAgentTest() override {
        if (const int pid = agentPid(); pid > 0) {
            ::kill(pid, SIGKILL);
            eventually([&] { return !agent::convert::agentLives(agent::convert::defaultRunsDir()); });
        }
    }
    std::filesystem::path program() const { return world_.bin() / "tandem-agent"; }
    std::unique_ptr<client::AgentClient> connect() const { return client::connectLocalAgent(program().string(), kDeadline); }
    static int agentPid() {
        const auto address = agent::convert::readAgentAddress(agent::convert::defaultRunsDir());
        return address && agent::convert::agentLives(agent::convert::defaultRunsDir()) ? static_cast<int>(address->pid) : 0;
    }
    static engine::run::RunInfo submit(client::AgentClient& agent, int workers) {
        client::SubmitRequest request;
        request.run = AgentWorld::project();
        request.local_workers = workers;
        return agent.submit(request, kDeadline);
    }
    static void waitForTasks(const engine::run::RunInfo& run) {
        ASSERT_TRUE(eventually([&] { return pidIn(run.run_dir + "/pid-0") > 0 && pidIn(run.run_dir + "/pid-1") > 0; }));
    }
    AgentWorld world_;
};

TEST_F(LocalAgentTest, StartsAnAgentThatGoesOnWithoutItsClient) {
    std::string id;
    {
        const auto first = connect();
        id = submit(*first, 2).id;
    }
    const int pid = agentPid();
    ASSERT_GT(pid, 0);
    const auto second = connect();
    EXPECT_EQ(agentPid(), pid) << "the same agent";
    EXPECT_TRUE(eventually([&] { return second->getRun(id, kDeadline).state == engine::run::RunState::kTraining; }));
    second->control(id, {ControlVerb::kStopNow, 0}, kDeadline);
    EXPECT_TRUE(eventually([&] { return second->getRun(id, kDeadline).state == engine::run::RunState::kStopped; }));
}

TEST_F(LocalAgentTest, StartsOneAgentForManyClientsAtOnce) {
    std::vector<std::jthread> clients;
    std::vector<std::string> hosts(4);
    for (std::string& host : hosts) {
        clients.emplace_back([&] { host = connect()->describe(kDeadline).runs_dir; });
    }
    clients.clear();
    EXPECT_EQ(hosts, std::vector<std::string>(4, (world_.path() / "runs").string()));
}

TEST_F(LocalAgentTest, LeavesNoOrphanWhenTheAgentIsKilled) {
    const auto agent = connect();
    const engine::run::RunInfo run = submit(*agent, 2);
    waitForTasks(run);
    Collected seen;
    const auto watch = agent->watch(run.id, 1, seen.handler());
    ASSERT_TRUE(seen.waitFor([](const auto& event) { return std::holds_alternative<spec::StepPoints>(event.body); }));
    ::kill(agentPid(), SIGKILL);
    for (const char* file : {"/pid-0", "/pid-1"}) {
        EXPECT_TRUE(eventually([&] { return !isRunning(pidIn(run.run_dir + file)); })) << file;
    }
    ASSERT_TRUE(seen.waitForEnd());
    EXPECT_THAT(seen.error(), HasSubstr("the agent ended"));

    const auto next = connect();
    const engine::run::RunInfo failed = next->getRun(run.id, kDeadline);
    EXPECT_EQ(failed.state, engine::run::RunState::kFailed);
    EXPECT_EQ(failed.detail, "the agent was killed while the run went on");
    Collected again;
    const auto replay = next->watch(run.id, 1, again.handler());
    ASSERT_TRUE(again.waitForEnd());
    EXPECT_GE(again.events().size(), seen.events().size()) << "its events are kept";
}

TEST_F(LocalAgentTest, FindsAnAgentThatWasStartedAnewByTheSameClient) {
    const auto agent = connect();
    const std::string id = submit(*agent, 1).id;
    ::kill(agentPid(), SIGKILL);
    ASSERT_TRUE(eventually([] { return !agent::convert::agentLives(agent::convert::defaultRunsDir()); }));
    EXPECT_THROW(agent->listRuns(20s), engine::Error);
    const auto other = connect();
    EXPECT_EQ(agent->getRun(id, kDeadline).state, engine::run::RunState::kFailed) << "the old client follows to the new address";
}

TEST_F(LocalAgentTest, StopsRunsWhenTheAgentIsAskedToEnd) {
    const auto agent = connect();
    const engine::run::RunInfo run = submit(*agent, 2);
    waitForTasks(run);
    ::kill(agentPid(), SIGTERM);
    EXPECT_TRUE(eventually([] { return !agent::convert::agentLives(agent::convert::defaultRunsDir()); }));
    EXPECT_FALSE(isRunning(pidIn(run.run_dir + "/pid-0")));
    EXPECT_FALSE(isRunning(pidIn(run.run_dir + "/pid-1")));
    EXPECT_EQ(connect()->getRun(run.id, kDeadline).state, engine::run::RunState::kStopped);
}

// The second start knows nothing of the first one's runtime folder; both have the same runs.
TEST_F(LocalAgentTest, IsFoundByItsRunsWhereverItsSocketIs) {
    const auto first = connect();
    const int pid = agentPid();
    const std::string before = std::getenv("XDG_RUNTIME_DIR");
    ::setenv("XDG_RUNTIME_DIR", (world_.path() / "elsewhere").c_str(), 1);
    const auto second = connect();
    EXPECT_EQ(agentPid(), pid);
    EXPECT_EQ(second->describe(kDeadline).runs_dir, (world_.path() / "runs").string());
    EXPECT_NE(std::system((program().string() + " 2>/dev/null").c_str()), 0) << "a second one does not start";
    ::setenv("XDG_RUNTIME_DIR", before.c_str(), 1);
}

TEST_F(LocalAgentTest, RunsBesideTheAgentOfOtherRuns) {
    const auto first = connect();
    ::setenv("TANDEM_RUNS_DIR", (world_.path() / "others").c_str(), 1);
    const auto second = connect();
    const int other = agentPid();
    EXPECT_EQ(second->describe(kDeadline).runs_dir, (world_.path() / "others").string());
    EXPECT_EQ(first->describe(kDeadline).runs_dir, (world_.path() / "runs").string());
    ::kill(other, SIGKILL);
    EXPECT_TRUE(eventually([] { return !agent::convert::agentLives(agent::convert::defaultRunsDir()); }));
    ::setenv("TANDEM_RUNS_DIR", (world_.path() / "runs").c_str(), 1);
    EXPECT_GT(agentPid(), 0);
}

// As agents of versions that listened on a port: they locked the agent's folder, and left their address there.
TEST_F(LocalAgentTest, UsesAnAgentOfAnEarlierVersionThatStillRuns) {
    agent::server::AgentServerConfig config;
    config.program_dir = world_.bin();
    config.runs_dir = world_.path() / "earlier";
    config.folder = world_.path() / "earlier folder";
    std::filesystem::create_directory(config.folder);
    std::filesystem::permissions(config.folder, std::filesystem::perms::owner_all);
    const agent::server::AgentServer server(std::move(config));
    const std::filesystem::path folder = agent::convert::makeAgentFolder();
    const auto lock = agent::convert::takeLock(agent::convert::lockFile(folder), agent::convert::LockKind::kAlone);
    ASSERT_TRUE(lock);
    agent::convert::writeAgentAddress(folder, *agent::convert::readAgentAddress(world_.path() / "earlier"));
    EXPECT_EQ(connect()->describe(kDeadline).runs_dir, (world_.path() / "earlier").string());
    EXPECT_EQ(agentPid(), 0) << "no other one was started";
    EXPECT_NE(std::system((program().string() + " 2>/dev/null").c_str()), 0) << "nor can it be";
}

// Stopped while a run is watched: told after a while, and nothing is lost or doubled when it goes on.
TEST_F(LocalAgentTest, SaysThatTheAgentDoesNotAnswerAndLosesNothing) {
    const auto agent = connect();
    const engine::run::RunInfo run = submit(*agent, 1);
    Collected seen;
    const auto watch = agent->watch(run.id, 1, seen.handler());
    ASSERT_TRUE(seen.waitFor([](const auto& event) { return std::holds_alternative<spec::StepPoints>(event.body); }));
    std::atomic<std::int64_t> silent_ms = 0;  // since it was last set to 0
    std::atomic<bool> answered = false;
    const client::Pulse pulse(
        std::make_shared<client::AgentChannel>(agent::convert::defaultRunsDir()),
        {.silent = [&](std::chrono::milliseconds time) { silent_ms = time.count(); }, .answers = [&] { answered = true; }},
        {.interval = 20ms, .silent_after = 300ms});
    ::kill(agentPid(), SIGSTOP);
    silent_ms = 0;  // a loaded machine may have let it wait before
    ASSERT_TRUE(eventually([&] { return silent_ms >= 300; }));
    answered = false;
    EXPECT_TRUE(eventually([&] { return silent_ms >= 600; })) << "again and again";
    EXPECT_FALSE(answered);
    ::kill(agentPid(), SIGCONT);
    EXPECT_TRUE(eventually([&] { return answered.load(); }));
    agent->control(run.id, {ControlVerb::kStop, 0}, kDeadline);
    ASSERT_TRUE(seen.waitForEnd());
    EXPECT_EQ(seen.error(), "");
    const std::vector<spec::TaskEvent> events = seen.events();
    for (std::size_t i = 0; i < events.size(); ++i) {
        ASSERT_EQ(events[i].sequence, i + 1) << "no gap, nothing twice";
    }
    EXPECT_EQ(agent->getRun(run.id, kDeadline).state, engine::run::RunState::kStopped);
}

sockaddr_un addressOf(const std::filesystem::path& socket) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    EXPECT_LT(socket.string().size(), sizeof address.sun_path);
    socket.string().copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

// In front of an agent's socket: lets connections wait before it passes their bytes on.
class SlowDoor {
public:
    SlowDoor(std::filesystem::path socket, const std::filesystem::path& target, std::chrono::milliseconds wait)
        : socket_(std::move(socket)), listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const sockaddr_un address = addressOf(socket_);
        EXPECT_EQ(::bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(listener_, 8), 0);
        thread_ = std::jthread([this, target, wait](const std::stop_token& stop) { open(target, wait, stop); });
    }
    ~SlowDoor() {
        thread_.request_stop();
        thread_.join();
        connections_.clear();
        ::close(listener_);
    }
    SlowDoor(const SlowDoor&) = delete;
    SlowDoor& operator=(const SlowDoor&) = delete;
    std::string address() const { return "unix:" + socket_.string(); }

private:
    void open(const std::filesystem::path& target, std::chrono::milliseconds wait, const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            pollfd ready{.fd = listener_, .events = POLLIN, .revents = 0};
            if (::poll(&ready, 1, 10) > 0) {
                const int from = ::accept(listener_, nullptr, nullptr);
                connections_.emplace_back([from, target, wait](const std::stop_token& end) {
                    std::this_thread::sleep_for(wait);
                    pass(from, target, end);
                });
            }
        }
    }
    static void pass(int from, const std::filesystem::path& target, const std::stop_token& stop) {
        const int to = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_un address = addressOf(target);
        bool open = ::connect(to, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
        while (open && !stop.stop_requested()) {
            std::array<pollfd, 2> ends{{{.fd = from, .events = POLLIN, .revents = 0}, {.fd = to, .events = POLLIN, .revents = 0}}};
            ::poll(ends.data(), ends.size(), 10);
            for (std::size_t i = 0; i < 2 && open; ++i) {
                std::array<char, 4096> bytes{};
                const ssize_t got = ends[i].revents == 0 ? -1 : ::read(ends[i].fd, bytes.data(), bytes.size());
                open = ends[i].revents == 0 ||
                       (got > 0 && ::send(ends[1 - i].fd, bytes.data(), static_cast<std::size_t>(got), MSG_NOSIGNAL) == got);
            }
        }
        ::close(from);
        ::close(to);
    }

    const std::filesystem::path socket_;
    const int listener_;
    std::vector<std::jthread> connections_;  // of the thread
    std::jthread thread_;
};

// As one that has just been started on a busy computer.
TEST_F(LocalAgentTest, WaitsForAnAgentThatIsSlowToShakeHands) {
    connect();
    const std::filesystem::path folder = agent::convert::defaultRunsDir();
    agent::convert::AgentAddress address = agent::convert::readAgentAddress(folder).value();
    const agent::convert::AgentAddress real = address;
    const SlowDoor door(world_.path() / "door.sock", *agent::convert::socketOf(address), 400ms);
    address.address = door.address();
    agent::convert::writeAgentAddress(folder, address);
    EXPECT_EQ(connect()->describe(kDeadline).runs_dir, (world_.path() / "runs").string());
    agent::convert::writeAgentAddress(folder, real);
}

TEST_F(LocalAgentTest, SaysWhatToDoWhenNoAgentAnswers) {
    connect();
    const std::filesystem::path folder = agent::convert::defaultRunsDir();
    agent::convert::AgentAddress address = agent::convert::readAgentAddress(folder).value();
    const agent::convert::AgentAddress real = address;
    const SlowDoor door(world_.path() / "door.sock", world_.path() / "none.sock", 5s);
    address.address = door.address();
    agent::convert::writeAgentAddress(folder, address);
    try {
        client::connectLocalAgent(program().string(), 1000ms);
        ADD_FAILURE() << "connected to nothing";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kUnavailable);
        EXPECT_THAT(error.what(), HasSubstr("no answer within 1 s"));
        EXPECT_THAT(error.what(), HasSubstr(agent::convert::logFile(world_.path()).string()));
    }
    agent::convert::writeAgentAddress(folder, real);
}

TEST_F(LocalAgentTest, SaysThatTheProgramIsMissing) {
    std::filesystem::remove(program());
    try {
        connect();
        ADD_FAILURE() << "connected to nothing";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kUnavailable);
        EXPECT_THAT(error.what(), HasSubstr(program().string()));
        EXPECT_THAT(error.what(), HasSubstr("No such file"));
    }
}

TEST_F(LocalAgentTest, SaysWhyAnAgentCouldNotStart) {
    std::ofstream(world_.path() / "runs") << "a file in the place of the folder";
    try {
        connect();
        ADD_FAILURE() << "connected to nothing";
    } catch (const engine::Error& error) {
        EXPECT_THAT(error.what(), HasSubstr((world_.path() / "runs").string()));
    }
}

TEST_F(LocalAgentTest, EndsAWatchFromItsOwnHandler) {
    const auto agent = connect();
    const engine::run::RunInfo run = submit(*agent, 1);
    std::atomic<int> calls = 0;
    const auto watch =
        agent->watch(run.id, 1,
                     {.events =
                          [&](std::vector<spec::TaskEvent>) {
                              ++calls;
                              return false;
                          },
                      .dropped = {},
                      .finished = [&](const std::optional<std::string>&) { ADD_FAILURE() << "finished after it was ended"; }});
    ASSERT_TRUE(eventually([&] { return calls > 0; }));
    watch->end();
    EXPECT_EQ(calls, 1);
}

TEST_F(LocalAgentTest, EndsByItselfWhenNobodyNeedsIt) {
    ASSERT_EQ(std::system((program().string() + " --detach --idle-exit 1 2>/dev/null").c_str()), 0);
    ASSERT_TRUE(eventually([] { return agentPid() > 0; }));
    EXPECT_TRUE(eventually([] { return !agent::convert::agentLives(agent::convert::defaultRunsDir()); }));
    EXPECT_FALSE(std::filesystem::exists(agent::convert::addressFile(agent::convert::defaultRunsDir())));
}

TEST_F(LocalAgentTest, DoesNotEndWhileARunGoesOn) {
    ASSERT_EQ(std::system((program().string() + " --detach --idle-exit 4 2>/dev/null").c_str()), 0);
    ASSERT_TRUE(eventually([] { return agentPid() > 0; }));
    const int pid = agentPid();
    const engine::run::RunInfo run = submit(*connect(), 1);
    EXPECT_FALSE(endsWithin(pid, 4500ms)) << "without the run it would have ended after four seconds";
    ASSERT_EQ(agentPid(), pid);
    ASSERT_EQ(connect()->getRun(run.id, kDeadline).state, engine::run::RunState::kTraining);
}

}  // namespace
