// The verb `sweep`, over an agent that trains at once. What a sweep does with its runs: tests/agent/client/sweep_run_test.cpp.
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/cli/verb.h"
#include "tests/support/sweep_agent.h"
#include "tests/support/temp_dir.h"

namespace app::cli {
namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kRate = "compile.optimizer.learning_rate";

class SweepVerb : public testing::Test {
protected:
    SweepVerb() {
        world_->value = [](const engine::spec::RunSpec& run, std::int64_t epoch) {
            const double rate = run.compile.optimizer.config.getDouble("learning_rate", 0);
            return 0.9 - 0.1 * std::abs(std::log10(rate) + 2) - 0.2 / static_cast<double>(epoch);
        };
    }

    int run(std::vector<std::string> arguments) {
        out_.str("");
        err_.str("");
        Context context{.out = out_,
                        .err = err_,
                        .out_is_terminal = is_terminal_,
                        .program_dir = "/nowhere",
                        .share_dir = TANDEM_RESOURCES,
                        .connect = [this] { return std::make_unique<tests::SweepAgent>(world_); },
                        .interrupts = [this] { return presses_ ? ++*presses_ : 0; }};
        CLI::App app;
        app.require_subcommand(1);
        addSweep(app, context);
        std::reverse(arguments.begin(), arguments.end());
        try {
            app.parse(arguments);
        } catch (const CLI::ParseError&) {
            return kUsage;
        }
        return context.exit_code;
    }
    std::string folder(const std::string& name = "sweep") const { return (directory_.path() / name).string(); }
    std::vector<std::string> sweepOf(std::vector<std::string> more) const {
        std::vector<std::string> all{"sweep",    "mnist_mlp", "--field", std::string(kRate) + "=log:1e-4..1:9",
                                     "--epochs", "9",         "--out",   folder()};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }
    std::vector<json> events() const {
        std::vector<json> events;
        std::istringstream lines(out_.str());
        for (std::string line; std::getline(lines, line);) events.push_back(json::parse(line));
        return events;
    }

    const tests::support::TempDir directory_;
    const std::shared_ptr<tests::SweepWorld> world_ = std::make_shared<tests::SweepWorld>();
    bool is_terminal_ = false;
    std::optional<int> presses_;  // of Ctrl+C: one more at every look
    std::ostringstream out_, err_;
};

TEST_F(SweepVerb, SaysWhatEachTrialCameToAndWhichIsBest) {
    EXPECT_EQ(run(sweepOf({})), kDone) << err_.str();
    const std::string text = out_.str();
    EXPECT_THAT(text, HasSubstr("Sweep: grid over 9 configurations, 1 at once, for the greatest val_accuracy\nFolder: " + folder() + "\n"));
    EXPECT_THAT(text, HasSubstr("trial 1: optimizer.learning_rate 0.0001, to 9 epochs\n"));
    EXPECT_THAT(text, HasSubstr("trial 5: val_accuracy 0.8778 after 9 epochs, the best so far\n"));
    EXPECT_THAT(text, HasSubstr("The sweep is over: 9 of 9 trials ended, 81 epochs; best val_accuracy 0.8778, trial 5 in "));
    EXPECT_THAT(text, HasSubstr("Importance, of 9 trials: optimizer.learning_rate 100 %"));
    EXPECT_THAT(text,
                HasSubstr("The best again: tandem-cli train mnist_mlp --set compile.optimizer.learning_rate=0.01 --set fit.epochs=9\n"));
}

TEST_F(SweepVerb, TheBestIsTrainedAgainAsTheSweepTrainedIt) {
    EXPECT_EQ(run(sweepOf({"--set", "callbacks={}", "--set", "fit.seed=7", "--workers", "2"})), kDone) << err_.str();
    EXPECT_THAT(out_.str(), HasSubstr("The best again: tandem-cli train mnist_mlp --set 'callbacks={}' --set fit.seed=7 --set "
                                      "compile.optimizer.learning_rate=0.01 --set fit.epochs=9 --workers 2\n"));
    EXPECT_EQ(run({"sweep", "mnist_mlp", "--field", std::string(kRate) + "=0.1,0.01", "--out", folder("own")}), kDone) << err_.str();
    EXPECT_THAT(out_.str(), HasSubstr("train mnist_mlp --set compile.optimizer.learning_rate=0.01\n")) << "the project says the epochs";
    EXPECT_EQ(run({"sweep", "mnist_mlp", "--field", std::string(kRate) + "=0.1,0.01", "--hosts", "node1:2,node2", "--spread", "--out",
                   folder("spread")}),
              kDone)
        << err_.str();
    EXPECT_THAT(out_.str(), HasSubstr("learning_rate=0.01 --hosts node1:2\n")) << "where its run was";
    EXPECT_EQ(run({"sweep", "mnist_mlp", "--field", std::string(kRate) + "=0.1,0.01", "--slurm", "--partition", "a b", "--programs", "/opt",
                   "--out", folder("slurm")}),
              kDone)
        << err_.str();
    EXPECT_THAT(out_.str(), HasSubstr("The best again: tandem-cli submit mnist_mlp --set compile.optimizer.learning_rate=0.01 --slurm "
                                      "--nodes 1 --partition 'a b' --programs /opt\n"));
}

TEST_F(SweepVerb, DrawsATableOverItselfOnATerminal) {
    is_terminal_ = true;
    EXPECT_EQ(run(sweepOf({"--method", "asha"})), kDone) << err_.str();
    const std::string text = out_.str();
    EXPECT_THAT(text, HasSubstr("trial  state     epochs  val_accuracy  optimizer.learning_rate\n"));
    EXPECT_THAT(text, HasSubstr("\x1b[3A\r\x1b[J")) << "a head, a row and a sentence";
    EXPECT_THAT(text, HasSubstr("rungs at 1 3 9 epochs"));
    const std::string last = text.substr(text.rfind("\x1b[J"));
    EXPECT_THAT(last, HasSubstr("The sweep is over: ")) << "the last words stay";
}

TEST_F(SweepVerb, TellsScriptsInJson) {
    EXPECT_EQ(run(sweepOf({"--method", "asha", "--seeds", "2", "--json"})), kDone) << err_.str();
    const std::vector<json> told = events();
    EXPECT_EQ(told.front()["event"], "sweep");
    EXPECT_EQ(told.front()["rungs"], json({1, 3, 9}));
    EXPECT_EQ(told.front()["trials"], 9);
    EXPECT_EQ(told.back()["event"], "finished");
    EXPECT_EQ(told.back()["state"], "over");
    EXPECT_EQ(told.back()["best"]["values"][kRate], "0.01");
    EXPECT_EQ(told.back()["best"]["rung"], 3);
    EXPECT_EQ(told.back()["best"]["runs"].size(), 2U);
    EXPECT_EQ(told.back()["epochs"], world_->epochs_trained);
    EXPECT_EQ(told.back()["importance"]["trials"], 9);
    EXPECT_EQ(told[1]["event"], "trial");
    EXPECT_EQ(told[1]["state"], "training");
    EXPECT_EQ(told[1]["value"], nullptr);
}

TEST_F(SweepVerb, CtrlCStopsItAndResumeGoesOn) {
    world_->is_held = [](const engine::spec::RunSpec&) { return true; };
    presses_ = 0;
    EXPECT_EQ(run(sweepOf({})), kInterrupted);
    EXPECT_THAT(err_.str(), HasSubstr("Stopping"));
    EXPECT_THAT(out_.str(), HasSubstr("To go on: tandem-cli sweep --resume " + folder() + "\n"));
    presses_.reset();
    world_->is_held = {};
    EXPECT_EQ(run({"sweep", "--resume", folder(), "--json"}), kDone) << err_.str();
    EXPECT_EQ(events().back()["state"], "over");
    EXPECT_EQ(run({"sweep", "--resume", folder()}), kDone) << err_.str();
    const std::string project = folder() + "/project.tandem";
    EXPECT_THAT(out_.str(), HasSubstr("The best again: tandem-cli train " + project + " --set " + kRate + "=0.01 --set fit.epochs=9\n"));
    std::ifstream kept(project);
    const std::string text{std::istreambuf_iterator<char>(kept), {}};
    EXPECT_EQ(engine::spec::parseProject(text).run.name, "MNIST with dense layers")
        << "what the sweep trained, whatever became of the user's file";
    EXPECT_EQ(run({"sweep", "--resume", folder(), "--trials", "3"}), kUsage) << "what it is stays";
    EXPECT_EQ(run(sweepOf({})), kUsage);
    EXPECT_THAT(err_.str(), HasSubstr("--out: " + folder() + ": expected a new folder, got that of a sweep"));
}

TEST_F(SweepVerb, TakesWhereTheRunsTrainAsTrainDoes) {
    EXPECT_EQ(run(sweepOf({"--workers", "2", "--at-once", "2"})), kDone) << err_.str();
    EXPECT_EQ(world_->submits[0].local_workers, 2);
    EXPECT_EQ(world_->submits[0].run.cluster.threads_per_task, 2) << "eight cores for two runs of two workers";
    world_->submits.clear();
    EXPECT_EQ(run({"sweep", "mnist_mlp", "--field", std::string(kRate) + "=0.1,0.01", "--hosts", "node1,node2", "--spread", "--at-once",
                   "2", "--out", folder("spread")}),
              kDone)
        << err_.str();
    ASSERT_EQ(world_->submits.size(), 2U);
    EXPECT_EQ(world_->submits[0].hosts.size(), 1U);
}

TEST_F(SweepVerb, HandsRunsToSlurm) {
    EXPECT_EQ(run(sweepOf({"--slurm", "--partition", "short", "--cpus-per-task", "4"})), kDone) << err_.str();
    ASSERT_EQ(world_->jobs.size(), 9U);
    EXPECT_EQ(world_->jobs[0].job.partition, "short");
    EXPECT_EQ(world_->jobs[0].job.cpus_per_task, 4);
    EXPECT_EQ(world_->jobs[0].job.programs, "/nowhere");
    EXPECT_EQ(world_->jobs[0].job.run_folder, folder() + "/trials/001");
    EXPECT_EQ(run(sweepOf({"--slurm", "--workers", "2"})), kUsage);
    EXPECT_EQ(run(sweepOf({"--partition", "short"})), kUsage) << "of Slurm alone";
}

TEST_F(SweepVerb, TakesAFileWhoseValuesOptionsChange) {
    const std::string file = folder("sweep.json");
    std::ofstream(file)
        << R"({"project": "mnist_mlp", "method": "random", "trials": 3, "max_epochs": 2, "fields": {"compile.optimizer.learning_rate": "log:1e-4..1"}})";
    EXPECT_EQ(run({"sweep", "--file", file, "--trials", "2", "--set", "fit.seed=7", "--out", folder()}), kDone) << err_.str();
    ASSERT_EQ(world_->submits.size(), 2U);
    EXPECT_EQ(world_->submits[0].run.fit.epochs, 2);
    EXPECT_EQ(world_->submits[0].run.fit.seed, 7);
    std::ofstream(file) << R"({"fields": 1})";
    EXPECT_EQ(run({"sweep", "--file", file}), kUsage);
    EXPECT_THAT(err_.str(), HasSubstr("sweep.json: fields: expected an object of paths and their values, got 1"));
}

TEST_F(SweepVerb, RefusesAnObjectiveThatNoRunLogs) {
    EXPECT_EQ(run(sweepOf({"--objective", "val_auc"})), kUsage);
    EXPECT_THAT(err_.str(), HasSubstr("error: objective: expected accuracy, loss, val_accuracy or val_loss, got val_auc\n"));
    EXPECT_TRUE(world_->submits.empty()) << "nothing has trained";
}

TEST_F(SweepVerb, SaysWhyThereIsNoResult) {
    world_->failure = [](const engine::spec::RunSpec&) { return "the disk is full"; };
    EXPECT_EQ(run(sweepOf({})), kFailed);
    EXPECT_THAT(err_.str(), HasSubstr("expected a trial that ends with a number for val_accuracy, got the last reason: the disk is full"));
    world_->answers = false;
    EXPECT_THROW(run({"sweep", "mnist_mlp", "--field", std::string(kRate) + "=0.1,0.01", "--out", folder("other")}), engine::Error);
}

}  // namespace
}  // namespace app::cli
