#include "engine/files/output_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/temp_dir.h"

namespace engine::files {
namespace {

TEST(OutputFile, GrowsBitByBit) {
    const tests::support::TempDir dir;
    const std::filesystem::path path = dir.path() / "log";
    {
        OutputFile file(FileDescriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)));
        file.write("a");
        EXPECT_EQ(std::filesystem::file_size(path), 0U) << "not before flush()";
        EXPECT_EQ(file.flush(), 0);
        EXPECT_EQ(std::filesystem::file_size(path), 1U);
        file.write("b");
    }
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    EXPECT_EQ(text.str(), "ab");
    EXPECT_FALSE(OutputFile().isOpen());
}

TEST(OutputFile, KeepsItsFirstError) {
    OutputFile full(FileDescriptor(::open("/dev/full", O_WRONLY | O_CLOEXEC)));
    full.write("x");
    EXPECT_EQ(full.flush(), ENOSPC);
    full.write("y");
    EXPECT_EQ(full.flush(), ENOSPC);
}

TEST(OutputFile, IsOnTheDiskWhenItIsFinished) {
    const tests::support::TempDir dir;
    const std::filesystem::path path = dir.path() / "note";
    OutputFile file(FileDescriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600)));
    file.write("a");
    EXPECT_EQ(file.finish(), 0);
    EXPECT_EQ(std::filesystem::file_size(path), 1U);

    int ends[2] = {-1, -1};
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    const FileDescriptor read_end(ends[0]);
    OutputFile pipe{FileDescriptor(ends[1])};
    pipe.write("a");
    EXPECT_EQ(pipe.flush(), 0);
    EXPECT_EQ(pipe.finish(), EINVAL) << "no disk is behind it";
}

}  // namespace
}  // namespace engine::files
