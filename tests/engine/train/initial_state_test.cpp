// A run that begins as another one stood (fit.initial_state): a branch that changes nothing ends with the bytes of its parent.
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "engine/spec/events/checkpoint_list.h"
#include "engine/train/input_check.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::layer;
using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::RecordingObserver;
using tests::support::replica;
using tests::support::TempDir;

using testing::Contains;
using testing::HasSubstr;

constexpr std::int64_t kStep = 21;  // in the second epoch of 13 steps, of one replica

// Samples in an order of their own each epoch, and noise that depends on the step.
spec::RunSpec parentRun() {
    spec::RunSpec run = quarterRun();
    run.model.layers.insert(run.model.layers.end() - 1, layer("Dropout", "dropout", {{"rate", 0.25}}));
    run.compile.optimizer.config.set(
        "learning_rate",
        spec::ObjectSpec{"ExponentialDecay", {{"initial_learning_rate", 0.01}, {"decay_steps", std::int64_t{10}}, {"decay_rate", 0.9}}});
    run.fit.epochs = 4;
    run.callbacks = {{"ModelCheckpoint", {{"filepath", "checkpoints/at_{epoch}_{batch}"}, {"save_freq", std::int64_t{7}}}},
                     {"BackupAndRestore", {{"save_freq", std::int64_t{7}}}}};
    return run;
}

const data::Dataset& quarters() {
    static const data::Dataset dataset{"quarters", quarterImages(200), quarterImages(50, 8, 2)};
    return dataset;
}

struct Trained {
    FitOutcome outcome;
    std::vector<std::string> lines;  // of the chief
    std::vector<spec::CheckpointSaved> checkpoints;
    std::int64_t resumed_step = 0;
    std::vector<float> losses;         // of its steps
    std::vector<std::int32_t> epochs;  // that it ended, from 0
};

// The list of checkpoints, which a run's task writes.
void writeList(const RecordingObserver& observer, const std::filesystem::path& folder) {
    std::ofstream list(folder / spec::kCheckpointListFile);
    const auto add = [&](const auto& events) {
        for (const auto& event : events) list << *spec::checkpointListLine(event) << '\n';
    };
    add(observer.all<spec::RunStarted>());
    add(observer.all<spec::CheckpointSaved>());
    add(observer.all<spec::EpochEnd>());
}

Trained train(const spec::RunSpec& run, const std::filesystem::path& folder, int replicas = 1, std::int64_t stops_before = 0) {
    Trained trained;
    const auto fit = [&](int rank, distribute::Collective* collective) {
        RecordingObserver observer;
        if (stops_before > 0) observer.askBeforeStep(stops_before, {spec::ControlVerb::kStopNow});
        TrainerOptions options;
        options.make_executor = &backend::makeCpuExecutor;
        options.run_dir = rank == 0 ? folder : folder / ("other" + std::to_string(rank));
        options.dataset = quarters();
        FitOutcome outcome = Trainer(run, replica(run, rank, replicas), collective, observer, options).fit();
        if (rank != 0) return;
        trained.outcome = std::move(outcome);
        for (const spec::LogLine& line : observer.all<spec::LogLine>()) trained.lines.push_back(line.text);
        trained.checkpoints = observer.all<spec::CheckpointSaved>();
        trained.resumed_step = observer.all<spec::RunStarted>().at(0).resumed_step;
        trained.losses = observer.column("loss");
        for (const spec::EpochEnd& end : observer.all<spec::EpochEnd>()) trained.epochs.push_back(end.epoch);
        writeList(observer, folder);
    };
    if (replicas == 1) {
        fit(0, nullptr);
    } else {
        tests::support::spawnRanks(replicas, [&](distribute::Collective& collective) { fit(collective.rank(), &collective); });
    }
    return trained;
}

// The checkpoint of that step, absolute.
std::string checkpointAt(const Trained& parent, const std::filesystem::path& folder, std::int64_t step) {
    for (const spec::CheckpointSaved& saved : parent.checkpoints) {
        if (saved.step == step) return (folder / saved.prefix).string();
    }
    ADD_FAILURE() << "no checkpoint of step " << step;
    return "";
}

spec::RunSpec branchOf(spec::RunSpec run, const std::string& file) {
    run.fit.initial_weights = file;
    run.fit.initial_state = true;
    return run;
}

void expectTail(const std::vector<float>& parent, const std::vector<float>& branch, std::int64_t behind) {
    ASSERT_EQ(branch.size() + static_cast<std::size_t>(behind), parent.size());
    EXPECT_TRUE(std::equal(branch.begin(), branch.end(), parent.begin() + behind)) << "losses of the same steps differ";
}

class BranchOf : public testing::TestWithParam<int> {};

TEST_P(BranchOf, ABackupEndsWithTheBytesOfItsParent) {
    const int replicas = GetParam();
    spec::RunSpec run = parentRun();
    // What only a backup knows of them.
    run.callbacks.push_back(
        {"ReduceLROnPlateau", {{"monitor", "loss"}, {"patience", std::int64_t{1}}, {"factor", 0.5}, {"min_delta", 10.0}}});
    run.callbacks.push_back({"CSVLogger", {{"filename", "log.csv"}}});
    run.compile.optimizer.config.set("learning_rate", 0.01);
    const TempDir whole, stopped, branch;
    const Trained parent = train(run, whole.path(), replicas);
    train(run, stopped.path(), replicas, 11);
    const Trained child = train(branchOf(run, (stopped.path() / "backup" / "latest.backup").string()), branch.path(), replicas);
    EXPECT_EQ(child.outcome.finished.weights_sha256, parent.outcome.finished.weights_sha256);
    EXPECT_GE(child.resumed_step, 7) << "the last backup before the stop";
    expectTail(parent.losses, child.losses, child.resumed_step);
    EXPECT_THAT(child.lines, Contains(HasSubstr("Begins at epoch ")));
    // Its files are its own: a log with a head, and no checkpoint of another folder.
    std::string head;
    std::getline(std::ifstream(branch.path() / "log.csv") >> std::ws, head);
    EXPECT_EQ(head.rfind("epoch", 0), 0U) << head;
    EXPECT_TRUE(std::filesystem::exists(branch.path() / (child.outcome.finished.checkpoint + ".index")))
        << child.outcome.finished.checkpoint;
}

TEST_P(BranchOf, ACheckpointEndsWithTheBytesOfItsParent) {
    const int replicas = GetParam();
    const spec::RunSpec run = parentRun();
    const TempDir folder, branch;
    const Trained parent = train(run, folder.path(), replicas);
    const Trained child = train(branchOf(run, checkpointAt(parent, folder.path(), kStep)), branch.path(), replicas);
    EXPECT_EQ(child.outcome.finished.weights_sha256, parent.outcome.finished.weights_sha256);
    EXPECT_EQ(child.resumed_step, kStep);
    expectTail(parent.losses, child.losses, kStep);
}

INSTANTIATE_TEST_SUITE_P(Replicas, BranchOf, testing::Values(1, 2));

TEST(Branch, OfAKerasFileEndsWithTheBytesOfItsParent) {
    spec::RunSpec run = parentRun();
    run.callbacks = {{"ModelCheckpoint", {{"filepath", "at_{epoch}_{batch}.keras"}, {"save_freq", std::int64_t{7}}}}};
    const TempDir folder, branch;
    const Trained parent = train(run, folder.path());
    const Trained child = train(branchOf(run, checkpointAt(parent, folder.path(), kStep)), branch.path());
    EXPECT_EQ(child.outcome.finished.weights_sha256, parent.outcome.finished.weights_sha256);
}

TEST(Branch, ThatWasInterruptedGoesOnFromItsOwnBackup) {
    const spec::RunSpec run = parentRun();
    const TempDir folder, branch;
    const Trained parent = train(run, folder.path());
    const spec::RunSpec child = branchOf(run, checkpointAt(parent, folder.path(), kStep));
    train(child, branch.path(), 1, 12);  // step 32
    const Trained again = train(child, branch.path());
    EXPECT_EQ(again.resumed_step, 28);
    EXPECT_EQ(again.outcome.finished.weights_sha256, parent.outcome.finished.weights_sha256);
}

TEST(Branch, WithOtherSettingsBeginsWithWeightsOptimizerAndPlace) {
    const spec::RunSpec run = parentRun();
    const TempDir folder, faster, other;
    train(run, folder.path(), 1, kStep + 1);
    spec::RunSpec changed = branchOf(run, (folder.path() / "backup" / "latest.backup").string());
    changed.compile.optimizer.config.set("learning_rate", 0.5);
    const Trained child = train(changed, faster.path());
    EXPECT_EQ(child.resumed_step, kStep);
    EXPECT_THAT(child.lines, Contains(HasSubstr("Begins at epoch 2, step 8 (21 steps done in all)")));
    EXPECT_THAT(child.lines, testing::Not(Contains(HasSubstr("begin anew"))));
    changed.compile.optimizer = {"Adamax", {}};
    const Trained another = train(changed, other.path());
    EXPECT_EQ(another.resumed_step, kStep);
    EXPECT_THAT(another.lines, Contains(HasSubstr("begin anew")));
}

// Epochs count on whatever length they have: of 13 steps before.
class BranchOfOtherLength : public testing::Test {
protected:
    BranchOfOtherLength() {
        run_.callbacks = {{"ModelCheckpoint", {{"filepath", "checkpoints/ckpt_{epoch}"}}}};
        parent_ = train(run_, folder_.path());
    }
    Trained branch(spec::RunSpec run, std::int64_t step, int replicas = 1) const {
        const TempDir folder;
        return train(branchOf(std::move(run), checkpointAt(parent_, folder_.path(), step)), folder.path(), replicas);
    }

    spec::RunSpec run_ = parentRun();
    const TempDir folder_;
    Trained parent_;
};

TEST_F(BranchOfOtherLength, TrainsTheEpochsThatAreLeft) {
    spec::RunSpec larger = run_, smaller = run_;
    larger.data.batch_size_per_replica = 32;
    smaller.data.batch_size_per_replica = 8;
    const std::vector<std::int32_t> left{2, 3};
    EXPECT_EQ(branch(larger, 26).epochs, left);
    EXPECT_EQ(branch(smaller, 26).epochs, left);
    EXPECT_EQ(branch(run_, 26, 2).epochs, left) << "of two replicas";
    EXPECT_EQ(branch(larger, 26).losses.size(), 2U * 7);
    EXPECT_EQ(branch(smaller, 26).losses.size(), 2U * 25);
}

TEST_F(BranchOfOtherLength, IsAsFarInTheSamplesOfItsEpoch) {
    run_.callbacks = {{"ModelCheckpoint", {{"filepath", "checkpoints/at_{batch}_{epoch}"}, {"save_freq", std::int64_t{17}}}}};
    const TempDir folder, other;
    const Trained parent = train(run_, folder.path());
    run_.data.batch_size_per_replica = 8;
    const Trained child = train(branchOf(run_, checkpointAt(parent, folder.path(), 17)), other.path());
    EXPECT_EQ(child.epochs, (std::vector<std::int32_t>{1, 2, 3}));
    EXPECT_EQ(child.losses.size(), 25U - 8 + 2 * 25) << "behind 4 batches of 16";
}

TEST_F(BranchOfOtherLength, OfABranchCountsFromThatOnesEpochs) {
    run_.data.batch_size_per_replica = 32;
    const TempDir child_folder, folder;
    const Trained child = train(branchOf(run_, checkpointAt(parent_, folder_.path(), 26)), child_folder.path());
    run_.data.batch_size_per_replica = 16;
    EXPECT_EQ(train(branchOf(run_, checkpointAt(child, child_folder.path(), 33)), folder.path()).epochs, (std::vector<std::int32_t>{3}));
}

TEST_F(BranchOfOtherLength, GoesOnFromABackupOfEpochsWithAnotherNumberOfSteps) {
    run_.callbacks = {{"BackupAndRestore", {{"save_freq", std::int64_t{7}}}}};
    run_.fit.steps_per_epoch = 7;
    const TempDir stopped, folder;
    train(run_, stopped.path(), 1, 16);  // the last backup is behind two epochs
    spec::RunSpec run = branchOf(run_, (stopped.path() / "backup" / "latest.backup").string());
    run.fit.steps_per_epoch = 5;
    const Trained child = train(run, folder.path());
    EXPECT_EQ(child.epochs, (std::vector<std::int32_t>{2, 3}));
    EXPECT_EQ(child.losses.size(), 10U);
}

TEST_F(BranchOfOtherLength, IsRefusedBeforeItStartsWhereNoEpochIsLeft) {
    spec::RunSpec run = branchOf(run_, checkpointAt(parent_, folder_.path(), 26));
    const InputCheckOptions here{.dataset_folders = {}, .base = folder_.path(), .run_folder = {}, .weights_file = {}};
    EXPECT_TRUE(checkInputs(run, here).empty());
    run.fit.epochs = 2;
    run.data.batch_size_per_replica = 64;
    const spec::Diagnostics found = checkInputs(run, here);
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].path, "fit.epochs");
    EXPECT_THAT(found[0].message, testing::StartsWith("expected more than the 2 epochs that lie behind "));
}

class RefusedBranch : public testing::Test {
protected:
    void SetUp() override { parent_ = train(run_, folder_.path()); }
    std::string refusal(const spec::RunSpec& run) const {
        const TempDir branch;
        try {
            train(run, branch.path());
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    }

    const spec::RunSpec run_ = parentRun();
    const TempDir folder_;
    Trained parent_;
};

TEST_F(RefusedBranch, HasNothingLeftToTrain) {
    spec::RunSpec run = branchOf(run_, checkpointAt(parent_, folder_.path(), 49));
    run.fit.epochs = 3;
    EXPECT_THAT(refusal(run), HasSubstr("fit.epochs: expected more than the 3 epochs that lie behind"));
}

TEST_F(RefusedBranch, HasAnotherModel) {
    spec::RunSpec run = branchOf(run_, checkpointAt(parent_, folder_.path(), kStep));
    run.model.layers[0].config.set("filters", std::int64_t{5});
    const std::string told = refusal(run);
    EXPECT_THAT(told, HasSubstr("conv2d"));
    const spec::Diagnostics found = checkInputs(run, {.dataset_folders = {}, .base = folder_.path(), .run_folder = {}, .weights_file = {}});
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].path, "fit.initial_weights");
}

TEST_F(RefusedBranch, OfABackupOfAnotherModelNamesTheWeight) {
    const TempDir stopped;
    train(run_, stopped.path(), 1, kStep + 1);
    spec::RunSpec run = branchOf(run_, (stopped.path() / "backup" / "latest.backup").string());
    run.model.layers.back().config.set("units", std::int64_t{7});
    EXPECT_THAT(refusal(run), testing::AllOf(HasSubstr("latest.backup: expected the weights of this model, "), HasSubstr("dense")));
}

}  // namespace
}  // namespace engine::train
