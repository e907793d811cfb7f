// Runs: begun, followed, stopped, listed, put away.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/events/checkpoint_list.h"
#include "tests/support/temp_dir.h"
#include "verbs_fixture.h"

namespace app::cli {
namespace {

TEST_F(Verbs, TrainsAStarterProjectOnTwoWorkers) {
    EXPECT_EQ(run({"train", "mnist_mirrored", "--workers", "2", "--set", "fit.epochs=3", "--transport", "grpc", "--threads", "1"}), kDone)
        << err.str();
    ASSERT_EQ(agent.submitted.size(), 1U);
    EXPECT_EQ(agent.submitted[0].local_workers, 2);
    EXPECT_EQ(agent.submitted[0].run.fit.epochs, 3);
    EXPECT_EQ(agent.submitted[0].run.cluster.transport, spec::TransportChoice::kGrpc);
    EXPECT_EQ(agent.submitted[0].run.cluster.threads_per_task, 1);
    EXPECT_NE(out.str().find("MultiWorkerMirroredStrategy"), std::string::npos);
}

TEST_F(Verbs, SendsARunsFilesToItsOtherHostsFirst) {
    agent.files_sent = {{"node2", "/data/train.csv", 0, 0},
                        {"node2", "/data/train.csv", 500'000, 1'000'000},
                        {"node3", "/data/train.csv", 0, 0},
                        {"node2", "/data/train.csv", 1'000'000, 1'000'000}};
    EXPECT_EQ(run({"train", "mnist_mirrored", "--hosts", "node1,node2,node3"}), kDone) << err.str();
    EXPECT_NE(out.str().find("node2: 1.0 MB of the run's files were sent\n"), std::string::npos) << out.str();
    EXPECT_EQ(out.str().find("node3: "), std::string::npos);
    ASSERT_EQ(agent.submitted.size(), 1U);
    // Ctrl+C while they are sent: nothing is submitted.
    presses = 0;
    EXPECT_EQ(run({"train", "mnist_mirrored", "--hosts", "node1,node2,node3"}), kInterrupted);
    EXPECT_EQ(agent.submitted.size(), 1U);
}

TEST_F(Verbs, ArchivesARunIntoOneFile) {
    agent.runs.push_back({.id = "20261121-100000-0001", .state = RunState::kDone, .run_dir = "/runs/1"});
    EXPECT_EQ(run({"archive", "20261121", "--out", "mnist.tandem-run", "--checkpoints", "latest"}), kDone) << err.str();
    const std::string file = std::filesystem::current_path() / "mnist.tandem-run";
    EXPECT_EQ(agent.archived,
              (std::vector<engine::run::ArchiveRequest>{{"20261121-100000-0001", file, engine::run::ArchivedCheckpoints::kLatest, false}}));
    EXPECT_EQ(out.str(), "mnist.tandem-run: run 20261121-100000-0001, 2 checkpoints, 17 events, 3.4 MB\n");
    EXPECT_EQ(run({"archive", "--out", "/tmp/a.tandem-run", "--overwrite"}), kDone) << err.str();
    EXPECT_EQ(agent.archived.back(),
              (engine::run::ArchiveRequest{"20261121-100000-0001", "/tmp/a.tandem-run", engine::run::ArchivedCheckpoints::kAll, true}));
    EXPECT_EQ(run({"archive", "--out", "x.tandem-run", "--checkpoints", "newest"}), kUsage);
    EXPECT_EQ(run({"archive"}), kUsage) << "it needs a file";
    presses = 0;
    EXPECT_EQ(run({"archive", "--out", "x.tandem-run"}), kInterrupted);
}

TEST_F(Verbs, ImportsAnArchiveAsARun) {
    agent.runs.push_back(
        {.id = "20261121-100000-0001", .name = "Afar", .state = RunState::kDone, .run_dir = "/runs/1", .imported_from = "node1"});
    const tests::support::TempDir dir;
    const std::string file = dir.path() / "a.tandem-run";
    EXPECT_EQ(run({"import", file}), kUsage);
    EXPECT_NE(err.str().find(file + ": expected the archive of a run, found none"), std::string::npos) << err.str();
    std::ofstream(file) << "zip";
    EXPECT_EQ(run({"import", file, "--out", "x.tandem"}), kUsage) << "a run is no project file";
    EXPECT_TRUE(agent.imported.empty());
    EXPECT_EQ(run({"import", file}), kDone) << err.str();
    EXPECT_EQ(out.str(), "20261121-100000-0001: \"Afar\", Done, imported from node1\nFolder: /runs/1\n");
    out.str("");
    EXPECT_EQ(run({"import", file}), kDone);
    EXPECT_EQ(out.str(), "20261121-100000-0001: \"Afar\", Done, is here already\nFolder: /runs/1\n");
    EXPECT_EQ(agent.imported, (std::vector<std::string>{file, file}));
    EXPECT_EQ(run({"import", "code.py"}), kUsage) << "a project needs the name of its file";
}

TEST_F(Verbs, SaysThatTheAgentDoesNotAnswerAndThatItDoesAgain) {
    agent.halts = true;
    EXPECT_EQ(run({"train", "mnist_mirrored", "--workers", "2"}), kDone);
    EXPECT_NE(err.str().find("warning: the agent does not answer, for 5 s by now"), std::string::npos) << err.str();
    EXPECT_NE(err.str().find("the agent answers again, after 31 s"), std::string::npos) << err.str();
    EXPECT_EQ(err.str().find("warning: the agent"), err.str().rfind("warning: the agent")) << "said once";
}

TEST_F(Verbs, OneWorkerNeedsNoCluster) {
    EXPECT_EQ(run({"train", "mnist_multi_worker", "--workers", "1"}), kDone) << err.str();
    EXPECT_TRUE(agent.submitted.at(0).run.cluster.spec.empty());
    EXPECT_EQ(agent.submitted[0].local_workers, 0);
}

TEST_F(Verbs, SendsNothingWhenTheProjectIsWrong) {
    EXPECT_EQ(run({"train", "mnist_mirrored", "--set", "model.layers[3].units=0"}), kFailed);
    EXPECT_NE(err.str().find("model.layers[3].units"), std::string::npos) << err.str();
    EXPECT_EQ(run({"train", "no-such-project"}), kUsage);
    EXPECT_NE(err.str().find("no-such-project"), std::string::npos);
    EXPECT_TRUE(agent.submitted.empty());
}

TEST_F(Verbs, ATpuIsTrainedOnByTheScriptThatItExports) {
    const std::string tpu = R"(strategy.cluster_resolver={"class_name":"TPUClusterResolver","config":{"tpu":"my-tpu"}})";
    EXPECT_EQ(run({"train", "mnist_mirrored", "--set", "strategy.name=TPUStrategy", tpu}), kFailed);
    EXPECT_NE(err.str().find("strategy.name: expected a strategy that trains here, got TPUStrategy: a TPU is trained on by the exported "
                             "script, since no PJRT plug-in runs a project in this version"),
              std::string::npos)
        << err.str();
    EXPECT_TRUE(agent.submitted.empty());
    EXPECT_EQ(run({"export", "code", "mnist_mirrored", "--set", "strategy.name=TPUStrategy", tpu}), kDone) << err.str();
    EXPECT_NE(out.str().find("TPUClusterResolver(tpu='my-tpu')"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("strategy = tf.distribute.TPUStrategy(resolver)"), std::string::npos) << out.str();
    EXPECT_EQ(run({"export", "code", "mnist_mirrored", "--set", "strategy.name=TPUStrategy", "strategy.cluster_resolver=Nothing"}),
              kFailed);
    EXPECT_NE(err.str().find("strategy.cluster_resolver: expected TPUClusterResolver, got Nothing"), std::string::npos) << err.str();
}

TEST_F(Verbs, AFailedRunIsExitCodeOne) {
    agent.end_state = RunState::kFailed;
    spec::TaskEvent failed;
    failed.task = {"worker", 1};
    failed.body = spec::TaskFailed{.reason = "exit code 3", .exit_code = 3};
    agent.events.push_back(failed);
    EXPECT_EQ(run({"train", "mnist_mirrored"}), kFailed);
    EXPECT_NE(out.str().find("worker 1 failed: exit code 3"), std::string::npos) << out.str();
}

TEST_F(Verbs, StopsTheActiveRunOrSaysThatThereIsNone) {
    EXPECT_EQ(run({"stop"}), kFailed);
    EXPECT_NE(err.str().find("no run is active"), std::string::npos);
    RunInfo active;
    active.id = "20261121-120000-aaaa";
    active.state = RunState::kTraining;
    agent.runs = {active};
    EXPECT_EQ(run({"stop", "--now"}), kDone);
    EXPECT_EQ(agent.controls.at(0).verb, spec::ControlVerb::kStopNow);
    EXPECT_EQ(run({"stop", "20261121-12"}), kDone);
    EXPECT_EQ(agent.controls.at(1).verb, spec::ControlVerb::kStop);
}

TEST_F(Verbs, ListsRunsNewestFirst) {
    RunInfo older, newer;
    older.id = "older";
    older.created_unix_ns = 1;
    older.state = RunState::kDone;
    older.results = {{"test_accuracy", 0.98765}};
    newer.id = "newer";
    newer.created_unix_ns = 2;
    newer.followed = true;
    agent.runs = {older, newer};
    EXPECT_EQ(run({"runs"}), kDone);
    EXPECT_LT(out.str().find("newer"), out.str().find("older"));
    EXPECT_LT(out.str().find("followed"), out.str().find("older")) << "the newer one alone";
    EXPECT_EQ(out.str().find("followed"), out.str().rfind("followed"));
    EXPECT_NE(out.str().find("0.987"), std::string::npos);
}

// Without a name it is the run of the latest news: one that was started again is newer than one that was made after it.
TEST_F(Verbs, TakesTheRunThatWasWorkedOnLast) {
    RunInfo older, newer;
    older.id = "older";
    older.created_unix_ns = 1'000'000'000;
    older.state = RunState::kDone;
    older.finished_unix_ns = 9'000'000'000;  // of its second attempt
    newer.id = "newer";
    newer.created_unix_ns = 2'000'000'000;
    newer.state = RunState::kDone;
    newer.finished_unix_ns = 3'000'000'000;
    agent.runs = {newer, older};
    EXPECT_EQ(run({"watch"}), kDone) << err.str();
    EXPECT_EQ(agent.watched, "older");
    agent.runs[0].state = RunState::kTraining;
    agent.runs[0].finished_unix_ns = 0;
    EXPECT_EQ(run({"watch"}), kDone) << err.str();
    EXPECT_EQ(agent.watched, "newer") << "one that goes on is newer than all that are over";
}

// A run that was started again by hand with another host, then went on without one: its record knows the last hosts alone.
TEST_F(Verbs, WatchNamesTheHostsOfEachAttempt) {
    const spec::TaskId worker0{"worker", 0}, worker1{"worker", 1};
    spec::RunSpec project;
    project.cluster.spec.jobs = {{"worker", {{0, "node4:7000"}}}};
    agent.runs = {{.id = "1", .state = RunState::kDone, .project_json = toProjectJson(project), .attempts = 3}};
    const auto told = [](const spec::TaskId& task, spec::EventBody body) { return spec::TaskEvent{0, 1, task, std::move(body)}; };
    const auto attempt = [&](int number, bool by_hand, std::vector<spec::TaskHost> hosts) {
        return told(worker0, spec::AttemptStarted{
                                 .attempt = number, .attempts = 4, .reason = "killed", .by_hand = by_hand, .hosts = std::move(hosts)});
    };
    const spec::LogLine line{spec::LogLevel::kWarning, "slow"};
    agent.events = {attempt(1, false, {{worker0, "node1"}, {worker1, "node2"}}),
                    told(worker1, line),
                    attempt(2, true, {{worker0, "node3"}, {worker1, "node4"}}),
                    told(worker1, line),
                    attempt(3, false, {{worker0, "node4"}}),
                    told(worker0, line)};
    const auto hosts = [&] {
        std::vector<std::string> found;
        std::istringstream lines(std::exchange(out, std::ostringstream()).str());
        for (std::string one; std::getline(lines, one);) {
            const auto event = nlohmann::json::parse(one);
            if (event.at("event") != "finished") {
                found.push_back(event.at("event").get<std::string>() + " " + event.value("task", "") + " " + event.value("host", "-"));
            }
        }
        return found;
    };
    EXPECT_EQ(run({"watch", "--json"}), kDone) << err.str();
    EXPECT_EQ(hosts(), (std::vector<std::string>{"log worker 1 node2", "attempt worker 0 node3", "log worker 1 node4",
                                                 "attempt worker 0 node4", "log worker 0 node4"}));
    agent.events[2] = attempt(2, true, {{worker0, "localhost"}, {worker1, "localhost"}});
    EXPECT_EQ(run({"watch", "--json"}), kDone) << err.str();
    EXPECT_EQ(hosts(), (std::vector<std::string>{"log worker 1 node2", "attempt worker 0 -", "log worker 1 -", "attempt worker 0 -",
                                                 "log worker 0 -"}))
        << "by hand on this computer alone";
    agent.events = {attempt(2, true, {}), told(worker0, line)};
    EXPECT_EQ(run({"watch", "--json"}), kDone) << err.str();
    EXPECT_EQ(hosts(), (std::vector<std::string>{"attempt worker 0 node4", "log worker 0 node4"})) << "of a journal without them";
}

TEST_F(Verbs, OverwritesARunOnlyWhenAsked) {
    EXPECT_EQ(run({"train", "mnist_mirrored", "--out", "/tmp/x"}), kDone) << err.str();
    EXPECT_FALSE(agent.submitted.back().overwrite);
    EXPECT_EQ(run({"train", "mnist_mirrored", "--out", "/tmp/x", "--overwrite"}), kDone) << err.str();
    EXPECT_TRUE(agent.submitted.back().overwrite);
}

// The agent finds the parent by the file; here it is what is asked of it.
TEST_F(Verbs, BranchesARunBehindOneOfItsCheckpoints) {
    const tests::support::TempDir dir;
    std::filesystem::create_directories(dir.path() / "checkpoints");
    for (const char* file : {"checkpoints/ckpt_1.index", "checkpoints/ckpt_2.index"}) std::ofstream(dir.path() / file) << "x";
    std::ofstream(dir.path() / spec::kCheckpointListFile)
        << R"({"checkpoint":"checkpoints/ckpt_1","epoch":1,"step":100,"best":false})" << '\n'
        << R"({"checkpoint":"checkpoints/ckpt_2","epoch":2,"step":200,"best":false})" << '\n';
    ASSERT_EQ(run({"train", "mnist_mirrored"}), kDone) << err.str();
    spec::RunSpec project = agent.submitted.back().run;
    spec::useLocalWorkers(project, {40001, 40002});
    std::ofstream(dir.path() / "run.json") << spec::toProjectJson(project);
    agent.submitted.clear();
    const std::vector<RunInfo> parent = {
        {.id = "20261121-100000-0001", .name = "Parent", .state = RunState::kDone, .run_dir = dir.path().string()}};
    agent.runs = parent;

    EXPECT_EQ(run({"branch", "20261121-100000-0001", "--step", "150", "--set", "fit.epochs=5"}), kDone) << err.str();
    EXPECT_NE(out.str().find("Branch of 20261121-100000-0001, behind its step 100: "), std::string::npos) << out.str();
    ASSERT_FALSE(agent.submitted.empty());
    const agent::client::SubmitRequest asked = agent.submitted.back();
    EXPECT_EQ(asked.run.fit.initial_weights, (dir.path() / "checkpoints" / "ckpt_1").string());
    EXPECT_TRUE(asked.run.fit.initial_state);
    EXPECT_EQ(asked.run.fit.epochs, 5);
    EXPECT_EQ(asked.local_workers, 2) << "with ports of its own";

    agent.runs = parent;
    EXPECT_EQ(run({"branch"}), kDone) << err.str();
    EXPECT_EQ(agent.submitted.back().run.fit.initial_weights, (dir.path() / "checkpoints" / "ckpt_2").string());

    agent.runs = parent;
    EXPECT_EQ(run({"branch", "--step", "50"}), kFailed);
    EXPECT_NE(err.str().find("expected a checkpoint behind 50 steps or fewer, it has them behind step 100, 200"), std::string::npos)
        << err.str();
    agent.runs = parent;
    EXPECT_EQ(run({"branch", "--checkpoint", "backup"}), kFailed);
    EXPECT_NE(err.str().find("expected a backup of this run, it holds none"), std::string::npos) << err.str();
}

TEST_F(Verbs, SubmitsTheProjectAsItIsNowWithTheScriptForIt) {
    const tests::support::TempDir dir;
    const std::string folder = (dir.path() / "seeds of mnist").string();
    EXPECT_EQ(run({"submit", "mnist_mirrored", "--slurm", "--nodes", "2", "--seeds", "2", "--set", "fit.epochs=7", "--out", folder}), kDone)
        << err.str();
    ASSERT_EQ(agent.jobs.size(), 1U);
    const agent::client::JobRequest& job = agent.jobs.front();
    EXPECT_EQ(job.job.run_folder, folder);
    EXPECT_EQ(taskCount(job.job), 2);
    EXPECT_EQ(job.job.seeds, 2);
    EXPECT_EQ(job.job.name, "mnist_mirrored");
    EXPECT_FALSE(job.job.programs.empty());
    EXPECT_EQ(job.run.fit.epochs, 7);
    EXPECT_TRUE(job.job.settings.empty()) << "they are in the project";
    EXPECT_TRUE(job.host.empty() && agent.shared.empty());
    EXPECT_EQ(out.str(), "Slurm has taken job 12\nrun run-0 in " + folder + "/seed-0\nrun run-1 in " + folder +
                             "/seed-1\ntandem-cli watch follows a run, tandem-cli stop ends it and its job\n");
    EXPECT_EQ(run({"submit", "mnist_mirrored"}), kUsage) << "to which scheduler";
    EXPECT_EQ(run({"submit", "mnist_mirrored", "--slurm", "--time", "1"}), kUsage);
    EXPECT_EQ(agent.jobs.size(), 1U);
}

TEST_F(Verbs, SubmitsByAnotherHostWhichChoosesWhatIsNotGiven) {
    EXPECT_EQ(run({"submit", "mnist_mirrored", "--slurm", "--ssh", "login", "--nodes", "2"}), kDone) << err.str();
    ASSERT_EQ(agent.jobs.size(), 1U);
    EXPECT_EQ(agent.jobs.front().host, "login");
    EXPECT_TRUE(agent.jobs.front().job.run_folder.empty() && agent.jobs.front().job.programs.empty());
    ASSERT_EQ(agent.shared.size(), 1U) << "the run's own files come first";
    EXPECT_EQ(agent.shared.front().hosts.at(0).host, "login");
    EXPECT_EQ(run({"submit", "mnist_mirrored", "--slurm", "--ssh", "login", "--out", "runs/a"}), kUsage);
    EXPECT_NE(err.str().find("--out: expected an absolute path on login, got runs/a"), std::string::npos) << err.str();
    EXPECT_EQ(run({"submit", "mnist_mirrored", "--slurm", "--ssh", ""}), kUsage);
    EXPECT_EQ(agent.jobs.size(), 1U);
}

TEST_F(Verbs, WatchesAFolderOfAnotherHost) {
    agent.runs.push_back({.id = "there", .run_dir = "/there/run"});
    EXPECT_EQ(run({"watch", "/there/run", "--ssh", "login"}), kDone) << err.str();
    ASSERT_EQ(agent.followed.size(), 1U);
    EXPECT_EQ(agent.followed.front().host, "login");
    EXPECT_EQ(agent.followed.front().folder, "/there/run");
}

}  // namespace
}  // namespace app::cli
