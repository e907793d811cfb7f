// The loss op: any of Keras' losses, sample weights and reductions, computed in double.
#include <vector>

#include "engine/backend/circle_loss.h"
#include "engine/backend/loss_formulas.h"
#include "engine/backend/loss_weights.h"
#include "engine/backend/reference/interpreter.h"
#include "engine/plan/loss_attributes.h"

namespace engine::backend::reference {

void Interpreter::generalLoss(const plan::Op& op, const Step& step) {
    const auto& loss = std::get<plan::LossAttributes>(op.attributes);
    const spec::Shape& shape = tensorOf(op.inputs[0]).shape;
    const std::int64_t n = step.samples;
    const std::span<const float> scores = floats(op.inputs[0], n);
    LossBatch batch{.samples = n, .layout = lossLayout(loss, shape)};
    if (plan::hasClassLabels(loss.kind)) {
        batch.classes = classLabels(n).data();
    } else {
        batch.values = floats(op.inputs[1], n).data();
    }
    ignoreClass(loss, batch);
    const plan::RowWeights weights = plan::rowWeights(plan_, op);
    if (weights.samples != plan::kNoTensor) batch.weights = floats(weights.samples, n).data();
    if (weights.mask != plan::kNoTensor) batch.mask = mask(weights.mask, n).data();
    float* gradient = op.outputs.size() > 1 ? floats(op.outputs[0], n).data() : nullptr;
    if (loss.kind == plan::LossKind::kCircle) return circleLoss(loss, batch, scores.data(), shape.back(), gradient);
    if (loss.kind == plan::LossKind::kCtc) return ctcLoss(loss, batch, shape, scores.data(), gradient);
    const LossScale scale = lossScale(loss, batch, plan_.replicas);
    double sum = 0;
    for (std::int64_t r = 0; r < batch.layout.rows(n); ++r) {
        const auto [weight, target] = rowTarget(batch, r);
        const std::int64_t begin = batch.layout.begin(r);
        const LossRow row{.loss = loss,
                          .scores = scores.data() + begin,
                          .n = batch.layout.rowElements(n),
                          .gradient = gradient == nullptr ? nullptr : gradient + begin,
                          .scale = scale.row * weight / scale.replicas,
                          .stride = batch.layout.stride};
        sum += weight *
               (batch.classes != nullptr ? classLoss<double>(row, target) : rowLoss<double>(row, batch.values + begin, scale.zero_one));
    }
    writeLoss(sum * scale.row, n);
}

void Interpreter::circleLoss(const plan::LossAttributes& loss, const LossBatch& batch, const float* scores, std::int64_t columns,
                             float* gradient) {
    const std::int64_t n = batch.samples;
    std::vector<float> distances(static_cast<std::size_t>(n * n));
    std::vector<CircleRow> rows(static_cast<std::size_t>(n));
    const CircleBatch circle{
        .loss = loss, .labels = batch, .scores = scores, .columns = columns, .distances = distances.data(), .rows = rows.data()};
    for (std::int64_t i = 0; i < n; ++i) compareWithOthers(circle, i);
    const LossScale scale = circleScale(circle);
    for (std::int64_t i = 0; gradient != nullptr && i < n; ++i) circleGradient(circle, scale, i, gradient + i * columns);
    writeLoss(circleSum(circle) * scale.row, n);
}

// `loss`: the batch's.
void Interpreter::writeLoss(double loss, std::int64_t n) {
    const std::span<float> header = floats(plan_.header, n);
    header[plan::StepHeader::kLossSum] = static_cast<float>(loss * static_cast<double>(n));
    header[plan::StepHeader::kCount] = static_cast<float>(n);
}

}  // namespace engine::backend::reference
