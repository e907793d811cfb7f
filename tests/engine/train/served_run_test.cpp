// Runs whose variables lie on parameter servers: what the chief tells of steps that others take, and what becomes of a branch.
#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/project/strategy_table.h"
#include "engine/train/trainer.h"
#include "tests/support/local_servers.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::LocalServers;
using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::RecordingObserver;
using tests::support::replica;
using tests::support::TempDir;
using tests::support::WorkersServers;

using testing::Contains;
using testing::Field;
using testing::HasSubstr;

constexpr std::int64_t kLength = 10;  // steps of an epoch

const data::Dataset& quarters() {
    static const data::Dataset dataset{"quarters", quarterImages(200), quarterImages(50, 8, 2)};
    return dataset;
}

spec::RunSpec servedRun(std::int64_t epochs) {
    spec::RunSpec run = quarterRun();
    run.strategy.name = spec::strategyName(spec::StrategyKind::kParameterServer);
    run.data.validation_split = 0.2;
    run.fit.epochs = epochs;
    return run;
}

// Does something at the trainer's moments.
class Moments final : public Callback {
public:
    struct Actions {
        std::function<void()> test_begin;
        std::function<void(std::int64_t step)> step_end;
        std::function<void(std::int32_t epoch)> epoch_end{};
    };
    explicit Moments(Actions actions) : actions_(std::move(actions)) {}
    void onTestBegin(TrainingContext& /*context*/) override {
        if (actions_.test_begin) actions_.test_begin();
    }
    void onEpochEnd(TrainingContext& /*context*/, std::int32_t epoch, Logs& /*logs*/) override {
        if (actions_.epoch_end) actions_.epoch_end(epoch);
    }
    void onStepEnd(TrainingContext& context, std::int32_t /*epoch*/, std::int64_t /*batch*/) override {
        if (actions_.step_end) actions_.step_end(context.iterations());
    }
    bool wantsSteps() const override { return static_cast<bool>(actions_.step_end); }

private:
    const Actions actions_;
};

// A run with two workers and two servers. All is one thread's: worker 1 trains where a test lets it.
class Served {
public:
    explicit Served(spec::RunSpec run) : run_(std::move(run)), servers_(run_, task(0)) {}

    FitOutcome fit(int rank, Moments::Actions actions = {}) {
        const spec::TaskPlan plan = task(rank);
        WorkersServers ways(servers_, run_, plan);
        TrainerOptions options;
        options.make_executor = &backend::makeCpuExecutor;
        options.run_dir = folder(rank);
        options.dataset = quarters();
        options.servers = &ways;
        options.hooks = [&] {
            Callbacks hooks;
            hooks.push_back(std::make_unique<Moments>(std::move(actions)));
            return hooks;
        };
        const FitOutcome outcome = Trainer(run_, plan, nullptr, observer(rank), options).fit();
        ways.leave(outcome.state == spec::TaskState::kDone && outcome.servers_are_complete);
        return outcome;
    }
    RecordingObserver& observer(int rank) { return observers_[static_cast<std::size_t>(rank)]; }
    LocalServers& servers() { return servers_; }
    std::filesystem::path folder(int rank) const { return folder_.path() / std::to_string(rank); }

    // The epochs that the task told the end of, from 1, and their logs.
    std::vector<std::int32_t> epochs(int rank) {
        std::vector<std::int32_t> found;
        for (const spec::EpochEnd& end : observer(rank).all<spec::EpochEnd>()) found.push_back(end.epoch + 1);
        return found;
    }

private:
    spec::TaskPlan task(int rank) const {
        spec::TaskPlan plan = replica(run_, rank);
        plan.servers = 2;
        return plan;
    }

    const spec::RunSpec run_;
    const TempDir folder_;
    LocalServers servers_;
    RecordingObserver observers_[2];
};

double resultOf(const FitOutcome& outcome, const std::string& name) {
    const auto& results = outcome.finished.results;
    const auto found = std::find_if(results.begin(), results.end(), [&](const auto& result) { return result.first == name; });
    return found == results.end() ? -1 : found->second;
}

// While the chief validates its first epoch, worker 1 does all other steps and says that the run has them all.
TEST(ServedRun, AChiefEndsTheLastEpochWhereAnotherWorkerHadTheLastStep) {
    Served served(servedRun(6));
    bool done = false;
    const FitOutcome outcome = served.fit(0, {.test_begin =
                                                  [&] {
                                                      if (!std::exchange(done, true)) served.fit(1);
                                                  },
                                              .step_end = {}});
    EXPECT_EQ(outcome.state, spec::TaskState::kDone);
    EXPECT_EQ(served.epochs(0), (std::vector<std::int32_t>{1, 6})) << "what ended while nobody looked is told once";
    const spec::EpochEnd last = served.observer(0).all<spec::EpochEnd>().back();
    EXPECT_NE(findLog(last.logs, "val_loss"), nullptr);
    EXPECT_GE(last.step, 6 * kLength);
}

TEST(ServedRun, EpochsThatEndTogetherAreValidatedWhereOneOfThemIsDue) {
    spec::RunSpec run = servedRun(6);
    run.fit.validation_epochs = {1, 4};
    Served served(run);
    bool done = false;
    served.fit(0, {.test_begin =
                       [&] {
                           if (!std::exchange(done, true)) served.fit(1);
                       },
                   .step_end = {}});
    EXPECT_EQ(served.epochs(0), (std::vector<std::int32_t>{1, 6}));
    EXPECT_NE(findLog(served.observer(0).all<spec::EpochEnd>().back().logs, "val_loss"), nullptr);
}

// Worker 1 stops in the fourth epoch: of the third the chief has no step.
TEST(ServedRun, AnEpochWithoutStepsOfTheChiefHasNoLoss) {
    spec::RunSpec run = servedRun(4);
    run.callbacks = {{"ModelCheckpoint", {{"filepath", "checkpoints/at_{epoch}_{loss:.0f}"}}}};
    Served served(run);
    served.observer(1).askBeforeStep(3 * kLength - 8, {spec::ControlVerb::kStop});
    bool done = false;
    served.fit(0, {.test_begin =
                       [&] {
                           if (!std::exchange(done, true)) served.fit(1);
                       },
                   .step_end = {}});
    ASSERT_EQ(served.epochs(0), (std::vector<std::int32_t>{1, 2, 3, 4}));
    for (const spec::EpochEnd& end : served.observer(0).all<spec::EpochEnd>()) {
        const bool has_steps = end.epoch != 2;
        EXPECT_EQ(findLog(end.logs, "loss") != nullptr, has_steps) << "epoch " << end.epoch + 1;
        EXPECT_EQ(findLog(end.logs, "accuracy") != nullptr, has_steps) << "epoch " << end.epoch + 1;
        EXPECT_NE(findLog(end.logs, "val_loss"), nullptr) << "epoch " << end.epoch + 1;
    }
    const std::vector<spec::CheckpointSaved> saved = served.observer(0).all<spec::CheckpointSaved>();
    ASSERT_EQ(saved.size(), 4U);
    EXPECT_EQ(saved[2].prefix, "checkpoints/at_3_nan") << "saved without knowing it";
}

// What a run without servers has left behind step 21, in the third epoch.
struct Parent {
    std::filesystem::path checkpoint, backup;
};

Parent parentIn(const TempDir& folder) {
    spec::RunSpec run = servedRun(4);
    run.strategy = {};
    run.callbacks = {{"ModelCheckpoint", {{"filepath", "checkpoints/at_{batch}"}, {"save_freq", std::int64_t{7}}}},
                     {"BackupAndRestore", {{"save_freq", std::int64_t{7}}}}};
    RecordingObserver observer;
    observer.askBeforeStep(25, {spec::ControlVerb::kStopNow});
    TrainerOptions options;
    options.make_executor = &backend::makeCpuExecutor;
    options.run_dir = folder.path();
    options.dataset = quarters();
    Trainer(run, replica(run), nullptr, observer, options).fit();
    Parent parent{.checkpoint = {}, .backup = folder.path() / "backup" / "latest.backup"};
    for (const spec::CheckpointSaved& saved : observer.all<spec::CheckpointSaved>()) {
        if (saved.step == 21) parent.checkpoint = folder.path() / saved.prefix;
    }
    EXPECT_TRUE(std::filesystem::exists(parent.backup));
    return parent;
}

spec::RunSpec branchOf(const std::filesystem::path& file, std::int64_t epochs) {
    spec::RunSpec run = servedRun(epochs);
    run.fit.initial_weights = file.string();
    run.fit.initial_state = true;
    return run;
}

TEST(ServedRun, EveryWorkerOfABranchTrains) {
    const TempDir folder;
    const Parent parent = parentIn(folder);
    for (const std::filesystem::path& file : {parent.checkpoint, parent.backup}) {
        SCOPED_TRACE(file);
        Served served(branchOf(file, 4));
        bool begun = false;
        const FitOutcome outcome = served.fit(0, {.test_begin = {}, .step_end = [&](std::int64_t) {
                                                      if (std::exchange(begun, true)) return;
                                                      served.observer(1).askBeforeStep(4, {spec::ControlVerb::kStop});
                                                      served.fit(1);
                                                  }});
        EXPECT_EQ(outcome.state, spec::TaskState::kDone);
        EXPECT_EQ(served.observer(1).column("loss").size(), 4U);
        EXPECT_THAT(served.observer(0).all<spec::LogLine>(), Contains(Field(&spec::LogLine::text, HasSubstr("21 steps done in all"))));
        EXPECT_EQ(served.servers().store(0).globalStep(), 4 * kLength);
    }
}

// As without servers: the epochs before the first one are not trained.
TEST(ServedRun, BeginsWithItsInitialEpoch) {
    spec::RunSpec run = servedRun(4);
    run.fit.initial_epoch = 2;
    Served served(run);
    bool begun = false;
    served.fit(0, {.test_begin = {}, .step_end = [&](std::int64_t step) {
                       if (step < 5 || std::exchange(begun, true)) return;
                       served.fit(1);
                   }});
    EXPECT_EQ(served.epochs(1), (std::vector<std::int32_t>{3, 4}));
    EXPECT_EQ(served.epochs(0), (std::vector<std::int32_t>{4})) << "the same, of which the third ended while it waited";
    EXPECT_EQ(served.observer(1).all<spec::EpochEnd>().back().step, 2 * kLength);
}

// It stands behind the first of 10 steps of its third epoch, which is as far as behind 2 of 20.
TEST(ServedRun, ABranchWithLongerEpochsCountsOnThoseOfItsFile) {
    const TempDir folder;
    spec::RunSpec run = branchOf(parentIn(folder).backup, 4);
    run.data.batch_size_per_replica = 8;
    Served served(run);
    bool begun = false;
    served.fit(0, {.test_begin = {}, .step_end = [&](std::int64_t step) {
                       if (step < 25 || std::exchange(begun, true)) return;
                       served.fit(1);
                   }});
    EXPECT_EQ(served.epochs(1), (std::vector<std::int32_t>{3, 4}));
    EXPECT_EQ(served.epochs(0), (std::vector<std::int32_t>{4}));
    const std::vector<spec::EpochEnd> ends = served.observer(1).all<spec::EpochEnd>();
    EXPECT_EQ(ends.front().step, 21 + 18);
    EXPECT_EQ(ends.back().step, 21 + 18 + 20);
}

// Chief and servers are gone: the backup alone knows where the epochs begin.
TEST(ServedRun, ABackupSaysWhereEpochsBegin) {
    spec::RunSpec run = servedRun(5);
    run.fit.initial_epoch = 2;
    run.callbacks = {{"BackupAndRestore", {{"save_freq", std::string("epoch")}}}};
    Served served(run);
    bool begun = false;
    served.observer(1).askBeforeStep(3, {spec::ControlVerb::kStop});
    served.observer(0).askBeforeStep(13, {spec::ControlVerb::kStopNow});
    served.fit(0, {.test_begin = {}, .step_end = [&](std::int64_t step) {
                       if (step < kLength - 1 || std::exchange(begun, true)) return;
                       served.fit(1);  // its epoch ends three steps late, and so stands in the backup
                   }});
    ASSERT_EQ(served.epochs(0), (std::vector<std::int32_t>{3}));
    ASSERT_EQ(served.observer(0).all<spec::EpochEnd>().front().step, kLength + 3);
    served.servers().lose(0);
    served.servers().lose(1);
    served.fit(0);
    EXPECT_EQ(served.epochs(0), (std::vector<std::int32_t>{3, 4, 5}));
    EXPECT_EQ(served.servers().store(0).globalStep(), 3 * kLength);
}

// The values come back; epochs and callbacks go on.
TEST(ServedRun, AServerThatABranchLosesBeforeItHasSavedAnythingRewindsNoEpoch) {
    const TempDir folder;
    Served served(branchOf(parentIn(folder).backup, 6));
    bool lost = false;
    const FitOutcome outcome = served.fit(0, {.test_begin = {}, .step_end = [&](std::int64_t step) {
                                                  if (step < 35 || std::exchange(lost, true)) return;
                                                  served.servers().lose(0);
                                              }});
    EXPECT_EQ(outcome.state, spec::TaskState::kDone);
    EXPECT_TRUE(lost);
    EXPECT_EQ(served.epochs(0), (std::vector<std::int32_t>{3, 4, 5, 6}));
    EXPECT_EQ(served.servers().store(0).globalStep(), 6 * kLength);
}

// No file has the values of the end yet: those that the chief has in hand are given to the server.
TEST(ServedRun, AServerThatIsLostWhileTheChiefValidatesTakesNoStepBack) {
    Served served(servedRun(1));
    bool lost = false;
    const FitOutcome outcome = served.fit(0, {.test_begin =
                                                  [&] {
                                                      if (!std::exchange(lost, true)) served.servers().lose(0);
                                                  },
                                              .step_end = {}});
    EXPECT_EQ(outcome.state, spec::TaskState::kDone);
    EXPECT_TRUE(lost);
    EXPECT_TRUE(outcome.servers_are_complete);
    EXPECT_EQ(resultOf(outcome, "global_step"), static_cast<double>(kLength));
    EXPECT_EQ(served.servers().store(0).globalStep(), kLength);
    EXPECT_EQ(served.observer(0).column("loss").size(), static_cast<std::size_t>(kLength));
}

// The chief, which would give the server its values, does nothing until the worker has ended.
TEST(ServedRun, AWorkerThatHasAllStepsWaitsForNoServerThatIsLost) {
    spec::RunSpec run = servedRun(1);
    run.cluster.start_timeout_s = 1;
    Served served(run);
    std::optional<FitOutcome> worker;
    const FitOutcome chief = served.fit(
        0, {.test_begin = {}, .step_end = [&](std::int64_t step) {
                if (step < 5 || worker) return;
                worker = served.fit(1, {.test_begin = {}, .step_end = {}, .epoch_end = [&](std::int32_t) { served.servers().lose(0); }});
            }});
    ASSERT_TRUE(worker.has_value());
    EXPECT_EQ(worker->state, spec::TaskState::kDone);
    EXPECT_EQ(resultOf(*worker, "global_step"), static_cast<double>(kLength));
    EXPECT_EQ(chief.state, spec::TaskState::kDone);
    EXPECT_EQ(resultOf(chief, "global_step"), static_cast<double>(kLength)) << "it has taken the lost steps again";
}

// The first server is lost behind the tenth step, just before that is backed up, the next one two steps later.
TEST(ServedRun, NoBackupSaysThatItHasStepsThatWereLost) {
    spec::RunSpec run = servedRun(1);
    run.callbacks = {{"BackupAndRestore", {{"save_freq", std::int64_t{5}}}}};
    Served served(run);
    int lost = 0;
    const FitOutcome outcome = served.fit(0, {.test_begin = {}, .step_end = [&](std::int64_t step) {
                                                  if (step != (lost == 0 ? kLength : 7) || lost == 2) return;
                                                  ++lost;
                                                  served.servers().lose(0);
                                              }});
    EXPECT_EQ(outcome.state, spec::TaskState::kDone);
    EXPECT_EQ(lost, 2);
    EXPECT_EQ(served.observer(0).column("loss").size(), 10U + 2U + 5U) << "all restored values were those behind step 5";
    EXPECT_EQ(served.servers().store(0).globalStep(), kLength);
}

}  // namespace
}  // namespace engine::train
