#include "agent/server/runs/submission_note.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace {

using namespace agent::server;
namespace fs = std::filesystem;

class SubmissionNoteTest : public ::testing::Test {
protected:
    void put(const std::string& text) const { std::ofstream(dir_.path() / kSubmissionFile) << text; }

    tests::support::TempDir dir_;
};

TEST_F(SubmissionNoteTest, ComesBackAsItWasKept) {
    SubmissionNote note{
        .run = "20261121-143205-7f3a", .tasks_project_json = R"({"name": "by numbers"})", .first_attempt = 3, .stop_asked = true};
    note.submission = {.project_json = R"({"name": "이름"})",
                       .local_workers = 2,
                       .run_dir = dir_.path().string(),
                       .data_dir = "/data",
                       .save_weights = "/home/ann/best.weights.h5",
                       .local_servers = 1,
                       .hosts = {{.host = "node1", .workers = 2, .servers = 0}, {.host = "node2", .workers = 0, .servers = 1}}};
    writeSubmissionNote(dir_.path(), note);
    const auto read = readSubmissionNote(dir_.path(), note.run);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->tasks_project_json, note.tasks_project_json);
    EXPECT_EQ(read->first_attempt, 3);
    EXPECT_TRUE(read->stop_asked);
    const Submission &kept = note.submission, &found = read->submission;
    EXPECT_EQ(found.project_json, kept.project_json);
    EXPECT_EQ(found.run_dir, kept.run_dir);
    EXPECT_EQ(found.data_dir, kept.data_dir);
    EXPECT_EQ(found.save_weights, kept.save_weights);
    EXPECT_EQ(found.local_workers, 2);
    EXPECT_EQ(found.local_servers, 1);
    EXPECT_EQ(found.hosts, kept.hosts);
}

TEST_F(SubmissionNoteTest, IsNoneOfAnotherRun) {
    writeSubmissionNote(dir_.path(), {.run = "one"});
    EXPECT_TRUE(readSubmissionNote(dir_.path(), "one"));
    EXPECT_FALSE(readSubmissionNote(dir_.path(), "two"));
}

TEST_F(SubmissionNoteTest, IsNoneWhereItIsMissingDamagedOrALink) {
    EXPECT_FALSE(readSubmissionNote(dir_.path(), ""));
    EXPECT_FALSE(readSubmissionNote(dir_.path() / "nowhere", ""));
    for (const char* text : {"", "{", "[]", "null", R"({"run": ""})", R"({"run": 1, "first_attempt": "x"})", "\xff\xfe"}) {
        put(text);
        EXPECT_FALSE(readSubmissionNote(dir_.path(), "")) << text;
    }
    fs::remove(dir_.path() / kSubmissionFile);
    fs::create_directory(dir_.path() / "elsewhere");
    writeSubmissionNote(dir_.path() / "elsewhere", {.run = "one"});
    fs::create_symlink(dir_.path() / "elsewhere" / kSubmissionFile, dir_.path() / kSubmissionFile);
    EXPECT_FALSE(readSubmissionNote(dir_.path(), "one"));
}

TEST_F(SubmissionNoteTest, ReplacesTheOneBefore) {
    writeSubmissionNote(dir_.path(), {.run = "one"});
    writeSubmissionNote(dir_.path(), {.run = "one", .stop_asked = true});
    EXPECT_TRUE(readSubmissionNote(dir_.path(), "one")->stop_asked);
    EXPECT_FALSE(fs::exists(dir_.path() / (std::string(kSubmissionFile) + ".new")));
}

TEST_F(SubmissionNoteTest, NamesTheFileThatCannotBeWritten) {
    try {
        writeSubmissionNote(dir_.path() / "nowhere", {.run = "one"});
        FAIL() << "it was written";
    } catch (const std::exception& error) {
        EXPECT_NE(std::string(error.what()).find("nowhere"), std::string::npos) << error.what();
    }
}

}  // namespace
