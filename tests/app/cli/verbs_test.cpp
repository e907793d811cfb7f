#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/cli/verb.h"
#include "engine/chaos/journal_line.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/error.h"
#include "engine/spec/events/checkpoint_list.h"
#include "tests/support/small_disk.h"
#include "tests/support/temp_dir.h"

namespace app::cli {
namespace {

namespace spec = engine::spec;
using engine::run::RunInfo;
using engine::run::RunState;

// An agent with memory: what it was asked, and runs that it plays back at once.
struct FakeAgent {
    std::vector<RunInfo> runs;
    std::vector<spec::TaskEvent> events;
    std::vector<agent::client::SubmitRequest> submitted;
    std::vector<agent::client::SubmitRequest> shared;
    std::vector<engine::run::FilesProgress> files_sent;
    std::vector<spec::Control> controls;
    std::vector<engine::chaos::Fault> faults;
    std::vector<agent::client::FolderRequest> followed;
    std::vector<agent::client::JobRequest> jobs;
    std::vector<engine::run::ArchiveRequest> archived;
    std::vector<std::string> imported;  // files
    RunState end_state = RunState::kDone;
    spec::DoctorReport doctor;
    spec::RunSpec doctor_asked;
    engine::run::HostInfo host;
    std::vector<spec::HostLoad> loads;
    std::optional<std::string> host_error;
    std::optional<std::string> watch_error;
    std::string watched;             // the run
    std::optional<RunInfo> follows;  // in any folder
    bool reachable = true;           // while it is watched
    bool halts = false;              // for half a minute while it is followed
    std::vector<spec::EngineQuestion> asked;
    std::vector<std::string> notes;  // of the engine, before it answers
    std::vector<spec::EngineProgress> progress;
    std::optional<spec::EngineAnswer> answer;  // of the engine
    std::vector<spec::EngineAnswer> answers;   // one after the other, before that
    std::optional<engine::Error> failure;      // in place of an answer
    // What the journal tells when a fault was put into the run; a watch goes on then until `over`.
    std::function<std::vector<spec::TaskEvent>(const engine::chaos::Fault&)> on_fault;
    bool over = false;
    agent::client::WatchHandler live;
};

class FakeClient : public agent::client::AgentClient {
public:
    explicit FakeClient(FakeAgent& agent) : agent_(agent) {}
    engine::run::HostInfo describe(std::chrono::milliseconds) override { return agent_.host; }
    RunInfo submit(const agent::client::SubmitRequest& request, std::chrono::milliseconds) override {
        agent_.submitted.push_back(request);
        RunInfo run;
        run.id = "20261121-100000-0001";
        run.run_dir = "/runs/1";
        run.project_json = toProjectJson(request.run);
        agent_.runs.push_back(run);
        return run;
    }
    void shareFiles(const agent::client::SubmitRequest& request,
                    const std::function<bool(const engine::run::FilesProgress&)>& progress) override {
        agent_.shared.push_back(request);
        for (const engine::run::FilesProgress& one : agent_.files_sent) {
            if (!progress(one)) throw engine::Error(engine::ErrorCode::kCancelled, "files: are not sent any more");
        }
    }
    void control(const std::string&, const spec::Control& control, std::chrono::milliseconds) override {
        agent_.controls.push_back(control);
    }
    void injectFault(const std::string&, const engine::chaos::Fault& fault, std::chrono::milliseconds) override {
        if (agent_.failure) throw engine::Error(*agent_.failure);
        agent_.faults.push_back(fault);
        if (agent_.on_fault) agent_.live.events(agent_.on_fault(fault));
        if (agent_.over) agent_.live.finished(std::nullopt);
    }
    std::vector<RunInfo> listRuns(std::chrono::milliseconds) override { return agent_.runs; }
    RunInfo followFolder(const agent::client::FolderRequest& request, std::chrono::milliseconds) override {
        agent_.followed.push_back(request);
        const std::string& folder = request.folder;
        if (agent_.follows) return *agent_.follows;
        if (agent_.runs.empty() || agent_.runs.front().run_dir != folder) {
            throw engine::Error(engine::ErrorCode::kNotFound,
                                folder + ": expected the folder of a run that tells its events there, got another");
        }
        return agent_.runs.front();
    }
    agent::client::SubmittedJob submitJob(const agent::client::JobRequest& request, std::chrono::milliseconds) override {
        agent_.jobs.push_back(request);
        agent::client::SubmittedJob submitted{.job = "12", .runs = {}};
        for (int seed = 0; seed < request.job.seeds; ++seed) {
            RunInfo run;
            run.id = "run-" + std::to_string(seed);
            run.run_dir = request.job.run_folder + (request.job.seeds > 1 ? "/seed-" + std::to_string(seed) : "");
            submitted.runs.push_back(run);
        }
        return submitted;
    }
    engine::run::WrittenArchive archiveRun(const engine::run::ArchiveRequest& request, const ArchiveProgress& progress) override {
        agent_.archived.push_back(request);
        if (!progress({1'000'000, 4'000'000})) throw engine::Error(engine::ErrorCode::kCancelled, "archive run: cancelled");
        if (agent_.failure) throw engine::Error(*agent_.failure);
        return {.bytes = 3'400'000, .checkpoints = 2, .events = 17};
    }
    engine::run::ImportedRun importRun(const std::string& file, const ArchiveProgress&) override {
        agent_.imported.push_back(file);
        if (agent_.failure) throw engine::Error(*agent_.failure);
        return {agent_.runs.at(0), agent_.imported.size() > 1};
    }
    RunInfo getRun(const std::string& id, std::chrono::milliseconds) override {
        if (!agent_.reachable) {
            throw engine::Error(engine::ErrorCode::kUnavailable, "get run: Connection refused");
        }
        for (RunInfo run : agent_.runs) {
            if (run.id == id) {
                run.state = agent_.end_state;
                return run;
            }
        }
        throw engine::Error(engine::ErrorCode::kNotFound, "no run " + id);
    }
    spec::DoctorReport doctor(const spec::RunSpec& run, std::chrono::milliseconds, const std::function<bool()>&) override {
        agent_.doctor_asked = run;
        return agent_.doctor;
    }
    spec::EngineAnswer ask(const spec::EngineQuestion& question, const agent::client::AskOptions& options) override {
        agent_.asked.push_back(question);
        for (const std::string& note : agent_.notes) {
            options.note(note);
        }
        for (const spec::EngineProgress& step : agent_.progress) {
            if (options.progress) {
                options.progress(step);
            }
        }
        if (agent_.failure) {
            throw engine::Error(*agent_.failure);
        }
        if (options.is_cancelled()) {
            throw engine::Error(engine::ErrorCode::kCancelled, "question: cancelled");
        }
        if (!agent_.answers.empty()) {
            spec::EngineAnswer next = std::move(agent_.answers.front());
            agent_.answers.erase(agent_.answers.begin());
            return next;
        }
        return agent_.answer.value();
    }
    std::unique_ptr<agent::client::Watch> watch(const std::string& id, std::uint64_t from, agent::client::WatchHandler handler) override {
        agent_.watched = id;
        EXPECT_EQ(from, 1U) << "a follower wants every point";
        handler.events(agent_.events);
        agent_.live = handler;
        if (!agent_.on_fault) handler.finished(agent_.watch_error);
        struct Ended : agent::client::Watch {
            void end() override {}
        };
        return std::make_unique<Ended>();
    }
    std::unique_ptr<agent::client::Watch> watchPulse(agent::client::PulseHandler handler) override {
        if (agent_.halts) {
            handler.silent(std::chrono::milliseconds(5200));
            handler.silent(std::chrono::milliseconds(31000));
            handler.answers();
        }
        struct Ended : agent::client::Watch {
            void end() override {}
        };
        return std::make_unique<Ended>();
    }
    std::unique_ptr<agent::client::Watch> watchHost(std::int64_t after_unix_ns, agent::client::HostHandler handler) override {
        std::vector<spec::HostLoad> later = agent_.loads;
        std::erase_if(later, [&](const spec::HostLoad& load) { return load.time_unix_ns <= after_unix_ns; });
        handler.loads(later);
        handler.finished(agent_.host_error);
        struct Ended : agent::client::Watch {
            void end() override {}
        };
        return std::make_unique<Ended>();
    }

private:
    FakeAgent& agent_;
};

class Verbs : public testing::Test {
protected:
    int run(std::vector<std::string> arguments) {
        Context context{.out = out,
                        .err = err,
                        .program_dir = "/nowhere",
                        .share_dir = TANDEM_RESOURCES,
                        .connect = [this] { return std::make_unique<FakeClient>(agent); },
                        .interrupts = [this] { return presses ? ++*presses : 0; }};
        CLI::App app;
        app.require_subcommand(1);
        addTemplates(app, context);
        addTrain(app, context);
        addBranch(app, context);
        addSubmit(app, context);
        addWatch(app, context);
        addStop(app, context);
        addChaos(app, context);
        addRuns(app, context);
        addArchive(app, context);
        addAgent(app, context);
        addCheck(app, context);
        addExplain(app, context);
        addExport(app, context);
        addDoctor(app, context);
        addStrategies(app, context);
        addData(app, context);
        addEvaluate(app, context);
        addImport(app, context);
        addInspect(app, context);
        addLab(app, context);
        addSweep(app, context);
        addShards(app, context);
        addPlacement(app, context);
        addPredict(app, context);
        addSummary(app, context);
        std::reverse(arguments.begin(), arguments.end());
        try {
            app.parse(arguments);
        } catch (const CLI::ParseError&) {
            return kUsage;
        }
        return context.exit_code;
    }

    FakeAgent agent;
    std::optional<int> presses;  // of Ctrl+C: one more at every look
    std::ostringstream out, err;
};

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

// A journal that tells what a fault does within a second of it.
spec::TaskEvent afterNow(double seconds, const spec::TaskId& task, spec::EventBody body) {
    const auto now = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch());
    return {0, now.count() + static_cast<std::int64_t>(seconds * 1e9), task, std::move(body)};
}

std::vector<spec::TaskEvent> killAndReturn(const engine::chaos::Fault& fault) {
    const std::string reason = "killed by signal 9 (SIGKILL)";
    spec::StepPoints points{.step = {41}, .epoch = {0}, .time_unix_ns = {}};
    points.time_unix_ns = {afterNow(0.75, {}, spec::LogLine{}).time_unix_ns};
    return {afterNow(0, fault.task, spec::LogLine{spec::LogLevel::kWarning, engine::chaos::journalLine({fault, false})}),
            afterNow(0.25, fault.task, spec::StateChanged{spec::TaskState::kFailed, reason}),
            afterNow(0.5, fault.task, spec::AttemptStarted{2, 4, true, reason}), afterNow(0.75, {"worker", 0}, points)};
}

TEST_F(Verbs, PutsFaultsIntoARunAndSaysWhatBecameOfThem) {
    agent.runs.push_back({.id = "20261121-100000-0001", .state = RunState::kTraining, .run_dir = "/runs/1"});
    agent.on_fault = killAndReturn;
    spec::StepPoints points{.step = {40}, .epoch = {0}, .time_unix_ns = {1}};
    agent.events = {{0, 1, {"worker", 0}, points},
                    // Of an earlier command.
                    {0, 2, {"worker", 1}, spec::LogLine{spec::LogLevel::kWarning, "chaos: kill worker:1"}}};
    EXPECT_EQ(run({"chaos", "20261121", "--kill", "worker:1", "--at-step", "40"}), kDone) << err.str();
    EXPECT_EQ(agent.faults, (std::vector<engine::chaos::Fault>{{engine::chaos::FaultKind::kKill, {"worker", 1}}}));
    EXPECT_THAT(out.str(), testing::MatchesRegex("kill worker:1\n"
                                                 "  named after 0.2[0-9] s: worker 1: killed by signal 9 .SIGKILL.\n"
                                                 "  healed after 0.7[0-9] s: step 41 was done\n"));
    out.str("");
    EXPECT_EQ(run({"chaos", "--kill", "worker:1", "--json"}), kDone) << err.str();
    std::vector<std::string> kinds;
    std::istringstream lines(out.str());
    for (std::string line; std::getline(lines, line);) kinds.push_back(nlohmann::json::parse(line)["event"]);
    EXPECT_EQ(kinds, (std::vector<std::string>{"fault", "named", "healed", "finished"})) << out.str();
}

TEST_F(Verbs, SaysWhichFaultsWereRefusedOrDidNotHeal) {
    agent.runs.push_back({.id = "20261121-100000-0001", .state = RunState::kTraining, .run_dir = "/runs/1"});
    agent.on_fault = killAndReturn;
    agent.failure = engine::Error(engine::ErrorCode::kNotFound, "run 20261121-100000-0001: has no task worker:7");
    EXPECT_EQ(run({"chaos", "--kill", "worker:7"}), kFailed);
    EXPECT_EQ(err.str(), "error: kill worker:7: run 20261121-100000-0001: has no task worker:7\n");
    // One that may be done in a moment is tried as long as patience lasts.
    agent.failure = engine::Error(engine::ErrorCode::kAborted, "worker 1 has no process yet");
    err.str("");
    EXPECT_EQ(run({"chaos", "--kill", "worker:1", "--patience", "1ms"}), kFailed);
    EXPECT_EQ(err.str(), "error: kill worker:1: worker 1 has no process yet\n");
    agent.failure.reset();
    agent.over = true;
    agent.end_state = RunState::kFailed;
    agent.on_fault = [](const auto& fault) { return std::vector{killAndReturn(fault).front()}; };
    out.str("");
    EXPECT_EQ(run({"chaos", "--kill", "worker:1"}), kFailed);
    EXPECT_EQ(out.str(), "kill worker:1\n  not healed: the run is over: Failed\n");
    presses = 0;
    agent.over = false;
    EXPECT_EQ(run({"chaos", "--kill", "worker:1", "--after", "1h"}), kInterrupted);
}

TEST_F(Verbs, ReadsAndWritesScriptsOfFaults) {
    const tests::support::TempDir dir;
    const std::string file = dir.path() / "faults.txt";
    const std::vector<std::string> faults{"chaos", "--kill",    "worker:1", "--after", "20s",      "--stop",   "worker:0",       "--for",
                                          "2s",    "--at-step", "500",      "--skew",  "worker:1", "--by=-2s", "--write-script", file};
    EXPECT_EQ(run(faults), kDone) << err.str();
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    EXPECT_EQ(text.str(), "kill worker:1 after 20s\nstop worker:0 for 2s at-step 500\nskew worker:1 for 10s by -2s\n");
    std::ofstream(file) << "kill worker:1\nexplode worker:1\n";
    EXPECT_EQ(run({"chaos", "--script", file}), kUsage);
    EXPECT_EQ(err.str(), "error: " + file + ", line 2: expected kill, stop, slow, cut, fill-disk or skew, got \"explode\"\n");
    for (const auto& [arguments, message] : std::vector<std::pair<std::vector<std::string>, std::string>>{
             {{"chaos"}, "error: expected a fault, such as --kill worker:1, or --script FILE, got none\n"},
             {{"chaos", "--after", "5s"}, "error: --after: expected a fault such as --kill worker:1 before it, got none\n"},
             {{"chaos", "--kill", "node1"}, "error: --kill: expected a task such as worker:1, got \"node1\"\n"},
             {{"chaos", "--kill", "worker:1 for"}, "error: --kill: expected one word, got \"worker:1 for\"\n"},
             {{"chaos", "--kill", "worker:1", "--patience", "long"}, "error: --patience: expected a time such as 5m, got \"long\"\n"},
         }) {
        err.str("");
        EXPECT_EQ(run(arguments), kUsage);
        EXPECT_EQ(err.str(), message);
    }
    EXPECT_TRUE(agent.faults.empty());
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

TEST_F(Verbs, AsksTheEngineAboutAModelWithPathsThatHoldElsewhere) {
    agent.answer = spec::Prediction{{10000, 10}};
    agent.notes = {"mnist: read"};
    EXPECT_EQ(run({"predict", "mnist_multi_worker", "--checkpoint", "ckpt", "--data", "x.npy", "--out", "y.npy", "--threads", "2", "--set",
                   "data.scale=1"}),
              kDone)
        << err.str();
    EXPECT_EQ(out.str(), "y.npy: (10000, 10)\n");
    EXPECT_EQ(err.str(), "mnist: read\n");
    ASSERT_EQ(agent.asked.size(), 1U);
    const std::filesystem::path here = std::filesystem::current_path();
    EXPECT_EQ(std::get<spec::PredictQuestion>(agent.asked[0].asked),
              (spec::PredictQuestion{.checkpoint = here / "ckpt", .data = here / "x.npy", .out = here / "y.npy", .threads = 2}));
    EXPECT_EQ(agent.asked[0].base_dir, std::string(TANDEM_RESOURCES) + "/templates");
    EXPECT_EQ(agent.asked[0].run.data.scale, 1);
    EXPECT_TRUE(agent.asked[0].run.cluster.spec.jobs.empty()) << "a model alone has no cluster";
    agent.answer = spec::Placement{{{"conv2d/kernel", "Variable", "/job:worker/replica:0/task:1/device:CPU:0", "worker 1", 1}}};
    out.str("");
    EXPECT_EQ(run({"placement", "mnist_multi_worker"}), kDone) << err.str();
    EXPECT_EQ(out.str(), "conv2d/kernel: (Variable): /job:worker/replica:0/task:1/device:CPU:0\n");
    EXPECT_EQ(agent.asked[1].run.cluster.spec.trainingTasks().size(), 2U) << "the tasks of the cluster";
    out.str("");
    EXPECT_EQ(run({"placement", "mnist_multi_worker", "--json"}), kDone) << err.str();
    EXPECT_EQ(out.str(), R"({"device":"/job:worker/replica:0/task:1/device:CPU:0","kind":"Variable","name":"conv2d/kernel","replica":1,)"
                         R"("task":"worker 1"})"
                         "\n");
}

// What comes of each row: tests/agent/client/lab_run_test.cpp. Here it is said.
TEST_F(Verbs, SaysWhatTheLabFound) {
    spec::StepPoints points{.step = {1, 2}, .epoch = {0, 0}, .time_unix_ns = {1, 2}};
    points.columns = {{"loss", {2, 1}}};
    spec::TaskFinished finished;
    finished.checkpoint = "checkpoints/ckpt_1";
    for (const spec::EventBody& body : {spec::EventBody(points), spec::EventBody(finished)}) {
        spec::TaskEvent& event = agent.events.emplace_back();
        event.sequence = agent.events.size();
        event.body = body;
    }
    const spec::WeightDifference same{.norm = 2, .values = 9};
    const spec::WeightDifference other{.largest = 0.5, .variable = "dense/kernel", .distance = 0.5, .norm = 2, .values = 9};
    agent.answers = {spec::StepTraffic{0}, same, spec::StepTraffic{1000}, same};
    const std::vector<std::string> lab{"lab", "mnist_mlp", "--steps", "2", "--strategies", "OneDevice"};
    EXPECT_EQ(run(lab), kDone) << err.str();
    EXPECT_NE(out.str().find("Equivalence lab: 2 steps, global batch 128, on processors, equal within 0.0001\n"), std::string::npos);
    EXPECT_NE(out.str().find("All that should be equal to Default is: 1 of 1 strategies.\n"), std::string::npos) << out.str();

    agent.answers = {spec::StepTraffic{0}, same, spec::StepTraffic{1000}, other};
    EXPECT_EQ(run(lab), kDiffers) << err.str();
    EXPECT_NE(out.str().find("DIFFERS"), std::string::npos) << out.str();

    agent.answers = {spec::StepTraffic{0}, same, spec::StepTraffic{1000}, other};
    out.str("");
    EXPECT_EQ(run({"lab", "mnist_mlp", "--steps", "2", "--strategies", "OneDevice", "--json"}), kDiffers);
    const std::string lines = out.str();
    const auto row = nlohmann::json::parse(lines.substr(lines.find('\n')));
    EXPECT_EQ(row["strategy"], "OneDeviceStrategy");
    EXPECT_EQ(row["verdict"], "differs");
    EXPECT_EQ(row["reason"], "most in dense/kernel");
    EXPECT_EQ(row["synchronous"], true);
    EXPECT_EQ(row["largest_difference"], 0.5);
    EXPECT_EQ(row["relative_difference"], 0.25);
    EXPECT_EQ(row["bytes_per_step"], 1000);
    EXPECT_EQ(row["losses"], nlohmann::json({2.0, 1.0}));

    agent.end_state = RunState::kFailed;
    agent.answers = {spec::StepTraffic{0}};
    EXPECT_EQ(run(lab), kFailed);
    EXPECT_EQ(run({"lab", "mnist_mlp", "--strategies", "Horovod"}), kUsage);
}

TEST_F(Verbs, PrintsNoAccuracyWhereNoMetricIsOne) {
    agent.answer = spec::Evaluation{.accuracy = std::nan(""), .loss = 0.5, .samples = 4, .classification = {}};
    EXPECT_EQ(run({"evaluate", "mnist_mlp", "--checkpoint", "ckpt"}), kDone) << err.str();
    EXPECT_EQ(out.str(), "test_loss: 0.5\nsamples: 4\n");
    out.str("");
    EXPECT_EQ(run({"evaluate", "mnist_mlp", "--checkpoint", "ckpt", "--json"}), kDone) << err.str();
    EXPECT_EQ(out.str(), "{\"test_accuracy\":null,\"test_loss\":0.5,\"samples\":4}\n");
}

TEST_F(Verbs, PrintsWhatAClassifierDoes) {
    spec::Classification told{.classes = 2,
                              .class_names = {"cat", "dog"},
                              .sample_shape = {1, 2},
                              .samples = 4,
                              .confusion = {2, 1, 0, 0},
                              .mistakes = {{3, 0, 1, 0.875F, {}}}};
    agent.answer = spec::Evaluation{.accuracy = 0.75, .loss = 0.5, .samples = 4, .classification = told};
    EXPECT_EQ(run({"evaluate", "mnist_mlp", "--checkpoint", "ckpt", "--mistakes", "5", "--threads", "2", "--json"}), kDone) << err.str();
    EXPECT_EQ(out.str(), R"({"test_accuracy":0.75,"test_loss":0.5,"samples":4,"classes":["cat","dog"],"sample_shape":[1,2],)"
                         R"("confusion":[[2,1],[0,0]],"class_accuracy":[0.6666666666666666,null],)"
                         R"("mistakes":[{"sample":3,"label":0,"predicted":1,"confidence":0.875}]})"
                         "\n");
    EXPECT_EQ(std::get<spec::EvaluateQuestion>(agent.asked[0].asked),
              (spec::EvaluateQuestion{.checkpoint = std::filesystem::current_path() / "ckpt", .threads = 2, .mistakes = 5}));
    out.str("");
    EXPECT_EQ(run({"evaluate", "mnist_mlp", "--checkpoint", "ckpt", "--confusion"}), kDone) << err.str();
    EXPECT_EQ(out.str(),
              "test_accuracy: 0.75\ntest_loss: 0.5\nsamples: 4\nconfusion (row: label, column: prediction)\n       cat  dog  accuracy\n"
              "  cat    2    1    0.6667\n  dog    0    0         -\nsample 3: cat taken for dog (0.8750)\n");
    EXPECT_TRUE(std::get<spec::EvaluateQuestion>(agent.asked[1].asked).confusion);

    agent.answer = spec::Inspection{.sample_shape = {1, 2},
                                    .pixels = {0, 255},
                                    .top = {{"dog", 1, 0.9F}},
                                    .layers = {{"conv", "Conv2D", {1, 2, 1}, -1, 2.5F, 1, {0, 255}}}};
    out.str("");
    EXPECT_EQ(run({"inspect", "mnist_mlp", "--checkpoint", "ckpt", "--data", "train", "--sample", "6"}), kDone) << err.str();
    EXPECT_EQ(out.str(), "dog              0.9000\nconv                     Conv2D               (1, 2, 1)        from -1 to 2.5\n");
    EXPECT_EQ(std::get<spec::InspectQuestion>(agent.asked[2].asked),
              (spec::InspectQuestion{.checkpoint = std::filesystem::current_path() / "ckpt", .data = "train", .sample = 6}));
    out.str("");
    EXPECT_EQ(run({"inspect", "mnist_mlp", "--checkpoint", "ckpt", "--json"}), kDone) << err.str();
    EXPECT_NE(out.str().find(R"("maps":"AP8=")"), std::string::npos) << out.str();
}

TEST_F(Verbs, WritesTheProjectOfAModelFileAndSaysWhatItIs) {
    const tests::support::TempDir dir;
    const std::string model = dir.path() / "model.keras", project = dir.path() / "new.tandem";
    EXPECT_EQ(run({"import", model, "--out", project}), kUsage) << "there is none";
    EXPECT_TRUE(agent.asked.empty());
    std::ofstream(model) << "a model";
    spec::ImportedModel answer{.run = {}, .is_compiled = false, .findings = {{spec::Severity::kWarning, "compile.loss", "not known", ""}}};
    answer.run.name = "imported";
    answer.run.model.input_shape = {4};
    answer.run.model.layers = {{"Dense", "dense", {{"units", std::int64_t{10}}}}};
    agent.answer = answer;
    err.str("");
    EXPECT_EQ(run({"import", model, "--out", project}), kDone) << err.str();
    EXPECT_EQ(out.str(), project + ": 1 layer, not compiled\n");
    EXPECT_EQ(err.str(), model + ": warning: compile.loss: not known\n");
    std::ifstream written(project);
    const std::string text{std::istreambuf_iterator<char>(written), {}};
    EXPECT_EQ(text, toProjectJson(answer.run));
    err.str("");
    EXPECT_EQ(run({"import", model, "--out", project}), kFailed) << "it is there by now";
    EXPECT_EQ(agent.asked.size(), 1U);
    std::filesystem::remove(project);
    agent.answer = spec::ImportedModel{.findings = {{spec::Severity::kError, "model.layers[0]", "expected a layer", ""}}};
    EXPECT_EQ(run({"import", model, "--out", project}), kFailed);
    EXPECT_FALSE(std::filesystem::exists(project));

    agent.answer = spec::WrittenFile{123};
    out.str("");
    EXPECT_EQ(run({"export", "keras", "mnist_mlp", "--checkpoint", "ckpt", "--out", "model.h5"}), kDone) << err.str();
    EXPECT_EQ(out.str(), "model.h5: 123 bytes\n");
    EXPECT_EQ(std::get<spec::ExportQuestion>(agent.asked.back().asked).out, std::filesystem::current_path() / "model.h5");

    EXPECT_EQ(run({"export", "onnx", "mnist_mlp", "--checkpoint", "ckpt", "--out", "model.onnx", "--batch", "8"}), kDone) << err.str();
    const std::string ckpt = (std::filesystem::current_path() / "ckpt").string(),
                      onnx = (std::filesystem::current_path() / "model.onnx").string();
    EXPECT_EQ(std::get<spec::ExportQuestion>(agent.asked.back().asked),
              (spec::ExportQuestion{.checkpoint = ckpt, .out = onnx, .onnx = true, .batch = 8}));
    EXPECT_EQ(run({"export", "onnx", "mnist_mlp", "--checkpoint", "ckpt", "--out", "model.h5"}), kUsage);
    EXPECT_NE(err.str().find("--out: expected a name that ends in .onnx, got model.h5"), std::string::npos) << err.str();
}

TEST_F(Verbs, TellsOfDataAsTextAndAsLinesOfJson) {
    spec::DataFacts facts{.dataset = "table",
                          .train_samples = 3,
                          .sample_shape = {1},
                          .sample_dtype = "float32",
                          .label_dtype = "int32",
                          .smallest = -1,
                          .largest = 2.5,
                          .bytes = 40,
                          .bad = 2,
                          .first_bad = {"a.csv:4: bad"},
                          .not_finite = 1,
                          .first_not_finite = "sample 2",
                          .columns = {{"x", "category", false, 4}, {"y", "integer", true, 0}},
                          .has_classes = true,
                          .groups = {{"0", 1, 0, {{0, 1, 2, 1, {0, 255}, ""}, {2, 0, 0, 0, {}, "1.5"}}}}};
    agent.answer = facts;
    agent.notes = {"skipped: a.csv:4"};
    agent.progress = {{spec::EngineProgress::Stage::kFetch, "a.gz", 1, 2}};
    EXPECT_EQ(run({"data", "mnist_mlp", "--set", "model.layers=[]"}), kDone) << err.str() << "its data alone count";
    EXPECT_EQ(out.str(),
              "data set: table, 3 training and 0 test samples of shape (1,), float32 from -1 to 2.5, 40 bytes\nclass 0: 1 training, 0 "
              "test\ncolumn x: category of 4 texts\nlabel y: integer\nbad: a.csv:4: bad\nbad: 2 in all\nnot finite: 1 samples or labels; "
              "the first: sample 2\n");
    EXPECT_EQ(err.str(), "skipped: a.csv:4\n");
    EXPECT_EQ(std::get<spec::DataQuestion>(agent.asked[0].asked), spec::DataQuestion());
    out.str("");
    facts.refusals = {"a run would end"};
    agent.answer = facts;
    EXPECT_EQ(run({"data", "mnist_mlp", "--json", "--check", "--fetch"}), kFailed) << "a run would end";
    EXPECT_EQ(std::get<spec::DataQuestion>(agent.asked[1].asked), (spec::DataQuestion{.fetch = true, .check = true}));
    std::istringstream lines(out.str());
    std::string progress, log, data;
    std::getline(lines, log);
    std::getline(lines, progress);
    std::getline(lines, data);
    EXPECT_EQ(log, R"({"log":"skipped: a.csv:4"})");
    EXPECT_EQ(progress, R"({"progress":{"stage":"fetch","name":"a.gz","done":1,"total":2}})");
    EXPECT_NE(data.find(R"("samples":[{"index":0,"rows":1,"columns":2,"channels":1,"pixels":"AP8="},{"index":2,"text":"1.5"}]}])"),
              std::string::npos)
        << data;
    agent.notes.clear();
    agent.progress.clear();
    out.str("");
    agent.answer = spec::DataFacts{.problem = spec::DataProblem{engine::ErrorCode::kNotFound, "cifar10: is not here", true}};
    EXPECT_EQ(run({"data", "mnist_mlp", "--json"}), kFailed);
    EXPECT_EQ(out.str(), R"({"error":{"code":"not found","message":"cifar10: is not here","can_fetch":true}})"
                         "\n");
    out.str("");
    agent.failure = engine::Error(engine::ErrorCode::kInternal, "tandem-worker: killed by signal 9 (SIGKILL)");
    EXPECT_EQ(run({"data", "mnist_mlp", "--json"}), kFailed);
    EXPECT_EQ(out.str(),
              R"x({"error":{"code":"internal error","message":"tandem-worker: killed by signal 9 (SIGKILL)","can_fetch":false}})x"
              "\n");
    const std::size_t asked = agent.asked.size();
    EXPECT_EQ(run({"data", "mnist_mlp", "--set", "data.batch_size_per_replica=0"}), kUsage) << "wrong data settings";
    EXPECT_EQ(agent.asked.size(), asked);
}

TEST_F(Verbs, ShowsTheShardsOfSoManyWorkers) {
    agent.answer = spec::ShardPreview{.dataset = "mnist",
                                      .training_samples = 60000,
                                      .policy = "DATA",
                                      .reason = "each task takes its part",
                                      .chain = "batch(2)",
                                      .meanings = {"unusual"},
                                      .advice = {"scale the rate"},
                                      .tasks = {{"worker", 0}, {"worker", 1}},
                                      .global_batch_size = 4,
                                      .steps_per_epoch = 15000,
                                      .steps = {{1, 0, {{17, 4}, {23}}, {}}}};
    EXPECT_EQ(run({"shards", "mnist_mlp", "--workers", "3", "--steps", "1"}), kDone) << err.str();
    EXPECT_EQ(out.str(),
              "data set: mnist, 60000 training samples, sharded by DATA\nscale the rate\neach task takes its part\npipeline: batch(2)\n"
              "pipeline: unusual\nstep 1 epoch 0 worker 0: 17 4\nstep 1 epoch 0 worker 1: 23\n");
    EXPECT_EQ(agent.asked[0].run.cluster.spec.trainingTasks().size(), 3U);
    EXPECT_EQ(std::get<spec::ShardsQuestion>(agent.asked[0].asked).steps, 1);
    out.str("");
    EXPECT_EQ(run({"shards", "mnist_multi_worker", "--json"}), kDone) << err.str();
    EXPECT_EQ(out.str(),
              R"x({"dataset":"mnist","training_samples":60000,"policy":"DATA","pipeline":"batch(2)","pipeline_meaning":["unusual"],)x"
              R"x("global_batch_size":4,"steps_per_epoch":15000,"tasks":["worker 0","worker 1"],"advice":["scale the rate"],)x"
              R"x("reason":"each task takes its part","steps":[{"step":1,"epoch":0,"samples":[[17,4],[23]]}]})x"
              "\n");
}

TEST_F(Verbs, SaysWhyTheEngineHasNoAnswer) {
    const std::vector<std::string> predict{"predict", "mnist_mlp", "--checkpoint", "ckpt", "--out", "y.npy"};
    agent.failure = engine::Error(engine::ErrorCode::kNotFound, "ckpt: expected a checkpoint, found none");
    EXPECT_EQ(run(predict), kFailed);
    EXPECT_EQ(err.str(), "error: ckpt: expected a checkpoint, found none\n");
    agent.failure = engine::Error(engine::ErrorCode::kUnavailable, "ask: Connection refused");
    EXPECT_THROW(run(predict), engine::Error) << "the program says that the agent can't be reached";
    agent.failure.reset();
    err.str("");
    presses = 0;
    EXPECT_EQ(run(predict), kInterrupted);
    EXPECT_EQ(err.str(), "");
    EXPECT_EQ(run({"predict", "mnist_mlp", "--out", "y.npy"}), kUsage);
    EXPECT_NE(err.str().find("--checkpoint: expected"), std::string::npos);
}

constexpr std::int64_t kLater = 8'000'000'000'000'000'000;  // than any test runs

spec::HostLoad sampleLoad() {
    return {.time_unix_ns = kLater,
            .interval_s = 1,
            .cpu_cores = 1.96,
            .cores = 2,
            .memory_used_bytes = std::int64_t{3} << 30,
            .memory_bytes = std::int64_t{8} << 30,
            .received_bytes_per_s = 1 << 20,
            .sent_bytes_per_s = 1 << 19,
            .loopback_bytes_per_s = 310.0 * (1 << 20),
            .tasks = {{"20261121-100000-0001", {"worker", 1}, 4711, 0.98, 180 << 20}}};
}

TEST_F(Verbs, SaysThatTheAgentDoesNotAnswerAndThatItDoesAgain) {
    agent.halts = true;
    EXPECT_EQ(run({"train", "mnist_mirrored", "--workers", "2"}), kDone);
    EXPECT_NE(err.str().find("warning: the agent does not answer, for 5 s by now"), std::string::npos) << err.str();
    EXPECT_NE(err.str().find("the agent answers again, after 31 s"), std::string::npos) << err.str();
    EXPECT_EQ(err.str().find("warning: the agent"), err.str().rfind("warning: the agent")) << "said once";
}

TEST_F(Verbs, SaysWhatTheComputerUses) {
    agent.host.host_name = "laptop";
    agent.host.cores = 2;
    agent.loads = {sampleLoad(), sampleLoad()};
    agent.loads.front().cpu_cores = 0.5;
    EXPECT_EQ(run({"agent"}), kDone) << err.str();
    EXPECT_NE(out.str().find("CPU 1.96 of 2 cores, memory 3.00 of 8.00 GB, network 1.00 MB/s in, 0.50 MB/s out, loopback 310.00 MB/s"),
              std::string::npos)
        << out.str();
    EXPECT_NE(out.str().find("worker 1    pid 4711     0.98 cores  180 MB"), std::string::npos) << out.str();
    EXPECT_EQ(out.str().find("0.50 of"), std::string::npos) << "the newest reading alone: " << out.str();
    agent.loads[1].time_unix_ns = agent.loads[0].time_unix_ns = 5;  // kept by an agent that was asleep since
    out.str({});
    EXPECT_EQ(run({"agent"}), kDone);
    EXPECT_EQ(out.str().find("pid 4711"), std::string::npos) << "a task that may have ended long ago: " << out.str();
}

TEST_F(Verbs, NamesTheTaskThatOthersWaitFor) {
    agent.loads = {sampleLoad()};
    auto& tasks = agent.loads[0].tasks;
    tasks[0].exchange = spec::ExchangeState{.sequence = 1204,
                                            .bucket = 2,
                                            .buckets = 5,
                                            .wait_s = 3.2,
                                            .awaited = spec::TaskId{"worker", 2},
                                            .step_wait_s = 0.01,
                                            .age_s = 0.3};
    tasks.push_back({.run_id = tasks[0].run_id, .task = {"worker", 2}, .pid = 4712});
    tasks[1].exchange = spec::ExchangeState{.sequence = 1203, .awaited = {}, .step_wait_s = {}, .age_s = 3.6};
    EXPECT_EQ(run({"agent"}), kDone) << err.str();
    EXPECT_NE(out.str().find("180 MB  operation 1204, bucket 2 of 5, waits 3.2 s for worker 2\n"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("operation 1203, silent for 3.6 s\n"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("20261121-100000-0001: worker 2 is late, silent for 3.6 s; 1 task waits for it, the longest for 3.5 s\n"),
              std::string::npos)
        << out.str();
    out.str({});
    EXPECT_EQ(run({"agent", "--json"}), kDone);
    const auto load = nlohmann::json::parse(out.str())["load"];
    EXPECT_EQ(load["late"][0]["task"], "worker 2");
    EXPECT_EQ(load["late"][0]["silent"], true);
    EXPECT_EQ(load["late"][0]["waiting"], 1);
    EXPECT_EQ(load["tasks"][0]["exchange"]["awaited"], "worker 2");
    EXPECT_EQ(load["tasks"][0]["exchange"]["sequence"], 1204);
}

TEST_F(Verbs, SaysWhatTheComputerUsesToScripts) {
    agent.host.host_name = "laptop";
    EXPECT_EQ(run({"agent", "--json"}), kDone);
    EXPECT_TRUE(nlohmann::json::parse(out.str())["load"].is_null()) << "an agent that measured nothing says so: " << out.str();
    out.str({});
    agent.loads = {sampleLoad()};
    EXPECT_EQ(run({"agent", "--json"}), kDone);
    const auto host = nlohmann::json::parse(out.str());
    EXPECT_EQ(host["host_name"], "laptop");
    EXPECT_EQ(host["load"]["loopback_bytes_per_s"], 310 << 20);
    EXPECT_EQ(host["load"]["tasks"][0]["task"], "worker 1");
    EXPECT_EQ(host["load"]["tasks"][0]["pid"], 4711);
}

TEST_F(Verbs, SaysWhichGpusThereAre) {
    agent.host.gpus.no_gpu_reason = "no NVIDIA driver";
    EXPECT_EQ(run({"agent"}), kDone);
    EXPECT_NE(out.str().find("No GPU: no NVIDIA driver\n"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("no GPU has run it yet\n"), std::string::npos) << out.str();
    agent.host.gpus = {.gpus = {{"NVIDIA H200", "GPU-a", 150'754'820'096, 149'000'000'000, 9, 0}},
                       .driver_version = "580.65.06",
                       .cuda_version = 13000,
                       .nccl_version = "2.28.9"};
    agent.loads = {sampleLoad()};
    agent.loads[0].gpus = {{"NVIDIA H200", 0.87, std::int64_t{3} << 30, std::int64_t{140} << 30}};
    agent.loads[0].tasks[0].gpu_memory_bytes = 700 << 20;
    out.str({});
    EXPECT_EQ(run({"agent"}), kDone);
    EXPECT_NE(out.str().find("NVIDIA H200, 140.4 GB, compute capability 9.0\nNVIDIA driver 580.65.06 for CUDA 13.0, NCCL 2.28.9\n"),
              std::string::npos)
        << out.str();
    EXPECT_NE(out.str().find("GPU 0 87 % busy, 3.00 of 140.00 GB\n"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("180 MB  GPU 700 MB\n"), std::string::npos) << out.str();
    out.str({});
    EXPECT_EQ(run({"agent", "--json"}), kDone);
    const auto host = nlohmann::json::parse(out.str());
    EXPECT_EQ(host["gpus"][0]["compute_capability"], "9.0");
    EXPECT_EQ(host["gpus"][0]["memory_free_bytes"], 149'000'000'000);
    EXPECT_EQ(host["nccl_version"], "2.28.9");
    EXPECT_EQ(host["load"]["gpus"][0]["busy"], 0.87);
    EXPECT_EQ(host["load"]["tasks"][0]["gpu_memory_bytes"], 700 << 20);
}

TEST_F(Verbs, FollowsTheComputerFromNowOn) {
    agent.loads = {sampleLoad(), sampleLoad(), sampleLoad()};
    agent.loads[0].time_unix_ns = 5;
    agent.loads[1].time_unix_ns = 6;
    agent.host_error = "the agent ended";
    EXPECT_EQ(run({"agent", "--follow", "--json"}), kNoAgent);
    EXPECT_EQ(nlohmann::json::parse(out.str())["time_unix_ns"], kLater) << "one line: " << out.str();
    EXPECT_NE(err.str().find("the agent ended"), std::string::npos);
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

TEST_F(Verbs, ExplainsAnErrorByItsCodeOrItsWords) {
    EXPECT_EQ(run({"explain", "TDM-C001", "--language", "en"}), kDone) << err.str();
    EXPECT_NE(out.str().find("TDM-C001  Two tasks have one address"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("Manual: cluster, TF_CONFIG\nTutorial: "), std::string::npos) << out.str();
    out.str("");
    EXPECT_EQ(run({"explain", "error: cluster.worker[1]: expected an address of its own, got a:1 as in worker 0", "--language", "ko"}),
              kDone);
    EXPECT_NE(out.str().find("TDM-C001  두 작업의 주소가 같음"), std::string::npos) << out.str();
    out.str("");
    EXPECT_EQ(run({"explain", "c001", "--json", "--language", "zh_CN"}), kDone);
    EXPECT_EQ(nlohmann::json::parse(out.str()).at("title"), "两个任务地址相同");
    for (const char* printed :
         {"(TDM-W003)", "TDM-W003,", "TDM-W003: foo", "\n  tdm-w003 \n", "Epoch 1/2\nerror: no such thing (TDM-W003)\n"}) {
        out.str("");
        EXPECT_EQ(run({"explain", printed, "--language", "en"}), kDone) << printed;
        EXPECT_EQ(out.str().substr(0, 8), "TDM-W003") << printed;
    }
    err.str("");
    EXPECT_EQ(run({"explain", ""}), kUsage);
    EXPECT_EQ(err.str(),
              "error: CODE: expected a code such as TDM-C001, or an error as it was printed (tandem-cli explain lists the codes), "
              "got an empty text\n");
    err.str("");
    EXPECT_EQ(run({"explain", "nonsense\n"}), kUsage);
    EXPECT_EQ(err.str().find('\n'), err.str().size() - 1) << "one line, behind which its code stands: " << err.str();
    EXPECT_EQ(run({"explain", "TDM-C999"}), kUsage);
    EXPECT_NE(err.str().find("TDM-C999: expected a code such as TDM-C001"), std::string::npos) << err.str();
}

TEST_F(Verbs, ChecksOnlyWhatIsThere) {
    EXPECT_EQ(run({"check", "nosuch.tandem"}), kUsage);
    EXPECT_NE(err.str().find("nosuch.tandem: expected a file or a starter project"), std::string::npos) << err.str();
    EXPECT_NE(err.str().find("found neither"), std::string::npos) << err.str();
    EXPECT_EQ(out.str(), "");
}

TEST_F(Verbs, AFullDiskLeavesTheEarlierFile) {
    const tests::support::TempDir folder;
    const auto path = folder.path() / "train.py";
    std::ofstream(path) << "earlier";
    {
        const tests::support::SmallDisk disk(100);
        EXPECT_EQ(run({"export", "code", "mnist_mirrored", "--out", path.string()}), kFailed);
    }
    EXPECT_NE(err.str().find(path.string() + ": could not be written: File too large"), std::string::npos) << err.str();
    std::string text;
    std::getline(std::ifstream(path), text);
    EXPECT_EQ(text, "earlier");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "nothing is left behind";
    EXPECT_EQ(run({"export", "code", "mnist_mirrored", "--out", path.string()}), kDone) << err.str();
    EXPECT_GT(std::filesystem::file_size(path), 1000u);
    const auto link = folder.path() / "link.py";
    std::filesystem::create_symlink(path, link);
    std::ofstream(path) << "earlier";
    EXPECT_EQ(run({"export", "code", "mnist_mirrored", "--out", link.string()}), kDone) << err.str();
    EXPECT_TRUE(std::filesystem::is_symlink(link)) << "what it points to is written";
    EXPECT_GT(std::filesystem::file_size(path), 1000u);
}

TEST_F(Verbs, DrawsTheLayersOfAProjectForGraphviz) {
    const tests::support::TempDir folder;
    const std::string file = folder.path() / "model.dot";
    EXPECT_EQ(run({"export", "diagram", "mnist_mirrored", "--out", file}), kDone) << err.str();
    EXPECT_EQ(out.str(), file + "\n");
    EXPECT_EQ(run({"export", "diagram", "mnist_mirrored", "--rankdir", "LR", "--no-shapes", "--no-activations", "--no-params"}), kDone);
    EXPECT_NE(out.str().find("rankdir=LR;"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("layer0 [label=\"conv2d (Conv2D)\"];"), std::string::npos) << out.str();
    EXPECT_EQ(run({"export", "diagram", "mnist_mirrored", "--rankdir", "BT"}), kUsage);
    EXPECT_EQ(run({"export", "diagram", "no_such_project"}), kUsage);
    EXPECT_EQ(run({"export", "diagram", "mnist_mirrored", "--out", folder.path().string()}), kFailed);
}

TEST_F(Verbs, WritesAProjectAsCodeAndReadsItBack) {
    EXPECT_EQ(run({"export", "code", "mnist_mirrored", "--set", "fit.epochs=3"}), kDone) << err.str();
    EXPECT_NE(out.str().find("keras.Sequential(["), std::string::npos);
    EXPECT_NE(out.str().find("epochs=3"), std::string::npos);
    const tests::support::TempDir folder;
    const std::string code = folder.path() / "model.py", project = folder.path() / "model.tandem";
    std::ofstream(code) << out.str();
    EXPECT_EQ(run({"import", code, "--out", project}), kDone) << err.str();
    std::ifstream file(project);
    const auto report = spec::parseProject(std::string{std::istreambuf_iterator<char>(file), {}});
    EXPECT_EQ(report.diagnostics, spec::Diagnostics());
    EXPECT_EQ(report.run.model.layers.size(), 5U);
    EXPECT_EQ(report.run.fit.epochs, 3);
    EXPECT_EQ(run({"import", code, "--out", project}), kFailed) << "nothing is overwritten";
    std::ofstream(code) << "model = keras.Sequential([\n  layers.Dense(3\n";
    EXPECT_EQ(run({"import", code, "--out", (folder.path() / "other.tandem").string()}), kFailed);
    EXPECT_NE(err.str().find("line 2, column 15: expected a bracket"), std::string::npos) << err.str();
}

TEST_F(Verbs, WritesAProjectOfCodeWithErrorsAndEndsWithOne) {
    const tests::support::TempDir folder;
    const std::string code = folder.path() / "model.py", project = folder.path() / "model.tandem";
    std::ofstream(code) << "(x, y), _ = keras.datasets.nosuch.load_data()\n"
                           "model = keras.Sequential([keras.layers.Dense(10, input_shape=(4,))])\n";
    EXPECT_EQ(run({"import", code, "--out", project}), kFailed);
    EXPECT_NE(err.str().find("got nosuch"), std::string::npos) << err.str();
    EXPECT_NE(err.str().find(project + ": is written, and does not train before its errors are mended"), std::string::npos) << err.str();
    EXPECT_TRUE(std::filesystem::exists(project));
}

TEST_F(Verbs, ImportsTheCodeOfADocumentAndSaysTheRest) {
    const tests::support::TempDir folder;
    const std::string page = folder.path() / "page.md", project = folder.path() / "page.tandem";
    const std::string code = "model = keras.Sequential([layers.Dense(3, input_shape=(4,))])\nmodel.compile('sgd', 'mse')\nprint(history)\n";
    std::ofstream(page) << "# A model\n\nIt has one layer.\n\n```python\n" << code << "```\n";
    EXPECT_EQ(run({"import", page, "--out", project}), kDone) << err.str();
    EXPECT_EQ(err.str(), "note: " + page + ": 1 block of code: lines 6-8; the 4 other lines are left\n" +  //
                             "note: " + page + ": kept as text, no part of the model: lines 8\n" +         //
                             "warning: " + page +
                             ": expected a data set that is known here, got none: the project has mnist, shuffle 10000, " +
                             "batches of 64 per replica\n" +  //
                             "warning: " + page + ": expected fit(), got none: the project has 1 epoch\n" +
                             err.str().substr(std::min(err.str().find("error: "), err.str().size())));
    EXPECT_EQ(run({"export", "code", project}), kDone);
    EXPECT_NE(out.str().find(code), std::string::npos) << out.str();
    EXPECT_EQ(out.str().find("```"), std::string::npos);
    EXPECT_EQ(out.str().find("one layer"), std::string::npos);
    // Of a notebook cells are named.
    const std::string notebook = folder.path() / "page.ipynb";
    std::ofstream(notebook) << R"json({"cells": [{"cell_type": "markdown", "source": "x"}, {"cell_type": "code", "source": ["a = 1\n",
        "model = keras.Sequential([layers.Nothing(3)])"]}]})json";
    EXPECT_EQ(run({"import", notebook, "--out", (folder.path() / "other.tandem").string()}), kFailed);
    EXPECT_NE(err.str().find(notebook + ": cell 2, line 2, column 27: expected a layer of class"), std::string::npos) << err.str();
}

TEST_F(Verbs, SummarizesAProject) {
    EXPECT_EQ(run({"summary", "mnist_mirrored"}), kDone) << err.str();
    EXPECT_NE(out.str().find("Total params: 347,146 (1.32 MB)"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("541,440"), std::string::npos) << out.str();
}

TEST_F(Verbs, ChecksATfConfig) {
    const tests::support::TempDir folder;
    const auto check = [&](const std::string& text) {
        const std::string path = (folder.path() / "tf_config.json").string();
        std::ofstream(path) << text;
        return run({"check", path});
    };
    EXPECT_EQ(check(R"({"cluster": {"worker": ["localhost:12345", "localhost:23456"]}, "task": {"type": "worker", "index": 0}})"), kDone)
        << out.str();
    EXPECT_EQ(check(R"({"cluster": {"worker": ["localhost:12345"]}, "task": {"type": "worker", "index": 1}})"), kFailed);
    EXPECT_EQ(check(""), kUsage);
    EXPECT_EQ(check("[]"), kUsage);
}

TEST_F(Verbs, ChecksAProjectWithItsValuesChanged) {
    const tests::support::TempDir folder;
    const std::string project = (folder.path() / "p.tandem").string();
    std::filesystem::copy_file(TANDEM_RESOURCES "/templates/mnist_mirrored.tandem", project);
    EXPECT_EQ(run({"check", project}), kDone) << out.str();
    EXPECT_EQ(run({"check", project, "--set", "fit.epochs=0"}), kFailed);
    EXPECT_NE(out.str().find("fit.epochs: expected at least 1"), std::string::npos) << out.str();
    EXPECT_EQ(run({"check", project, "--set", "data.dataset=cifar10"}), kFailed);
    EXPECT_NE(out.str().find("model.input_shape: expected as many values as a sample of cifar10 has, (32, 32, 3), got (28, 28, 1)"),
              std::string::npos)
        << out.str();
    EXPECT_EQ(run({"check", project, "--set", "fit.epoch=1"}), kFailed);
    for (const char* verb : {"check", "train"}) {
        for (const char* malformed : {"fit.epochs", "=3", "fit..epochs=3", "model.layers[x].units=3"}) {
            err.str({});
            out.str({});
            EXPECT_EQ(run({verb, project, "--set", malformed}), kUsage) << verb << ' ' << malformed;
            EXPECT_NE((out.str() + err.str()).find("expected a "), std::string::npos) << out.str() << err.str();
        }
    }
    EXPECT_TRUE(agent.submitted.empty());
    const std::string hosts = (folder.path() / "hosts").string();
    std::ofstream(hosts) << "node1\n";
    EXPECT_EQ(run({"check", hosts, "--set", "fit.epochs=1"}), kUsage);
    EXPECT_NE(err.str().find("--set: expected a project"), std::string::npos) << err.str();
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

TEST_F(Verbs, ChecksAHostfileAndMendsATfConfig) {
    const tests::support::TempDir folder;
    const auto write = [&](const char* name, const std::string& text) {
        std::ofstream(folder.path() / name) << text;
        return (folder.path() / name).string();
    };
    EXPECT_EQ(run({"check", write("hosts", "node1 slots=2\nnode2\n")}), kDone) << out.str();
    EXPECT_NE(out.str().find(R"("worker": ["node1:12345", "node1:12346", "node2:12345"])"), std::string::npos) << out.str();
    EXPECT_EQ(run({"check", write("wrong", "node1 slots=0\n")}), kFailed);
    EXPECT_EQ(run({"check", write("slurm", "SLURM_JOB_NODELIST=n[1-2]\n"), "--port", "2222"}), kDone);
    EXPECT_NE(out.str().find(R"("worker": ["n1:2222", "n2:2222"])"), std::string::npos) << out.str();
    EXPECT_EQ(run({"check", "--fix", write("c.json", R"({"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 3}})")}),
              kFailed);
    EXPECT_NE(out.str().find(R"({"cluster": {"worker": ["a:1"]}, "task": {"type": "worker", "index": 0}})"), std::string::npos)
        << out.str();
}

TEST_F(Verbs, ExportsTheTfConfigOfAHostfile) {
    const tests::support::TempDir folder;
    const std::string hosts = (folder.path() / "hosts").string(), to = (folder.path() / "out").string();
    std::ofstream(hosts) << "node1\nnode2\n";
    EXPECT_EQ(run({"export", "tf-config", "--cluster", hosts, "--port", "2222", "--out", to}), kDone) << err.str();
    std::stringstream text;
    text << std::ifstream(folder.path() / "out" / "worker-1.json").rdbuf();
    EXPECT_EQ(text.str(),
              "{\n  \"cluster\": {\n    \"worker\": [\n      \"node1:2222\",\n      \"node2:2222\"\n    ]\n  },\n"
              "  \"task\": {\"type\": \"worker\", \"index\": 1}\n}\n");
    EXPECT_EQ(run({"export", "tf-config"}), kUsage);
    std::ofstream(hosts) << "node@1\n";
    EXPECT_EQ(run({"export", "tf-config", "--cluster", hosts, "--out", to}), kFailed);
}

TEST_F(Verbs, TheDoctorsErrorsAreExitCodeOne) {
    agent.doctor.rows = {{spec::DoctorState::kOk, "port", "Ports 1 and 2 are free", "", "", ""}};
    agent.doctor.links = {{{"worker", 0}, {"worker", 1}, 21, 5e9, ""}, {{"worker", 1}, {"worker", 0}, 0, 0, "no time was left"}};
    EXPECT_EQ(run({"doctor", "mnist_multi_worker"}), kDone) << err.str();
    EXPECT_NE(out.str().find("Ports 1 and 2 are free"), std::string::npos);
    EXPECT_NE(out.str().find("0.02 ms 5000 MB/s"), std::string::npos) << out.str();
    agent.doctor.rows.push_back({spec::DoctorState::kError, "disk", "3.0 MB free for runs", "", "Make room.", ""});
    EXPECT_EQ(run({"doctor", "mnist_multi_worker", "--json"}), kFailed);
    EXPECT_NE(out.str().find(R"("fix":"Make room.","path":"","code":"TDM-R003")"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find(R"("title":"Ports 1 and 2 are free","detail":"","fix":"","path":"","code":"")"), std::string::npos);
    EXPECT_EQ(run({"doctor", "mnist_multi_worker"}), kFailed);
    EXPECT_NE(out.str().find("3.0 MB free for runs [Make room.] (TDM-R003)\n"), std::string::npos) << out.str();
}

TEST_F(Verbs, TheDoctorShowsTheWaysBetweenComputers) {
    agent.doctor.ways = {{"node1", "node2", 12345, spec::WayOutcome::kReached, 40'200, 9.25e6, "", true},
                         {"node2", "node1", 23456, spec::WayOutcome::kTimedOut, 0, 0, "Connection timed out"}};
    agent.doctor.links = {{{"worker", 0}, {"worker", 1}, 20100, 9.25e6, ""}};
    agent.doctor.rows = {{spec::DoctorState::kWarning, "project", "expected a port of at least 1, got 0", "", "", "cluster.worker[1]"}};
    EXPECT_EQ(run({"doctor", "mnist_multi_worker", "--hosts", "node1,node2:2", "--servers", "1"}), kDone) << err.str();
    EXPECT_EQ(out.str(),
              "\n"
              "round trip, ms        node1       node2\n"
              "node1                              40.2\n"
              "node2             timed out\n"
              "\n"
              "bandwidth, MB/s       node1       node2\n"
              "node1                              9.25\n"
              "node2             timed out\n");
    const spec::ClusterSpec& asked = agent.doctor_asked.cluster.spec;
    EXPECT_EQ(asked.address({"worker", 0}), "node1:0") << "any port that is free there";
    EXPECT_EQ(asked.address({"worker", 2}), "node2:0");
    EXPECT_EQ(asked.address({"ps", 0}), "node1:0");
    out.str("");
    EXPECT_EQ(run({"doctor", "mnist_multi_worker", "--hosts", "node1,node2", "--json"}), kDone);
    EXPECT_EQ(nlohmann::json::parse(out.str())["ways"],
              nlohmann::json::parse(R"([{"from":"node1","to":"node2","port":12345,"outcome":"reached","round_trip_us":40200.0,
                                         "bytes_per_s":9250000.0,"is_slow":true},
                                        {"from":"node2","to":"node1","port":23456,"outcome":"timed_out","detail":"Connection timed out"}])"));
    EXPECT_EQ(run({"doctor", "mnist_multi_worker", "--hosts", "node1,node1"}), kUsage);
    err.str("");
    EXPECT_EQ(run({"doctor", "mnist_multi_worker", "--servers", "1"}), kUsage);
    EXPECT_EQ(err.str(), "error: --servers: expected --hosts beside it, got none\n");
}

TEST_F(Verbs, OfManyComputersTheDoctorShowsTheWorstWays) {
    for (int from = 0; from < 17; ++from) {
        for (int to = 0; to < 17; ++to) {
            if (from != to) {
                agent.doctor.ways.push_back(
                    {"n" + std::to_string(from), "n" + std::to_string(to), 1, spec::WayOutcome::kReached, 100, 1e9, ""});
            }
        }
    }
    agent.doctor.ways[40].bytes_per_s = 1e6;
    agent.doctor.ways[50] = {"n3", "n2", 1, spec::WayOutcome::kRefused, 0, 0, ""};
    EXPECT_EQ(run({"doctor", "mnist_multi_worker"}), kDone);
    EXPECT_TRUE(
        out.str().starts_with("\nThe worst ways, round trip in ms and bandwidth in MB/s\nn3 -> n2: refused\nn2 -> n9: 0.10, 1.00\n"))
        << out.str();
    EXPECT_EQ(std::ranges::count(out.str(), '\n'), 2 + 16);
}

TEST_F(Verbs, ListsWhatWorksWithWhat) {
    EXPECT_EQ(run({"strategies"}), kDone);
    EXPECT_NE(out.str().find("tf.estimator was removed"), std::string::npos);
    EXPECT_EQ(run({"strategies", "mnist_multi_worker"}), kDone);
    EXPECT_NE(out.str().find("* MultiWorkerMirroredStrategy"), std::string::npos) << out.str();
    EXPECT_NE(out.str().find("- ParameterServerStrategy: needs a ps task"), std::string::npos) << out.str();
    const std::string tpu =
        "  TPUStrategy: One process; removes the 2 tasks. A TPU is trained on by the exported script, since no PJRT plug-in runs a project "
        "in this version.\n";
    EXPECT_NE(out.str().find(tpu), std::string::npos) << out.str();
}

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

TEST_F(Verbs, APipeADeviceOrAFolderIsNoTextAndIsNotWaitedFor) {
    const tests::support::TempDir folder;
    const std::string pipe = (folder.path() / "pipe").string(), code = (folder.path() / "pipe.py").string(),
                      project = (folder.path() / "pipe.tandem").string();
    for (const std::string& one : {pipe, code, project}) {
        ASSERT_EQ(::mkfifo(one.c_str(), 0600), 0);
    }
    const auto refused = [&](const std::vector<std::string>& arguments, const std::string& message) {
        err.str("");
        EXPECT_EQ(run(arguments), kUsage) << message;
        EXPECT_NE(err.str().find("error: " + message), std::string::npos) << err.str();
    };
    refused({"check", pipe}, pipe + ": expected a file, got a pipe");
    refused({"check", project}, project + ": expected a file, got a pipe");
    refused({"check", "/dev/zero"}, "/dev/zero: expected a file, got a device");
    refused({"check", folder.path().string()}, folder.path().string() + ": expected a file, got a folder");
    refused({"export", "tf-config", "--cluster", pipe, "--out", folder.path().string()}, pipe + ": expected a file, got a pipe");
    refused({"import", code, "--out", (folder.path() / "new.tandem").string()}, code + ": expected a file, got a pipe");
    refused({"summary", project}, project + ": expected a project file");
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
