#include "agent/client/run_checkpoints.h"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/temp_dir.h"

namespace {

namespace fs = std::filesystem;
using namespace agent::client;
using testing::HasSubstr;

class RunCheckpoints : public testing::Test {
protected:
    fs::path folder() const { return dir_.path() / "run"; }
    void write(const fs::path& file, const std::string& text = "x") const {
        fs::create_directories((folder() / file).parent_path());
        std::ofstream(folder() / file, std::ios::app) << text;
    }
    void list(const std::string& file, int epoch, bool best = false) const {
        write(engine::spec::kCheckpointListFile, "{\"checkpoint\": \"" + file + "\", \"epoch\": " + std::to_string(epoch) + ", \"step\": " +
                                                     std::to_string(10 * epoch) + ", \"best\": " + (best ? "true" : "false") + "}\n");
    }
    std::string chosen(const std::string& word) const { return chosenCheckpoint(folder(), word).lexically_relative(folder()).string(); }
    std::string refusal(const std::string& word) const {
        try {
            return "chosen: " + chosen(word);
        } catch (const engine::Error& error) {
            EXPECT_EQ(error.code(), engine::ErrorCode::kNotFound);
            return error.what();
        }
    }

    tests::support::TempDir dir_;
};

TEST_F(RunCheckpoints, AreThoseOfTheListWhoseFilesAreThere) {
    list("training_checkpoints/ckpt_1", 1);
    list("training_checkpoints/ckpt_2", 2);
    list("models/epoch3.keras", 3, true);
    write("training_checkpoints/ckpt_1.index");
    write("models/epoch3.keras");
    write("backup/other.index");
    EXPECT_EQ(checkpointsOf(folder()).size(), 2U) << "the second was removed by somebody, and what it does not name is none";
    EXPECT_EQ(chosen(""), "models/epoch3.keras");
    EXPECT_EQ(chosen("best"), "models/epoch3.keras");
    EXPECT_EQ(chosen("1"), "training_checkpoints/ckpt_1");
    EXPECT_EQ(chosen("ckpt_1"), "training_checkpoints/ckpt_1");
    write("training_checkpoints/checkpoint");
    EXPECT_EQ(chosen("training_checkpoints"), "training_checkpoints") << "a path of a folder with a file `checkpoint`";
    EXPECT_THAT(refusal("ckpt_2"),
                HasSubstr("expected latest, best, an epoch or a checkpoint of this run (ckpt_1, epoch3.keras), got \"ckpt_2\""));
}

TEST_F(RunCheckpoints, ARunFromBeforeTheListHasItsFilesSearched) {
    engine::spec::RunSpec run;
    run.callbacks = {{"ModelCheckpoint", {{"filepath", std::string("./out/m-{epoch:03d}-{val_loss:.2f}.keras")}}}};
    write("run.json", toProjectJson(run));
    for (const char* file : {"out/m-002-0.31.keras", "out/m-010-0.25.keras", "checkpoints/step_25.index", "notes.txt"}) {
        write(file);
        fs::last_write_time(folder() / file, fs::file_time_type::clock::now() + std::chrono::seconds(checkpointsOf(folder()).size()));
    }
    EXPECT_EQ(chosen("2"), "out/m-002-0.31.keras");
    EXPECT_EQ(chosen("10"), "out/m-010-0.25.keras");
    EXPECT_EQ(chosen("latest"), "checkpoints/step_25");
    EXPECT_THAT(refusal("best"), HasSubstr("expected what tells the best of its checkpoints"));
}

TEST_F(RunCheckpoints, SayThatThereIsNone) {
    fs::create_directories(folder());
    EXPECT_EQ(refusal(""), folder().string() + ": expected a checkpoint of this run, it holds none");
    EXPECT_TRUE(checkpointsOf(dir_.path() / "nowhere").empty());
}

TEST_F(RunCheckpoints, ALinkInTheFolderIsNoCheckpoint) {
    write("elsewhere.keras");
    fs::create_directories(folder() / "checkpoints");
    fs::create_symlink(folder() / "elsewhere.keras", folder() / "checkpoints/ckpt_1.keras");
    fs::create_directory_symlink("/", folder() / "root");
    EXPECT_EQ(checkpointsOf(folder()).size(), 1U);
    EXPECT_EQ(chosen(""), "elsewhere.keras");
}

}  // namespace
