// Keras' callbacks: called by the trainer at fixed points, in the order in which the project lists them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/data/dataset.h"
#include "engine/export/saved_object.h"
#include "engine/files/safe_folder.h"
#include "engine/spec/catalog/settings.h"
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
    // What a rate that the project names is multiplied with (LearningRate::scale()).
    virtual double learningRateScale() const { return 1; }
    virtual std::int64_t iterations() const = 0;  // updates done
    // The running means of this epoch: accuracy, loss.
    virtual Logs runningLogs() const = 0;
    virtual void log(spec::LogLevel level, const std::string& text) = 0;
    // Writes the weights and optimizer slots on the chief; does nothing elsewhere. `prefix` is absolute, below the run's folder. A failure
    // is reported, not thrown: training goes on and the checkpoint before stays as it is.
    virtual void saveCheckpoint(const std::filesystem::path& prefix, std::int32_t epoch, bool best) = 0;
    // Weights and optimizer slots as the last step left them. Who changes them says so before the next step.
    virtual backend::Variables& currentVariables() = 0;
    virtual void variablesChanged() = 0;
    // The gradients of this replica's last batch, at the weights of now: what the next step would see if the batch came again. It costs a
    // step; empty before the first one of this start. The values live until the next call.
    virtual std::vector<GradientProbe::Gradient> gradients() = 0;
    // Training ends after this step: its epoch is closed as always, then no other begins.
    virtual void stopTraining() = 0;
    // The mean loss of the last step's samples; 0 before the first one.
    virtual double lastLoss() const = 0;
    // What validation measures at the weights of now, told as such ("val_loss"); replicas call it after the same step. Empty where nothing
    // validates. The names are without "val_".
    virtual Logs evaluate() = 0;
    // What the model gives for the first samples that this replica validates with, at most `most`, at the weights of now. Nothing is
    // exchanged with other replicas.
    struct Validated {
        std::shared_ptr<const data::Samples> samples{};  // null where nothing validates
        std::int64_t first = 0, count = 0;               // which of them
        std::vector<float> outputs{};                    // (samples from `first` on, outputs)
    };
    virtual Validated predictValidated(std::int64_t /*most*/) { return {}; }
    // Applies to TensorFlow's checkpoints from the next one on: the oldest go when there are more than `most` (0 = none goes), but for one
    // in so many hours, which stays.
    virtual void keepCheckpoints(std::int64_t most, double one_in_hours) = 0;
    // Writes a backup on the chief of a run with BackupAndRestore, which can go on from here. `epoch` has not ended.
    virtual void backUp() = 0;
};

// Every replica has its own, and each sees the same logs, so that all decide alike.
class Callback {
public:
    virtual ~Callback() = default;
    virtual void onTrainBegin(TrainingContext& /*context*/) {}
    virtual void onEpochBegin(TrainingContext& /*context*/, std::int32_t /*epoch*/) {}
    // Called after each step when wantsSteps(); `batch` counts from 0 within the epoch.
    virtual void onStepEnd(TrainingContext& /*context*/, std::int32_t /*epoch*/, std::int64_t /*batch*/) {}
    // Called before and after the validation of an epoch, which comes before onEpochEnd().
    virtual void onTestBegin(TrainingContext& /*context*/) {}
    virtual void onTestEnd(TrainingContext& /*context*/) {}
    // It may add to the logs, for the callbacks after it and for the epoch's report.
    virtual void onEpochEnd(TrainingContext& /*context*/, std::int32_t /*epoch*/, Logs& /*logs*/) {}
    // Called after the last epoch, or the one in which a callback ended training, when moving averages have become the weights; but not
    // when the user stops a run, which may go on later.
    virtual void onTrainEnd(TrainingContext& /*context*/) {}
    virtual bool wantsSteps() const { return false; }
    // For callbacks that want steps: how many more may go by, from 1, before onStepEnd() has something to do; it may be called after fewer,
    // too.
    virtual std::int64_t stepsToLook(std::int64_t /*done*/) const { return 1; }
    // Names the place where the callback keeps the weights of a run that ends after `step` steps, below the run's folder; empty: the
    // trainer's own place.
    virtual std::string nameOfLast(std::int64_t /*step*/) const { return {}; }

    // Everything that decides what it does next, as it is between two steps. restore() comes before onTrainBegin().
    virtual void save(exporter::SavedObject& /*state*/) const {}
    virtual void restore(const exporter::SavedObject& /*state*/) {}
};

using Callbacks = std::vector<std::unique_ptr<Callback>>;

// One per entry, in order, but for BackupAndRestore, which is the trainer's own (backup_and_restore.h). Throws Error: kUnimplemented for an
// unknown class, kInvalidArgument for settings that cannot be.
Callbacks makeCallbacks(const spec::CallbackSpecs& specs);

// A callback is added by one file of engine/train/callbacks/ and its schema in engine/spec: early_stopping.cpp defines
// `std::span<const CallbackRow> earlyStoppingRows()`, and CMake lists the function by the file's name (tandem_rows).
struct CallbackRow {
    std::string_view class_name;  // "EarlyStopping"
    // Throws Error(kInvalidArgument) for settings that cannot be.
    std::unique_ptr<Callback> (*make)(const spec::ObjectSpec& callback);
};

// CallbackRow::make of a class that is made from its settings.
template <typename Kind>
std::unique_ptr<Callback> makeFromSettings(const spec::ObjectSpec& callback) {
    return std::make_unique<Kind>(spec::callbackSettings(callback));
}

}  // namespace engine::train
