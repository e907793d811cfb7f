#include "agent/local/address_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace agent::convert;
namespace fs = std::filesystem;

// A variable of the environment for the length of a scope.
class Variable {
public:
    Variable(const char* name, const std::optional<std::string>& value) : name_(name) {
        if (const char* before = std::getenv(name)) {
            before_ = before;
        }
        set(value);
    }
    ~Variable() { set(before_); }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;

private:
    void set(const std::optional<std::string>& value) const { value ? ::setenv(name_, value->c_str(), 1) : ::unsetenv(name_); }
    const char* name_;
    std::optional<std::string> before_;
};

int modeOf(const fs::path& path) {
    struct stat status {};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return static_cast<int>(status.st_mode & 0777);
}

TEST(AddressFile, IsReadBackByTheSameUserAlone) {
    const tests::support::TempDir dir;
    EXPECT_EQ(readAgentAddress(dir.path()), std::nullopt);
    const AgentAddress address{"unix:/run/user/7/tandem/agent-1-2.sock", "feed", 123, "0.1.0", "vm"};
    writeAgentAddress(dir.path(), address);
    EXPECT_EQ(readAgentAddress(dir.path()), address);
    EXPECT_EQ(modeOf(addressFile(dir.path())), 0600);
    EXPECT_EQ(socketOf(address), "/run/user/7/tandem/agent-1-2.sock");
    writeAgentAddress(dir.path(), {"127.0.0.1:2", "beef", 4, "0.2.0"});
    EXPECT_EQ(readAgentAddress(dir.path())->token, "beef");
    EXPECT_EQ(socketOf(*readAgentAddress(dir.path())), std::nullopt) << "of an earlier version";
}

TEST(AddressFile, TrustsNoFileThatOthersMayHaveWrittenOrRead) {
    const tests::support::TempDir dir;
    writeAgentAddress(dir.path(), {"unix:/a", "feed", 1, "0.1.0"});
    fs::permissions(addressFile(dir.path()), fs::perms::owner_read | fs::perms::group_read);
    EXPECT_EQ(readAgentAddress(dir.path()), std::nullopt) << "others may read the token";
    fs::permissions(addressFile(dir.path()), fs::perms::owner_read);
    ASSERT_NE(readAgentAddress(dir.path()), std::nullopt);
    if (::geteuid() == 0) {
        ASSERT_EQ(::chown(addressFile(dir.path()).c_str(), 65534, 65534), 0);
        EXPECT_EQ(readAgentAddress(dir.path()), std::nullopt) << "another user's";
    }
    const tests::support::TempDir planted;
    writeAgentAddress(planted.path(), {"unix:/a", "feed", 1, "0.1.0"});
    fs::remove(addressFile(dir.path()));
    fs::create_symlink(addressFile(planted.path()), addressFile(dir.path()));
    EXPECT_EQ(readAgentAddress(dir.path()), std::nullopt) << "a link";
}

TEST(AddressFile, OpensNoFolderThatOthersCanOpen) {
    const tests::support::TempDir dir;
    EXPECT_TRUE(openPrivateFolder(dir.path()));
    fs::permissions(dir.path(), fs::perms::owner_all | fs::perms::others_exec);
    EXPECT_THROW(openPrivateFolder(dir.path()), engine::Error);
    fs::permissions(dir.path(), fs::perms::owner_all);
    fs::create_directory_symlink(dir.path(), dir.path() / "link");
    EXPECT_THROW(openPrivateFolder(dir.path() / "link"), engine::Error);
    EXPECT_THROW(openPrivateFolder(dir.path() / "none"), engine::Error);
}

TEST(AddressFile, TightensAFolderThatOthersMayRead) {
    const tests::support::TempDir dir;
    const Variable runtime("XDG_RUNTIME_DIR", dir.path().string());
    fs::create_directory(dir.path() / "tandem");
    fs::permissions(dir.path() / "tandem", fs::perms::all);
    EXPECT_EQ(modeOf(makeAgentFolder()), 0700);
}

TEST(AddressFile, RefusesAFolderThatIsNone) {
    const tests::support::TempDir dir;
    const Variable runtime("XDG_RUNTIME_DIR", dir.path().string());
    fs::create_directory_symlink("/tmp", dir.path() / "tandem");
    EXPECT_THROW(makeAgentFolder(), engine::Error);
}

TEST(AddressFile, TakesADamagedFileForNone) {
    const tests::support::TempDir dir;
    for (const char* text : {"", "{", "[]", "{}", R"({"address": 1, "token": "x", "pid": 2})", R"({"address": "a", "token": "x"})"}) {
        std::ofstream(addressFile(dir.path())) << text;
        fs::permissions(addressFile(dir.path()), fs::perms::owner_read | fs::perms::owner_write);
        EXPECT_EQ(readAgentAddress(dir.path()), std::nullopt) << text;
    }
}

TEST(AddressFile, LiesWhereTheDesktopSaysElseInTheHome) {
    const Variable home("HOME", "/home/ada");
    {
        const Variable runtime("XDG_RUNTIME_DIR", "/run/user/7"), state("XDG_STATE_HOME", "/state");
        EXPECT_EQ(agentFolder(), "/run/user/7/tandem");
    }
    const Variable runtime("XDG_RUNTIME_DIR", std::nullopt);
    {
        const Variable state("XDG_STATE_HOME", "/state");
        EXPECT_EQ(agentFolder(), "/state/tandem");
    }
    const Variable state("XDG_STATE_HOME", "relative, so ignored");
    EXPECT_EQ(agentFolder(), "/home/ada/.local/state/tandem");
    const Variable nobody("HOME", std::nullopt);
    EXPECT_THROW(agentFolder(), engine::Error);
}

TEST(AddressFile, KeepsRunsWhereTheDesktopSaysElseInTheHome) {
    const Variable home("HOME", "/home/ada"), chosen("TANDEM_RUNS_DIR", std::nullopt), data("XDG_DATA_HOME", std::nullopt);
    EXPECT_EQ(defaultRunsDir(), "/home/ada/.local/share/tandem/runs");
    const Variable other("XDG_DATA_HOME", "/data");
    EXPECT_EQ(defaultRunsDir(), "/data/tandem/runs");
    const Variable mine("TANDEM_RUNS_DIR", "/mine");
    EXPECT_EQ(defaultRunsDir(), "/mine");
}

TEST(AddressFile, TellsALivingAgentByItsLock) {
    const tests::support::TempDir dir;
    EXPECT_FALSE(agentLives(dir.path()));
    {
        const auto lock = takeLock(lockFile(dir.path()), LockKind::kAlone);
        ASSERT_TRUE(lock);
        EXPECT_TRUE(agentLives(dir.path()));
        EXPECT_TRUE(earlierAgentLives(dir.path())) << "as those of earlier versions locked their folder";
        EXPECT_FALSE(takeLock(lockFile(dir.path()), LockKind::kAlone));
        EXPECT_FALSE(takeLock(lockFile(dir.path()), LockKind::kShared));
    }
    EXPECT_FALSE(agentLives(dir.path())) << "there, but not locked";
    const auto one = takeLock(lockFile(dir.path()), LockKind::kShared), other = takeLock(lockFile(dir.path()), LockKind::kShared);
    EXPECT_TRUE(one && other) << "two agents of other runs in one folder";
    EXPECT_FALSE(earlierAgentLives(dir.path()));
    EXPECT_FALSE(takeLock(lockFile(dir.path()), LockKind::kAlone)) << "an earlier version does not start beside them";
}

}  // namespace
