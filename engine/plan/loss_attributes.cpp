#include "engine/plan/loss_attributes.h"

#include <algorithm>
#include <array>
#include <utility>

namespace engine::plan {
namespace {

constexpr std::array<std::pair<LossKind, std::string_view>, 22> kLossNames{{
    {LossKind::kSparseCategoricalCrossentropy, "SparseCategoricalCrossentropy"},
    {LossKind::kCategoricalGeneralizedCrossEntropy, "CategoricalGeneralizedCrossEntropy"},
    {LossKind::kCircle, "Circle"},
    {LossKind::kCtc, "CTC"},
    {LossKind::kCategoricalCrossentropy, "CategoricalCrossentropy"},
    {LossKind::kCategoricalFocalCrossentropy, "CategoricalFocalCrossentropy"},
    {LossKind::kCategoricalHinge, "CategoricalHinge"},
    {LossKind::kKLDivergence, "KLDivergence"},
    {LossKind::kCosineSimilarity, "CosineSimilarity"},
    {LossKind::kDice, "Dice"},
    {LossKind::kTversky, "Tversky"},
    {LossKind::kBinaryCrossentropy, "BinaryCrossentropy"},
    {LossKind::kBinaryFocalCrossentropy, "BinaryFocalCrossentropy"},
    {LossKind::kMeanSquaredError, "MeanSquaredError"},
    {LossKind::kMeanAbsoluteError, "MeanAbsoluteError"},
    {LossKind::kMeanAbsolutePercentageError, "MeanAbsolutePercentageError"},
    {LossKind::kMeanSquaredLogarithmicError, "MeanSquaredLogarithmicError"},
    {LossKind::kHuber, "Huber"},
    {LossKind::kLogCosh, "LogCosh"},
    {LossKind::kHinge, "Hinge"},
    {LossKind::kSquaredHinge, "SquaredHinge"},
    {LossKind::kPoisson, "Poisson"},
}};

}  // namespace

std::string_view toString(LossKind kind) {
    return std::find_if(kLossNames.begin(), kLossNames.end(), [kind](const auto& row) { return row.first == kind; })->second;
}

std::optional<LossKind> lossKind(std::string_view class_name) {
    const auto row =
        std::find_if(kLossNames.begin(), kLossNames.end(), [class_name](const auto& known) { return known.second == class_name; });
    return row == kLossNames.end() ? std::nullopt : std::optional(row->first);
}

std::string_view toString(LossReduction reduction) {
    switch (reduction) {
        case LossReduction::kMean:
            return "sum_over_batch_size";
        case LossReduction::kWeightedMean:
            return "mean_with_sample_weight";
        case LossReduction::kSum:
            return "sum";
    }
    return "?";
}

bool hasClassLabels(LossKind kind) {
    return kind == LossKind::kSparseCategoricalCrossentropy || kind == LossKind::kCategoricalGeneralizedCrossEntropy ||
           kind == LossKind::kCircle || hasSequences(kind);
}

bool hasSequences(LossKind kind) {
    return kind == LossKind::kCtc;
}

bool joinsSamples(const LossAttributes& loss) {
    return loss.kind == LossKind::kCircle || loss.first_axis == 0;
}

}  // namespace engine::plan
