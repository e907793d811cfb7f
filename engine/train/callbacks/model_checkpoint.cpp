#include <cstdio>

#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/spec/project/strategy_table.h"
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

// Saves after each epoch, or every save_freq steps counted over the epochs' borders. Fields as Keras': filepath (below the run's folder,
// "checkpoints/ckpt_{epoch}" by default), monitor, mode, save_best_only, initial_value_threshold, save_freq, verbose.
// A filepath that ends in .keras or .h5 (or .weights.h5 with save_weights_only) gives Keras' formats, any other one TensorFlow's
// checkpoints.
class ModelCheckpoint final : public Callback {
public:
    explicit ModelCheckpoint(const spec::Settings& settings)
        : file_path_(settings.getString("filepath")),
          best_only_(settings.getBool("save_best_only")),
          monitor_(settings.getString("monitor"), best_only_ ? settings.getString("mode") : "min"),
          verbose_(settings.getInt("verbose") > 0),
          every_steps_(saveFrequency(settings, "save_freq", "callbacks.model_checkpoint")) {
        if (const auto threshold = settings.findDouble("initial_value_threshold")) {
            monitor_.accept(*threshold);
        }
        if (file_path_.empty()) {
            throw Error(ErrorCode::kInvalidArgument, "callbacks.model_checkpoint.filepath: expected a file name, got an empty one");
        }
        checkEnding(settings.getBool("save_weights_only"));
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
            // As Keras does: without the value nothing tells that the model is worse.
            context.log(spec::LogLevel::kWarning, "ModelCheckpoint can save the best model only when " + monitor_.name() +
                                                      " is available; the model of epoch " + std::to_string(epoch + 1) +
                                                      " is saved without it");
            context.saveCheckpoint(prefixFor(context, epoch, logs), epoch, false);
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
        // With parameter servers all steps of an epoch may have been other tasks', whose loss is not known here: its weights are saved all
        // the same.
        const bool may_lack_loss = spec::strategyKind(context.run().strategy.name) == spec::StrategyKind::kParameterServer;
        const Missing missing = may_lack_loss && findLog(values, "loss") == nullptr ? Missing::kIsNan : Missing::kRefused;
        return (context.runDir() / formatFilePath(file_path_, values, missing)).lexically_normal();
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

std::span<const CallbackRow> modelCheckpointRows() {
    static constexpr CallbackRow kRows[] = {
        {"ModelCheckpoint", makeFromSettings<ModelCheckpoint>},
    };
    return kRows;
}

}  // namespace engine::train
