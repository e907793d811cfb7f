#include "engine/plan/loss.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "engine/plan/op_table.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

constexpr std::array<std::pair<LossKind, std::string_view>, 17> kNames{{
    {LossKind::kSparseCategoricalCrossentropy, "SparseCategoricalCrossentropy"},
    {LossKind::kCategoricalCrossentropy, "CategoricalCrossentropy"},
    {LossKind::kCategoricalFocalCrossentropy, "CategoricalFocalCrossentropy"},
    {LossKind::kCategoricalHinge, "CategoricalHinge"},
    {LossKind::kKLDivergence, "KLDivergence"},
    {LossKind::kCosineSimilarity, "CosineSimilarity"},
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

LossReduction reductionOf(const spec::ObjectSpec& loss) {
    const std::string name = loss.config.getString("reduction", "sum_over_batch_size");
    if (name == "sum_over_batch_size" || name == "mean") return LossReduction::kMean;
    if (name == "mean_with_sample_weight") return LossReduction::kWeightedMean;
    if (name == "sum") return LossReduction::kSum;
    throw Error(ErrorCode::kUnimplemented,
                "compile.loss.reduction: expected sum_over_batch_size, mean, mean_with_sample_weight or sum, got " + name);
}

// What the one op of softmax, cross-entropy and accuracy covers.
bool isFused(const Plan& plan, const LossAttributes& loss, const TensorDesc& scores, TensorId mask) {
    return mask == kNoTensor && loss.kind == LossKind::kSparseCategoricalCrossentropy && loss.reduction != LossReduction::kSum &&
           !loss.ignored_class && plan.sample_weight == kNoTensor && scores.shape.size() == 2;
}

}  // namespace

std::string_view toString(LossKind kind) {
    return std::find_if(kNames.begin(), kNames.end(), [kind](const auto& row) { return row.first == kind; })->second;
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
    return kind == LossKind::kSparseCategoricalCrossentropy;
}

LossAttributes lossAttributes(const spec::ObjectSpec& loss) {
    const auto row = std::find_if(kNames.begin(), kNames.end(), [&loss](const auto& known) { return known.second == loss.class_name; });
    if (row == kNames.end()) {
        throw Error(ErrorCode::kUnimplemented,
                    "compile.loss: expected a loss of Keras such as SparseCategoricalCrossentropy, got " + loss.class_name);
    }
    if (loss.config.getInt("axis", -1) != -1) {
        throw Error(ErrorCode::kUnimplemented, "compile.loss.axis: expected -1, got " + std::to_string(loss.config.getInt("axis", -1)));
    }
    LossAttributes result{.kind = row->first, .reduction = reductionOf(loss)};
    result.from_logits = loss.config.getBool("from_logits", false);
    result.label_smoothing = loss.config.getDouble("label_smoothing", 0);
    result.delta = loss.config.getDouble("delta", result.delta);
    result.alpha = loss.config.getDouble("alpha", result.alpha);
    result.gamma = loss.config.getDouble("gamma", result.gamma);
    result.apply_class_balancing = loss.config.getBool("apply_class_balancing", false);
    const spec::FieldValue* ignored = loss.config.find("ignore_class");
    if (ignored != nullptr && !std::holds_alternative<std::monostate>(*ignored)) {
        result.ignored_class = loss.config.getInt("ignore_class", 0);
    }
    return result;
}

TensorId lowerLoss(Plan& plan, TensorId scores, const LossAttributes& loss, TensorId mask) {
    const TensorDesc of_scores = plan.tensors[static_cast<std::size_t>(scores)];
    if (of_scores.shape.size() < 2) {
        throw Error(ErrorCode::kInvalidArgument, "compile.loss: expected a model output of rank 2 or more (batch, ..., values), got rank " +
                                                     std::to_string(of_scores.shape.size()) + " from " + of_scores.layer);
    }
    auto add = [&plan](TensorDesc tensor) {
        plan.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(plan.tensors.size() - 1);
    };
    plan.header = add({.name = "header", .role = TensorRole::kStepHeader, .shape = {StepHeader::kSize}});
    Op op{.kind = isFused(plan, loss, of_scores, mask) ? OpKind::kSoftmaxCrossEntropy : OpKind::kLoss,
          .phase = Phase::kForward,
          .layer = "loss",
          .inputs = {scores, plan.label},
          .outputs = {}};
    op.name = "loss/" + std::string(toString(op.kind));
    if (op.kind == OpKind::kLoss) {
        op.attributes = loss;
        if (plan.sample_weight != kNoTensor) op.inputs.push_back(plan.sample_weight);
        if (mask != kNoTensor) op.inputs.push_back(mask);
    } else {
        op.attributes = CrossEntropyAttributes{loss.from_logits};
    }
    TensorId gradient = kNoTensor;
    if (plan.training) {
        gradient =
            add({.name = of_scores.name + ":grad", .role = TensorRole::kActivation, .shape = of_scores.shape, .layer = of_scores.layer});
        op.outputs.push_back(gradient);
    }
    op.outputs.push_back(plan.header);
    plan.ops.push_back(std::move(op));
    return gradient;
}

}  // namespace engine::plan
