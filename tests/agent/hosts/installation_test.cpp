// The far script in the shell of this computer, with another home and bundles of shell scripts.
#include "agent/hosts/installation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "agent/hosts/far_installer.h"
#include "engine/spec/error.h"
#include "tests/support/eventually.h"
#include "tests/support/fake_ssh.h"
#include "tests/support/small_bundle.h"

namespace agent::hosts {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;
using engine::Error;
using engine::ErrorCode;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;
using tests::support::SmallBundle;

constexpr auto kDeadline = 180s;

class InstallationTest : public ::testing::Test {
protected:
    Bundle bundle(const SmallBundle& small = {}) const { return openBundle(tests::support::writeBundle(ssh_.path(), small)); }
    Installation installed(const Bundle& bundle, const Host& host) const {
        return install(host, bundle, {.version = bundle.version, .silence = kDeadline});
    }
    Installation installed(const Bundle& bundle) const { return installed(bundle, kHost); }
    Error refusal(const Bundle& bundle, const Host& host, const InstallOptions& options) const {
        try {
            install(host, bundle, options);
        } catch (const Error& error) {
            return error;
        }
        return {ErrorCode::kInternal, "none"};
    }
    Error refusal(const Bundle& bundle, const Host& host) const {
        return refusal(bundle, host, {.version = bundle.version, .silence = kDeadline});
    }
    Error refusal(const Bundle& bundle) const { return refusal(bundle, kHost); }

    fs::path base() const { return ssh_.home() / ".local/share/tandem/bundle"; }
    static std::vector<std::string> namesIn(const fs::path& folder) {
        std::vector<std::string> names;
        if (fs::exists(folder)) {
            for (const auto& entry : fs::directory_iterator(folder)) {
                names.push_back(entry.path().filename());
            }
        }
        return names;
    }
    std::string versionThere() const {
        std::string line;
        std::ifstream script(base() / "current" / "bin" / "tandem-agent");
        std::getline(script, line);
        std::getline(script, line);
        return line;
    }
    // Programs that go before the system's on the PATH there.
    void putTool(const std::string& name, const std::string& script) const {
        const fs::path tools = ssh_.path() / "tools";
        fs::create_directories(tools);
        std::ofstream(tools / name) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(tools / name, fs::perms::owner_all);
        std::string run = tests::FakeSsh::kRunHere;
        run.replace(run.find("PATH=/usr/bin"), 5, "PATH=" + tools.string() + ":");
        ssh_.say(run);
    }

    const Host kHost{.name = "node1", .ssh = {.host = "node1"}};
    tests::FakeSsh ssh_;
};

TEST_F(InstallationTest, PutsABundleBesideALinkCalledCurrent) {
    const Bundle one = bundle();
    std::vector<Progress> told;
    const Installation installation =
        install(kHost, one, {.version = "1.2.3", .silence = kDeadline, .progress = [&](Progress progress) { told.push_back(progress); }});
    EXPECT_EQ(installation.program, (base() / "current/bin/tandem-agent").string());
    EXPECT_EQ(installation.version, "1.2.3");
    EXPECT_EQ(installation.before, "");
    EXPECT_FALSE(installation.was_there);
    EXPECT_EQ(installation.sent_bytes, one.bytes);
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.back(), (Progress{one.bytes, one.bytes}));
    EXPECT_EQ(fs::read_symlink(base() / "current"), folderNameOf(one));
    EXPECT_EQ(versionThere(), "echo 1.2.3");
    EXPECT_THAT(namesIn(base()), UnorderedElementsAre("current", folderNameOf(one)));
    const Installation again = installed(one);
    EXPECT_TRUE(again.was_there);
    EXPECT_EQ(again.sent_bytes, 0U);
}

TEST_F(InstallationTest, TakesThePlaceOfAnotherVersionAndRemovesIt) {
    const Bundle one = bundle(), two = bundle({.version = "1.3.0"});
    installed(one);
    const Installation update = installed(two);
    EXPECT_EQ(update.before, "1.2.3");
    EXPECT_EQ(versionThere(), "echo 1.3.0");
    EXPECT_THAT(namesIn(base()), UnorderedElementsAre("current", folderNameOf(two)));
    EXPECT_EQ(installed(one).before, "1.3.0") << "an older one, too";
}

TEST_F(InstallationTest, KeepsAnotherVersionWhoseProgramsRun) {
    const Bundle one = bundle(), two = bundle({.version = "1.3.0"});
    installed(one);
    const fs::path program = base() / folderNameOf(one) / "bin" / "runs";
    fs::copy_file("/bin/sleep", program);
    const pid_t pid = ::fork();
    if (pid == 0) {
        ::execl(program.c_str(), "runs", "600", nullptr);
        ::_exit(1);
    }
    installed(two);
    EXPECT_THAT(namesIn(base()), UnorderedElementsAre("current", folderNameOf(one), folderNameOf(two)));
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    const Bundle three = bundle({.version = "1.4.0"});
    installed(three);
    EXPECT_THAT(namesIn(base()), UnorderedElementsAre("current", folderNameOf(three)));
}

TEST_F(InstallationTest, MovesABundleAsideThatSomebodyUnpackedThere) {
    const Bundle one = bundle({.version = "1.3.0"});
    tests::support::writeBundle(ssh_.path());
    fs::create_directories(base());
    fs::rename(ssh_.path() / "tree-1.2.3", base() / "current");
    EXPECT_EQ(installed(one).before, "1.2.3");
    EXPECT_EQ(versionThere(), "echo 1.3.0");
    EXPECT_THAT(namesIn(base()), UnorderedElementsAre("current", folderNameOf(one)));
}

TEST_F(InstallationTest, FillsAFolderOfAnotherNameWhereItIsEmptyOrMissing) {
    for (const std::string folder : {"it's here", "empty"}) {
        const Host host{.name = "node1", .ssh = {.host = "node1"}, .folder = (ssh_.path() / folder).string()};
        if (folder == "empty") {
            fs::create_directories(host.folder);
        }
        const Bundle one = bundle();
        EXPECT_EQ(installed(one, host).program, host.folder + "/bin/tandem-agent");
        EXPECT_TRUE(installed(one, host).was_there);
        EXPECT_THAT(namesIn(host.folder), UnorderedElementsAre("bin", "lib", "share"));
        const Error error = refusal(bundle({.version = "1.3.0"}), host);
        EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
        EXPECT_EQ(error.what(), "node1: expected " + host.folder +
                                    " to be missing, empty or a link called current, it holds something else: move that away, or name "
                                    "another folder");
    }
    for (const std::string& name : namesIn(ssh_.path())) {
        EXPECT_FALSE(name.ends_with(".incoming")) << name;
    }
}

TEST_F(InstallationTest, RefusesWhatCannotRunThere) {
    EXPECT_EQ(refusal(bundle({.architecture = "riscv64"})).what(),
              "node1: expected a processor of the kind riscv64 as the bundle is for, got " + bundle().architecture);
    EXPECT_THAT(refusal(bundle({.glibc = "99.1"})).what(), HasSubstr("node1: expected glibc 99.1 or a newer one, got 2."));
    const Error full = refusal(bundle({.unpacked_bytes = "1000000000000000"}));
    EXPECT_EQ(full.code(), ErrorCode::kResourceExhausted);
    EXPECT_THAT(full.what(), HasSubstr("node1: expected 953674316.4 MB of free disk for " + base().string() + "/current, got "));
    EXPECT_STREQ(
        refusal(bundle(), kHost, {.version = "9.9"}).what(),
        ((ssh_.path() / "bundle-1.2.3.tar.gz").string() + ": expected a bundle of Tandem 9.9 as on this computer, got one of 1.2.3")
            .c_str());
    putTool("getconf", "exit 1");
    EXPECT_STREQ(refusal(bundle()).what(), "node1: expected glibc 2.17 or a newer one, got none");
    EXPECT_THAT(namesIn(ssh_.home()), ElementsAre());
}

TEST_F(InstallationTest, SaysWhatSshSays) {
    ssh_.say("echo 'ssh: connect to host node1 port 22: Connection refused' >&2; exit 255");
    EXPECT_THAT(refusal(bundle()).what(), HasSubstr("node1: expected an ssh server that answers, the connection was refused"));
    ssh_.say("echo 'sh is not recognized' >&2; exit 1");
    EXPECT_STREQ(refusal(bundle()).what(),
                 "node1: expected a shell that runs sh, the script there ended without it (sh is not recognized)");
}

TEST_F(InstallationTest, GoesOnWhereACutEndedIt) {
    const Bundle large = bundle({.padding_bytes = 3u << 20});
    int parts = 0;
    const Error cut = refusal(large, kHost,
                              {.version = large.version,
                               .silence = kDeadline,
                               .progress = [&](Progress progress) { parts += progress.sent_bytes > large.bytes / 2 ? 1 : 0; },
                               .is_cancelled = [&] { return parts > 0; }});
    EXPECT_EQ(cut.code(), ErrorCode::kCancelled);
    EXPECT_FALSE(fs::exists(base() / "current"));
    const fs::path part = base() / ".incoming" / (large.sha256 + ".part");
    ASSERT_TRUE(fs::exists(part));
    const Installation installation = installed(large);
    EXPECT_LT(installation.sent_bytes, large.bytes);
    EXPECT_THAT(namesIn(base()), UnorderedElementsAre("current", folderNameOf(large)));
}

TEST_F(InstallationTest, BeginsAnewWhereWhatWasSentIsDamagedOrOfAnotherBundle) {
    const Bundle one = bundle({.padding_bytes = 1u << 20});
    fs::create_directories(base() / ".incoming" / "tree");
    std::ofstream(base() / ".incoming" / (one.sha256 + ".part")) << "something else";
    std::ofstream(base() / ".incoming" / "0123.part") << "another one";
    EXPECT_EQ(installed(one).sent_bytes, one.bytes);
    EXPECT_THAT(namesIn(base()), UnorderedElementsAre("current", folderNameOf(one)));
}

TEST_F(InstallationTest, ReplacesAVersionWhoseFilesWereDamaged) {
    const Bundle one = bundle();
    installed(one);
    std::ofstream(base() / "current" / "bin" / "tandem-agent") << "#!/bin/sh\nexit 1\n";
    EXPECT_EQ(installed(one).sent_bytes, one.bytes);
    EXPECT_EQ(versionThere(), "echo 1.2.3");
}

TEST_F(InstallationTest, LeavesNothingWhereTheDiskIsFull) {
    putTool("tar", "echo 'tar: lib/padding: Cannot write: No space left on device' >&2; exit 2");
    const Error full = refusal(bundle());
    EXPECT_EQ(full.code(), ErrorCode::kResourceExhausted);
    EXPECT_EQ(full.what(), "node1: expected to unpack the archive in " + (base() / ".incoming").string() +
                               ", that failed (tar: lib/padding: Cannot write: No space left on device)");
    EXPECT_THAT(namesIn(base()), ElementsAre());
    putTool("tar", "touch \"$HOME/used\"; exec /bin/tar \"$@\"");
    EXPECT_FALSE(installed(bundle()).was_there);
}

TEST_F(InstallationTest, LeavesNothingWhereTheArchiveDoesNotFit) {
    putTool("head", "echo 'head: error writing: No space left on device' >&2; exit 1");
    const Error full = refusal(bundle({.padding_bytes = 4u << 20}));
    EXPECT_EQ(full.code(), ErrorCode::kResourceExhausted);
    EXPECT_EQ(full.what(), "node1: expected to write the archive to " + (base() / ".incoming").string() +
                               ", that failed (head: error writing: No space left on device)");
    EXPECT_THAT(namesIn(base()), ElementsAre());
}

TEST_F(InstallationTest, NeedsNoParticularShell) {
    putTool("unused", "");
    fs::create_symlink("/bin/bash", ssh_.path() / "tools" / "sh");
    const Bundle one = bundle(), two = bundle({.version = "1.3.0", .padding_bytes = 1u << 20});
    installed(one);
    EXPECT_EQ(installed(two).before, "1.2.3");
    EXPECT_TRUE(installed(two).was_there);
    EXPECT_THAT(namesIn(base()), UnorderedElementsAre("current", folderNameOf(two)));
    const Host root{.name = "node1", .ssh = {.host = "node1"}, .folder = "/"};
    EXPECT_THAT(refusal(bundle({.version = "1.4.0"}), root).what(), HasSubstr("it holds something else"));
}

TEST_F(InstallationTest, WaitsNoLongerThanItsSilence) {
    ssh_.say("exec sleep 600");
    const Error error = refusal(bundle(), kHost, {.version = "1.2.3", .silence = 1000ms});
    EXPECT_EQ(error.code(), ErrorCode::kDeadlineExceeded);
    EXPECT_STREQ(error.what(), "node1: expected a sign of life within 1 s while Tandem is installed, got none");
}

TEST_F(InstallationTest, EndsWhenItIsCancelled) {
    ssh_.say("exec sleep 600");
    const Error error = refusal(bundle(), kHost, {.version = "1.2.3", .is_cancelled = [] { return true; }});
    EXPECT_EQ(error.code(), ErrorCode::kCancelled);
}

TEST_F(InstallationTest, SeveralAtOnceWaitForEachOther) {
    const Bundle one = bundle({.padding_bytes = 2u << 20});
    std::vector<Installation> made(4);
    {
        std::vector<std::jthread> threads;
        threads.reserve(made.size());
        for (Installation& into : made) {
            threads.emplace_back([&] { into = installed(one); });
        }
    }
    std::uint64_t sent = 0;
    for (const Installation& installation : made) {
        EXPECT_EQ(installation.version, "1.2.3");
        sent += installation.sent_bytes;
    }
    EXPECT_EQ(sent, one.bytes) << "one of them sent it";
    EXPECT_THAT(namesIn(base()), UnorderedElementsAre("current", folderNameOf(one)));
}

// A program of the name that the agent's has, with a child where it is to have a task.
class OldAgentTest : public InstallationTest {
protected:
    void start(bool busy) {
        fs::copy_file("/bin/bash", ssh_.path() / "tandem-agent");
        // The trap stands before anybody can know of the process, and has nothing in it that bash would have to parse anew.
        const std::string folder = "cd '" + ssh_.path().string() + "'; ";
        const std::string begin = busy ? folder + "sleep 600 & child=$!; trap 'kill $child; exit' TERM; echo $child >\"$0\"; "
                                       : "trap exit TERM; echo 1 >\"$0\"; ";
        const std::string script = begin + "while :; do read -r -t 0.05 <> <(:); done";
        child_file_ = ssh_.path() / "child";
        pid_ = ::fork();
        if (pid_ == 0) {
            ::execl((ssh_.path() / "tandem-agent").c_str(), "tandem-agent", "-c", script.c_str(), child_file_.c_str(), nullptr);
            ::_exit(1);
        }
        tests::support::eventually([&] { return fs::exists(child_file_) && fs::file_size(child_file_) > 0; });
        fs::create_directories(ssh_.farRuns());
        std::ofstream(ssh_.farRuns() / "agent.json")
            << R"({"address":"unix:/x","token":"t","pid":)" << pid_ << R"(,"version":"0.9.0","host":""})"
            << "\n";
    }
    bool lives() const { return ::waitpid(pid_, nullptr, WNOHANG) == 0; }
    ~OldAgentTest() override {
        if (pid_ > 0) {
            ::kill(pid_, SIGTERM);
            ::waitpid(pid_, nullptr, 0);
        }
    }

    pid_t pid_ = 0;
    fs::path child_file_;
};

TEST_F(OldAgentTest, EndsWhenItHasNothingToDo) {
    start(false);
    EXPECT_EQ(installed(bundle()).version, "1.2.3");
    EXPECT_FALSE(lives());
    pid_ = 0;
}

TEST_F(OldAgentTest, EndsWhereTheNewVersionLiesAlready) {
    const Bundle one = bundle();
    installed(one);
    start(false);
    const Installation again = installed(one);
    EXPECT_TRUE(again.was_there);
    EXPECT_EQ(again.sent_bytes, 0U);
    EXPECT_FALSE(lives());
    pid_ = 0;
}

TEST_F(OldAgentTest, IsLeftAloneWithItsRuns) {
    start(true);
    const Error error = refusal(bundle());
    EXPECT_EQ(error.code(), ErrorCode::kFailedPrecondition);
    EXPECT_EQ(error.what(), "node1: expected no run while Tandem 1.2.3 takes the place of 0.9.0, the agent there (process " +
                                std::to_string(pid_) + ") is busy with " + fs::canonical(ssh_.path()).string() +
                                ": wait for the end of its runs, or stop them there");
    EXPECT_TRUE(lives());
    EXPECT_FALSE(fs::exists(base() / "current"));
}

TEST(FarAnswers, PassOthersLinesOver) {
    const FarAnswers answers = farAnswersIn(
        "Welcome\ntandem-host x86_64\ntandem-glibc glibc 2.36\ntandem-folder /a b/current\ntandem-place bundle\ntandem-writable\n"
        "tandem-free-kb 2\ntandem-missing tar\ntandem-missing flock\ntandem-program /a b/current/bin/tandem-agent\ntandem-version 0.1.0\n"
        "tandem-old-agent 12 0.0.9 /runs/a b\ntandem-end\ntandem-offset 7\ntandem-inst");
    EXPECT_EQ(answers.facts, (FarFacts{.arch = "x86_64",
                                       .glibc = "2.36",
                                       .folder = "/a b/current",
                                       .program = "/a b/current/bin/tandem-agent",
                                       .version = "0.1.0",
                                       .place = FarPlace::kBundle,
                                       .is_writable = true,
                                       .free_bytes = 2048,
                                       .missing_tools = {"tar", "flock"},
                                       .is_whole = true}));
    EXPECT_EQ(answers.old_agent, (FarOldAgent{.pid = "12", .version = "0.0.9", .busy_with = "/runs/a b"}));
    EXPECT_EQ(answers.offset, 7U);
    EXPECT_EQ(answers.installed, "") << "that line has not ended";
}

}  // namespace
}  // namespace agent::hosts
