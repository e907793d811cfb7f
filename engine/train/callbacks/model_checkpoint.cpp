#include <cstdio>

#include "engine/spec/error.h"
#include "engine/train/callbacks/callback.h"
#include "engine/train/callbacks/monitor.h"
#include "engine/train/callbacks/save_frequency.h"

namespace engine::train {
namespace {

std::string fixed5(double value) {
    std::string text(512, '\0');
    text.resize(static_cast<std::size_t>(std::snprintf(text.data(), text.size(), "%.5f", value)));
    return text;
}

class ModelCheckpoint final : public Callback {
public:
    explicit ModelCheckpoint(const spec::Fields& config)
        : file_path_(config.getString("filepath", "checkpoints/ckpt_{epoch}")),
          best_only_(config.getBool("save_best_only", false)),
          monitor_(config.getString("monitor", "val_loss"), best_only_ ? config.getString("mode", "auto") : "min"),
          verbose_(config.getInt("verbose", 0) > 0),
          every_steps_(saveFrequency(config, "save_freq", "callbacks.model_checkpoint")) {
        if (const auto threshold = optionalDouble(config, "initial_value_threshold")) {
            monitor_.accept(*threshold);
        }
        if (file_path_.empty()) {
            throw Error(ErrorCode::kInvalidArgument, "callbacks.model_checkpoint.filepath: expected a file name, got an empty one");
        }
        checkEnding(config.getBool("save_weights_only", false));
    }

    bool wantsSteps() const override { return every_steps_ > 0; }

    void onStepEnd(TrainingContext& context, std::int32_t epoch, std::int64_t batch) override {
        if (++steps_ % every_steps_ == 0) {
            Logs values = context.runningLogs();
            setLog(values, "batch", static_cast<double>(batch + 1));
            saveModel(context, epoch, values);
        }
    }

    void onEpochEnd(TrainingContext& context, std::int32_t epoch, Logs& logs) override {
        if (every_steps_ == 0) {
            saveModel(context, epoch, logs);
        }
    }

    void save(exporter::SavedObject& state) const override {
        monitor_.save(state);
        state.set("steps", steps_);
    }

    void restore(const exporter::SavedObject& state) override {
        monitor_.restore(state);
        steps_ = state.get<std::int64_t>("steps", 0);
    }

private:
    // Keras' rule for its own formats. Every other name is the prefix of a checkpoint in TensorFlow's.
    void checkEnding(bool weights_only) const {
        const bool weights = file_path_.ends_with(".weights.h5");
        const bool model = !weights && (file_path_.ends_with(".keras") || file_path_.ends_with(".h5"));
        if (weights_only ? model : weights) {
            throw Error(ErrorCode::kInvalidArgument, "callbacks.model_checkpoint.filepath: expected a name that ends in " +
                                                         std::string(weights_only ? ".weights.h5 with" : ".keras or .h5 without") +
                                                         " save_weights_only, or a prefix without such an ending, got \"" + file_path_ +
                                                         "\"");
        }
    }

    void saveModel(TrainingContext& context, std::int32_t epoch, const Logs& logs) {
        const std::string heading = "Epoch " + std::to_string(epoch + 1) + ": ";
        if (!best_only_) {
            const std::filesystem::path prefix = prefixFor(context, epoch, logs);
            tell(context, heading + "saving model to " + prefix.string());
            context.saveCheckpoint(prefix, epoch, false);
            tell(context, heading + "finished saving model to " + prefix.string());
            return;
        }
        const double* value = findLog(logs, monitor_.name());
        if (value == nullptr) {
            context.log(spec::LogLevel::kWarning, "ModelCheckpoint can save the best model only when " + monitor_.name() +
                                                      " is available; nothing was saved after epoch " + std::to_string(epoch + 1));
            return;
        }
        const std::string before = monitor_.best() ? fixed5(*monitor_.best()) : "None";
        if (!monitor_.improves(*value)) {
            tell(context, heading + monitor_.name() + " did not improve from " + before);
            return;
        }
        const std::filesystem::path prefix = prefixFor(context, epoch, logs);
        tell(context,
             heading + monitor_.name() + " improved from " + before + " to " + fixed5(*value) + ", saving model to " + prefix.string());
        monitor_.accept(*value);
        context.saveCheckpoint(prefix, epoch, true);
        tell(context, heading + "finished saving model to " + prefix.string());
    }

    std::filesystem::path prefixFor(const TrainingContext& context, std::int32_t epoch, Logs values) const {
        setLog(values, "epoch", epoch + 1);
        return (context.runDir() / formatFilePath(file_path_, values)).lexically_normal();
    }

    void tell(TrainingContext& context, const std::string& text) const {
        if (verbose_ && context.isChief()) {
            context.log(spec::LogLevel::kInfo, text);
        }
    }

    const std::string file_path_;
    const bool best_only_;
    Monitor monitor_;
    const bool verbose_;
    const std::int64_t every_steps_;  // 0: after each epoch
    std::int64_t steps_ = 0;
};

}  // namespace

std::unique_ptr<Callback> makeModelCheckpoint(const spec::Fields& config) {
    return std::make_unique<ModelCheckpoint>(config);
}

}  // namespace engine::train
