#include "agent/local/secret_file.h"

#include <cstdlib>
#include <fstream>
#include <future>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace agent::convert;
namespace fs = std::filesystem;
using engine::ErrorCode;
using testing::HasSubstr;

// A state home of the test's own.
class SecretFileTest : public testing::Test {
protected:
    SecretFileTest() { ::setenv("XDG_STATE_HOME", home_.path().c_str(), 1); }
    ~SecretFileTest() override { ::unsetenv("XDG_STATE_HOME"); }

    fs::path folder() const { return home_.path() / "tandem"; }
    fs::path file() const { return folder() / "tasks.secret"; }
    static int modeOf(const fs::path& path) {
        struct stat status {};
        EXPECT_EQ(::lstat(path.c_str(), &status), 0);
        return static_cast<int>(status.st_mode & 07777);
    }
    static std::string textOf(const fs::path& path) {
        std::ifstream in(path);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    void expectRefused(ErrorCode code, const std::string& why) const {
        try {
            userSecret();
            ADD_FAILURE() << "accepted: " << why;
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), code) << error.what();
            EXPECT_THAT(error.what(), HasSubstr(why));
            EXPECT_THAT(error.what(), HasSubstr(folder().string()));
        }
    }

    tests::support::TempDir home_;
};

TEST_F(SecretFileTest, IsMadeOnceAndReadFromThenOn) {
    const mode_t before = ::umask(0);
    const Secret secret = userSecret();
    ::umask(before);
    EXPECT_EQ(secretFile(), file());
    EXPECT_EQ(userSecret(), secret);
    EXPECT_EQ(textOf(file()), toHex(secret) + "\n");
    EXPECT_EQ(modeOf(file()), 0600);
    EXPECT_EQ(modeOf(folder()), 0700);
    EXPECT_EQ(std::distance(fs::directory_iterator(folder()), {}), 1) << "nothing is left beside it";
}

TEST_F(SecretFileTest, IsTheSameForAllWhoMakeItAtOnce) {
    for (int round = 0; round < 20; ++round) {
        fs::remove_all(folder());
        std::promise<void> start;
        const std::shared_future<void> started = start.get_future().share();
        std::vector<std::future<Secret>> tasks;
        for (int i = 0; i < 8; ++i) {
            tasks.push_back(std::async(std::launch::async, [started] {
                started.wait();
                return userSecret();
            }));
        }
        start.set_value();
        std::set<Secret> secrets;
        for (auto& task : tasks) {
            secrets.insert(task.get());
        }
        EXPECT_EQ(secrets.size(), 1U);
    }
}

TEST_F(SecretFileTest, IsRefusedWhenOthersMayKnowIt) {
    userSecret();
    for (const auto& [mode, text] : {std::pair{0644, "0644"}, std::pair{0660, "0660"}, std::pair{0400, "0400"}, std::pair{04600, "4600"}}) {
        ASSERT_EQ(::chmod(file().c_str(), static_cast<mode_t>(mode)), 0);
        expectRefused(ErrorCode::kPermissionDenied, std::string("expected mode 0600, got ") + text);
    }
}

TEST_F(SecretFileTest, IsNotReadThroughLinksAndPipes) {
    userSecret();
    fs::rename(file(), home_.path() / "elsewhere");
    fs::create_symlink(home_.path() / "elsewhere", file());
    expectRefused(ErrorCode::kPermissionDenied, "expected a file, got a link");
    fs::remove(file());
    fs::create_symlink(home_.path() / "nothing", file());
    expectRefused(ErrorCode::kPermissionDenied, "expected a file, got a link");
    EXPECT_FALSE(fs::exists(home_.path() / "nothing"));
    fs::remove(file());
    ASSERT_EQ(::mkfifo(file().c_str(), 0600), 0);
    expectRefused(ErrorCode::kPermissionDenied, "expected a file, got something else");
    fs::remove_all(folder());
    fs::create_directory(home_.path() / "other");
    fs::create_directory_symlink(home_.path() / "other", folder());
    expectRefused(ErrorCode::kPermissionDenied, "expected a folder of this user, got a link");
    EXPECT_TRUE(fs::is_empty(home_.path() / "other"));
}

TEST_F(SecretFileTest, IsRefusedWhenItBelongsToAnother) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root can give files away";
    }
    userSecret();
    ASSERT_EQ(::chown(file().c_str(), 65534, 65534), 0);
    expectRefused(ErrorCode::kPermissionDenied, "expected a file of this user, got one of user 65534");
    ASSERT_EQ(::chown(folder().c_str(), 65534, 65534), 0);
    expectRefused(ErrorCode::kPermissionDenied, "expected a folder of this user, got one of user 65534");
}

TEST_F(SecretFileTest, IsRefusedWhenItIsDamaged) {
    const Secret secret = userSecret();
    for (const std::string& text :
         {std::string(), toHex(secret), toHex(secret) + "\n\n", toHex(secret).substr(2) + "\n", std::string(65, '\n')}) {
        std::ofstream(file()) << text;
        expectRefused(ErrorCode::kDataLoss, "expected a line of 64 hexadecimal digits");
    }
}

TEST_F(SecretFileTest, TightensItsFolder) {
    fs::create_directory(folder());
    fs::permissions(folder(), fs::perms::all);
    userSecret();
    EXPECT_EQ(modeOf(folder()), 0700);
}

}  // namespace
