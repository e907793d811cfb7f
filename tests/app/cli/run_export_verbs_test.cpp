// What a run has told, as files.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"
#include "verbs_fixture.h"

namespace app::cli {
namespace {

spec::TaskEvent threeSteps() {
    spec::StepPoints points;
    points.step = {1, 2, 3};
    points.epoch = {0, 0, 0};
    points.time_unix_ns = {1'000'000'000, 1'500'000'000, 2'000'000'000};
    points.examples_per_step = 64;
    points.columns = {{"loss", {0.5F, 0.25F, 0.1F}}};
    spec::TaskEvent event;
    event.sequence = 1;
    event.time_unix_ns = 2'000'000'000;
    event.task = {"worker", 0};
    event.body = std::move(points);
    return event;
}

std::string textOf(const std::filesystem::path& path) {
    std::stringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

TEST_F(Verbs, ExportsThePointsOfARunAsCsvAndItsReport) {
    const tests::support::TempDir folder;
    agent.runs = {{.id = "20261122-100000-0002", .name = "mnist", .state = RunState::kDone, .project_json = "{}"}};
    agent.events.assign(1, threeSteps());
    const std::string to = (folder.path() / "out").string();
    EXPECT_EQ(run({"export", "data", "2026", "--series", "loss", "--out", to}), kDone) << err.str();
    EXPECT_EQ(textOf(folder.path() / "out" / "20261122-100000-0002.csv"), "step,epoch,time_s,value\n1,0,1,0.5\n2,0,1.5,0.25\n3,0,2,0.1\n");
    EXPECT_EQ(run({"export", "report", "--out", to}), kDone) << err.str();
    EXPECT_NE(textOf(folder.path() / "out" / "20261122-100000-0002.html").find("<title>Loss</title>"), std::string::npos);
    EXPECT_EQ(run({"export", "data", "--list"}), kDone);
    EXPECT_NE(out.str().find("loss\t3\t-\n"), std::string::npos) << out.str();
}

TEST_F(Verbs, TheReportOfARunThatIsOverHasNoTaskThatTrains) {
    const tests::support::TempDir folder;
    agent.runs = {{.id = "20261122-100000-0002", .name = "mnist", .state = RunState::kDone, .project_json = "{}"}};
    spec::TaskEvent trains = threeSteps();
    trains.sequence = 2;
    trains.body = spec::StateChanged{spec::TaskState::kTraining, ""};
    agent.events = {threeSteps(), trains};
    EXPECT_EQ(run({"export", "report", "--out", folder.path().string()}), kDone) << err.str();
    const std::string report = textOf(folder.path() / "20261122-100000-0002.html");
    EXPECT_NE(report.find("<td>Stopped</td>"), std::string::npos);
    EXPECT_EQ(report.find("<td>Training</td>"), std::string::npos);
}

TEST_F(Verbs, SetsRunsSideBySideAsEventFiles) {
    const tests::support::TempDir folder;
    agent.runs = {{.id = "20261122-100000-0002", .name = "mnist", .state = RunState::kDone, .project_json = "{}"},
                  {.id = "20261122-100000-0003", .name = "mnist", .state = RunState::kDone, .project_json = "{}"}};
    agent.events.assign(1, threeSteps());
    const std::string to = (folder.path() / "board").string();
    EXPECT_EQ(run({"export", "tensorboard", "--all", "--out", to}), kDone) << err.str();
    EXPECT_NE(out.str().find(to + "/mnist: 3 points of run 20261122-100000-0002\n"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find(to + "/mnist-20261122-100000-0003: 3 points"), std::string::npos) << "of two with one name";
    EXPECT_TRUE(out.str().ends_with("tensorboard --logdir " + to + "\n"));
    EXPECT_FALSE(std::filesystem::is_empty(folder.path() / "board" / "mnist" / "train"));
    EXPECT_EQ(run({"export", "tensorboard", "20261122-100000-0002", "--out", to}), kFailed);
    EXPECT_NE(err.str().find("expected a folder without event files"), std::string::npos) << err.str();
    EXPECT_EQ(run({"export", "tensorboard", "20261122-100000-0002", "--out", to, "--overwrite"}), kDone) << err.str();
    const std::string file = (folder.path() / "file").string();
    std::ofstream(file) << "no folder";
    err.str("");
    EXPECT_EQ(run({"export", "tensorboard", "20261122-100000-0002", "--out", file}), kFailed);
    EXPECT_EQ(err.str(), "error: --out: expected a folder, got the file " + file + "\n");
    err.str("");
    EXPECT_EQ(run({"export", "tensorboard", "20261122-100000-0002", "--out", file + "/below"}), kFailed);
    EXPECT_EQ(err.str(), "error: " + file + "/below/mnist: can't be read or written: Not a directory\n");
}

TEST_F(Verbs, TakesAFolderOfEventFilesForARun) {
    const tests::support::TempDir folder;
    const std::filesystem::path logs = std::filesystem::canonical(folder.path()) / "logs";
    std::filesystem::create_directories(logs / "sgd");
    std::ofstream(logs / "sgd" / "events.out.tfevents.1") << "";
    agent.runs = {{.id = "1",
                   .name = "sgd",
                   .state = RunState::kDone,
                   .run_dir = "/runs/1",
                   .imported_from = (logs / "sgd").string(),
                   .followed = true},
                  {.id = "2", .name = "own", .state = RunState::kDone, .run_dir = "/runs/2"}};
    agent.follows = agent.runs.front();
    EXPECT_EQ(run({"watch", logs.string()}), kDone) << err.str();
    EXPECT_EQ(agent.watched, "1");
    EXPECT_EQ(agent.followed.back().folder, logs.string());
    out.str("");
    EXPECT_EQ(run({"runs", "--from", logs.string()}), kDone) << err.str();
    EXPECT_NE(out.str().find("event files of " + (logs / "sgd").string() + "  sgd"), std::string::npos) << out.str();
    EXPECT_EQ(out.str().find("own"), std::string::npos) << out.str();
    out.str("");
    EXPECT_EQ(run({"runs", "--json", "--from", logs.string()}), kDone);
    EXPECT_NE(out.str().find("\"event_files\":\"" + (logs / "sgd").string() + "\""), std::string::npos) << out.str();
    EXPECT_EQ(out.str().find("imported_from"), std::string::npos) << out.str();
}

TEST_F(Verbs, ADamagedJournalIsExitCodeOneAndAnAgentThatIsGoneThree) {
    agent.runs = {{.id = "20261122-100000-0002", .state = RunState::kDone, .project_json = "{}"}};
    agent.events.assign(1, threeSteps());
    agent.watch_error = "/runs/1/journal.sqlite: database disk image is malformed";
    const tests::support::TempDir folder;
    for (const char* what : {"data", "report"}) {
        EXPECT_EQ(run({"export", what, "--out", folder.path().string()}), kFailed);
        EXPECT_NE(err.str().find("error: run 20261122-100000-0002: /runs/1/journal.sqlite: database disk image is malformed"),
                  std::string::npos)
            << err.str();
    }
    agent.reachable = false;
    agent.watch_error = "the agent ended";
    EXPECT_EQ(run({"export", "data", "--out", folder.path().string()}), kNoAgent);
}

TEST_F(Verbs, ExportOfDataSaysWhatIsMissing) {
    EXPECT_EQ(run({"export", "data", "nothing"}), kFailed);
    agent.runs = {{.id = "20261122-100000-0002", .state = RunState::kDone, .project_json = "{}"}};
    EXPECT_EQ(run({"export", "data"}), kFailed);
    EXPECT_NE(err.str().find("it told none so far"), std::string::npos) << err.str();
    EXPECT_EQ(run({"export", "data", "--format", "xls"}), kUsage);
    agent.events.assign(1, threeSteps());
    EXPECT_THROW(run({"export", "data", "--series", "acc"}), engine::Error);
}

}  // namespace
}  // namespace app::cli
