#include "agent/server/runs/run_files.h"

#include <chrono>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace agent::server {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

class RunFiles : public ::testing::Test {
protected:
    void write(const std::string& name, const std::string& text, int second) {
        const fs::path file = dir_.path() / name;
        fs::create_directories(file.parent_path());
        std::ofstream(file) << text;
        fs::last_write_time(file, fs::file_time_type::clock::now() + std::chrono::seconds(second));
    }
    std::vector<std::string> names() const {
        std::vector<std::string> out;
        for (const RunFile& file : filesOfRun(dir_.path())) out.push_back(file.path);
        return out;
    }
    tests::support::TempDir dir_;
};

TEST_F(RunFiles, ComeOldestFirst) {
    write("checkpoints/checkpoint", "names the other", 3);
    write("checkpoints/ckpt_1.index", "12345", 2);
    write("logs/train/events", "", 1);
    EXPECT_THAT(names(), ElementsAre("logs/train/events", "checkpoints/ckpt_1.index", "checkpoints/checkpoint"));
    EXPECT_EQ(filesOfRun(dir_.path())[1].bytes, 5);
}

TEST_F(RunFiles, LeaveOutWhatIsTheAgents) {
    write("journal", "", 1);
    write("journal-20260101-000000-0000", "", 1);
    write("lock", "", 1);
    write("project.tandem", "", 1);
    write("part.worker-0.json", "", 1);
    write("imported.json", "", 1);
    write("logs/journal", "of the user's", 1);
    EXPECT_THAT(names(), ElementsAre("logs/journal"));
}

TEST_F(RunFiles, LeaveOutLinksAndWhatLiesBehindThem) {
    write("real", "", 1);
    fs::create_symlink("/etc/passwd", dir_.path() / "link");
    fs::create_directory_symlink("/etc", dir_.path() / "folder");
    EXPECT_THAT(names(), ElementsAre("real"));
}

TEST_F(RunFiles, OfAFolderThatIsGoneAreAnError) {
    EXPECT_THROW(filesOfRun(dir_.path() / "none"), engine::Error);
}

}  // namespace
}  // namespace agent::server
