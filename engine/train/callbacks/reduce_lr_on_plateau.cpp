#include <algorithm>

#include "engine/spec/error.h"
#include "engine/train/callbacks/callback.h"
#include "engine/train/callbacks/monitor.h"

namespace engine::train {
namespace {

class ReduceLrOnPlateau final : public Callback {
public:
    explicit ReduceLrOnPlateau(const spec::Fields& config)
        : monitor_(config.getString("monitor", "val_loss"), config.getString("mode", "auto"), config.getDouble("min_delta", 1e-4)),
          factor_(config.getDouble("factor", 0.1)),
          patience_(config.getInt("patience", 10)),
          verbose_(config.getInt("verbose", 0) > 0),
          cooldown_(config.getInt("cooldown", 0)),
          min_rate_(config.getDouble("min_lr", 0)) {
        if (!(factor_ < 1)) {
            throw Error(ErrorCode::kInvalidArgument,
                        "callbacks.reduce_lr_on_plateau.factor: expected a number below 1, got " + pythonRepr(factor_));
        }
    }

    void onEpochEnd(TrainingContext& context, std::int32_t epoch, Logs& logs) override {
        setLog(logs, "learning_rate", static_cast<double>(context.learningRate()));
        const double* current = findLog(logs, monitor_.name());
        if (current == nullptr) {
            context.log(spec::LogLevel::kWarning, "Learning rate reduction is conditioned on metric `" + monitor_.name() +
                                                      "` which is not available. Available metrics are: " + logNames(logs));
            return;
        }
        if (cooldown_left_ > 0) {
            --cooldown_left_;
            wait_ = 0;
        }
        if (monitor_.improves(*current)) {
            monitor_.accept(*current);
            wait_ = 0;
        } else if (cooldown_left_ == 0 && ++wait_ >= patience_) {
            reduce(context, epoch);
        }
    }

    void save(exporter::SavedObject& state) const override {
        monitor_.save(state);
        state.set("wait", wait_);
        state.set("cooldown", cooldown_left_);
    }

    void restore(const exporter::SavedObject& state) override {
        monitor_.restore(state);
        wait_ = state.get<std::int64_t>("wait", 0);
        cooldown_left_ = state.get<std::int64_t>("cooldown", 0);
    }

private:
    void reduce(TrainingContext& context, std::int32_t epoch) {
        const float before = context.learningRate();
        if (before <= static_cast<float>(min_rate_)) {
            return;
        }
        const double rate = std::max(static_cast<double>(before) * factor_, min_rate_);
        context.setLearningRate(static_cast<float>(rate));
        if (verbose_ && context.isChief()) {
            context.log(spec::LogLevel::kInfo,
                        "Epoch " + std::to_string(epoch + 1) + ": ReduceLROnPlateau reducing learning rate to " + pythonRepr(rate) + ".");
        }
        cooldown_left_ = cooldown_;
        wait_ = 0;
    }

    Monitor monitor_;
    const double factor_;
    const std::int64_t patience_;
    const bool verbose_;
    const std::int64_t cooldown_;
    const double min_rate_;
    std::int64_t wait_ = 0;
    std::int64_t cooldown_left_ = 0;
};

}  // namespace

std::unique_ptr<Callback> makeReduceLrOnPlateau(const spec::Fields& config) {
    return std::make_unique<ReduceLrOnPlateau>(config);
}

}  // namespace engine::train
