// Keras' callbacks: called by the trainer at fixed points, in the order in which the project lists them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/export/saved_object.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"
#include "engine/train/callbacks/python_text.h"
#include "engine/train/gradient_probe.h"

namespace engine::train {

// What a callback may see and do. Implemented by the trainer and by fakes.
class TrainingContext {
public:
    virtual ~TrainingContext() = default;

    virtual const spec::RunSpec& run() const = 0;
    virtual bool isChief() const = 0;                         // only the chief writes files
    virtual const std::filesystem::path& runDir() const = 0;  // absolute
    virtual const files::SafeFolder& runFolder() const = 0;   // the same, opened: what callbacks write lies below it
    virtual float learningRate() const = 0;                   // of the step before, or of the first
    virtual void setLearningRate(float rate) = 0;
    virtual std::int64_t iterations() const = 0;  // updates done
    // The running means of this epoch: accuracy, loss.
    virtual Logs runningLogs() const = 0;
    virtual void log(spec::LogLevel level, const std::string& text) = 0;
    // On the chief writes the weights and optimizer slots; elsewhere does nothing. `prefix` is absolute, below the run's folder. A failure
    // is reported, not thrown: training goes on and the checkpoint before stays as it is.
    virtual void saveCheckpoint(const std::filesystem::path& prefix, std::int32_t epoch, bool best) = 0;
    // Weights and optimizer slots as the last step left them. Who changes them says so before the next step.
    virtual backend::Variables& currentVariables() = 0;
    virtual void variablesChanged() = 0;
    // Of this replica's last batch, at the weights of now: what the next step would see if it came again. Costs a step; empty before the
    // first one of this start. The values live until the next call.
    virtual std::vector<GradientProbe::Gradient> gradients() = 0;
    // Training ends after this step: its epoch is closed as always, then no other begins.
    virtual void stopTraining() = 0;
};

// Every replica has its own, and each sees the same logs, so that all decide alike.
class Callback {
public:
    virtual ~Callback() = default;
    virtual void onTrainBegin(TrainingContext& /*context*/) {}
    virtual void onEpochBegin(TrainingContext& /*context*/, std::int32_t /*epoch*/) {}
    // After each step when wantsSteps(); `batch` is from 0 within the epoch.
    virtual void onStepEnd(TrainingContext& /*context*/, std::int32_t /*epoch*/, std::int64_t /*batch*/) {}
    // May add to the logs, for the callbacks after it and for the epoch's report.
    virtual void onEpochEnd(TrainingContext& /*context*/, std::int32_t /*epoch*/, Logs& /*logs*/) {}
    // After the last epoch, or the one in which a callback ended training. Not when the user stops a run, which may go on later.
    virtual void onTrainEnd(TrainingContext& /*context*/) {}
    virtual bool wantsSteps() const { return false; }

    // Everything that decides what it does next, as it is between two steps. restore() comes before onTrainBegin().
    virtual void save(exporter::SavedObject& /*state*/) const {}
    virtual void restore(const exporter::SavedObject& /*state*/) {}
};

using Callbacks = std::vector<std::unique_ptr<Callback>>;

// One per entry, in order, but for BackupAndRestore, which is the trainer's own (backup_and_restore.h). Throws Error: kUnimplemented for an
// unknown class, kInvalidArgument for settings that cannot be.
Callbacks makeCallbacks(const spec::CallbackSpecs& specs);

// Saves after each epoch, or every save_freq steps counted over the epochs' borders. Fields as Keras': filepath (below the run's folder,
// "checkpoints/ckpt_{epoch}" by default), monitor, mode, save_best_only, initial_value_threshold, save_freq, verbose.
// A filepath that ends in .keras or .h5 (or .weights.h5 with save_weights_only) gives Keras' formats, any other one TensorFlow's
// checkpoints.
std::unique_ptr<Callback> makeModelCheckpoint(const spec::Fields& config);
// A table: from epochs[i] (from 0) on the rate is rates[i]. Adds learning_rate to the logs.
std::unique_ptr<Callback> makeLearningRateScheduler(const spec::Fields& config);
// "Learning rate for epoch 1 is 0.0010000000474974513", as the tutorial's class.
std::unique_ptr<Callback> makePrintLr(const spec::Fields& config);
// filename, separator, append. Python's csv dialect "excel": CR LF, quotes where needed; columns: epoch, the sorted names of the first
// epoch's logs, and NA in val_ columns when there are no validation results.
std::unique_ptr<Callback> makeCsvLogger(const spec::Fields& config);

// monitor, min_delta, patience, mode, baseline, restore_best_weights, start_from_epoch, verbose.
std::unique_ptr<Callback> makeEarlyStopping(const spec::Fields& config);
// monitor, factor, patience, mode, min_delta, cooldown, min_lr, verbose. Adds learning_rate to the logs.
std::unique_ptr<Callback> makeReduceLrOnPlateau(const spec::Fields& config);
// Ends training after a step whose running loss is no number; with raise_error the run fails instead.
std::unique_ptr<Callback> makeTerminateOnNan(const spec::Fields& config);
// log_dir, histogram_freq, write_graph, write_images, write_steps_per_second, update_freq. Event files for TensorBoard in log_dir/train and
// log_dir/validation, with Keras' tags; histograms of weights come with those of gradients (".../gradient/histogram") and the norm of both.
std::unique_ptr<Callback> makeTensorBoard(const spec::Fields& config);

}  // namespace engine::train
