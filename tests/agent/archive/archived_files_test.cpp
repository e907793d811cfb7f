#include "agent/archive/archived_files.h"

#include <algorithm>

#include <gmock/gmock.h>

#include "engine/spec/error.h"
#include "tests/support/archive_rig.h"

namespace {

using agent::archive::archivedFiles;
using engine::run::ArchivedCheckpoints;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ArchivedFilesTest : public ::testing::Test, protected tests::ArchiveRig {
protected:
    std::vector<std::string> names(ArchivedCheckpoints checkpoints) const {
        std::vector<std::string> found;
        for (const auto& one : archivedFiles(run, checkpoints).files) found.push_back(one.name);
        std::sort(found.begin(), found.end());
        return found;
    }
};

TEST_F(ArchivedFilesTest, AreWhatTheRunWroteAndNothingElseThatLiesThere) {
    tests::writeText(folder() / "holiday.jpg", "the user's own");
    tests::writeText(folder() / "journal", "the agent's");
    tests::writeText(folder() / "logs" / "journal", "a log of that name");
    tests::writeText(folder() / "events" / "worker-0.events", "told");
    tests::writeText(folder() / "backup" / "latest.backup", "to go on from");
    std::filesystem::create_symlink("/etc/passwd", folder() / "logs" / "passwd");
    std::filesystem::create_directory_symlink("/etc", folder() / "logs" / "etc");
    EXPECT_THAT(names(ArchivedCheckpoints::kAll),
                ElementsAre("checkpoints.jsonl", "checkpoints/checkpoint", "checkpoints/ckpt_1.data-00000-of-00001",
                            "checkpoints/ckpt_1.index", "checkpoints/ckpt_2.data-00000-of-00001", "checkpoints/ckpt_2.index",
                            "finished.json", "logs/journal", "logs/train/events.out.tfevents.1", "run.json"));
    EXPECT_EQ(archivedFiles(run, ArchivedCheckpoints::kAll).checkpoints, 2);
}

TEST_F(ArchivedFilesTest, HaveTheChosenCheckpointsWithAListOfThemAlone) {
    EXPECT_THAT(names(ArchivedCheckpoints::kLatest),
                ElementsAre("checkpoints.jsonl", "checkpoints/checkpoint", "checkpoints/ckpt_2.data-00000-of-00001",
                            "checkpoints/ckpt_2.index", "finished.json", "logs/train/events.out.tfevents.1", "run.json"));
    const auto best = archivedFiles(run, ArchivedCheckpoints::kBest);
    EXPECT_EQ(best.checkpoints, 1);
    const auto state =
        std::find_if(best.files.begin(), best.files.end(), [](const auto& one) { return one.name == "checkpoints/checkpoint"; });
    ASSERT_NE(state, best.files.end());
    EXPECT_EQ(state->text, "model_checkpoint_path: \"ckpt_1\"\nall_model_checkpoint_paths: \"ckpt_1\"\n");
    EXPECT_THAT(names(ArchivedCheckpoints::kNone),
                ElementsAre("checkpoints.jsonl", "finished.json", "logs/train/events.out.tfevents.1", "run.json"));
}

TEST_F(ArchivedFilesTest, OfARunWithoutCheckpointsAreNone) {
    std::filesystem::remove_all(folder() / "checkpoints");
    EXPECT_EQ(archivedFiles(run, ArchivedCheckpoints::kLatest).checkpoints, 0);
    try {
        archivedFiles(run, ArchivedCheckpoints::kBest);
        FAIL() << "expected an error";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), engine::ErrorCode::kNotFound);
        EXPECT_THAT(error.what(), HasSubstr("best of its checkpoints"));
        EXPECT_THAT(error.what(), HasSubstr("choose all, latest or none"));
    }
}

TEST_F(ArchivedFilesTest, FollowTheProjectsCallbacksBelowTheFolderAlone) {
    engine::spec::RunSpec project;
    engine::spec::ObjectSpec csv{.class_name = "CSVLogger"}, board{.class_name = "TensorBoard"}, out{.class_name = "CSVLogger"};
    csv.config.set("filename", std::string("tables/epochs.csv"));
    board.config.set("log_dir", std::string("./board/"));
    out.config.set("filename", std::string("../../etc/passwd"));
    project.callbacks = {csv, board};
    run.project_json = engine::spec::toProjectJson(project);
    tests::writeText(folder() / "tables" / "epochs.csv", "epoch,loss\n");
    tests::writeText(folder() / "tables" / "other.csv", "not of the run");
    tests::writeText(folder() / "board" / "train" / "events.out.tfevents.2", "e");
    const std::vector<std::string> found = names(ArchivedCheckpoints::kNone);
    EXPECT_THAT(found, ElementsAre("board/train/events.out.tfevents.2", "checkpoints.jsonl", "finished.json",
                                   "logs/train/events.out.tfevents.1", "run.json", "tables/epochs.csv"));
    project.callbacks = {out};
    run.project_json = engine::spec::toProjectJson(project);
    EXPECT_THAT(names(ArchivedCheckpoints::kNone),
                ElementsAre("checkpoints.jsonl", "finished.json", "logs/train/events.out.tfevents.1", "run.json"));
}

}  // namespace
