#include "agent/client/sweep_run.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "engine/sweep/sweep_project.h"
#include "tests/support/model_builder.h"
#include "tests/support/sweep_agent.h"
#include "tests/support/temp_dir.h"

namespace agent::client {
namespace {

namespace fs = std::filesystem;
namespace spec = engine::spec;
namespace sweep = engine::sweep;
using engine::ErrorCode;
using engine::run::RunState;
using sweep::TrialState;
using testing::ElementsAre;
using testing::HasSubstr;

double rateOf(const spec::RunSpec& run) {
    return run.compile.optimizer.config.getDouble("learning_rate", 0);
}

class SweepRun : public testing::Test {
protected:
    SweepRun() {
        project_.name = "digits";
        project_.model = tests::support::tutorialModel();
        project_.compile = tests::support::compileWith({"Adam", {}});
        project_.fit.epochs = 9;
        // Best at 0.01, and better with every epoch.
        world_->value = [](const spec::RunSpec& run, std::int64_t epoch) {
            return 0.9 - 0.1 * std::abs(std::log10(rateOf(run)) + 2) - 0.2 / static_cast<double>(epoch);
        };
    }

    sweep::SweepSettings settings(sweep::Method method) const {
        return {
            .method = method, .fields = {sweep::parseField("compile.optimizer.learning_rate=log:1e-4..1:9")}, .objective = {}, .trials = 0};
    }
    fs::path folder() const { return directory_.path() / "sweep"; }
    SweepEnd run(SweepFolder& held, sweep::Sweep& one, const SweepListener& listener = {}) {
        tests::SweepAgent client(world_);
        return runSweep(client, one, {.folder = held, .project = project_, .data_dir = "/data"}, listener);
    }
    sweep::Sweep begin(const sweep::SweepSettings& asked, const SweepListener& listener = {}) {
        SweepFolder held = SweepFolder::make(folder());
        sweep::Sweep one(asked, 9);
        end_ = run(held, one, listener);
        return one;
    }

    tests::support::TempDir directory_;
    spec::RunSpec project_;
    const std::shared_ptr<tests::SweepWorld> world_ = std::make_shared<tests::SweepWorld>();
    SweepEnd end_ = SweepEnd::kStopped;
};

TEST_F(SweepRun, TrainsAGridAsRunsOfTheAgent) {
    const sweep::Sweep over = begin(settings(sweep::Method::kGrid));
    EXPECT_EQ(end_, SweepEnd::kOver);
    ASSERT_EQ(world_->submits.size(), 9U);
    for (std::size_t i = 0; i < 9; ++i) {
        const SubmitRequest& request = world_->submits[i];
        EXPECT_EQ(request.run_dir, (folder() / "trials" / ("00" + std::to_string(i + 1))).string());
        EXPECT_EQ(request.data_dir, "/data");
        EXPECT_EQ(request.run.fit.epochs, 9);
    }
    ASSERT_TRUE(over.best());
    const sweep::Trial& best = over.trials()[static_cast<std::size_t>(*over.best())];
    EXPECT_EQ(best.configuration, sweep::Configuration{"0.01"});
    EXPECT_NEAR(best.value(), 0.9 - 0.2 / 9, 1e-9);
    EXPECT_EQ(sweep::toJson(project_, over), sweep::toJson(project_, readSweep(folder()).sweep)) << "its file has all of it";
}

TEST_F(SweepRun, APromotedTrialGoesOnInItsRun) {
    const sweep::Sweep over = begin(settings(sweep::Method::kAsha));
    EXPECT_EQ(over.trials()[static_cast<std::size_t>(*over.best())].configuration, sweep::Configuration{"0.01"});
    EXPECT_EQ(over.trials()[static_cast<std::size_t>(*over.best())].epochs(), 9);
    EXPECT_EQ(world_->runs.size(), 9U) << "a run a trial, whatever rungs it trains";
    EXPECT_GT(world_->submits.size(), 12U);
    EXPECT_EQ(over.epochsTrained(), world_->epochs_trained);
    EXPECT_LT(world_->epochs_trained, 9 * 9 / 2) << "nothing is trained twice";
}

TEST_F(SweepRun, RunsAtOnceShareTheCores) {
    sweep::SweepSettings asked = settings(sweep::Method::kGrid);
    asked.at_once = 3;
    begin(asked);
    EXPECT_EQ(world_->submits[0].run.cluster.threads_per_task, 2) << "of eight";
}

TEST_F(SweepRun, WhatFailsDoesNotEndIt) {
    world_->failure = [](const spec::RunSpec& run) { return rateOf(run) > 0.5 ? "the loss is no number" : ""; };
    project_.fit.epochs = 2;
    const sweep::Sweep over = begin(settings(sweep::Method::kGrid));
    EXPECT_EQ(end_, SweepEnd::kOver);
    EXPECT_EQ(over.trials().back().state, TrialState::kFailed);
    EXPECT_EQ(over.trials().back().error, "the loss is no number");
    EXPECT_TRUE(over.best());
}

TEST_F(SweepRun, SaysWhichLogsThereAre) {
    sweep::SweepSettings asked = settings(sweep::Method::kGrid);
    asked.objective = sweep::objectiveOf("val_auc");
    const sweep::Sweep over = begin(asked);
    EXPECT_EQ(over.trials()[0].error, "expected val_auc among the logs of an epoch's end, got accuracy, loss, val_accuracy, val_loss");
    EXPECT_FALSE(over.best());
}

TEST_F(SweepRun, StopsItsRunsAndGoesOnWithThem) {
    sweep::SweepSettings asked = settings(sweep::Method::kGrid);
    asked.at_once = 2;
    world_->is_held = [](const spec::RunSpec& run) { return rateOf(run) > 0.005; };
    int interrupts = 0;
    const sweep::Sweep stopped = begin(asked, {.changed =
                                                   [&](const sweep::Sweep& now) {
                                                       const auto trains_an_epoch = [](const sweep::Trial& trial) {
                                                           return trial.state == TrialState::kTraining && trial.epochs() == 1;
                                                       };
                                                       if (std::count_if(now.trials().begin(), now.trials().end(), trains_an_epoch) == 2)
                                                           interrupts = 1;
                                                   },
                                               .interrupts = [&] { return interrupts; }});
    EXPECT_EQ(end_, SweepEnd::kStopped);
    EXPECT_EQ(world_->controls.size(), 2U);
    EXPECT_EQ(world_->controls[0].second.verb, spec::ControlVerb::kStop);
    const std::size_t begun = world_->runs.size();

    world_->is_held = {};
    SweepFolder held = SweepFolder::open(folder());
    sweep::SweepFile file = held.load();
    EXPECT_EQ(run(held, file.sweep), SweepEnd::kOver);
    EXPECT_EQ(world_->runs.size(), 9U);
    EXPECT_GT(begun, 2U);
    EXPECT_EQ(world_->epochs_trained, 9 * 9) << "a run that was stopped goes on, those that were over are not trained again";
}

// The one who had begun it is gone without a word: its runs went on meanwhile.
TEST_F(SweepRun, FindsWhatWasInTrainingWhenItWasKilled) {
    sweep::SweepSettings asked = settings(sweep::Method::kGrid);
    asked.at_once = 3;
    world_->is_held = [](const spec::RunSpec&) { return true; };
    struct Killed {};
    const SweepListener killer{.changed = [](const sweep::Sweep& now) {
        if (now.training().size() == 3) throw Killed();
    }};
    EXPECT_THROW(begin(asked, killer), Killed);
    ASSERT_EQ(world_->runs.size(), 3U);
    EXPECT_TRUE(world_->controls.empty());
    // The first has ended by now, the second was lost with its agent, the third still trains.
    const std::string first = world_->runs[2].id, second = world_->runs[1].id, third = world_->runs[0].id;
    world_->train(world_->runs[2], spec::parseProject(world_->runs[2].project_json).run, 9);
    world_->setState(first, RunState::kDone);
    world_->setState(second, RunState::kFailed, "the agent was killed");
    world_->is_held = {};
    world_->submits.clear();

    SweepFolder held = SweepFolder::open(folder());
    sweep::SweepFile file = held.load();
    EXPECT_EQ(file.sweep.training().size(), 3U);
    const SweepListener listener{.changed = [&](const sweep::Sweep& now) {
        const sweep::TrialRun& last = now.trials()[2].runs[0];
        if (last.state != sweep::TrialRun::State::kTraining || now.trials()[0].state != TrialState::kDone || world_->epochs[third] == 9)
            return;
        world_->train(*std::find_if(world_->runs.begin(), world_->runs.end(), [&](const auto& one) { return one.id == third; }), project_,
                      9);
        world_->setState(third, RunState::kDone);
    }};
    EXPECT_EQ(run(held, file.sweep, listener), SweepEnd::kOver);
    EXPECT_EQ(world_->runs.size(), 9U);
    std::multiset<std::string> folders;
    for (const SubmitRequest& request : world_->submits) folders.insert(fs::path(request.run_dir).filename().string());
    EXPECT_THAT(folders, ElementsAre("002", "004", "005", "006", "007", "008", "009")) << "only what was lost, and what had not begun";
    EXPECT_EQ(world_->epochs_trained, 9 * 9);
}

TEST_F(SweepRun, EachRunHasAHostOfItsOwn) {
    sweep::SweepSettings asked = settings(sweep::Method::kAsha);
    asked.at_once = 2;
    asked.place.hosts = "node1,node2:2";
    asked.place.spread = true;
    begin(asked);
    std::map<std::string, std::set<std::string>> hosts;  // by folder
    std::set<std::string> all;
    for (const SubmitRequest& request : world_->submits) {
        ASSERT_EQ(request.hosts.size(), 1U);
        EXPECT_EQ(request.hosts[0].workers, request.hosts[0].host == "node2" ? 2 : 1);
        EXPECT_EQ(request.run.cluster.threads_per_task, 0);
        hosts[request.run_dir].insert(request.hosts[0].host);
        all.insert(request.hosts[0].host);
    }
    EXPECT_THAT(all, ElementsAre("node1", "node2"));
    for (const auto& [folder, names] : hosts) EXPECT_EQ(names.size(), 1U) << folder << ": its backup lies there";
}

// node2 answers at first that it can't be reached; nobody loses a trial for that.
TEST_F(SweepRun, ARunThatAHostRefusesGoesToAnother) {
    sweep::SweepSettings asked = settings(sweep::Method::kGrid);
    asked.place.hosts = "node1,node2";
    asked.place.spread = true;
    asked.at_once = 2;
    int refused = 0;
    world_->refusal = [&](const SubmitRequest& request) {
        if (request.hosts.front().host != "node2") return;
        ++refused;
        throw engine::Error(ErrorCode::kAborted, "node2: the host is out of reach");
    };
    const sweep::Sweep over = begin(asked);
    EXPECT_EQ(end_, SweepEnd::kOver);
    EXPECT_GE(refused, 1);
    EXPECT_LE(refused, 2) << "it is left alone for a while";
    for (const sweep::Trial& trial : over.trials()) {
        EXPECT_EQ(trial.state, TrialState::kDone);
        EXPECT_EQ(trial.runs.front().host, "node1");
    }
}

TEST_F(SweepRun, WhereNoHostBeginsARunTheReasonIsSaidAndNothingIsLost) {
    sweep::SweepSettings asked = settings(sweep::Method::kGrid);
    asked.place.hosts = "node1,node2";
    for (const bool spread : {true, false}) {
        asked.place.spread = spread;
        world_->refusal = [](const SubmitRequest& request) {
            throw engine::Error(ErrorCode::kFailedPrecondition, request.hosts.front().host + ": expected Tandem there, found none");
        };
        SweepFolder held = SweepFolder::make(folder() / (spread ? "spread" : "together"));
        sweep::Sweep one(asked, 9);
        try {
            run(held, one);
            ADD_FAILURE();
        } catch (const engine::Error& error) {
            EXPECT_THAT(error.what(), HasSubstr("node1: expected Tandem there"));
        }
        for (const sweep::Trial& trial : one.trials()) EXPECT_NE(trial.state, TrialState::kFailed);
        world_->refusal = nullptr;
        EXPECT_EQ(run(held, one), SweepEnd::kOver);
        for (const sweep::Trial& trial : one.trials()) EXPECT_EQ(trial.state, TrialState::kDone);
    }
}

// A host that has begun runs of the sweep is fit: what it refuses then is the run's fault.
TEST_F(SweepRun, ATrialThatNoHostTakesFails) {
    sweep::SweepSettings asked = settings(sweep::Method::kGrid);
    asked.place.hosts = "node1";
    asked.place.spread = true;
    world_->refusal = [](const SubmitRequest& request) {
        if (rateOf(request.run) > 0.5) throw engine::Error(ErrorCode::kFailedPrecondition, "node1: expected 3 GB of memory, got 2 GB");
    };
    const sweep::Sweep over = begin(asked);
    EXPECT_EQ(end_, SweepEnd::kOver);
    EXPECT_EQ(over.trials().back().state, TrialState::kFailed);
    EXPECT_EQ(over.trials().back().error, "node1: expected 3 GB of memory, got 2 GB");
}

TEST_F(SweepRun, AnAgentThatIsBusyIsAskedAgain) {
    int asked = 0;
    world_->refusal = [&](const SubmitRequest&) {
        if (++asked == 2) throw engine::Error(ErrorCode::kResourceExhausted, "files: those of another run are being sent, ask again");
    };
    const sweep::Sweep over = begin(settings(sweep::Method::kGrid));
    EXPECT_EQ(end_, SweepEnd::kOver);
    EXPECT_EQ(asked, 10);
    for (const sweep::Trial& trial : over.trials()) EXPECT_EQ(trial.state, TrialState::kDone);
}

// The call got no answer in time, and the run began all the same.
TEST_F(SweepRun, ARunWhoseBeginWasNotAnsweredIsFound) {
    int asked = 0;
    world_->refusal = [&](const SubmitRequest& request) {
        if (++asked != 1) return;
        tests::FakeAgentClient agent(world_);
        const engine::run::RunInfo run = agent.submit(request, {});
        world_->train(run, request.run, request.run.fit.epochs);
        world_->setState(run.id, RunState::kDone);
        throw engine::Error(ErrorCode::kDeadlineExceeded, "the agent does not answer");
    };
    const sweep::Sweep over = begin(settings(sweep::Method::kGrid));
    EXPECT_EQ(end_, SweepEnd::kOver);
    EXPECT_EQ(asked, 9);
    EXPECT_EQ(world_->epochs_trained, 9 * 9) << "and not trained twice";
}

// The sweep was left before it heard of its first run's end.
TEST_F(SweepRun, AFinishedRunOfASweepOverEpochsIsFoundAgain) {
    sweep::SweepSettings asked = settings(sweep::Method::kGrid);
    asked.fields = {sweep::parseField("fit.epochs=2,4,6")};
    SweepFolder held = SweepFolder::make(folder());
    sweep::Sweep one(asked, 9);
    const std::optional<sweep::Job> job = one.next();
    ASSERT_TRUE(job);
    SubmitRequest request{.run = sweep::trialProject(project_, one, *job)};
    request.run_dir = (folder() / sweep::trialFolder(one, *job)).string();
    tests::SweepAgent(world_).submit(request, {});
    EXPECT_EQ(run(held, one), SweepEnd::kOver);
    for (const sweep::Trial& trial : one.trials()) EXPECT_EQ(trial.state, TrialState::kDone) << trial.error;
    EXPECT_EQ(world_->submits.size(), 3U);
    EXPECT_EQ(world_->epochs_trained, 2 + 4 + 6);
}

// The first streams break behind three epochs, when their runs are over already.
class CuttingAgent final : public tests::SweepAgent {
public:
    CuttingAgent(std::shared_ptr<tests::SweepWorld> world, int cuts) : SweepAgent(std::move(world)), cuts_(cuts) {}

    std::unique_ptr<Watch> watch(const std::string& run_id, std::uint64_t from_sequence, WatchHandler handler) override {
        ++watches;
        if (cuts_-- <= 0) return SweepAgent::watch(run_id, from_sequence, std::move(handler));
        WatchHandler cut;
        cut.events = [handler](std::vector<spec::TaskEvent> events) {
            events.resize(3);
            handler.events(std::move(events));
            handler.finished("the connection was reset");
            return false;
        };
        return SweepAgent::watch(run_id, from_sequence, std::move(cut));
    }

    int watches = 0;

private:
    int cuts_;
};

TEST_F(SweepRun, AStreamThatIsCutIsNoEndOfARun) {
    SweepFolder held = SweepFolder::make(folder());
    sweep::Sweep one(settings(sweep::Method::kGrid), 9);
    CuttingAgent client(world_, 2);
    EXPECT_EQ(runSweep(client, one, {.folder = held, .project = project_, .data_dir = "/data"}, {}), SweepEnd::kOver);
    EXPECT_EQ(client.watches, 9 + 2);
    for (const sweep::Trial& trial : one.trials()) {
        EXPECT_EQ(trial.runs.front().epochs, 9);
        EXPECT_FALSE(trial.runs.front().has_ended);
    }
}

TEST_F(SweepRun, ARunThatCanNotBeFollowedEndsIt) {
    SweepFolder held = SweepFolder::make(folder());
    sweep::Sweep one(settings(sweep::Method::kGrid), 9);
    CuttingAgent client(world_, 1000);
    try {
        runSweep(client, one, {.folder = held, .project = project_, .data_dir = "/data"}, {});
        ADD_FAILURE() << "expected an error";
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kUnavailable);
        EXPECT_THAT(error.what(), HasSubstr("can't be followed: the connection was reset"));
    }
}

TEST_F(SweepRun, BySlurmEachRungIsAJobThatBranchesFromTheOneBefore) {
    sweep::SweepSettings asked = settings(sweep::Method::kAsha);
    asked.at_once = 3;
    asked.place.slurm = sweep::SlurmJob{.cpus_per_task = 2, .time = "10"};
    const sweep::Sweep over = begin(asked);
    EXPECT_EQ(end_, SweepEnd::kOver);
    EXPECT_TRUE(world_->submits.empty());
    EXPECT_EQ(over.epochsTrained(), world_->epochs_trained) << "nothing is trained twice";
    std::set<std::string> folders;
    for (const JobRequest& request : world_->jobs) {
        const std::string& run_folder = request.job.run_folder;
        EXPECT_TRUE(folders.insert(run_folder).second) << run_folder;
        EXPECT_EQ(request.job.cpus_per_task, 2);
        EXPECT_EQ(request.job.nodes, 1);
        EXPECT_EQ(request.job.time, "10");
        EXPECT_EQ(request.run.fit.initial_state, run_folder.find("-rung-") != std::string::npos);
        if (!run_folder.ends_with("-rung-2")) continue;
        EXPECT_EQ(request.run.fit.initial_weights, run_folder.substr(0, run_folder.size() - 7) + "/backup/latest.backup");
    }
    EXPECT_GT(world_->jobs.size(), 12U);
    EXPECT_EQ(over.trials()[static_cast<std::size_t>(*over.best())].configuration, sweep::Configuration{"0.01"});
}

TEST_F(SweepRun, OneAloneGoesOnWithASweep) {
    begin(settings(sweep::Method::kGrid));
    const SweepFolder held = SweepFolder::open(folder());
    const auto codeOf = [](const std::function<void()>& call) {
        try {
            call();
        } catch (const engine::Error& error) {
            return error.code();
        }
        return ErrorCode::kInternal;
    };
    EXPECT_EQ(codeOf([&] { SweepFolder::open(folder()); }), ErrorCode::kAlreadyExists);
    EXPECT_EQ(codeOf([&] { SweepFolder::open(directory_.path()); }), ErrorCode::kNotFound);
    EXPECT_EQ(readSweep(folder()).sweep.trials().size(), 9U) << "and others may look";
}

TEST_F(SweepRun, ANewSweepTakesNoFolderOfAnother) {
    begin(settings(sweep::Method::kGrid));
    try {
        SweepFolder::make(folder());
        ADD_FAILURE();
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kAlreadyExists);
        EXPECT_THAT(error.what(), HasSubstr("expected a new folder, got that of a sweep"));
    }
}

TEST_F(SweepRun, ADamagedFileIsNamed) {
    fs::create_directories(folder());
    std::ofstream(folder() / kSweepFile) << "{";
    try {
        SweepFolder::open(folder()).load();
        ADD_FAILURE();
    } catch (const engine::Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::kDataLoss);
        EXPECT_THAT(error.what(), HasSubstr("sweep.json: sweep: expected JSON, got a mistake at line 1"));
    }
}

TEST_F(SweepRun, AnAgentThatIsLostLeavesItToGoOnWith) {
    sweep::SweepSettings asked = settings(sweep::Method::kGrid);
    EXPECT_THROW(begin(asked, {.changed =
                                   [&](const sweep::Sweep& now) {
                                       const std::lock_guard lock(world_->mutex);
                                       if (now.best()) world_->answers = false;
                                   }}),
                 engine::Error);
    world_->answers = true;
    SweepFolder held = SweepFolder::open(folder());
    sweep::SweepFile file = held.load();
    EXPECT_EQ(run(held, file.sweep), SweepEnd::kOver);
    EXPECT_EQ(world_->epochs_trained, 9 * 9);
}

}  // namespace
}  // namespace agent::client
