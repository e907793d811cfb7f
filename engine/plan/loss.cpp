#include "engine/plan/loss.h"

#include <variant>

#include "engine/spec/error.h"

namespace engine::plan {

LossInput checkLoss(const spec::ObjectSpec& loss, const std::vector<std::string>& metrics) {
    if (loss.class_name != "SparseCategoricalCrossentropy" && loss.class_name != "sparse_categorical_crossentropy") {
        throw Error(ErrorCode::kUnimplemented, "compile.loss: expected SparseCategoricalCrossentropy, got " + loss.class_name);
    }
    const spec::FieldValue* ignored = loss.config.find("ignore_class");
    if (ignored != nullptr && !std::holds_alternative<std::monostate>(*ignored)) {
        throw Error(ErrorCode::kUnimplemented, "compile.loss: expected no ignore_class (not supported), got one");
    }
    const std::string reduction = loss.config.getString("reduction", "sum_over_batch_size");
    // Without sample weights these three are the same.
    if (reduction != "sum_over_batch_size" && reduction != "mean" && reduction != "mean_with_sample_weight") {
        throw Error(ErrorCode::kUnimplemented, "compile.loss: expected reduction sum_over_batch_size, got " + reduction);
    }
    for (const std::string& metric : metrics) {
        if (metric != "accuracy" && metric != "acc" && metric != "sparse_categorical_accuracy" && metric != "SparseCategoricalAccuracy") {
            throw Error(ErrorCode::kUnimplemented, "compile.metrics: expected accuracy, got " + metric);
        }
    }
    return loss.config.getBool("from_logits", false) ? LossInput::kLogits : LossInput::kProbabilities;
}

TensorId lowerLoss(Plan& plan, TensorId scores, LossInput input) {
    const TensorDesc of_scores = plan.tensors[static_cast<std::size_t>(scores)];
    if (of_scores.shape.size() != 2) {
        throw Error(ErrorCode::kInvalidArgument, "compile.loss: expected a model output of rank 2 (batch, classes), got rank " +
                                                     std::to_string(of_scores.shape.size()) + " from " + of_scores.layer);
    }
    auto add = [&plan](TensorDesc tensor) {
        plan.tensors.push_back(std::move(tensor));
        return static_cast<TensorId>(plan.tensors.size() - 1);
    };
    plan.header = add({.name = "header", .role = TensorRole::kStepHeader, .shape = {StepHeader::kSize}});
    Op op{.kind = OpKind::kSoftmaxCrossEntropy,
          .phase = Phase::kForward,
          .name = "loss/SoftmaxCrossEntropy",
          .layer = "loss",
          .inputs = {scores, plan.label},
          .outputs = {},
          .from_logits = input == LossInput::kLogits};
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
