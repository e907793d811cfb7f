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

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/agent/server/agent_fixture.h"

namespace {

using namespace tests::agent_server;
using client::RunState;
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
            eventually([&] { return !agent::convert::agentLives(agent::convert::agentFolder()); });
        }
    }
    std::filesystem::path program() const { return world_.bin() / "tandem-agent"; }
    std::unique_ptr<client::AgentClient> connect() const { return client::connectLocalAgent(program().string(), kDeadline); }
    static int agentPid() {
        const auto address = agent::convert::readAgentAddress(agent::convert::agentFolder());
        return address && agent::convert::agentLives(agent::convert::agentFolder()) ? static_cast<int>(address->pid) : 0;
    }
    static client::RunInfo submit(client::AgentClient& agent, int workers) {
        client::SubmitRequest request;
        request.run = AgentWorld::project();
        request.local_workers = workers;
        return agent.submit(request, kDeadline);
    }
    static void waitForTasks(const client::RunInfo& run) {
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
    EXPECT_TRUE(eventually([&] { return second->getRun(id, kDeadline).state == RunState::kTraining; }));
    second->control(id, {ControlVerb::kStopNow, 0}, kDeadline);
    EXPECT_TRUE(eventually([&] { return second->getRun(id, kDeadline).state == RunState::kStopped; }));
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
    const client::RunInfo run = submit(*agent, 2);
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
    const client::RunInfo failed = next->getRun(run.id, kDeadline);
    EXPECT_EQ(failed.state, RunState::kFailed);
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
    ASSERT_TRUE(eventually([] { return !agent::convert::agentLives(agent::convert::agentFolder()); }));
    EXPECT_THROW(agent->listRuns(kDeadline), engine::Error);
    const auto other = connect();
    EXPECT_EQ(agent->getRun(id, kDeadline).state, RunState::kFailed) << "the old client follows to the new address";
}

TEST_F(LocalAgentTest, StopsRunsWhenTheAgentIsAskedToEnd) {
    const auto agent = connect();
    const client::RunInfo run = submit(*agent, 2);
    waitForTasks(run);
    ::kill(agentPid(), SIGTERM);
    EXPECT_TRUE(eventually([] { return !agent::convert::agentLives(agent::convert::agentFolder()); }));
    EXPECT_FALSE(isRunning(pidIn(run.run_dir + "/pid-0")));
    EXPECT_FALSE(isRunning(pidIn(run.run_dir + "/pid-1")));
    EXPECT_EQ(connect()->getRun(run.id, kDeadline).state, RunState::kStopped);
}

// In front of a port: lets connections wait before it passes their bytes on.
class SlowDoor {
public:
    SlowDoor(int port, std::chrono::milliseconds wait) : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in address = localhost(0);
        socklen_t size = sizeof address;
        EXPECT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), size), 0);
        EXPECT_EQ(::listen(listener_, 8), 0);
        EXPECT_EQ(::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size), 0);
        port_ = ntohs(address.sin_port);
        thread_ = std::jthread([this, port, wait](const std::stop_token& stop) { open(port, wait, stop); });
    }
    ~SlowDoor() {
        thread_.request_stop();
        thread_.join();
        connections_.clear();
        ::close(listener_);
    }
    SlowDoor(const SlowDoor&) = delete;
    SlowDoor& operator=(const SlowDoor&) = delete;
    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

private:
    static sockaddr_in localhost(int port) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        return address;
    }
    void open(int port, std::chrono::milliseconds wait, const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            pollfd ready{.fd = listener_, .events = POLLIN, .revents = 0};
            if (::poll(&ready, 1, 10) > 0) {
                const int from = ::accept(listener_, nullptr, nullptr);
                connections_.emplace_back([from, port, wait](const std::stop_token& end) {
                    std::this_thread::sleep_for(wait);
                    pass(from, port, end);
                });
            }
        }
    }
    static void pass(int from, int port, const std::stop_token& stop) {
        const int to = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        const sockaddr_in address = localhost(port);
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

    const int listener_;
    int port_ = 0;
    std::vector<std::jthread> connections_;  // of the thread
    std::jthread thread_;
};

// As one that has just been started on a busy computer.
TEST_F(LocalAgentTest, WaitsForAnAgentThatIsSlowToShakeHands) {
    connect();
    const std::filesystem::path folder = agent::convert::agentFolder();
    agent::convert::AgentAddress address = agent::convert::readAgentAddress(folder).value();
    const agent::convert::AgentAddress real = address;
    const SlowDoor door(std::stoi(address.address.substr(address.address.rfind(':') + 1)), 400ms);
    address.address = door.address();
    agent::convert::writeAgentAddress(folder, address);
    EXPECT_EQ(connect()->describe(kDeadline).runs_dir, (world_.path() / "runs").string());
    agent::convert::writeAgentAddress(folder, real);
}

TEST_F(LocalAgentTest, SaysWhatToDoWhenNoAgentAnswers) {
    connect();
    const std::filesystem::path folder = agent::convert::agentFolder();
    agent::convert::AgentAddress address = agent::convert::readAgentAddress(folder).value();
    const agent::convert::AgentAddress real = address;
    const SlowDoor door(1, 5s);
    address.address = door.address();
    agent::convert::writeAgentAddress(folder, address);
    try {
        client::connectLocalAgent(program().string(), 1000ms);
        ADD_FAILURE() << "connected to nothing";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kUnavailable);
        EXPECT_THAT(error.what(), HasSubstr("no answer within 1 s"));
        EXPECT_THAT(error.what(), HasSubstr(agent::convert::logFile(folder).string()));
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
    const client::RunInfo run = submit(*agent, 1);
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
    EXPECT_TRUE(eventually([] { return !agent::convert::agentLives(agent::convert::agentFolder()); }));
    EXPECT_FALSE(std::filesystem::exists(agent::convert::addressFile(agent::convert::agentFolder())));
}

TEST_F(LocalAgentTest, DoesNotEndWhileARunGoesOn) {
    ASSERT_EQ(std::system((program().string() + " --detach --idle-exit 1 2>/dev/null").c_str()), 0);
    ASSERT_TRUE(eventually([] { return agentPid() > 0; }));
    const int pid = agentPid();
    const client::RunInfo run = submit(*connect(), 1);
    EXPECT_FALSE(endsWithin(pid, 1500ms)) << "without the run it would have ended after a second";
    ASSERT_EQ(agentPid(), pid);
    ASSERT_EQ(connect()->getRun(run.id, kDeadline).state, RunState::kTraining);
}

}  // namespace
