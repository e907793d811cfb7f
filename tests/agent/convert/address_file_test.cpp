#include "agent/convert/address_file.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "agent/convert/file_descriptor.h"
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
    const Variable runtime("XDG_RUNTIME_DIR", (dir.path() / "run").string());
    const fs::path folder = makeAgentFolder();
    EXPECT_EQ(folder, dir.path() / "run" / "tandem");
    EXPECT_EQ(modeOf(folder), 0700);
    EXPECT_EQ(readAgentAddress(folder), std::nullopt);
    const AgentAddress address{"127.0.0.1:41231", "feed", 123, "0.1.0"};
    writeAgentAddress(folder, address);
    EXPECT_EQ(readAgentAddress(folder), address);
    EXPECT_EQ(modeOf(addressFile(folder)), 0600);
    writeAgentAddress(folder, {"127.0.0.1:2", "beef", 4, "0.2.0"});
    EXPECT_EQ(readAgentAddress(folder)->token, "beef");
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
        const FileDescriptor lock(::open(lockFile(dir.path()).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        EXPECT_FALSE(agentLives(dir.path())) << "there, but not locked";
        struct flock whole {};
        whole.l_type = F_WRLCK;
        ASSERT_EQ(::fcntl(lock.get(), F_OFD_SETLK, &whole), 0);
        EXPECT_TRUE(agentLives(dir.path()));
    }
    EXPECT_FALSE(agentLives(dir.path()));
}

}  // namespace
