// The command line's verbs over an agent with memory.
#pragma once

#include <gtest/gtest.h>
#include <CLI/CLI.hpp>

#include <sstream>

#include "app/cli/verb.h"
#include "engine/spec/error.h"

namespace app::cli {

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

}  // namespace app::cli
