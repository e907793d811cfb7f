#include <algorithm>

#include "engine/spec/error.h"
#include "engine/train/averages.h"
#include "engine/train/callbacks/callback.h"

namespace engine::train {
namespace {

// Weights and moving averages change places, bit by bit, and change back before the next step: training never sees it. Each replica
// exchanges its own, which are those of all. A run ends with what then stands in the place of the averages: after its last epoch they do,
// while a run that ends earlier with swap_on_epoch ends, as in Keras, with the weights.
class SwapEmaWeights final : public Callback {
public:
    explicit SwapEmaWeights(const spec::Settings& settings) : swaps_on_epoch_(settings.getBool("swap_on_epoch")) {}

    void onTrainBegin(TrainingContext& context) override {
        if (averagedWeights(context.currentVariables()).empty()) {
            throw Error(ErrorCode::kInvalidArgument, "callbacks: SwapEMAWeights expects an optimizer with use_ema=true, got " +
                                                         context.run().compile.optimizer.class_name + " without it");
        }
    }
    void onEpochBegin(TrainingContext& context, std::int32_t /*epoch*/) override { giveBack(context); }
    void onTestBegin(TrainingContext& context) override { takeAverages(context); }
    void onTestEnd(TrainingContext& context) override { giveBack(context); }
    void onEpochEnd(TrainingContext& context, std::int32_t epoch, Logs& /*logs*/) override {
        if (!swaps_on_epoch_) return;
        takeAverages(context);
        if (epoch + 1 < context.run().fit.epochs) return;
        for (const AveragedWeight& one : averagedWeights(context.currentVariables())) {
            std::copy(one.weights.begin(), one.weights.end(), one.average.begin());
        }
        context.variablesChanged();
    }

    // A backup between two epochs holds the variables as they are exchanged.
    void save(exporter::SavedObject& state) const override { state.set("averages_in_model", std::int64_t{averages_in_model_ ? 1 : 0}); }
    void restore(const exporter::SavedObject& state) override { averages_in_model_ = state.get<std::int64_t>("averages_in_model", 0) != 0; }

private:
    void takeAverages(TrainingContext& context) {
        if (!averages_in_model_) exchange(context);
    }
    void giveBack(TrainingContext& context) {
        if (averages_in_model_) exchange(context);
    }
    void exchange(TrainingContext& context) {
        for (const AveragedWeight& one : averagedWeights(context.currentVariables())) {
            std::swap_ranges(one.weights.begin(), one.weights.end(), one.average.begin());
        }
        context.variablesChanged();
        averages_in_model_ = !averages_in_model_;
    }

    const bool swaps_on_epoch_;
    bool averages_in_model_ = false;
};

}  // namespace

std::span<const CallbackRow> swapEmaWeightsRows() {
    static constexpr CallbackRow kRows[] = {
        {"SwapEMAWeights", makeFromSettings<SwapEmaWeights>},
    };
    return kRows;
}

}  // namespace engine::train
