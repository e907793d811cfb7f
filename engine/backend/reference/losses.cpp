// The loss op: any of Keras' losses, sample weights and reductions, computed in double.
#include <vector>

#include "engine/backend/loss_formulas.h"
#include "engine/backend/loss_weights.h"
#include "engine/backend/reference/interpreter.h"
#include "engine/plan/loss_attributes.h"

namespace engine::backend::reference {

void Interpreter::generalLoss(const plan::Op& op, const Step& step) {
    const auto& loss = std::get<plan::LossAttributes>(op.attributes);
    const spec::Shape& shape = tensorOf(op.inputs[0]).shape;
    const std::int64_t n = step.samples, columns = shape.back();
    const std::span<const float> scores = floats(op.inputs[0], n);
    LossBatch batch{.samples = n, .row_elements = columns};
    for (std::size_t axis = 1; axis + 1 < shape.size(); ++axis) batch.rows_per_sample *= shape[axis];
    if (plan::hasClassLabels(loss.kind)) {
        batch.classes = classLabels(n).data();
    } else {
        batch.values = floats(op.inputs[1], n).data();
    }
    ignoreClass(loss, batch);
    const plan::RowWeights weights = plan::rowWeights(plan_, op);
    if (weights.samples != plan::kNoTensor) batch.weights = floats(weights.samples, n).data();
    if (weights.mask != plan::kNoTensor) batch.mask = mask(weights.mask, n).data();
    const LossScale scale = lossScale(loss, batch, plan_.replicas);
    float* gradient = op.outputs.size() > 1 ? floats(op.outputs[0], n).data() : nullptr;
    double sum = 0;
    for (std::int64_t r = 0; r < n * batch.rows_per_sample; ++r) {
        const auto [weight, target] = rowTarget(batch, r);
        const LossRow row{.loss = loss,
                          .scores = scores.data() + r * columns,
                          .n = columns,
                          .gradient = gradient == nullptr ? nullptr : gradient + r * columns,
                          .scale = scale.row * weight / scale.replicas};
        sum += weight * (batch.classes != nullptr ? sparseCrossEntropy<double>(row, target)
                                                  : rowLoss<double>(row, batch.values + r * columns, scale.zero_one));
    }
    const std::span<float> header = floats(plan_.header, n);
    header[plan::StepHeader::kLossSum] = static_cast<float>(sum * scale.row * static_cast<double>(n));
    header[plan::StepHeader::kCount] = static_cast<float>(n);
}

}  // namespace engine::backend::reference
