#include "engine/export/atomic_file.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

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

}  // namespace
}  // namespace engine::exporter
