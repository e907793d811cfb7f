#include <algorithm>

#include "engine/spec/error.h"
#include "engine/train/callbacks/callback.h"
#include "engine/train/callbacks/monitor.h"

namespace engine::train {
namespace {

class EarlyStopping final : public Callback {
public:
    explicit EarlyStopping(const spec::Fields& config)
        : monitor_(config.getString("monitor", "val_loss"), config.getString("mode", "auto"), std::abs(config.getDouble("min_delta", 0))),
          patience_(config.getInt("patience", 0)),
          verbose_(config.getInt("verbose", 0) > 0),
          baseline_(optionalDouble(config, "baseline")),
          restores_(config.getBool("restore_best_weights", false)),
          start_from_epoch_(config.getInt("start_from_epoch", 0)) {}

    void onEpochEnd(TrainingContext& context, std::int32_t epoch, Logs& logs) override {
        const double* current = findLog(logs, monitor_.name());
        if (current == nullptr) {
            context.log(spec::LogLevel::kWarning, "Early stopping conditioned on metric `" + monitor_.name() +
                                                      "` which is not available. Available metrics are: " + logNames(logs));
            return;
        }
        if (epoch < start_from_epoch_) {
            return;
        }
        if (restores_ && best_weights_.empty()) {
            keepWeights(context, epoch);
        }
        ++wait_;
        if (monitor_.improves(*current)) {
            monitor_.accept(*current);
            best_epoch_ = epoch;
            if (restores_) {
                keepWeights(context, epoch);
            }
            if (!baseline_ || monitor_.isBetter(*current, baseline_)) {
                wait_ = 0;
            }
            return;
        }
        if (wait_ >= patience_ && epoch > 0) {
            stopped_epoch_ = epoch;
            context.stopTraining();
        }
    }

    void onTrainEnd(TrainingContext& context) override {
        const bool tells = verbose_ && context.isChief();
        if (stopped_epoch_ > 0 && tells) {
            context.log(spec::LogLevel::kInfo, "Epoch " + std::to_string(stopped_epoch_ + 1) + ": early stopping");
        }
        if (!restores_ || best_weights_.empty()) {
            return;
        }
        if (tells) {
            context.log(spec::LogLevel::kInfo,
                        "Restoring model weights from the end of the best epoch: " + std::to_string(best_epoch_ + 1) + ".");
        }
        auto from = best_weights_.cbegin();
        for (const backend::Variables::Entry& entry : context.currentVariables().entries()) {
            if (!entry.is_slot) {
                const auto to = from + static_cast<std::ptrdiff_t>(entry.values.size());
                std::copy(from, to, entry.values.begin());
                from = to;
            }
        }
        context.variablesChanged();
    }

    void save(exporter::SavedObject& state) const override {
        monitor_.save(state);
        state.set("wait", wait_);
        state.set("best_epoch", std::int64_t{best_epoch_});
        state.set("stopped_epoch", std::int64_t{stopped_epoch_});
        state.set("best_weights", best_weights_);
    }

    void restore(const exporter::SavedObject& state) override {
        monitor_.restore(state);
        wait_ = state.get<std::int64_t>("wait", 0);
        best_epoch_ = static_cast<std::int32_t>(state.get<std::int64_t>("best_epoch", 0));
        stopped_epoch_ = static_cast<std::int32_t>(state.get<std::int64_t>("stopped_epoch", 0));
        best_weights_ = state.get<std::vector<float>>("best_weights", {});
    }

private:
    void keepWeights(TrainingContext& context, std::int32_t epoch) {
        best_epoch_ = epoch;
        best_weights_.clear();
        for (const backend::Variables::Entry& entry : context.currentVariables().entries()) {
            if (!entry.is_slot) {
                best_weights_.insert(best_weights_.end(), entry.values.begin(), entry.values.end());
            }
        }
    }

    Monitor monitor_;
    const std::int64_t patience_;
    const bool verbose_;
    const std::optional<double> baseline_;
    const bool restores_;
    const std::int64_t start_from_epoch_;
    std::int64_t wait_ = 0;
    std::int32_t best_epoch_ = 0;
    std::int32_t stopped_epoch_ = 0;   // 0: training was not stopped here
    std::vector<float> best_weights_;  // all weights in plan order, slots left out
};

}  // namespace

std::unique_ptr<Callback> makeEarlyStopping(const spec::Fields& config) {
    return std::make_unique<EarlyStopping>(config);
}

}  // namespace engine::train
