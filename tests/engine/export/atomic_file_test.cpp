#include "engine/export/atomic_file.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <csignal>
#include <fstream>
#include <optional>

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
    // A limit on the size of files stands in for the disk's.
    const tests::support::TempDir folder;
    const auto path = folder.path() / "ckpt.index";
    writeFileAtomically(path, "earlier");
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    const rlimit small{4, before.rlim_max};
    const auto handler = std::signal(SIGXFSZ, SIG_IGN);
    ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
    std::optional<Error> refused;
    try {
        writeFileAtomically(path, "later");
    } catch (const Error& error) {
        refused = error;
    }
    ::setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
    ASSERT_TRUE(refused.has_value());
    EXPECT_EQ(refused->code(), ErrorCode::kResourceExhausted) << refused->what();
    EXPECT_EQ(readFile(path), "earlier");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST(AtomicFile, WritesThroughNoLink) {
    const tests::support::TempDir folder;
    const auto victim = folder.path() / "victim", path = folder.path() / "run" / "run.json";
    writeFileAtomically(victim, "precious");
    std::filesystem::create_directory(path.parent_path());
    for (const std::string& name : {path.string(), path.string() + ".tmp" + std::to_string(::getpid())}) {
        std::filesystem::create_symlink(victim, name);
        writeFileAtomically(path, "own");
        EXPECT_EQ(readFile(path), "own");
        EXPECT_FALSE(std::filesystem::is_symlink(path));
        EXPECT_EQ(readFile(victim), "precious");
        std::filesystem::remove(path);
    }
    const files::SafeFolder run = files::SafeFolder::open(path.parent_path());
    std::filesystem::create_directory_symlink(folder.path(), path.parent_path() / "checkpoints");
    EXPECT_THROW(writeFileAtomically({run, "checkpoints/victim"}, "x"), Error);
    EXPECT_THROW(readFile({run, "checkpoints/victim"}), Error);
    EXPECT_THROW(writeFileAtomically({run, "../victim"}, "x"), Error);
    EXPECT_EQ(readFile(victim), "precious");
    writeFileAtomically({run, "run.json"}, "x");
    EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
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
