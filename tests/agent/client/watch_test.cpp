// A stream that breaks while the agent lives: between client and agent lies a proxy that cuts every connection when told.
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "agent/local/file_descriptor.h"
#include "tests/agent/server/agent_fixture.h"
#include "tests/support/stopwatch.h"

namespace {

using namespace tests::agent_server;
using agent::convert::FileDescriptor;
using spec::ControlVerb;

sockaddr_un addressOf(const std::filesystem::path& socket) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    EXPECT_LT(socket.string().size(), sizeof address.sun_path);
    socket.string().copy(address.sun_path, sizeof address.sun_path - 1);
    return address;
}

// Forwards every connection from one socket to another; one thread.
class CuttingProxy {
public:
    CuttingProxy(const std::filesystem::path& socket, std::filesystem::path target)
        : target_(std::move(target)), listener_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        const sockaddr_un address = addressOf(socket);
        EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
        EXPECT_EQ(::listen(listener_.get(), 16), 0);
        thread_ = std::jthread([this](const std::stop_token& stop) { loop(stop); });
    }
    // Answers when no connection is left of those that were open.
    void cut() {
        cut_ = true;
        EXPECT_TRUE(eventually([this] { return !cut_; }));
    }

private:
    struct Pair {
        FileDescriptor client, agent;
    };

    void accept() {
        Pair pair{FileDescriptor(::accept(listener_.get(), nullptr, nullptr)),
                  FileDescriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0))};
        const sockaddr_un target = addressOf(target_);
        if (::connect(pair.agent.get(), reinterpret_cast<const sockaddr*>(&target), sizeof target) == 0) {
            pairs_.push_back(std::move(pair));
        }
    }

    // False when the connection is over.
    static bool forward(int from, int to) {
        char bytes[16384];
        const ssize_t received = ::recv(from, bytes, sizeof bytes, MSG_DONTWAIT);
        if (received < 0) {
            return errno == EAGAIN;
        }
        return received > 0 && ::send(to, bytes, static_cast<std::size_t>(received), MSG_NOSIGNAL) == received;
    }

    void loop(const std::stop_token& stop) {
        while (!stop.stop_requested()) {
            if (cut_) {
                pairs_.clear();
                cut_ = false;
            }
            std::vector<pollfd> descriptors{{listener_.get(), POLLIN, 0}};
            for (const Pair& pair : pairs_) {
                descriptors.push_back({pair.client.get(), POLLIN, 0});
                descriptors.push_back({pair.agent.get(), POLLIN, 0});
            }
            ::poll(descriptors.data(), descriptors.size(), 5);
            std::erase_if(pairs_, [](const Pair& pair) {
                return !forward(pair.client.get(), pair.agent.get()) || !forward(pair.agent.get(), pair.client.get());
            });
            if (descriptors[0].revents != 0) {
                accept();
            }
        }
    }

    const std::filesystem::path target_;
    const FileDescriptor listener_;
    std::atomic<bool> cut_ = false;
    std::vector<Pair> pairs_;  // the thread's alone
    std::jthread thread_;
};

class WatchTest : public AgentTest {
protected:
    void startBehindProxy(const std::string& behaviours) {
        start(behaviours);
        agent::convert::AgentAddress address = *agent::convert::readAgentAddress(agent::convert::defaultRunsDir());
        const std::filesystem::path door = world_.path() / "door.sock";
        proxy_ = std::make_unique<CuttingProxy>(door, *agent::convert::socketOf(address));
        address.address = "unix:" + door.string();
        agent::convert::writeAgentAddress(agent::convert::defaultRunsDir(), address);
        client_ = client::connectLocalAgent("/nonexistent/tandem-agent", kDeadline);
    }
    std::unique_ptr<CuttingProxy> proxy_;
};

TEST_F(WatchTest, GoesOnAfterTheLastEventWhenItsStreamBreaks) {
    startBehindProxy("0:train");
    const engine::run::RunInfo run = submit(1);
    Collected seen;
    const auto watch = client_->watch(run.id, 1, seen.handler());
    for (int i = 0; i < 5; ++i) {
        const std::uint64_t before = seen.events().empty() ? 0 : seen.events().back().sequence;
        ASSERT_TRUE(seen.waitFor([&](const spec::TaskEvent& event) { return event.sequence > before + 5; })) << "after " << i << " cuts";
        proxy_->cut();
    }
    ASSERT_TRUE(eventually([&] {  // the first call may meet the connection that was cut
        try {
            control(run.id, ControlVerb::kStop);
            return true;
        } catch (const engine::Error& error) {
            return error.code() != engine::ErrorCode::kUnavailable;
        }
    }));
    ASSERT_TRUE(seen.waitForEnd());
    EXPECT_EQ(seen.error(), "");
    const std::vector<spec::TaskEvent> events = seen.events();
    for (std::size_t i = 0; i < events.size(); ++i) {
        ASSERT_EQ(events[i].sequence, i + 1) << "no gap, nothing twice";
    }
}

TEST_F(WatchTest, EndsWhileTheAgentCanNotBeReached) {
    startBehindProxy("0:train");
    const engine::run::RunInfo run = submit(1);
    Collected seen;
    auto watch = client_->watch(run.id, 1, seen.handler());
    ASSERT_TRUE(seen.waitFor([](const spec::TaskEvent& event) { return event.sequence > 3; }));
    proxy_.reset();
    const tests::support::Stopwatch since;
    watch->end();
    EXPECT_TRUE(since.isWithin(6s));
}

TEST_F(WatchTest, SaysThatThereIsNoSuchRun) {
    start();
    Collected seen;
    const auto watch = client_->watch("20200101-000000-0000", 1, seen.handler());
    ASSERT_TRUE(seen.waitForEnd());
    EXPECT_EQ(seen.error(), "run 20200101-000000-0000: not found on this host");
}

}  // namespace
