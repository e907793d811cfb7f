// The metric op: what a batch adds to a metric's sums in the step header.
#include <vector>

#include "engine/backend/metric_rows.h"
#include "engine/backend/reference/interpreter.h"

namespace engine::backend::reference {

void Interpreter::metric(const plan::Op& op, const Step& step) {
    const auto& metric = std::get<plan::MetricAttributes>(op.attributes);
    const std::int64_t n = step.samples, columns = tensorOf(op.inputs[0]).shape.back();
    const std::span<const float> predictions = floats(op.inputs[0], n);
    const bool has_classes = tensorOf(op.inputs[1]).dtype == tensor::DType::kInt32;
    const plan::RowWeights weights = plan::rowWeights(plan_, op);
    std::vector<double> sums(static_cast<std::size_t>(metric.width));
    const std::int64_t rows = static_cast<std::int64_t>(predictions.size()) / columns;
    for (std::int64_t r = 0; r < rows; ++r) {
        MetricRow row{.predictions = predictions.data() + r * columns, .n = columns};
        if (has_classes) {
            row.label = classLabels(n)[static_cast<std::size_t>(r)];
        } else {
            row.values = floats(op.inputs[1], n).data() + r * columns;
        }
        if (weights.samples != plan::kNoTensor) row.weight = floats(weights.samples, n)[static_cast<std::size_t>(r * n / rows)];
        if (weights.mask != plan::kNoTensor && mask(weights.mask, n)[static_cast<std::size_t>(r)] == 0) row.weight = 0;
        if (!plan::isMeanOfRows(metric.kind)) {
            countElements(metric, row, sums);
        } else {
            sums[0] += row.weight * rowMetric(metric, row);
            sums[1] += row.weight;
        }
    }
    const std::span<float> header = floats(plan_.header, n).subspan(static_cast<std::size_t>(metric.offset));
    for (std::size_t i = 0; i < sums.size(); ++i) header[i] = static_cast<float>(sums[i]);
}

}  // namespace engine::backend::reference
