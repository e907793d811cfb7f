#include "engine/data/unpack.h"

#include <fstream>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "engine/spec/error.h"
#include "tests/support/damage/damage.h"
#include "tests/support/tar_archive.h"
#include "tests/support/temp_dir.h"

namespace engine::data {
namespace {

using testing::HasSubstr;
using tests::support::noise;

class Unpack : public testing::Test {
protected:
    std::filesystem::path pack(const std::vector<tests::support::TarMember>& members) const {
        tests::support::writeTarGz(dir_.path() / "set.tar.gz", members);
        return dir_.path() / "set.tar.gz";
    }
    static std::string read(const std::filesystem::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    // Path below the test's folder and bytes of everything that is there.
    std::map<std::string, std::string> files() const {
        std::map<std::string, std::string> all;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_.path())) {
            if (!entry.is_directory() && entry.path().filename() != "set.tar.gz") {
                all[entry.path().lexically_relative(dir_.path()).string()] = entry.is_symlink() ? "a link" : read(entry.path());
            }
        }
        return all;
    }
    Error refusal(const std::filesystem::path& archive, const std::vector<std::string>& names) const {
        try {
            unpackMembers(archive, names, folder_);
        } catch (const Error& error) {
            return error;
        }
        return {ErrorCode::kInternal, "no error"};
    }

    const tests::support::TempDir dir_;
    const std::filesystem::path folder_ = [this] {
        std::filesystem::create_directory(dir_.path() / "folder");
        return dir_.path() / "folder";
    }();
};

TEST_F(Unpack, TakesTheNamedMembersAndNothingElse) {
    const auto archive = pack({{"cifar-10-batches-bin/readme.html", "hello", ""},
                               {"cifar-10-batches-bin/data_batch_1.bin", noise(200000), ""},
                               {"cifar-10-batches-bin/test_batch.bin", "test", ""}});
    unpackMembers(archive, {"test_batch.bin", "data_batch_1.bin"}, folder_);
    EXPECT_EQ(files(), (std::map<std::string, std::string>{{"folder/data_batch_1.bin", noise(200000)}, {"folder/test_batch.bin", "test"}}));
}

TEST_F(Unpack, WritesNowhereElseWhateverAMembersPathSays) {
    const auto archive = pack({{"../outside/train.bin", "one", ""}, {"/tmp/../test.bin", "two", ""}, {"../passwd", "three", ""}});
    unpackMembers(archive, {"train.bin", "test.bin"}, folder_);
    EXPECT_EQ(files(), (std::map<std::string, std::string>{{"folder/train.bin", "one"}, {"folder/test.bin", "two"}}));
}

TEST_F(Unpack, TakesNoLinkForAFile) {
    const Error error = refusal(pack({{"set/train.bin", "", "/etc/passwd"}}), {"train.bin"});
    EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
    EXPECT_THAT(error.what(), HasSubstr("set.tar.gz: expected the file train.bin in it, found none"));
    EXPECT_TRUE(files().empty());
}

TEST_F(Unpack, NamesAMemberThatIsMissing) {
    const Error error = refusal(pack({{"set/train.bin", "one", ""}, {"set/other.bin", "two", ""}}), {"train.bin", "test.bin"});
    EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
    EXPECT_THAT(error.what(), HasSubstr("set.tar.gz: expected the file test.bin in it, found none"));
}

TEST_F(Unpack, LeavesNoHalfFileOfATruncatedArchive) {
    const auto archive = pack({{"set/train.bin", noise(300000), ""}});
    std::filesystem::resize_file(archive, 100000);
    const Error error = refusal(archive, {"train.bin"});
    EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
    EXPECT_THAT(error.what(), HasSubstr("set.tar.gz: "));
    EXPECT_TRUE(files().empty()) << files().begin()->first;
}

TEST_F(Unpack, NamesWhatItCannotReadOrWrite) {
    EXPECT_EQ(refusal(dir_.path() / "none.tar.gz", {"train.bin"}).code(), ErrorCode::kNotFound);
    EXPECT_THAT(refusal(dir_.path() / "none.tar.gz", {"train.bin"}).what(), HasSubstr("none.tar.gz: "));
    const std::filesystem::path pipe = dir_.path() / "pipe.tar.gz";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_STREQ(refusal(pipe, {"train.bin"}).what(), (pipe.string() + ": expected a file, got a pipe").c_str());
    const auto archive = pack({{"set/train.bin", "one", ""}});
    std::filesystem::remove(folder_);
    std::ofstream(folder_) << "a file in the folder's place";
    EXPECT_THAT(refusal(archive, {"train.bin"}).what(), HasSubstr("folder/train.bin: cannot be written: "));
}

TEST_F(Unpack, SurvivesEveryDamage) {
    const std::string whole = read(pack({{"set/train.bin", noise(2000), ""}, {"set/test.bin", "test", ""}}));
    tests::support::forEachDamage(whole,
                                  [&](const std::string& bytes) {
                                      std::ofstream(dir_.path() / "set.tar.gz", std::ios::binary) << bytes;
                                      unpackMembers(dir_.path() / "set.tar.gz", {"train.bin", "test.bin"}, folder_);
                                  },
                                  {.named = "set.tar.gz"});
    for (const auto& [name, bytes] : files()) {
        EXPECT_THAT(name, testing::AnyOf("folder/train.bin", "folder/test.bin"));
    }
}

}  // namespace
}  // namespace engine::data
