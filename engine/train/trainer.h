// Trains, evaluates and predicts: what one task of a run does. The header to read first of this folder; fit/ has its parts.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/data/dataset.h"
#include "engine/distribute/collective.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/callbacks/callback.h"
#include "engine/train/control_word.h"
#include "engine/train/executor_factory.h"
#include "engine/train/fit/callback_list.h"
#include "engine/train/fit/checkpoints.h"
#include "engine/train/fit/epoch_progress.h"
#include "engine/train/fit/evaluator.h"
#include "engine/train/fit/last_gradients.h"
#include "engine/train/fit/layer_watch.h"
#include "engine/train/fit/run_backups.h"
#include "engine/train/fit/run_controls.h"
#include "engine/train/fit/run_folder.h"
#include "engine/train/fit/step_count.h"
#include "engine/train/fit/task_executors.h"
#include "engine/train/fit/training_batches.h"
#include "engine/train/fit/training_clock.h"
#include "engine/train/learning_rate.h"
#include "engine/train/observer.h"
#include "engine/train/step_reporter.h"

namespace engine::train {

struct TrainerOptions {
    ExecutorFactory make_executor = nullptr;                // backend::makeCpuExecutor
    std::filesystem::path run_dir;                          // absolute; receives checkpoints and logs
    std::shared_ptr<const files::SafeFolder> run_folder{};  // run_dir; empty: opened, and made, by the trainer
    // The file that the weights go to after training, in place of fit.save_weights, which lies below run_dir: a user's own choice,
    // absolute.
    std::filesystem::path weights_file{};
    data::Dataset dataset;
    int threads = 1;
    // For a task with several devices: DeviceGroupOptions::connect.
    std::function<std::unique_ptr<distribute::Collective>(int device, distribute::Collective& member)> connect_devices{};
    // For a worker whose variables lie on parameter servers (TaskPlan::servers); outlives the trainer. The chief gives them the first
    // values, saves and validates; each worker counts the steps of all, and ends with them.
    ParameterServers* servers = nullptr;
    // Callbacks beside the project's, behind them.
    std::function<Callbacks()> hooks{};
    // Another task evaluates the last weights: this one does not.
    bool leaves_test_to_evaluator = false;
    // Called when the executors are made, before the first step; what they have measured is known then.
    std::function<void()> prepared{};
    // Asked while a worker waits for its servers to have values.
    std::function<bool()> is_cancelled{};
    // How long one look for a control lasts while paused; in between the replicas tell each other that they are still there.
    std::chrono::milliseconds pause_poll{200};
};

struct FitOutcome {
    spec::TaskState state = spec::TaskState::kDone;  // kDone, kStopped, or kFailed when the last checkpoint could not be written
    std::string detail;                              // of kFailed
    spec::TaskFinished finished;
    bool servers_are_complete = true;  // parameter servers that were restored meanwhile have steps to come
};

// Owned by the task runner; every call from one thread. Replicas make the same calls in the same order. `collective` is null for a task
// alone; it and `observer` must outlive the trainer.
//
// A checkpoint that cannot be written (disk full) does not end training: it is reported as an error, earlier checkpoints stay whole, and
// the last one is tried again at the end; when that fails too, the outcome is kFailed. A graceful stop saves "checkpoints/step_<n>"; a
// project without ModelCheckpoint saves its last weights as "checkpoints/ckpt_<epochs>". With BackupAndRestore among the callbacks the run
// goes on from the backup in its folder, and a graceful stop leaves one.
class Trainer final : private TrainingContext {
public:
    // Compiles the plans. Throws Error: as plan::lower, kInvalidArgument for data that do not fit the model and callbacks that cannot be.
    Trainer(const spec::RunSpec& run, const spec::TaskPlan& task, distribute::Collective* collective, TrainingObserver& observer,
            TrainerOptions options);
    ~Trainer() override;

    // Trains from initial weights, those of restore() or a backup, to the last epoch or a stop. The observer hears everything but the final
    // state. Throws Error when a peer is lost or the peers run another project, and for a backup that is damaged or of another project.
    FitOutcome fit();

    // Reads weights, and slots where there are some. `checkpoint`: a .keras, .weights.h5 or .h5 file, else as exporter::latestCheckpoint
    // takes it. Throws Error(kNotFound) when there is none, and as exporter::readTfCheckpoint and readKerasWeights.
    void restore(const std::filesystem::path& checkpoint);

    // Evaluates over all replicas, each sample once; what was just measured of all of them is not measured again. Requires a test set.
    Metrics evaluateTest();
    // Does what TrainingContext::evaluate() says: over what validates, or the test set. Empty without either.
    Logs evaluate() override;
    // (samples of `part`, outputs) of this replica alone.
    std::vector<float> predict(const std::shared_ptr<const data::Samples>& samples, data::Extent part) {
        return evaluator_.predict(samples, part);
    }

    // What callbacks see and do: for whoever evaluates without training. Lives as long as this.
    TrainingContext& context() { return *this; }

    std::int64_t classes() const { return executors_.classes(); }
    const backend::Variables& variables() const { return executors_.variables(); }
    std::int64_t iterations() const override { return steps_.done(); }
    // The plan as text. Empty before fit().
    std::string planText() const { return executors_.planText(); }

private:
    // TrainingContext
    const spec::RunSpec& run() const override { return run_; }
    bool isChief() const override { return task_.is_chief; }
    const std::filesystem::path& runDir() const override { return folder_.path(); }
    const files::SafeFolder& runFolder() const override { return folder_.opened(); }
    float learningRate() const override { return steps_.rateAfter(steps_.done()); }
    void setLearningRate(float rate) override;
    double learningRateScale() const override { return rate_.scale(); }
    Logs runningLogs() const override;
    void log(spec::LogLevel level, const std::string& text) override;
    void saveCheckpoint(const std::filesystem::path& prefix, std::int32_t epoch, bool best) override;
    backend::Variables& currentVariables() override;
    void variablesChanged() override;
    void stopTraining() override { controls_.endByCallback(); }
    double lastLoss() const override { return progress_.lastStep().loss(); }
    void keepCheckpoints(std::int64_t most, double one_in_hours) override { checkpoints_.keep(most, one_in_hours); }
    void backUp() override { writeBackup(progress_.epoch(), progress_.stepsDone()); }
    std::vector<GradientProbe::Gradient> gradients() override;
    Validated predictValidated(std::int64_t most) override { return evaluator_.predictValidated(most); }

    void prepareTraining();
    void agreeWithPeers();
    void broadcastWeights();
    void announce();
    void announceDevices();
    void trainEpoch(std::int32_t epoch);
    void watchEpoch(std::int32_t epoch);
    void collectEpoch(std::int32_t epoch);
    void tellCollected(std::int32_t epoch);
    void tellEpoch(std::int32_t epoch, bool is_whole);
    void takeToldRate();
    void beginServed();
    parameter_server::EpochOrigin ownOrigin() const;
    std::int64_t firstStepOf(std::int64_t epoch) const;  // by the servers' word: steps of all workers before it
    void followOthers(std::int32_t epoch);
    void warmUp(std::int32_t epoch);
    bool lostSteps(std::int32_t epoch);
    void holdLast();
    void awaitEpoch(std::int32_t epoch);
    void awaitEpochAfter(std::int32_t epoch, std::int64_t steps_before);
    void passEpochsOfOthers();
    void backUpIfDue(std::int32_t epoch, std::int64_t steps_before);
    std::int64_t restoreLastSaved();
    std::int64_t readCheckpoint(const std::filesystem::path& checkpoint);
    bool leavesToChief() const { return task_.servers > 0 && !task_.is_chief; }
    void trainStep(std::int32_t epoch, const tensor::BatchView& view);
    std::int64_t stepsUnwatched() const;
    void trainSteps(std::int32_t epoch, std::int64_t steps);
    backend::StepControl controlOf(std::int32_t epoch, std::int64_t iteration, const ControlWord& word) const;
    void tellStep(std::int32_t epoch, float learning_rate, const backend::StepResult& result);
    // Called before a step: a schedule has to know which steps were left out so far.
    void followLeftOut();
    void expectSamples(std::int32_t epoch) const;
    void finishEpoch(std::int32_t begun, double seconds);  // that one, and all up to that of progress_
    bool validatesAfter(std::int64_t epochs) const;        // done
    bool validatesAfterOneOf(std::int64_t first, std::int64_t last) const;
    void validate(Logs& logs);  // adds the values, with the callbacks' moments around it
    Metrics measureValidation(const Evaluator::Looked& looked = {});
    void remember(const Metrics& metrics);  // of the whole test set, at the weights of now
    void reportWeights(std::int32_t epoch);
    void reportLayers(std::int32_t epoch);
    void apply(const spec::Control& control);
    void pauseUntilTold();

    void finish(FitOutcome& outcome);
    void finishAverages();
    std::string lastName(const std::string& usual) const;
    void writeLastCheckpoint(FitOutcome& outcome);

    // trainer_weights.cpp
    std::int64_t beginWeights();  // as the project has them begin; returns the steps that lie behind them
    void initializeWeights();
    void requireOwnVocabulary() const;  // beside fit.initial_weights, of a model whose vocabulary the texts gave
    void adaptToSamples();
    std::optional<files::Place> weightsFile() const;  // none on all tasks but the chief
    void makeWeightsFolder() const;                   // of that file: better now than after hours
    void saveWeights(FitOutcome& outcome);

    // trainer_resume.cpp
    void writeBackup(std::int32_t epoch, std::int64_t step);
    void readBackup();
    void beginFromState();
    void placeInitialState();
    void goOnAsWasSaved(const std::vector<exporter::SavedObject>& objects);
    void followBatch(const BackedUpBatch& before, std::int64_t step);

    // Constant after construction.
    const spec::RunSpec run_;
    const spec::TaskPlan task_;
    distribute::Collective* const collective_;
    TrainingObserver& observer_;
    const TrainerOptions options_;
    const RunFolder folder_;

    CallbackList callbacks_;
    RunBackups backups_;
    LearningRate rate_;
    TrainingBatches batches_;
    TaskExecutors executors_;
    Evaluator evaluator_;
    struct Looks {
        LastGradients gradients;
        LayerWatch layers;
    } looks_;
    std::unique_ptr<StepReporter> reporter_;  // while it trains

    // The run as it stands.
    bool restored_ = false;  // slots too
    enum class BeginsFrom { kSeed, kPartOfState, kWholeState } begins_from_ = BeginsFrom::kSeed;
    std::optional<parameter_server::EpochOrigin> saved_origin_;  // of the run with servers whose state it goes on from
    bool finds_its_epoch_ = false;                               // by its steps: the state that it begins from does not say the epoch
    StepCount steps_;
    EpochProgress progress_;
    RunControls controls_;
    TrainingClock clock_;
    Checkpoints checkpoints_;
    // The whole test set at the weights after `step`, which nobody else changes; empty once they are others.
    struct Tested {
        std::int64_t step = 0;
        Metrics metrics;
    };
    std::optional<Tested> tested_;
    double step_seconds_ = 0;                                 // of the last steps that went unwatched
    std::chrono::steady_clock::time_point tells_epoch_at_{};  // of a coordinated worker: when its sums are due again
};

}  // namespace engine::train
