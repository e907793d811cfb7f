// Keras' callbacks: called by the trainer at fixed points, in the order in which the project lists them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/run_spec.h"
#include "engine/spec/task_event.h"
#include "engine/train/python_text.h"

namespace engine::train {

// What a callback may see and do. Implemented by the trainer and by fakes.
class TrainingContext {
public:
    virtual ~TrainingContext() = default;

    virtual bool isChief() const = 0;                         // only the chief writes files
    virtual const std::filesystem::path& runDir() const = 0;  // relative file names lie below it
    virtual float learningRate() const = 0;                   // of the step before, or of the first
    virtual void setLearningRate(float rate) = 0;
    // The running means of this epoch: accuracy, loss.
    virtual Logs runningLogs() const = 0;
    virtual void log(spec::LogLevel level, const std::string& text) = 0;
    // On the chief writes the weights and optimizer slots; elsewhere does nothing. `prefix` is absolute. A failure is reported, not thrown:
    // training goes on and the checkpoint before stays as it is.
    virtual void saveCheckpoint(const std::filesystem::path& prefix, std::int32_t epoch, bool best) = 0;
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
    virtual void onTrainEnd(TrainingContext& /*context*/) {}
    virtual bool wantsSteps() const { return false; }
};

using Callbacks = std::vector<std::unique_ptr<Callback>>;

// One per entry, in order. Throws Error: kUnimplemented for an unknown class, kInvalidArgument for settings that cannot be.
Callbacks makeCallbacks(const spec::CallbackSpecs& specs);

// Saves after each epoch, or every save_freq steps counted over the epochs' borders. Fields as Keras': filepath (below the run's folder,
// "checkpoints/ckpt_{epoch}" by default), monitor, mode, save_best_only, initial_value_threshold, save_freq, verbose.
// TensorFlow's checkpoint format: a filepath that asks for HDF5 (".keras", ".h5") is refused.
std::unique_ptr<Callback> makeModelCheckpoint(const spec::Fields& config);
// A table: from epochs[i] (from 0) on the rate is rates[i]. Adds learning_rate to the logs.
std::unique_ptr<Callback> makeLearningRateScheduler(const spec::Fields& config);
// "Learning rate for epoch 1 is 0.0010000000474974513", as the tutorial's class.
std::unique_ptr<Callback> makePrintLr(const spec::Fields& config);
// filename, separator, append. Python's csv dialect "excel": CR LF, quotes where needed; columns: epoch, the sorted names of the first
// epoch's logs, and NA in val_ columns when there are no validation results.
std::unique_ptr<Callback> makeCsvLogger(const spec::Fields& config);

// Whether a value of a monitored quantity is better than the best so far (Keras' rules; the first value always is).
class Monitor {
public:
    // Throws Error(kInvalidArgument) when mode is auto and the name tells no direction.
    Monitor(const std::string& name, const std::string& mode);
    const std::string& name() const { return name_; }
    bool improves(double value) const { return !best_ || (smaller_is_better_ ? value < *best_ : value > *best_); }
    void accept(double value) { best_ = value; }
    std::optional<double> best() const { return best_; }

private:
    std::string name_;
    bool smaller_is_better_ = true;
    std::optional<double> best_;
};

}  // namespace engine::train
