// A run that is killed and started again, as often as it takes, against one that was left alone: the same bytes in every file.
#include <fstream>
#include <map>
#include <numeric>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/spec/error.h"
#include "engine/train/fingerprint.h"
#include "tests/support/event_reader.h"
#include "tests/support/spawn_ranks.h"
#include "tests/support/temp_dir.h"
#include "tests/support/training.h"

namespace engine::train {
namespace {

using tests::support::layer;
using tests::support::quarterImages;
using tests::support::quarterRun;
using tests::support::replica;
using tests::support::TempDir;

using testing::HasSubstr;

struct Killed {};

// Ends the trainer's thread between two steps, as a kill would; says what the user asks for before a step.
class MortalObserver final : public TrainingObserver {
public:
    void report(spec::EventBody body) override {
        if (const auto* line = std::get_if<spec::LogLine>(&body)) {
            lines.push_back(line->text);
        } else if (const auto* points = std::get_if<spec::StepPoints>(&body)) {
            reported_ += static_cast<std::int64_t>(points->step.size());
        }
    }
    // Everything that the backup will count has been reported by now.
    bool confirmKept() override {
        EXPECT_EQ(reported_.load(), asked_) << "steps reported, of those that this start has made";
        return keeps;
    }
    std::optional<spec::Control> takeControl(std::chrono::milliseconds /*wait*/) override {
        ++asked_;
        if (asked_ == dies_before) {
            throw Killed{};
        }
        return asked_ == asks_before ? std::optional(control) : std::nullopt;
    }

    std::int64_t dies_before = -1;  // step of this start, from 1
    std::int64_t asks_before = -1;
    spec::Control control;
    std::vector<std::string> lines;
    bool keeps = true;  // what is reported

private:
    std::int64_t asked_ = 0;
    std::atomic<std::int64_t> reported_ = 0;
};

spec::ObjectSpec backup(spec::FieldValue save_freq) {
    return {"BackupAndRestore", {{"save_freq", std::move(save_freq)}}};
}

// 13 steps an epoch, the last of 8 samples, with everything that has a state.
spec::RunSpec run(spec::FieldValue save_freq) {
    spec::RunSpec run = quarterRun();
    run.model.layers.insert(run.model.layers.end() - 1, layer("Dropout", "dropout", {{"rate", 0.25}}));
    run.fit.epochs = 5;
    run.callbacks = {{"ModelCheckpoint", {{"filepath", "checkpoints/at_{epoch}_{batch}"}, {"save_freq", std::int64_t{7}}}},
                     {"ReduceLROnPlateau", {{"patience", std::int64_t{1}}, {"factor", 0.5}, {"min_delta", 10.0}}},
                     {"CSVLogger", {{"filename", "log.csv"}}},
                     {"EarlyStopping", {{"patience", std::int64_t{2}}, {"min_delta", 0.02}, {"restore_best_weights", true}}},
                     backup(std::move(save_freq))};
    return run;
}

const data::Dataset& quarters() {
    static const data::Dataset dataset{"quarters", quarterImages(200), quarterImages(50, 8, 2)};
    return dataset;
}

// The same with labels that can be mixed.
const data::Dataset& rowsOfQuarters() {
    const auto rows = [](std::int64_t count, std::uint32_t salt) {
        auto samples = std::const_pointer_cast<data::Samples>(quarterImages(count, 8, salt));
        data::oneHotLabels(*samples, 4);
        return samples;
    };
    static const data::Dataset dataset{"quarters", rows(200, 1), rows(50, 2)};
    return dataset;
}

struct Start {
    bool killed = false;
    std::vector<FitOutcome> outcomes;  // of each rank
};

// One start of every replica in the chief's folder and folders of the others' own.
Start start(const spec::RunSpec& run, const TempDir& folder, std::vector<MortalObserver>& observers,
            ExecutorFactory make_executor = &backend::makeReferenceExecutor) {
    const int replicas = static_cast<int>(observers.size());
    Start result{false, std::vector<FitOutcome>(observers.size())};
    std::atomic<bool> killed = false;
    const auto fit = [&](int rank, distribute::Collective* collective) {
        const auto at = static_cast<std::size_t>(rank);
        TrainerOptions options;
        options.make_executor = make_executor;
        options.run_dir = rank == 0 ? folder.path() : folder.path() / ("other" + std::to_string(rank));
        options.dataset = run.data.one_hot > 0 ? rowsOfQuarters() : quarters();
        options.pause_poll = std::chrono::milliseconds(5);
        try {
            result.outcomes[at] = Trainer(run, replica(run, rank, replicas), collective, observers[at], options).fit();
        } catch (const Killed&) {
            killed = true;
        }
    };
    if (replicas == 1) {
        fit(0, nullptr);
    } else {
        tests::support::spawnRanks(replicas, [&](distribute::Collective& collective) { fit(collective.rank(), &collective); });
    }
    result.killed = killed;
    return result;
}

std::map<std::string, std::string> filesOf(const TempDir& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
        if (entry.is_regular_file()) {
            std::ostringstream bytes;
            bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
            files[entry.path().lexically_relative(folder.path()).string()] = bytes.str();
        }
    }
    return files;
}

struct Ending {
    std::string weights_sha256;
    std::map<std::string, std::string> files;
    int starts = 0;
    std::vector<std::string> lines;  // of the chief's last start
};

// Every start dies before its step `lives`, and does one step more than the one before, until the run is done.
Ending train(const spec::RunSpec& run, int replicas, std::int64_t lives, ExecutorFactory make_executor = &backend::makeReferenceExecutor) {
    const TempDir folder;
    Ending ending;
    while (++ending.starts < 50) {
        std::vector<MortalObserver> observers(static_cast<std::size_t>(replicas));
        for (MortalObserver& observer : observers) {
            observer.dies_before = lives < 0 ? -1 : lives + ending.starts;
        }
        const Start one = start(run, folder, observers, make_executor);
        if (one.killed) {
            continue;
        }
        for (const FitOutcome& outcome : one.outcomes) {
            EXPECT_EQ(outcome.state, spec::TaskState::kDone);
            EXPECT_EQ(outcome.finished.weights_sha256, one.outcomes[0].finished.weights_sha256);
        }
        ending.weights_sha256 = one.outcomes[0].finished.weights_sha256;
        ending.files = filesOf(folder);
        ending.lines = observers[0].lines;
        return ending;
    }
    ADD_FAILURE() << "the run got nowhere";
    return ending;
}

struct Case {
    const char* name;
    int replicas;
    spec::FieldValue save_freq;
    std::int64_t lives;  // steps of the first start
    ExecutorFactory make_executor = &backend::makeReferenceExecutor;
    const char* dtype_policy = "float32";
    std::int64_t devices = 1;  // of each task
};
void PrintTo(const Case& row, std::ostream* out) {
    *out << row.name;
}

class Resume : public testing::TestWithParam<Case> {};

TEST_P(Resume, EndsWithTheBytesOfARunLeftAlone) {
    const Case& row = GetParam();
    spec::RunSpec project = run(row.save_freq);
    // Between two epochs a backup holds weights and moving averages as they are exchanged.
    project.compile.optimizer.config.set("use_ema", true);
    project.callbacks.insert(project.callbacks.begin(), {"SwapEMAWeights", {{"swap_on_epoch", true}}});
    project.model.dtype_policy = row.dtype_policy;
    project.strategy.logical_cpus = row.devices;
    project.data.batch_size_per_replica /= row.devices;
    const Ending alone = train(project, row.replicas, -1, row.make_executor);
    const Ending disturbed = train(project, row.replicas, row.lives, row.make_executor);
    EXPECT_EQ(alone.starts, 1);
    EXPECT_GT(disturbed.starts, 2);
    EXPECT_EQ(disturbed.weights_sha256, alone.weights_sha256);
    EXPECT_EQ(disturbed.files.size(), alone.files.size());
    for (const auto& [name, bytes] : alone.files) {
        EXPECT_TRUE(disturbed.files.contains(name) && disturbed.files.at(name) == bytes) << name;
    }
    EXPECT_THAT(disturbed.lines, testing::Contains(HasSubstr("Resumed at epoch ")));
    EXPECT_THAT(disturbed.lines, testing::Contains(HasSubstr("the same as saved")));
}

INSTANTIATE_TEST_SUITE_P(
    Runs, Resume,
    testing::Values(Case{"OneAfterEveryStep", 1, std::int64_t{1}, 4}, Case{"OneAfterEveryThirdStep", 1, std::int64_t{3}, 5},
                    Case{"OneAfterEveryEpoch", 1, "epoch", 16}, Case{"OneOnCpuKernels", 1, std::int64_t{4}, 9, &backend::makeCpuExecutor},
                    Case{"TwoAfterEverySecondStep", 2, std::int64_t{2}, 5}, Case{"TwoAfterEveryEpoch", 2, "epoch", 9},
                    Case{"TwoOnCpuKernels", 2, std::int64_t{3}, 7, &backend::makeCpuExecutor},
                    Case{"TwoInMixedPrecision", 2, std::int64_t{3}, 7, &backend::makeCpuExecutor, "mixed_bfloat16"},
                    Case{"TwoDevicesOfOne", 1, std::int64_t{3}, 7, &backend::makeCpuExecutor, "float32", 2},
                    Case{"TwoDevicesOfEachOfTwo", 2, std::int64_t{3}, 7, &backend::makeCpuExecutor, "float32", 2},
                    Case{"TwoDevicesOfEachAfterEveryEpoch", 2, "epoch", 9, &backend::makeReferenceExecutor, "float32", 2},
                    Case{"TwoDevicesOfEachInMixedPrecision", 2, std::int64_t{2}, 5, &backend::makeCpuExecutor, "mixed_bfloat16", 2}),
    [](const auto& row) { return row.param.name; });

// A run that went on from such a backup would never report those steps again.
TEST(Backup, IsLeftOutWhileWhatItCountsIsNotKept) {
    const TempDir folder;
    std::vector<MortalObserver> observers(1);
    observers[0].keeps = false;
    observers[0].dies_before = 6;
    EXPECT_TRUE(start(run(std::int64_t{2}), folder, observers).killed);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "backup" / "latest.backup"));
    EXPECT_THAT(observers[0].lines, testing::Contains(HasSubstr("the backup after step 2 is left out")));
}

TEST(ResumeOfAnEndlessPipeline, GoesOnWithTheNextSample) {
    spec::RunSpec project = run(std::int64_t{2});
    project.fit.steps_per_epoch = 9;  // 13 batches hold all samples: epochs begin in the middle of a pass
    EXPECT_EQ(train(project, 1, 6).files, train(project, 1, -1).files);
}

TEST(ResumeOfMixedBatches, GoesOnWithTheSameMixtures) {
    spec::RunSpec project = run(std::int64_t{2});
    project.compile.loss = {"CategoricalCrossentropy", {{"from_logits", true}}};
    project.data.one_hot = 4;
    const std::string plain = train(project, 1, -1).weights_sha256;
    for (const spec::ObjectSpec& mix : {spec::ObjectSpec{"MixUp", {{"alpha", 1.0}}}, spec::ObjectSpec{"CutMix", {}}}) {
        project.data.mix = mix;
        for (const int replicas : {1, 2}) {
            for (const std::int64_t steps_per_epoch : {0, 9}) {
                project.fit.steps_per_epoch = steps_per_epoch;
                const Ending alone = train(project, replicas, -1), disturbed = train(project, replicas, 6);
                EXPECT_GT(disturbed.starts, 2);
                EXPECT_EQ(disturbed.files, alone.files) << mix.class_name << " " << replicas << " " << steps_per_epoch;
                EXPECT_NE(alone.weights_sha256, plain);
            }
        }
    }
}

// Orders in which something other than the pass decides what comes next.
struct OrderCase {
    const char* name;
    int replicas;
    std::int64_t steps_per_epoch;
    std::vector<spec::DataStep> order;
};
void PrintTo(const OrderCase& row, std::ostream* out) {
    *out << row.name;
}

class ResumeInAnOrder : public testing::TestWithParam<OrderCase> {};

TEST_P(ResumeInAnOrder, GoesOnWithTheNextSample) {
    const OrderCase& row = GetParam();
    spec::RunSpec project = run(std::int64_t{2});
    project.data.order = row.order;
    project.data.take = 90;
    project.fit.steps_per_epoch = row.steps_per_epoch;
    const Ending alone = train(project, row.replicas, -1), disturbed = train(project, row.replicas, 4);
    EXPECT_GT(disturbed.starts, 2);
    EXPECT_EQ(disturbed.files, alone.files);
    spec::RunSpec usual = project;
    usual.data.order = spec::DataSpec().order;
    EXPECT_NE(train(usual, row.replicas, -1).weights_sha256, alone.weights_sha256) << "the order matters";
}

using enum spec::DataStep;
INSTANTIATE_TEST_SUITE_P(
    Orders, ResumeInAnOrder,
    testing::Values(
        OrderCase{"WholeBatchesShuffled", 1, 0, {kTake, kScale, kNormalize, kOneHot, kCache, kRepeat, kBatch, kShuffle, kPrefetch}},
        OrderCase{"ShuffledBatchesKept", 2, 0, {kTake, kScale, kNormalize, kOneHot, kBatch, kShuffle, kCache, kRepeat, kPrefetch}},
        OrderCase{"FirstOrderKept", 2, 0, {kTake, kScale, kNormalize, kOneHot, kShuffle, kCache, kRepeat, kBatch, kPrefetch}},
        OrderCase{"OtherSamplesEachEpoch", 2, 0, {kScale, kNormalize, kOneHot, kCache, kShuffle, kTake, kRepeat, kBatch, kPrefetch}},
        OrderCase{"EpochsMixed", 2, 4, {kTake, kScale, kNormalize, kOneHot, kCache, kRepeat, kShuffle, kBatch, kPrefetch}},
        OrderCase{"BatchesRepeatedAndShuffled", 2, 4, {kTake, kScale, kNormalize, kOneHot, kCache, kBatch, kRepeat, kShuffle, kPrefetch}}),
    [](const auto& row) { return row.param.name; });

TEST(ResumeOfAKeptOrder, IsRefusedWithoutTheCacheThatKeepsIt) {
    spec::RunSpec project = run(std::int64_t{2});
    const auto resumed = [&project](bool first_cache, bool second_cache) {
        const TempDir folder;
        std::vector<MortalObserver> observers(1), again(1);
        observers[0].dies_before = 6;
        project.data.cache = first_cache;
        EXPECT_TRUE(start(project, folder, observers).killed);
        project.data.cache = second_cache;
        try {
            start(project, folder, again);
            return std::string();
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(resumed(true, false), "") << "a cache before shuffle changes no sample";
    project.data.order = {kTake, kScale, kNormalize, kOneHot, kShuffle, kCache, kRepeat, kBatch, kPrefetch};
    EXPECT_THAT(resumed(true, false), HasSubstr("expected a backup of this project"));
}

TEST(ResumeOfARate, ThatTheUserSetHolds) {
    spec::RunSpec project = run(std::int64_t{4});
    std::map<std::string, std::string> files[2];
    for (const bool disturbed : {false, true}) {
        const TempDir folder;
        std::vector<MortalObserver> observers(1);
        observers[0].asks_before = 3;
        observers[0].control = {spec::ControlVerb::kSetLearningRate, 0.5};
        observers[0].dies_before = disturbed ? 8 : -1;
        EXPECT_EQ(start(project, folder, observers).killed, disturbed);
        if (disturbed) {
            std::vector<MortalObserver> again(1);
            EXPECT_FALSE(start(project, folder, again).killed);
            EXPECT_THAT(again[0].lines,
                        testing::Contains(HasSubstr("Resumed at epoch 1, step 4 (4 steps done in all, learning rate 0.5)")));
        }
        files[disturbed ? 1 : 0] = filesOf(folder);
    }
    EXPECT_EQ(files[1], files[0]);
}

TEST(ResumeAfterAGracefulStop, GoesOnWhereItStopped) {
    spec::RunSpec project = run("epoch");
    const TempDir folder;
    std::vector<MortalObserver> observers(1);
    observers[0].asks_before = 17;
    observers[0].control = {spec::ControlVerb::kStop, 0};
    EXPECT_EQ(start(project, folder, observers).outcomes[0].state, spec::TaskState::kStopped);
    EXPECT_TRUE(std::filesystem::exists(folder.path() / "backup" / "latest.backup"));

    std::vector<MortalObserver> again(1);
    const Start second = start(project, folder, again);
    EXPECT_EQ(second.outcomes[0].state, spec::TaskState::kDone);
    EXPECT_THAT(again[0].lines, testing::Contains(HasSubstr("Resumed at epoch 2, step 4 (17 steps done in all")));
    EXPECT_EQ(second.outcomes[0].finished.weights_sha256, train(project, 1, -1).weights_sha256);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "backup")) << "a run that is done leaves no backup";
}

TEST(ResumeOfTensorBoardsLogs, HoldsEveryPointOnce) {
    spec::RunSpec project = run(std::int64_t{3});
    project.fit.epochs = 3;
    project.callbacks = {{"TensorBoard", {{"update_freq", "batch"}}}, backup(std::int64_t{3})};
    const TempDir folder;
    std::vector<MortalObserver> observers(1);
    observers[0].dies_before = 18;
    ASSERT_TRUE(start(project, folder, observers).killed);
    std::vector<MortalObserver> again(1);
    ASSERT_FALSE(start(project, folder, again).killed);
    const auto train = tests::support::readEventFolder(folder.path() / "logs" / "train");
    std::vector<std::int64_t> steps(39);
    std::iota(steps.begin(), steps.end(), 1);
    EXPECT_EQ(train.steps("batch_loss"), steps);
    EXPECT_THAT(train.steps("epoch_loss"), testing::ElementsAre(0, 1, 2));
    const auto validation = tests::support::readEventFolder(folder.path() / "logs" / "validation");
    EXPECT_THAT(validation.steps("epoch_loss"), testing::ElementsAre(0, 1, 2));
}

class DamagedBackup : public testing::Test {
protected:
    // A run that was killed in its second epoch.
    void SetUp() override {
        std::vector<MortalObserver> observers(1);
        observers[0].dies_before = 20;
        ASSERT_TRUE(start(project_, folder_, observers).killed);
    }
    void damage(const std::string& file) const {
        std::fstream stream(folder_.path() / "backup" / file, std::ios::binary | std::ios::in | std::ios::out);
        stream.seekp(-100, std::ios::end);
        stream.put('\x5a').put('\x5a');
    }
    std::string errorOf(const spec::RunSpec& project) {
        std::vector<MortalObserver> observers(1);
        try {
            start(project, folder_, observers);
            return "";
        } catch (const Error& error) {
            return error.what();
        }
    }

    spec::RunSpec project_ = run(std::int64_t{3});
    const TempDir folder_;
};

TEST_F(DamagedBackup, IsRefusedByName) {
    damage("latest.backup");
    EXPECT_THAT(errorOf(project_), testing::AllOf(HasSubstr("backup/latest.backup"), HasSubstr("checksum"), HasSubstr("remove the file")));
}

TEST_F(DamagedBackup, CutShortIsRefusedByName) {
    std::filesystem::resize_file(folder_.path() / "backup" / "latest.backup", 200);
    EXPECT_THAT(errorOf(project_), HasSubstr("backup/latest.backup"));
}

TEST_F(DamagedBackup, OfAnotherModelIsRefused) {
    project_.model.layers.back().config.set("units", std::int64_t{5});
    EXPECT_THAT(errorOf(project_), HasSubstr("expected the variables of this model and optimizer"));
}

TEST_F(DamagedBackup, OfAnotherSeedIsRefused) {
    project_.fit.seed = 1;
    EXPECT_THAT(errorOf(project_), HasSubstr("expected a backup of this project"));
}

TEST(DoubleCheckpoint, TakesTheBackupBeforeADamagedOne) {
    spec::RunSpec project = run(std::int64_t{3});
    project.callbacks.back().config.set("double_checkpoint", true);
    const TempDir folder;
    std::vector<MortalObserver> observers(1);
    observers[0].dies_before = 20;
    ASSERT_TRUE(start(project, folder, observers).killed);
    std::filesystem::resize_file(folder.path() / "backup" / "latest.backup", 3000);
    std::vector<MortalObserver> again(1);
    const Start second = start(project, folder, again);
    EXPECT_THAT(again[0].lines, testing::Contains(HasSubstr("the backup before it is taken")));
    EXPECT_THAT(again[0].lines, testing::Contains(HasSubstr("Resumed at epoch 2, step 2 (15 steps")));
    EXPECT_EQ(second.outcomes[0].finished.weights_sha256, train(project, 1, -1).weights_sha256);
}

// A run of three replicas dies, and one of fewer goes on in its folder. Answers what that one ended with; `lines` are its chief's.
Start goOnWith(const spec::RunSpec& project, int replicas, std::int64_t dies_before, std::vector<std::string>& lines,
               const TempDir& folder) {
    std::vector<MortalObserver> three(3);
    for (MortalObserver& one : three) one.dies_before = dies_before;
    EXPECT_TRUE(start(project, folder, three).killed);
    std::vector<MortalObserver> fewer(static_cast<std::size_t>(replicas));
    const Start again = start(project, folder, fewer);
    lines = fewer[0].lines;
    return again;
}

spec::RunSpec thatContinues(spec::FieldValue save_freq) {
    spec::RunSpec project = quarterRun();
    project.fit.epochs = 3;
    project.callbacks = {backup(std::move(save_freq))};
    project.cluster.on_task_lost = spec::OnTaskLost::kContinue;
    return project;
}

TEST(FewerReplicas, GoOnFromTheEpochThatTheBackupEnds) {
    const spec::RunSpec project = thatContinues(std::string("epoch"));
    const TempDir folder;
    std::vector<std::string> lines;
    const std::int64_t steps_of_three = (200 + 3 * project.data.batch_size_per_replica - 1) / (3 * project.data.batch_size_per_replica);
    const Start again = goOnWith(project, 2, steps_of_three + 3, lines, folder);
    EXPECT_FALSE(again.killed);
    const std::int64_t steps_of_two = (200 + 2 * project.data.batch_size_per_replica - 1) / (2 * project.data.batch_size_per_replica);
    const auto& results = again.outcomes[0].finished.results;
    EXPECT_THAT(results,
                testing::Contains(std::pair<std::string, double>("steps", static_cast<double>(steps_of_three + 2 * steps_of_two))));
    EXPECT_THAT(lines, testing::Contains(HasSubstr("Resumed at epoch 2, step 0 (" + std::to_string(steps_of_three) + " steps")));
    EXPECT_THAT(lines, testing::Contains(HasSubstr("the backup is of 3 replicas with a global batch of")));
    EXPECT_EQ(again.outcomes[0].finished.weights_sha256, again.outcomes[1].finished.weights_sha256);
}

TEST(FewerReplicas, GoOnInAnEpochBehindAsManySamples) {
    const spec::RunSpec project = thatContinues(std::int64_t{2});
    const TempDir folder;
    std::vector<std::string> lines;
    goOnWith(project, 1, 4, lines, folder);
    EXPECT_THAT(lines, testing::Contains(HasSubstr("at step 6 of the epoch in place of 2")));
    EXPECT_THAT(lines, testing::Contains(HasSubstr("Resumed at epoch 1, step 6 (2 steps")));
}

TEST(FewerReplicas, GoOnInAStreamBehindAsManySamples) {
    spec::RunSpec project = thatContinues(std::string("epoch"));
    project.fit.steps_per_epoch = 4;
    project.data.shuffle = 0;
    project.data.log_shards = 1000;
    const TempDir folder;
    std::vector<std::string> lines;
    const Start again = goOnWith(project, 1, 6, lines, folder);
    EXPECT_THAT(again.outcomes[0].finished.results, testing::Contains(std::pair<std::string, double>("steps", 12)));
    // Four steps of three replicas have taken twelve batches; the next sample is that behind them.
    const std::string first = std::to_string(12 * project.data.batch_size_per_replica % 200);
    const auto line = std::find_if(lines.begin(), lines.end(), [](const std::string& one) { return one.starts_with("shard: "); });
    ASSERT_NE(line, lines.end());
    EXPECT_THAT(*line, HasSubstr(": " + first + " ")) << *line;
}

// An estimator's number of steps follows from its passes over the data, and so from the number of replicas.
TEST(FewerReplicas, OfAnEstimatorHaveMoreStepsForTheSamePasses) {
    spec::RunSpec project = thatContinues(std::int64_t{2});
    project.estimator = spec::EstimatorSpec{};
    project.fit.epochs = 1;
    project.fit.steps_per_epoch = 5;
    const TempDir folder;
    std::vector<MortalObserver> three(3), one(1);
    for (MortalObserver& observer : three) observer.dies_before = 4;
    ASSERT_TRUE(start(project, folder, three).killed);
    project.fit.steps_per_epoch = 13;
    spec::RunSpec other = project;
    other.cluster.on_task_lost = spec::OnTaskLost::kRestart;
    std::vector<MortalObserver> refused(1);
    EXPECT_THROW(start(other, folder, refused), Error);
    const Start again = start(project, folder, one);
    EXPECT_THAT(one[0].lines, testing::Contains(HasSubstr("Resumed at epoch 1, step 2 (2 steps")));
    EXPECT_THAT(again.outcomes[0].finished.results, testing::Contains(std::pair<std::string, double>("steps", 13)));
}

TEST(FewerReplicas, ScaleTheLearningRateWhereTheProjectWantsIt) {
    const auto rateOf = [](spec::RunSpec project, bool scales) {
        project.cluster.scale_learning_rate = scales;
        const TempDir folder;
        std::vector<std::string> lines;
        goOnWith(project, 1, 4, lines, folder);
        const std::string word = "learning rate ";
        const auto line = std::find_if(lines.begin(), lines.end(), [](const std::string& one) { return one.starts_with("Resumed at"); });
        return std::stod(line->substr(line->find(word) + word.size()));
    };
    spec::RunSpec constant = thatContinues(std::int64_t{2});
    constant.compile.optimizer = {"SGD", {{"learning_rate", 0.3}}};
    EXPECT_FLOAT_EQ(static_cast<float>(rateOf(constant, false)), 0.3F);
    EXPECT_FLOAT_EQ(static_cast<float>(rateOf(constant, true)), 0.1F);
    spec::RunSpec scheduled = constant;
    scheduled.compile.optimizer.config.set(
        "learning_rate", spec::ObjectBox(spec::ObjectSpec{
                             "InverseTimeDecay", {{"initial_learning_rate", 0.3}, {"decay_steps", std::int64_t{1}}, {"decay_rate", 1.0}}}));
    EXPECT_FLOAT_EQ(static_cast<float>(rateOf(scheduled, false)), 0.1F);
    EXPECT_FLOAT_EQ(static_cast<float>(rateOf(scheduled, true)), 0.1F / 3);
    spec::RunSpec table = constant;
    table.callbacks.insert(table.callbacks.begin(), {"ReduceLROnPlateau", {}});  // has a rate by hand only once it sets one
    EXPECT_FLOAT_EQ(static_cast<float>(rateOf(table, true)), 0.1F);
}

TEST(FewerReplicas, AreRefusedWhereTheProjectDoesNotLetItGoOn) {
    spec::RunSpec project = thatContinues(std::int64_t{2});
    project.cluster.on_task_lost = spec::OnTaskLost::kRestart;
    const TempDir folder;
    std::vector<std::string> lines;
    EXPECT_THROW(goOnWith(project, 1, 4, lines, folder), Error);
}

TEST(Resume, TheCodeKeptWithAProjectIsNoPartOfIt) {
    spec::RunSpec with_code = run(std::string("epoch"));
    with_code.code = "# the same in other words\n";
    EXPECT_EQ(resumeFingerprint(with_code, 2, 8), resumeFingerprint(run(std::string("epoch")), 2, 8));
    EXPECT_EQ(replicaFingerprint(with_code), replicaFingerprint(run(std::string("epoch"))));
    with_code.fit.seed += 1;
    EXPECT_NE(resumeFingerprint(with_code, 2, 8), resumeFingerprint(run(std::string("epoch")), 2, 8));
}

}  // namespace
}  // namespace engine::train
