// Which runs go on when an agent comes back after it was killed; that they do, and how, is proven by tests/hosts and tests/e2e.
#include "agent/server/runs/unfinished_runs.h"

#include <filesystem>
#include <fstream>
#include <functional>

#include <gtest/gtest.h>

#include "agent/local/run_folder.h"
#include "agent/server/runs/submission_note.h"
#include "engine/spec/project/run_spec.h"
#include "tests/support/temp_dir.h"

namespace {

using namespace agent::server;
namespace convert = agent::convert;
namespace fs = std::filesystem;
namespace spec = engine::spec;

// A run of two workers in its folder, as its agent left it when it was killed: with a backup, once started.
class UnfinishedRunsTest : public ::testing::Test {
protected:
    UnfinishedRunsTest() {
        project.name = "small";
        project.model.input_shape = {4};
        project.model.layers = {{"Dense", "dense", {{"units", std::int64_t{3}}}}};
        project.callbacks = {{"BackupAndRestore", {}}};
        project.cluster.spec.jobs = {{"worker", {{0, "localhost:12345"}, {1, "localhost:23456"}}}};
        project.strategy.name = "MultiWorkerMirroredStrategy";
        project.cluster.max_restarts = 3;
        run.id = note.run = "20261121-143205-7f3a";
        run.run_dir = dir_.path().string();
        put("backup/latest.backup");
    }
    void put(const fs::path& file) const {
        fs::create_directories((dir_.path() / file).parent_path());
        std::ofstream(dir_.path() / file) << "x";
    }
    bool goesOn(bool reaches_hosts = false) {
        run.project_json = toProjectJson(project);
        writeSubmissionNote(dir_.path(), note);
        return mayGoOn(run, reaches_hosts);
    }
    // Both workers on other computers, each under an agent that told the id of its part.
    void placeElsewhere() {
        note.submission.hosts = {{.host = "node2", .workers = 1}, {.host = "node3", .workers = 1}};
        convert::writePartNote(dir_.path(), "part.node2.json", part("node2", "worker 0"));
        convert::writePartNote(dir_.path(), "part.node3.json", part("node3", "worker 1"));
    }
    static convert::PartNote part(const std::string& host, const std::string& task) {
        return {.host = host, .folder = "/runs/there", .run = "20261121-143206-0001", .tasks = {task}, .ports = {40001}};
    }

    tests::support::TempDir dir_;
    spec::RunSpec project;
    engine::run::RunInfo run;
    SubmissionNote note;
};

TEST_F(UnfinishedRunsTest, GoOnFromTheirBackup) {
    EXPECT_TRUE(goesOn());
}

TEST_F(UnfinishedRunsTest, EndWithoutANoteOfThem) {
    ASSERT_TRUE(goesOn());
    run.id = "20261121-150000-0000";
    EXPECT_FALSE(mayGoOn(run, true)) << "another run's";
    fs::remove(dir_.path() / kSubmissionFile);
    run.id = note.run;
    EXPECT_FALSE(mayGoOn(run, true));
}

TEST_F(UnfinishedRunsTest, EndWithoutABackup) {
    fs::remove(dir_.path() / "backup/latest.backup");
    EXPECT_FALSE(goesOn());
    project.callbacks.clear();
    put("backup/latest.backup");
    EXPECT_FALSE(goesOn()) << "the project keeps none";
}

TEST_F(UnfinishedRunsTest, EndWhereTheirUserWasStoppingThem) {
    note.stop_asked = true;
    EXPECT_FALSE(goesOn());
}

TEST_F(UnfinishedRunsTest, EndWhereTheProjectDoesNotStartAgain) {
    project.cluster.on_task_lost = spec::OnTaskLost::kFail;
    EXPECT_FALSE(goesOn());
}

TEST_F(UnfinishedRunsTest, EndWhenTheirRestartsAreUsedUp) {
    run.attempts = 3;
    EXPECT_TRUE(goesOn());
    run.attempts = 4;
    EXPECT_FALSE(goesOn()) << "three restarts since its launch";
    note.first_attempt = 2;
    EXPECT_TRUE(goesOn()) << "one of them was its user's";
}

TEST_F(UnfinishedRunsTest, EndWhenTheyWereFinished) {
    std::ofstream(dir_.path() / convert::kFinishedFile) << R"({"checkpoint": "checkpoints/ckpt_1", "weights_sha256": "00"})";
    EXPECT_FALSE(goesOn());
}

TEST_F(UnfinishedRunsTest, AreFollowedOnWhereEveryTaskIsElsewhere) {
    fs::remove_all(dir_.path() / "backup");
    placeElsewhere();
    EXPECT_TRUE(goesOn(true));
    EXPECT_FALSE(goesOn(false)) << "an agent that reaches no other computer";
    note.stop_asked = true;
    EXPECT_TRUE(goesOn(true)) << "it is stopped on";
}

TEST_F(UnfinishedRunsTest, AreNotFollowedWhereATaskOrItsRunThereIsMissing) {
    fs::remove_all(dir_.path() / "backup");
    placeElsewhere();
    const std::function<void(convert::PartNote&)> faults[] = {
        [](convert::PartNote& one) { one.run.clear(); },
        [](convert::PartNote& one) { one.tasks.clear(), one.ports.clear(); },
        [](convert::PartNote& one) { one.tasks = {"worker 0"}; },
        [](convert::PartNote& one) {
            one.ports = {40001, 40002};
        },
    };
    for (const auto& fault : faults) {
        convert::PartNote damaged = part("node3", "worker 1");
        fault(damaged);
        convert::writePartNote(dir_.path(), "part.node3.json", damaged);
        EXPECT_FALSE(goesOn(true));
    }
    convert::writePartNote(dir_.path(), "part.node3.json", part("node3", "worker 1"));
    EXPECT_TRUE(goesOn(true));
}

}  // namespace
