// Trains, evaluates and predicts: what one task of a run does. The header to read first of this folder.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/data/dataset.h"
#include "engine/data/pipeline.h"
#include "engine/distribute/collective.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/callbacks/backup_and_restore.h"
#include "engine/train/callbacks/callback.h"
#include "engine/train/control_word.h"
#include "engine/train/learning_rate.h"
#include "engine/train/observer.h"
#include "engine/train/step_reporter.h"

namespace engine::train {

using ExecutorFactory = std::unique_ptr<backend::Executor> (*)(const plan::Plan&, backend::Variables&, const backend::ExecutorOptions&);

struct TrainerOptions {
    ExecutorFactory make_executor = nullptr;                // backend::makeCpuExecutor
    std::filesystem::path run_dir;                          // absolute; receives checkpoints and logs
    std::shared_ptr<const files::SafeFolder> run_folder{};  // run_dir; empty: opened, and made, by the trainer
    // Where the weights go after training, in place of fit.save_weights, which lies below run_dir: a user's own word, absolute.
    std::filesystem::path weights_file{};
    data::Dataset dataset;
    int threads = 1;
    // Of a task with several devices: DeviceGroupOptions::connect.
    std::function<std::unique_ptr<distribute::Collective>(int device, distribute::Collective& member)> connect_devices{};
    // When the executors are made, before the first step; what they have measured is known then.
    std::function<void()> prepared{};
    // How long one look for a control lasts while paused; in between the replicas tell each other that they are still there.
    std::chrono::milliseconds pause_poll{200};
};

struct Metrics {
    double loss = 0;      // mean over all samples
    double accuracy = 0;  // of the first metric that is one; 0 without
    std::int64_t samples = 0;
    Logs logs;  // every metric and "loss", by name
};

struct FitOutcome {
    spec::TaskState state = spec::TaskState::kDone;  // kDone, kStopped, or kFailed when the last checkpoint could not be written
    std::string detail;                              // of kFailed
    spec::TaskFinished finished;
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

    // From initial weights, those of restore() or a backup, to the last epoch or a stop. The observer hears everything but the final state.
    // Throws Error when a peer is lost or the peers run another project, and for a backup that is damaged or of another project.
    FitOutcome fit();

    // Reads weights, and slots where there are some. `checkpoint`: a .keras, .weights.h5 or .h5 file, else as exporter::latestCheckpoint
    // takes it. Throws Error(kNotFound) when there is none, and as exporter::readTfCheckpoint and readKerasWeights.
    void restore(const std::filesystem::path& checkpoint);

    // Over all replicas, each sample once. Requires a test set.
    Metrics evaluateTest();
    // (samples of `part`, outputs) of this replica alone.
    std::vector<float> predict(const std::shared_ptr<const data::Samples>& samples, data::Extent part);

    std::int64_t classes() const { return classes_; }
    const backend::Variables& variables() const { return *variables_; }
    std::int64_t iterations() const override { return iterations_; }
    // The executor in use with its kernels ("cpu (AVX-512, 2 threads)"), and the plan as text. Empty before fit().
    std::string describeExecutor() const;
    std::string planText() const;

private:
    // Of step headers: the sums of loss, examples and metrics.
    using Totals = std::vector<double>;
    enum class Flow { kContinue, kStop, kStopNow };

    // TrainingContext
    const spec::RunSpec& run() const override { return run_; }
    bool isChief() const override { return task_.is_chief; }
    const std::filesystem::path& runDir() const override { return options_.run_dir; }
    const files::SafeFolder& runFolder() const override;
    float learningRate() const override { return rate_.at(appliedSteps()); }
    void setLearningRate(float rate) override { rate_.set(rate); }
    Logs runningLogs() const override;
    void log(spec::LogLevel level, const std::string& text) override;
    void saveCheckpoint(const std::filesystem::path& prefix, std::int32_t epoch, bool best) override;
    backend::Variables& currentVariables() override;
    void variablesChanged() override;
    void stopTraining() override { ended_by_callback_ = true; }
    std::vector<GradientProbe::Gradient> gradients() override;

    void prepareTraining();
    void agreeWithPeers();
    void broadcastWeights();
    void announce();
    void announceDevices();
    std::int64_t groupSteps();
    bool goesOn() const { return flow_ == Flow::kContinue && !ended_by_callback_; }
    void trainEpoch(std::int32_t epoch);
    void positionPipeline(std::int32_t epoch);
    void trainStep(std::int32_t epoch, const tensor::BatchView& view);
    std::int64_t stepsUnwatched() const;
    void trainSteps(std::int32_t epoch, std::int64_t steps);
    backend::StepControl controlOf(std::int32_t epoch, std::int64_t iteration, const ControlWord& word) const;
    void tellStep(std::int32_t epoch, float learning_rate, const backend::StepResult& result);
    void expectSamples(std::int32_t epoch) const;
    void finishEpoch(std::int32_t epoch, double seconds);
    bool validatesAfter(std::int64_t epochs) const;  // done
    void reportWeights(std::int32_t epoch);
    void finish(FitOutcome& outcome);
    void writeLastCheckpoint(FitOutcome& outcome);
    void initializeWeights();
    std::optional<files::Place> weightsFile() const;  // none on all tasks but the chief
    void makeWeightsFolder() const;                   // of that file: better now than after hours
    void saveWeights(FitOutcome& outcome);

    // trainer_resume.cpp
    std::vector<exporter::SavedObject> savedState(std::int32_t epoch, std::int64_t step) const;
    void restoreState(const std::vector<exporter::SavedObject>& objects);
    void writeBackup(std::int32_t epoch, std::int64_t step);
    void readBackup();
    void tellDamage(const BackupAndRestore::Found& found);
    void agreeOnResume();

    ControlWord askForControl(std::chrono::milliseconds wait);
    void apply(const spec::Control& control);
    void pauseUntilTold();

    data::Extent validated(data::Extent part) const;
    bool hasValidation() const;
    std::optional<Metrics> validate();
    std::optional<Metrics> validateForCallbacks();  // with their moments around it
    Metrics evaluate(const std::shared_ptr<const data::Samples>& samples, data::Extent part);
    plan::Plan evaluationPlan() const;
    std::unique_ptr<backend::Executor> makeExecutor(const plan::Plan& first, std::span<std::byte> region);
    std::int64_t devices() const { return static_cast<std::int64_t>(task_.devices.size()); }
    backend::Executor& evaluationExecutor();
    // Keras' count of a LossScaleOptimizer: without the steps that were left out. As of the last time that variables were synced.
    std::int64_t appliedSteps() const;
    void countLeftOut();
    // A schedule goes by the steps that were applied: they are counted before every step as long as some are left out, then now and then.
    void followLeftOut();
    Totals zeroTotals(const plan::Plan& plan) const;
    Logs logsOf(const std::vector<plan::NamedMetric>& metrics, const Totals& totals) const;
    void finishAverages();
    std::string relativeToRun(const std::filesystem::path& path) const;
    files::Place placeOf(const std::filesystem::path& file) const;  // absolute, below the run's folder; else Error(kPermissionDenied)
    double imagesPerSecond() const;

    // Constant after construction.
    const spec::RunSpec run_;
    const spec::TaskPlan task_;
    distribute::Collective* const collective_;
    TrainingObserver& observer_;
    const TrainerOptions options_;
    const std::shared_ptr<const files::SafeFolder> run_folder_;  // null without run_dir
    std::int64_t classes_ = 0;
    data::TrainingSplit split_;

    std::unique_ptr<plan::Plan> train_plan_;       // of the first device
    std::unique_ptr<plan::Plan> evaluation_plan_;  // the same
    std::unique_ptr<backend::Variables> variables_;
    std::unique_ptr<backend::Executor> executor_;             // null before fit()
    std::unique_ptr<backend::Executor> evaluation_executor_;  // made when first needed
    std::unique_ptr<GradientProbe> gradient_probe_;           // made when first needed
    std::unique_ptr<data::Pipeline> pipeline_;
    std::unique_ptr<StepReporter> reporter_;
    Callbacks callbacks_;
    std::vector<std::string> callback_names_;   // of callbacks_
    std::unique_ptr<BackupAndRestore> backup_;  // null when not asked for
    LearningRate rate_;

    // The run as it stands.
    bool restored_ = false;  // slots too
    bool resumed_ = false;   // from a backup
    std::string resumed_sha256_;
    std::int64_t iterations_ = 0;
    std::int64_t left_out_ = 0;       // of iterations_: their gradients were not finite
    std::int64_t last_left_out_ = 0;  // iterations_ when one was seen
    bool follows_left_out_ = false;   // a schedule with a loss scale
    std::int64_t steps_per_epoch_ = 0;
    bool callbacks_want_steps_ = false;
    std::int32_t epoch_ = 0;
    std::int64_t epoch_steps_ = 0;  // done in epoch_
    Totals epoch_totals_, step_totals_;
    tensor::BatchView last_batch_;  // of this start; lives until the pipeline's next one
    backend::StepControl last_control_;
    double step_seconds_ = 0;  // of the last steps that went unwatched
    bool ended_by_callback_ = false;
    bool pipeline_started_ = false;
    Flow flow_ = Flow::kContinue;
    bool paused_ = false;
    bool single_step_ = false;
    std::int64_t first_step_unix_ns_ = 0;

    // Checkpoints.
    std::vector<std::string> saved_prefixes_;
    std::filesystem::path failed_prefix_;  // the last attempt when it failed
    std::string failed_because_;
    std::string last_saved_;  // relative to the run's folder
    std::int64_t last_saved_step_ = -1;
    std::int64_t save_counter_ = 0;

    // Speed after the first epoch.
    std::chrono::steady_clock::time_point measured_from_{};
    std::chrono::steady_clock::time_point measured_to_{};
    std::chrono::steady_clock::duration not_training_{};  // evaluations and pauses since measured_from_
    std::chrono::steady_clock::duration paused_for_{};    // in all
    std::int64_t measured_from_step_ = 0;
};

}  // namespace engine::train
