#include <CLI/CLI.hpp>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "app/cli/verb.h"
#include "engine/spec/error.h"
#include "tests/support/temp_dir.h"

namespace app::cli {
namespace {

namespace spec = engine::spec;
using agent::client::RunInfo;
using agent::client::RunState;

// An agent with memory: what it was asked, and runs that it plays back at once.
struct FakeAgent {
    std::vector<RunInfo> runs;
    std::vector<spec::TaskEvent> events;
    std::vector<agent::client::SubmitRequest> submitted;
    std::vector<spec::Control> controls;
    RunState end_state = RunState::kDone;
};

class FakeClient : public agent::client::AgentClient {
public:
    explicit FakeClient(FakeAgent& agent) : agent_(agent) {}
    agent::client::HostInfo describe(std::chrono::milliseconds) override { return {}; }
    RunInfo submit(const agent::client::SubmitRequest& request, std::chrono::milliseconds) override {
        agent_.submitted.push_back(request);
        RunInfo run;
        run.id = "20261121-100000-0001";
        run.run_dir = "/runs/1";
        run.project_json = toProjectJson(request.run);
        agent_.runs.push_back(run);
        return run;
    }
    void control(const std::string&, const spec::Control& control, std::chrono::milliseconds) override { agent_.controls.push_back(control); }
    std::vector<RunInfo> listRuns(std::chrono::milliseconds) override { return agent_.runs; }
    RunInfo getRun(const std::string& id, std::chrono::milliseconds) override {
        for (RunInfo run : agent_.runs) {
            if (run.id == id) {
                run.state = agent_.end_state;
                return run;
            }
        }
        throw engine::Error(engine::ErrorCode::kNotFound, "no run " + id);
    }
    std::unique_ptr<Watch> watch(const std::string&, std::uint64_t from, WatchHandler handler) override {
        EXPECT_EQ(from, 1U) << "a follower wants every point";
        handler.events(agent_.events);
        handler.finished(std::nullopt);
        struct Ended : Watch {
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
        Context context{.out = out, .err = err, .program_dir = "/nowhere", .share_dir = TANDEM_RESOURCES,
                        .connect = [this] { return std::make_unique<FakeClient>(agent); }, .interrupts = [] { return 0; }};
        CLI::App app;
        app.require_subcommand(1);
        addTemplates(app, context);
        addTrain(app, context);
        addWatch(app, context);
        addStop(app, context);
        addRuns(app, context);
        addCheck(app, context);
        addExport(app, context);
        std::reverse(arguments.begin(), arguments.end());
        try {
            app.parse(arguments);
        } catch (const CLI::ParseError&) {
            return kUsage;
        }
        return context.exit_code;
    }

    FakeAgent agent;
    std::ostringstream out, err;
};

TEST_F(Verbs, TrainsAStarterProjectOnTwoWorkers) {
    EXPECT_EQ(run({"train", "mnist_mirrored", "--workers", "2", "--set", "fit.epochs=3", "--transport", "grpc", "--threads", "1"}), kDone) << err.str();
    ASSERT_EQ(agent.submitted.size(), 1U);
    EXPECT_EQ(agent.submitted[0].local_workers, 2);
    EXPECT_EQ(agent.submitted[0].run.fit.epochs, 3);
    EXPECT_EQ(agent.submitted[0].run.cluster.transport, spec::TransportChoice::kGrpc);
    EXPECT_EQ(agent.submitted[0].run.cluster.threads_per_task, 1);
    EXPECT_NE(out.str().find("MultiWorkerMirroredStrategy"), std::string::npos);
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
    agent.runs = {older, newer};
    EXPECT_EQ(run({"runs"}), kDone);
    EXPECT_LT(out.str().find("newer"), out.str().find("older"));
    EXPECT_NE(out.str().find("0.987"), std::string::npos);
}

TEST_F(Verbs, ChecksATfConfig) {
    const tests::support::TempDir folder;
    const auto check = [&](const std::string& text) {
        const std::string path = (folder.path() / "tf_config.json").string();
        std::ofstream(path) << text;
        return run({"check", path});
    };
    EXPECT_EQ(check(R"({"cluster": {"worker": ["localhost:12345", "localhost:23456"]}, "task": {"type": "worker", "index": 0}})"), kDone) << out.str();
    EXPECT_EQ(check(R"({"cluster": {"worker": ["localhost:12345"]}, "task": {"type": "worker", "index": 1}})"), kFailed);
    EXPECT_EQ(check(""), kUsage);
    EXPECT_EQ(check("[]"), kUsage);
}

}  // namespace
}  // namespace app::cli
