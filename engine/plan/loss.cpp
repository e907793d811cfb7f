#include "engine/plan/loss.h"

#include <optional>
#include <string>
#include <utility>

#include "engine/plan/op_table.h"
#include "engine/spec/catalog/loss_rules.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

LossReduction reductionOf(const spec::Settings& settings) {
    const std::string name = settings.getString("reduction");
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

// Refuses what a loss over several rows or samples can't go with. validate() says most of it before.
void refuseJoinedSamples(const Plan& plan, const LossAttributes& loss, const TensorDesc& scores, TensorId mask) {
    const std::string name = "compile.loss: " + std::string(toString(loss.kind));
    const auto rank = static_cast<std::int64_t>(scores.shape.size());
    if (loss.kind == LossKind::kCircle && rank != 2) {
        throw Error(ErrorCode::kInvalidArgument, name + ": expected a model output of rank 2 (batch and values), got rank " +
                                                     std::to_string(rank) + " from " + scores.layer);
    }
    const bool is_row = loss.kind != LossKind::kCircle && (loss.first_axis == -1 || (loss.first_axis == rank - 1 && loss.axes == 1));
    if (mask != kNoTensor && !is_row) {
        throw Error(ErrorCode::kUnimplemented, name + ": expected an output without a mask, got one from " + scores.layer);
    }
    if (!joinsSamples(loss)) return;
    if (plan.replicas > 1) {
        throw Error(ErrorCode::kInvalidArgument,
                    name + ": expected one replica, as samples of a batch are compared, got " + std::to_string(plan.replicas));
    }
    if (plan.sample_weight != kNoTensor && loss.kind != LossKind::kCircle && loss.axes != rank) {
        throw Error(ErrorCode::kInvalidArgument, name + ": expected no weights of samples with an axis that joins samples");
    }
}

}  // namespace

LossAttributes lossAttributes(const spec::ObjectSpec& loss, std::size_t rank) {
    const std::optional<LossKind> kind = lossKind(loss.class_name);
    if (!kind) {
        throw Error(ErrorCode::kUnimplemented,
                    "compile.loss: expected a loss of Keras such as SparseCategoricalCrossentropy, got " + loss.class_name);
    }
    const spec::Settings settings = spec::settingsOf(spec::lossSchemas(), loss);
    LossAttributes result{.kind = *kind, .reduction = reductionOf(settings)};
    if (hasSequences(*kind)) {
        result.first_axis = 1;
        result.axes = 2;
    }
    if (settings.has("axis")) {
        const std::optional<spec::AxisRange> axes = spec::lossAxes(loss, rank);
        if (!axes) throw Error(ErrorCode::kInvalidArgument, "compile.loss.axis: " + spec::lossAxesFault(loss, rank));
        result.first_axis = axes->first;
        result.axes = axes->count;
    } else if (const std::int64_t axis = loss.config.getInt("axis", -1); axis != -1) {
        // Keras has an axis where a class has one; no other schema offers another than the last.
        throw Error(ErrorCode::kUnimplemented, "compile.loss.axis: expected -1, got " + std::to_string(axis));
    }
    settings.read("from_logits", result.from_logits);
    settings.read("label_smoothing", result.label_smoothing);
    settings.read("delta", result.delta);
    settings.read("alpha", result.alpha);
    settings.read("beta", result.beta);
    settings.read("gamma", result.gamma);
    settings.read("q", result.q);
    settings.read("margin", result.margin);
    settings.read("remove_diagonal", result.remove_diagonal);
    settings.read("apply_class_balancing", result.apply_class_balancing);
    if (settings.has("ignore_class")) result.ignored_class = settings.findInt("ignore_class");
    return result;
}

spec::Shape labelShape(const LossAttributes& loss, std::int64_t batch, const spec::Shape& output) {
    if (hasSequences(loss.kind)) {
        if (output.size() != 2) {
            throw Error(ErrorCode::kInvalidArgument, "compile.loss: " + std::string(toString(loss.kind)) +
                                                         ": expected a model output of rank 3 (batch, time and classes), got rank " +
                                                         std::to_string(output.size() + 1));
        }
        return {batch, output[0] + 1};
    }
    spec::Shape shape{batch};
    shape.insert(shape.end(), output.begin(), output.end() - (hasClassLabels(loss.kind) && !output.empty() ? 1 : 0));
    return shape;
}

bool lossHangsOnBatches(const Op& op) {
    if (op.kind != OpKind::kLoss) return false;
    const auto& loss = std::get<LossAttributes>(op.attributes);
    const bool is_masked = op.inputs.size() > 2;
    return is_masked || loss.reduction == LossReduction::kSum || loss.ignored_class || joinsSamples(loss);
}

TensorId lowerLoss(Plan& plan, TensorId scores, const LossAttributes& loss, TensorId mask, std::string_view gradient_name) {
    const TensorDesc of_scores = plan.tensors[static_cast<std::size_t>(scores)];
    if (of_scores.shape.size() < 2) {
        throw Error(ErrorCode::kInvalidArgument, "compile.loss: expected a model output of rank 2 or more (batch, ..., values), got rank " +
                                                     std::to_string(of_scores.shape.size()) + " from " + of_scores.layer);
    }
    refuseJoinedSamples(plan, loss, of_scores, mask);
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
        gradient = add({.name = of_scores.name + ":" + std::string(gradient_name),
                        .role = TensorRole::kActivation,
                        .shape = of_scores.shape,
                        .layer = of_scores.layer});
        op.outputs.push_back(gradient);
    }
    op.outputs.push_back(plan.header);
    plan.ops.push_back(std::move(op));
    return gradient;
}

}  // namespace engine::plan
