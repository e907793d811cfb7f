// SPDX-License-Identifier: GPL-3.0-or-later
// OpenSSH's place is taken by a script that stays on this computer, with another home.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/fake_ssh.h"
#include "ui/session/host/host_backend.h"

namespace ui::session {
namespace {

namespace fs = std::filesystem;

class SshHostBackendTest : public testing::Test {
protected:
    SshHostBackendTest() : had_config_(qEnvironmentVariableIsSet("XDG_CONFIG_HOME")), config_before_(qgetenv("XDG_CONFIG_HOME")) {
        qputenv("XDG_CONFIG_HOME", (ssh_.path() / "config").c_str());
    }
    ~SshHostBackendTest() override { had_config_ ? qputenv("XDG_CONFIG_HOME", config_before_) : qunsetenv("XDG_CONFIG_HOME"); }
    void putThere(const std::string& version) const {
        const fs::path bin = ssh_.home() / ".local/share/tandem/bundle/current/bin";
        fs::create_directories(bin);
        std::ofstream(bin / "tandem-agent") << "#!/bin/sh\necho " << version << "\n";
        fs::permissions(bin / "tandem-agent", fs::perms::owner_all);
    }
    HostSight look() const { return backend_->look(kEntry, kWork); }

    const HostEntry kEntry{"node1", "ann@node1.lan:2222"};
    const HostWork kWork{.deadline = std::chrono::seconds(60)};
    const bool had_config_;
    const QByteArray config_before_;
    tests::FakeSsh ssh_;
    std::shared_ptr<HostBackend> backend_ = sshHostBackend({.version = "2.3.0", .share_dir = (ssh_.path() / "share").string()});
};

TEST_F(SshHostBackendTest, KeepsTheListThatTheCommandLineKeeps) {
    EXPECT_TRUE(backend_->list().empty());
    backend_->add(kEntry, kWork);
    EXPECT_TRUE(fs::exists(backend_->listFile().toStdString()));
    ASSERT_EQ(backend_->list().size(), 1U);
    EXPECT_EQ(backend_->list().front().name, "node1");
    EXPECT_EQ(backend_->list().front().destination, "ann@node1.lan:2222");
    EXPECT_THROW(backend_->add(kEntry, kWork), std::exception);
    backend_->remove("node1");
    EXPECT_TRUE(backend_->list().empty());
}

TEST_F(SshHostBackendTest, TellsWhatIsThereWhereNoTandemLies) {
    const HostSight sight = look();
    EXPECT_EQ(sight.state, FarHostState::kNoTandem) << sight.problem.toStdString();
    EXPECT_TRUE(sight.problem.contains("node1")) << sight.problem.toStdString();
    EXPECT_GT(sight.info.cores, 0);
    EXPECT_FALSE(sight.arch.isEmpty());
    EXPECT_TRUE(sight.version.isEmpty());
}

TEST_F(SshHostBackendTest, TellsAnOlderVersionFromANewerOne) {
    putThere("2.2.9");
    const HostSight older = look();
    EXPECT_EQ(older.state, FarHostState::kOtherVersion) << older.problem.toStdString();
    EXPECT_EQ(older.version, "2.2.9");
    EXPECT_TRUE(older.is_older && !older.is_newer);
    EXPECT_TRUE(older.problem.contains("2.2.9")) << older.problem.toStdString();
    putThere("2.10.0");
    const HostSight newer = look();
    EXPECT_EQ(newer.state, FarHostState::kOtherVersion);
    EXPECT_TRUE(newer.is_newer && !newer.is_older);
}

TEST_F(SshHostBackendTest, ASurveyLeavesOpenWhetherTheAgentOfThisVersionAnswers) {
    putThere("2.3.0");
    const HostSight sight = backend_->survey(kEntry, kWork);
    EXPECT_EQ(sight.state, FarHostState::kUnknown);
    EXPECT_EQ(sight.version, "2.3.0");
    EXPECT_TRUE(sight.problem.isEmpty()) << sight.problem.toStdString();
}

TEST_F(SshHostBackendTest, SaysInOneSentenceWhyAHostIsOutOfReach) {
    ssh_.say("echo 'ssh: connect to host node1.lan port 2222: Connection refused' >&2; exit 255");
    const HostSight sight = look();
    EXPECT_EQ(sight.state, FarHostState::kProblem);
    EXPECT_TRUE(sight.problem.contains("the connection was refused")) << sight.problem.toStdString();
}

TEST_F(SshHostBackendTest, InstallsNothingWithoutABundle) {
    try {
        backend_->install(kEntry, kWork);
        FAIL();
    } catch (const std::exception& error) {
        EXPECT_NE(std::string(error.what()).find("bundle.tar.gz"), std::string::npos) << error.what();
    }
    EXPECT_TRUE(fs::is_empty(ssh_.home()));
}

TEST_F(SshHostBackendTest, FindsWhatIsWrongWithAnEntry) {
    EXPECT_TRUE(findingsOf(kEntry).empty());
    EXPECT_FALSE(findingsOf({"node1", "node1:port"}).empty());
    EXPECT_FALSE(findingsOf({"lab gpu", "node1"}).empty());
}

}  // namespace
}  // namespace ui::session
