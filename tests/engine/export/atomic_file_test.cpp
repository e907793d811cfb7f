#include "engine/export/atomic_file.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <fstream>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace engine::exporter {
namespace {

TEST(AtomicFile, WritesReplacesAndReadsBack) {
    const tests::support::TempDir folder;
    const auto path = folder.path() / "run.json";
    writeFileAtomically(path, "first");
    writeFileAtomically(path, "second, longer");
    EXPECT_EQ(readFile(path), "second, longer");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "nothing is left beside it";
}

TEST(AtomicFile, NamesAMissingFolder) {
    const tests::support::TempDir folder;
    try {
        writeFileAtomically(folder.path() / "absent" / "run.json", "x");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kNotFound);
        EXPECT_NE(std::string(error.what()).find("absent"), std::string::npos);
    }
}

TEST(AtomicFile, KeepsTheEarlierFileWhenTheDiskIsFull) {
    // /dev/full refuses every write; a symbolic link makes the file beside `path` end there.
    const tests::support::TempDir folder;
    const auto path = folder.path() / "ckpt.index";
    writeFileAtomically(path, "earlier");
    std::filesystem::create_symlink("/dev/full", path.string() + ".tmp" + std::to_string(::getpid()));
    try {
        writeFileAtomically(path, "later");
        FAIL();
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kResourceExhausted) << error.what();
    }
    EXPECT_EQ(readFile(path), "earlier");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

class Leftovers : public testing::Test {
protected:
    std::filesystem::path put(const std::string& name) {
        std::ofstream(folder_.path() / name) << "half of it";
        return folder_.path() / name;
    }
    const tests::support::TempDir folder_;
    const std::filesystem::path path_ = folder_.path() / "ckpt.index";
};

TEST_F(Leftovers, OfKilledWritersGoWithTheNextWrite) {
    const auto half = put("ckpt.index.tmp4194305");
    const std::vector<std::filesystem::path> others = {put("ckpt.index.tmp"), put("ckpt.index.tmp12b"), put("ckpt_2.index.tmp4194305"),
                                                       put("ckpt.index.12")};
    writeFileAtomically(path_, "whole");
    EXPECT_FALSE(std::filesystem::exists(half));
    for (const auto& other : others) {
        EXPECT_TRUE(std::filesystem::exists(other)) << other;
    }
}

TEST_F(Leftovers, OfAWriterAtWorkStay) {
    const auto half = put("ckpt.index.tmp4194305");
    const int writer = ::open(half.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_EQ(::flock(writer, LOCK_EX | LOCK_NB), 0);
    removeLeftovers(path_);
    EXPECT_TRUE(std::filesystem::exists(half));
    ::close(writer);
    removeLeftovers(path_);
    EXPECT_FALSE(std::filesystem::exists(half));
}

}  // namespace
}  // namespace engine::exporter
