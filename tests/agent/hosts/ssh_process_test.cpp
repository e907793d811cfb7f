#include "agent/hosts/ssh_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "engine/spec/error.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_ssh.h"

namespace agent::hosts {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using tests::support::eventually;

const SshDestination kNode{.host = "node1"};
constexpr auto kDeadline = 180s;

bool endsWithin(int pid, std::chrono::milliseconds time) {
    const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    if (descriptor < 0) {
        return true;
    }
    pollfd ended{.fd = descriptor, .events = POLLIN, .revents = 0};
    const int ready = ::poll(&ended, 1, static_cast<int>(time.count()));
    ::close(descriptor);
    return ready > 0;
}

int pidIn(const std::filesystem::path& file) {
    int pid = 0;
    eventually([&] {
        std::ifstream(file) >> pid;
        return pid != 0;
    });
    return pid;
}

class SshProcessTest : public ::testing::Test {
protected:
    tests::FakeSsh ssh_;
};

TEST_F(SshProcessTest, RunsACommandThere) {
    const SshProcess process(kNode, {.far_command = "echo out; echo err >&2; exit 3"});
    const auto end = process.waitFor(kDeadline);
    ASSERT_TRUE(end);
    EXPECT_EQ(*end, (SshEnd{.exit_code = 3, .output = "out\n", .errors = "err\n"}));
}

TEST_F(SshProcessTest, HandsQuotedWordsOnAsTheyAre) {
    for (const std::string word : {"plain", "two words", "it's", "$HOME `id` \"x\"", "a;b|c&d", "*", "", "'", "-n", "new\nline", "!x"}) {
        const SshProcess process(kNode, {.far_command = "printf %s " + quotedForShell(word)});
        const auto end = process.waitFor(kDeadline);
        ASSERT_TRUE(end);
        EXPECT_EQ(end->output, word);
    }
}

TEST_F(SshProcessTest, HasTheAgentOfWhoeverAsked) {
    ssh_.say("echo \"$SSH_AUTH_SOCK\"");
    ::setenv("SSH_AUTH_SOCK", "/tmp/own", 1);
    const SshProcess process(kNode, {.agent_socket = "/tmp/given"});
    const SshProcess plain(kNode, {});
    const auto end = process.waitFor(kDeadline), plain_end = plain.waitFor(kDeadline);
    ::unsetenv("SSH_AUTH_SOCK");
    ASSERT_TRUE(end && plain_end);
    EXPECT_EQ(end->output, "/tmp/given\n");
    EXPECT_EQ(plain_end->output, "/tmp/own\n");
}

// ssh hands the file behind -F on to the one that it starts for a jump host, and no other option.
TEST_F(SshProcessTest, GivesJumpHostsItsOptionsByAFile) {
    ssh_.say("while [ $# -gt 0 ]; do if [ \"$1\" = -F ]; then cat \"$2\" \"$2\"; fi; shift; done");
    const SshCommand command{.prompts = Prompts::kAskpass};
    const SshProcess process(kNode, command);
    const auto end = process.waitFor(kDeadline);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->output, sshConfiguration(command) + sshConfiguration(command)) << "it can be read more than once";
    EXPECT_THAT(end->output, HasSubstr("StrictHostKeyChecking ask\n"));
    EXPECT_TRUE(end->output.ends_with("PermitLocalCommand no\nInclude ~/.ssh/config\nInclude /etc/ssh/ssh_config\n")) << end->output;
    EXPECT_THAT(sshConfiguration({}), ::testing::StartsWith("BatchMode yes\nConnectTimeout 10\n"));
}

TEST_F(SshProcessTest, KeepsTheLastOfALongOutput) {
    const SshProcess process(kNode, {.far_command = "i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done; echo the end"});
    const auto end = process.waitFor(kDeadline);
    ASSERT_TRUE(end);
    EXPECT_LE(end->output.size(), 64U << 10);
    EXPECT_TRUE(end->output.ends_with("line 19999\nthe end\n"));
}

TEST_F(SshProcessTest, HandsOnWhatItIsGiven) {
    SshProcess process(kNode, {.far_command = "head -c 3000000 | wc -c; read -r line; echo \"$line\"", .input = Input::kOffered});
    const std::string bytes = std::string(3000000, 'x') + "the last\n";
    for (std::size_t done = 0; done < bytes.size();) {
        done += process.offer(std::string_view(bytes).substr(done), kDeadline);
    }
    const auto end = process.waitFor(kDeadline);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->output, "3000000\nthe last\n");
    EXPECT_EQ(process.output(), end->output);
    EXPECT_EQ(process.offer("more", 10ms), 0U) << "nobody reads it";
}

TEST_F(SshProcessTest, TakesNoMoreThanIsRead) {
    SshProcess process(kNode, {.far_command = "exec sleep 600", .input = Input::kOffered});
    const std::string bytes(1 << 20, 'x');
    std::size_t taken = 0;
    for (std::size_t got = 1; got > 0; taken += got) {
        got = process.offer(bytes, 50ms);
    }
    EXPECT_LT(taken, std::size_t{8} << 20);
    EXPECT_TRUE(process.isRunning());
}

TEST_F(SshProcessTest, IsKilledWithWhatItStarted) {
    ssh_.say("sleep 600 & echo $! > \"$FAR/child.pid\"; echo $$ > \"$FAR/own.pid\"; wait");
    int own = 0, child = 0;
    {
        const SshProcess process(kNode, {});
        child = pidIn(ssh_.home() / "child.pid");
        own = pidIn(ssh_.home() / "own.pid");
        EXPECT_EQ(process.waitFor(50ms), std::nullopt);
        EXPECT_TRUE(process.isRunning());
    }
    EXPECT_TRUE(endsWithin(own, kDeadline));
    EXPECT_TRUE(endsWithin(child, kDeadline));
}

TEST_F(SshProcessTest, EndsWithItsOwnerHoweverThatEnds) {
    ssh_.say("echo $$ > \"$FAR/own.pid\"; exec sleep 600");
    const pid_t owner = ::fork();
    if (owner == 0) {
        const SshProcess process(kNode, {});
        process.waitFor(600s);
        ::_exit(0);
    }
    const int own = pidIn(ssh_.home() / "own.pid");
    ASSERT_GT(own, 0);
    ::kill(owner, SIGKILL);
    ::waitpid(owner, nullptr, 0);
    EXPECT_TRUE(endsWithin(own, kDeadline));
}

TEST_F(SshProcessTest, DoesNotWaitForWhoHoldsItsOutput) {
    ssh_.say("setsid sleep 600 & echo $! > \"$FAR/child.pid\"; echo done");
    const SshProcess process(kNode, {});
    const auto end = process.waitFor(kDeadline);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->output, "done\n");
    ::kill(pidIn(ssh_.home() / "child.pid"), SIGKILL);
}

// Such as a folder of another user's, or one of a file system that does not answer; here a link to itself.
TEST_F(SshProcessTest, PassesOverWhatCannotBeLookedIntoOnThePath) {
    const std::filesystem::path loop = ssh_.path() / "loop";
    std::filesystem::create_symlink(loop, loop);
    const std::string before = std::getenv("PATH");
    ::setenv("PATH", (loop.string() + ":" + before).c_str(), 1);
    const SshProcess process(kNode, {.far_command = "echo found"});
    ::setenv("PATH", before.c_str(), 1);
    const auto end = process.waitFor(kDeadline);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->output, "found\n");
}

TEST_F(SshProcessTest, SaysThatThereIsNoSsh) {
    std::filesystem::remove(ssh_.bin() / "ssh");
    const std::string before = std::getenv("PATH");
    ::setenv("PATH", ssh_.bin().c_str(), 1);
    try {
        const SshProcess process(kNode, {});
        ADD_FAILURE() << "started something";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kFailedPrecondition);
        EXPECT_THAT(error.what(), HasSubstr("openssh-client"));
    }
    ::setenv("PATH", before.c_str(), 1);
}

TEST(SshArguments, NoDestinationCanBeAnOption) {
    const auto arguments =
        sshArguments({.host = "-oProxyCommand=id", .user = "-x", .port = 22}, {.options = {"-N"}, .far_command = "true"});
    const auto end = std::find(arguments.begin(), arguments.end(), "--");
    ASSERT_EQ(arguments.end() - end, 3);
    EXPECT_EQ(end[1], "-oProxyCommand=id");
    EXPECT_EQ(end[2], "true");
    EXPECT_EQ(*(end - 1), "-x");
    EXPECT_EQ(*(end - 2), "-l");
}

TEST(SshArguments, AsksNobodyWhereNobodyIs) {
    const auto has = [](Prompts prompts, const char* word) {
        const auto arguments = sshArguments(kNode, {.prompts = prompts});
        return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
    };
    EXPECT_TRUE(has(Prompts::kNone, "BatchMode=yes"));
    EXPECT_TRUE(has(Prompts::kAskpass, "BatchMode=no"));
    EXPECT_TRUE(has(Prompts::kTerminal, "BatchMode=no"));
    EXPECT_TRUE(has(Prompts::kAskpass, "StrictHostKeyChecking=ask"));
    EXPECT_FALSE(has(Prompts::kNone, "StrictHostKeyChecking=ask"));
    EXPECT_TRUE(has(Prompts::kNone, "ConnectTimeout=10"));
}

}  // namespace
}  // namespace agent::hosts
