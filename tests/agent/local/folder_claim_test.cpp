#include "agent/local/folder_claim.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace {

namespace fs = std::filesystem;
using agent::convert::FolderClaim;
using ::testing::EndsWith;

class FolderClaimTest : public ::testing::Test {
protected:
    FolderClaimTest() { fs::create_directory(folder()); }
    fs::path folder() const { return fs::canonical(dir_.path()) / "run"; }
    static std::string refusal(const fs::path& folder, engine::ErrorCode expected = engine::ErrorCode::kAlreadyExists) {
        try {
            const FolderClaim claim = FolderClaim::take(folder, "run B");
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), expected) << error.what();
            return error.what();
        }
        return {};
    }
    tests::support::TempDir dir_;
};

TEST_F(FolderClaimTest, IsHeldByOneAtATime) {
    {
        const FolderClaim claim = FolderClaim::take(folder(), "run A");
        EXPECT_EQ(claim.folder(), folder());
        EXPECT_EQ(refusal(folder()), folder().string() + ": run A is using this folder");
    }
    EXPECT_EQ(refusal(folder()), "") << "free again";
}

TEST_F(FolderClaimTest, IsSeenByThoseWhoOnlyLook) {
    EXPECT_FALSE(FolderClaim::isHeld(folder())) << "nobody was here";
    {
        const FolderClaim claim = FolderClaim::take(folder(), "run A");
        EXPECT_TRUE(FolderClaim::isHeld(folder()));
        EXPECT_TRUE(FolderClaim::isHeld(folder())) << "a look takes nothing";
    }
    EXPECT_FALSE(FolderClaim::isHeld(folder())) << "its file alone is no claim";
    EXPECT_EQ(refusal(folder()), "");
    EXPECT_FALSE(FolderClaim::isHeld(folder() / "none"));
}

TEST_F(FolderClaimTest, KnowsAFolderUnderEveryName) {
    fs::create_directory_symlink(folder(), dir_.path() / "link");
    const FolderClaim claim = FolderClaim::take(folder(), "run A");
    for (const fs::path& name :
         {fs::path(folder() / ""), folder() / ".", dir_.path() / "." / "run", folder() / ".." / "run", dir_.path() / "link"}) {
        EXPECT_EQ(refusal(name), folder().string() + ": run A is using this folder") << name;
    }
}

TEST_F(FolderClaimTest, IsTakenUnderTheFoldersOwnName) {
    fs::create_directory_symlink(folder(), dir_.path() / "link");
    EXPECT_EQ(FolderClaim::take(dir_.path() / "link" / "", "run A").folder(), folder());
}

TEST_F(FolderClaimTest, FollowsNoPlantedLink) {
    std::ofstream(dir_.path() / "victim") << "precious";
    fs::create_symlink(dir_.path() / "victim", folder() / agent::convert::kFolderLock);
    EXPECT_NE(refusal(folder(), engine::ErrorCode::kPermissionDenied), "");
    std::string text;
    std::ifstream(dir_.path() / "victim") >> text;
    EXPECT_EQ(text, "precious");
}

TEST_F(FolderClaimTest, WaitsForNoPipe) {
    ASSERT_EQ(::mkfifo((folder() / agent::convert::kFolderLock).c_str(), 0600), 0);
    EXPECT_THAT(refusal(folder(), engine::ErrorCode::kPermissionDenied), EndsWith("lock: expected a file, got something else"));
}

TEST_F(FolderClaimTest, NamesAFolderThatIsNotThere) {
    EXPECT_THAT(refusal(dir_.path() / "none", engine::ErrorCode::kNotFound), EndsWith("No such file or directory"));
}

}  // namespace
