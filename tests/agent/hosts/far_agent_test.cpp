// The real tandem-agent behind an ssh that stays on this computer, with a home and folders of its own.
#include "agent/hosts/far_agent.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "agent/hosts/host_check.h"
#include "agent/hosts/ssh_way.h"
#include "agent/local/address_file.h"
#include "agent/local/located_agent.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_ssh.h"

namespace agent::hosts {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using ::testing::HasSubstr;
using tests::support::eventually;

constexpr auto kDeadline = 180s;

class FarAgentTest : public ::testing::Test {
protected:
    FarAgentTest() {
        ::setenv("XDG_RUNTIME_DIR", (ssh_.path() / "here").c_str(), 1);
        fs::create_directories(bundle());
        fs::create_symlink(fs::path(TANDEM_BIN) / "tandem-agent", bundle() / "tandem-agent");
    }
    ~FarAgentTest() override {
        if (const auto address = convert::readAgentAddress(ssh_.farRuns()); address && convert::agentLives(ssh_.farRuns())) {
            ::kill(static_cast<pid_t>(address->pid), SIGKILL);
            eventually([&] { return !convert::agentLives(ssh_.farRuns()); });
        }
    }
    fs::path bundle() const { return ssh_.home() / kDefaultFolder / "bin"; }
    // A tandem-agent that says one thing.
    void installInstead(const std::string& script) const {
        fs::remove(bundle() / "tandem-agent");
        std::ofstream(bundle() / "tandem-agent") << "#!/bin/sh\n" << script << "\n";
        fs::permissions(bundle() / "tandem-agent", fs::perms::owner_all);
    }
    static FarOptions options() { return {.version = TANDEM_VERSION, .deadline = kDeadline}; }
    Error problem() const {
        const HostReport report = checkHost(kHost, options());
        return report.problem.value_or(Error(ErrorCode::kInternal, "none"));
    }
    std::vector<fs::path> foldersHere() const {
        std::vector<fs::path> found;
        for (const auto& entry : fs::directory_iterator(ssh_.path() / "here" / "tandem")) {
            if (entry.is_directory()) {
                found.push_back(entry.path());
            }
        }
        return found;
    }

    const Host kHost{.name = "node1", .ssh = {.host = "node1"}};
    tests::FakeSsh ssh_;
};

TEST_F(FarAgentTest, IsStartedThereAndAnswersHere) {
    int forward = 0;
    {
        FarAgent agent(kHost, options());
        EXPECT_EQ(agent.client().describe(kDeadline).runs_dir, ssh_.farRuns().string());
        const client::ClockOffset clock = agent.clockOffset(8, kDeadline);
        EXPECT_GT(clock.round_trip, 0ns);
        EXPECT_LE(std::abs(clock.offset.count()), clock.round_trip.count()) << "it is the same clock";
        EXPECT_FALSE(agent.lost());
        ASSERT_EQ(foldersHere().size(), 1U);
        struct stat status {};
        ASSERT_EQ(::stat(foldersHere().front().c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777, 0700U);
        std::ifstream(ssh_.home() / "forward.pid") >> forward;
        EXPECT_EQ(::kill(forward, 0), 0);
    }
    EXPECT_TRUE(eventually([&] { return ::kill(forward, 0) != 0; }));
    EXPECT_TRUE(foldersHere().empty());
    EXPECT_TRUE(convert::agentLives(ssh_.farRuns())) << "it goes on";
}

TEST_F(FarAgentTest, IsTheSameOneTheSecondTime) {
    checkHost(kHost, options());
    const auto first = convert::readAgentAddress(ssh_.farRuns());
    ASSERT_TRUE(first);
    EXPECT_EQ(checkHost(kHost, options()).problem, std::nullopt);
    EXPECT_EQ(convert::readAgentAddress(ssh_.farRuns()), first);
}

TEST_F(FarAgentTest, SaysThatTheConnectionWasLost) {
    FarAgent agent(kHost, options());
    int forward = 0;
    std::ifstream(ssh_.home() / "forward.pid") >> forward;
    ::kill(forward, SIGKILL);
    EXPECT_TRUE(eventually([&] { return agent.lost().has_value(); }));
    EXPECT_EQ(agent.lost()->code(), ErrorCode::kUnavailable);
}

TEST_F(FarAgentTest, LeavesNoSshBehindWhenItsOwnerIsKilled) {
    const pid_t owner = ::fork();
    if (owner == 0) {
        ::execl("/proc/self/exe", "far_agent_test", "--gtest_filter=FarAgentOwner.DISABLED_Waits", "--gtest_also_run_disabled_tests",
                nullptr);
        ::_exit(1);
    }
    int forward = 0;
    ASSERT_TRUE(eventually([&] {
        std::ifstream(ssh_.home() / "forward.pid") >> forward;
        return forward > 0 && !foldersHere().empty() && fs::exists(foldersHere().front() / "agent.sock");
    }));
    ::kill(owner, SIGKILL);
    ::waitpid(owner, nullptr, 0);
    EXPECT_TRUE(eventually([&] { return ::kill(forward, 0) != 0; }));
    EXPECT_EQ(foldersHere().size(), 1U) << "it could not";
    checkHost(kHost, options());
    EXPECT_TRUE(foldersHere().empty()) << "the next one does it";
}

// The process that the test above kills: it finds the fake in its environment.
TEST(FarAgentOwner, DISABLED_Waits) {
    const FarAgent agent({.name = "node1", .ssh = {.host = "node1"}}, {.version = TANDEM_VERSION, .deadline = kDeadline});
    std::this_thread::sleep_for(kDeadline);
}

TEST_F(FarAgentTest, PassesAGreetingOver) {
    ssh_.say(std::string("case \"$*\" in *-N*) ;; *) echo 'Welcome {to} tandem-something' ;; esac\n") + tests::FakeSsh::kRunHere);
    EXPECT_EQ(problem().what(), std::string("none"));
}

TEST_F(FarAgentTest, SaysThatThereIsNoTandem) {
    fs::remove(bundle() / "tandem-agent");
    EXPECT_EQ(problem().code(), ErrorCode::kNotFound);
    EXPECT_EQ(problem().what(),
              std::string("node1: expected Tandem in the folder .local/share/tandem/bundle/current or on the PATH, found none"));
    EXPECT_FALSE(fs::exists(ssh_.farRuns()));
}

TEST_F(FarAgentTest, TakesNoBannerForWhatAProgramSaid) {
    fs::remove(bundle() / "tandem-agent");
    ssh_.say(std::string("echo 'Authorized users only' >&2\n") + tests::FakeSsh::kRunHere);
    EXPECT_EQ(problem().what(),
              std::string("node1: expected Tandem in the folder .local/share/tandem/bundle/current or on the PATH, found none"));
}

TEST_F(FarAgentTest, StartsNothingOfAnotherVersion) {
    installInstead("[ \"$1\" = --version ] && echo 0.0.1 || touch \"$HOME/started\"");
    EXPECT_EQ(problem().code(), ErrorCode::kFailedPrecondition);
    EXPECT_THAT(problem().what(), ::testing::AllOf(HasSubstr("expected Tandem " TANDEM_VERSION " as on this computer"),
                                                   HasSubstr("of version 0.0.1, which is older")));
    installInstead("[ \"$1\" = --version ] && echo 99.0 || touch \"$HOME/started\"");
    EXPECT_THAT(problem().what(), HasSubstr("of version 99.0, which is newer"));
    EXPECT_FALSE(fs::exists(ssh_.home() / "started"));
}

TEST_F(FarAgentTest, StartsNothingOnAnotherProcessor) {
    fs::create_directories(ssh_.path() / "tools");
    std::ofstream(ssh_.path() / "tools" / "uname") << "#!/bin/sh\necho riscv64\n";
    fs::permissions(ssh_.path() / "tools" / "uname", fs::perms::owner_all);
    std::string script = tests::FakeSsh::kRunHere;
    script.replace(script.find("PATH=/usr/bin"), 5, "PATH=" + (ssh_.path() / "tools").string() + ":");
    ssh_.say(script);
    EXPECT_EQ(problem().what(), "node1: expected a processor of the kind " + convert::thisArch() + " as on this computer, got riscv64");
    EXPECT_FALSE(fs::exists(ssh_.farRuns()));
}

TEST_F(FarAgentTest, SaysWhyAnAgentCouldNotStart) {
    std::ofstream(ssh_.farRuns()) << "a file in the place of the folder";
    EXPECT_EQ(problem().code(), ErrorCode::kUnavailable);
    EXPECT_THAT(problem().what(), HasSubstr("to find or start its agent, it did not ("));
    fs::remove(ssh_.farRuns());
}

TEST_F(FarAgentTest, SaysThatThereIsNoShell) {
    ssh_.say("echo 'sh is not recognized' >&2; exit 1");
    EXPECT_EQ(problem().what(), std::string("node1: expected a shell that runs sh, got none (sh is not recognized)"));
}

TEST_F(FarAgentTest, SaysWhatSshSays) {
    ssh_.say("echo 'ssh: connect to host node1 port 22: Connection refused' >&2; exit 255");
    EXPECT_EQ(problem().what(),
              std::string("node1: expected an ssh server that answers, the connection was refused (ssh: connect to host node1 "
                          "port 22: Connection refused)"));
}

TEST_F(FarAgentTest, WaitsNoLongerThanItsDeadline) {
    ssh_.say("exec sleep 600");
    const auto began = std::chrono::steady_clock::now();
    const HostReport report = checkHost(kHost, {.version = TANDEM_VERSION, .deadline = 1000ms});
    ASSERT_TRUE(report.problem);
    EXPECT_EQ(report.problem->code(), ErrorCode::kDeadlineExceeded);
    EXPECT_STREQ(report.problem->what(), "node1: expected an answer over ssh within 1 s, got none");
    EXPECT_LT(std::chrono::steady_clock::now() - began, kDeadline);
}

TEST_F(FarAgentTest, EndsWhenItIsCancelled) {
    ssh_.say("exec sleep 600");
    const HostReport report = checkHost(kHost, {.version = TANDEM_VERSION, .deadline = kDeadline, .is_cancelled = [] { return true; }});
    ASSERT_TRUE(report.problem);
    EXPECT_EQ(report.problem->code(), ErrorCode::kCancelled);
}

TEST_F(FarAgentTest, SeveralAreLookedAtAtOnceInTheirOrder) {
    const Host other{.name = "node2", .ssh = {.host = "node2"}, .folder = "elsewhere"};
    const auto reports = checkHosts({other, kHost}, options());
    ASSERT_EQ(reports.size(), 2U);
    EXPECT_EQ(reports[0].host.name, "node2");
    ASSERT_TRUE(reports[0].problem);
    EXPECT_EQ(reports[0].problem->code(), ErrorCode::kNotFound);
    EXPECT_FALSE(reports[1].problem) << reports[1].problem->what();
    EXPECT_EQ(reports[1].info.agent_version, TANDEM_VERSION);
}

TEST(ComparedVersions, TellOlderFromNewer) {
    EXPECT_EQ(comparedVersions("0.10.0", "0.10.0"), std::nullopt);
    EXPECT_EQ(comparedVersions("0.10.0", "0.9.1"), "older");
    EXPECT_EQ(comparedVersions("0.9.1", "0.10"), "newer");
    EXPECT_EQ(comparedVersions("0.9.1", "0.9.1-x"), "another one");
}

TEST(ForwardedPath, EscapesWhatSeparatesAndExpands) {
    EXPECT_EQ(forwardedPath("/run/user/1000/tandem/agent-a.sock"), "/run/user/1000/tandem/agent-a.sock");
    EXPECT_EQ(forwardedPath("/a:b/%h/c\\d"), "/a\\:b/%%h/c\\\\d");
}

TEST(ClockOffset, IsThatOfTheShortestRoundTrip) {
    using client::ClockReading;
    EXPECT_EQ(client::offsetOf({}), client::ClockOffset{});
    const std::vector<ClockReading> readings{{.sent_unix_ns = 1000, .far_unix_ns = 9000, .round_trip = 800ns},
                                             {.sent_unix_ns = 5000, .far_unix_ns = 5550, .round_trip = 100ns},
                                             {.sent_unix_ns = 8000, .far_unix_ns = 9000, .round_trip = 400ns}};
    EXPECT_EQ(client::offsetOf(readings), (client::ClockOffset{.offset = 500ns, .round_trip = 100ns}));
}

// The time of a slow way is up behind the second one.
TEST(ClockOffset, NeedsNoMoreRoundTripsThanThereIsTimeFor) {
    const auto pings = [](int answered, std::chrono::milliseconds deadline) {
        int asked = 0;
        return client::takeReadings(5, deadline, [&](std::chrono::milliseconds) {
            if (++asked > answered) throw Error(ErrorCode::kDeadlineExceeded, "agent: no answer");
            return client::ClockReading{.sent_unix_ns = asked, .far_unix_ns = asked, .round_trip = 1s};
        });
    };
    EXPECT_EQ(pings(9, 1min).size(), 5U);
    EXPECT_EQ(pings(2, 1min).size(), 2U);
    EXPECT_EQ(pings(9, 0ms).size(), 1U) << "the first one is asked whatever the time";
    EXPECT_THROW(pings(0, 1min), Error);
}

}  // namespace
}  // namespace agent::hosts
