// Which rows of a tensor count, and what is made of these alone; the meanings stand with the ops in engine/plan/op_kind.h.
#include <algorithm>
#include <variant>

#include "engine/backend/reference/interpreter.h"

namespace engine::backend::reference {

void Interpreter::rowMask(const plan::Op& op, const Step& step) {
    if (op.kind == plan::OpKind::kMask) return makeMask(op, step);
    if (op.kind == plan::OpKind::kApplyMask) return applyRowMask(op, step);
    maskedMean(op, step);
}

void Interpreter::makeMask(const plan::Op& op, const Step& step) {
    const float value = std::get<plan::MaskAttributes>(op.attributes).value;
    const std::span<const float> x = floats(op.inputs[0], step.samples);
    const std::span<std::uint8_t> counts = mask(op.outputs[0], step.samples);
    const std::size_t width = counts.empty() ? 0 : x.size() / counts.size();
    for (std::size_t row = 0; row < counts.size(); ++row) {
        const std::span<const float> values = x.subspan(row * width, width);
        counts[row] = std::any_of(values.begin(), values.end(), [value](float one) { return one != value; }) ? 1 : 0;
    }
}

void Interpreter::applyRowMask(const plan::Op& op, const Step& step) {
    const std::span<const float> x = floats(op.inputs[0], step.samples);
    const std::span<const std::uint8_t> counts = mask(op.inputs[1], step.samples);
    const std::span<float> y = floats(op.outputs[0], step.samples);
    const std::size_t width = counts.empty() ? 0 : x.size() / counts.size();
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = counts[i / width] != 0 ? x[i] : 0;
}

void Interpreter::maskedMean(const plan::Op& op, const Step& step) {
    const bool is_forward = op.kind == plan::OpKind::kMaskedMean;
    const std::span<float> sequences = floats(is_forward ? op.inputs[0] : op.outputs[0], step.samples);
    const std::span<float> means = floats(is_forward ? op.outputs[0] : op.inputs[0], step.samples);
    const std::span<const std::uint8_t> counts = mask(op.inputs[1], step.samples);
    if (counts.empty()) return;
    const auto time = static_cast<std::size_t>(tensorOf(op.inputs[1]).shape.back());
    const std::size_t width = sequences.size() / counts.size();
    for (std::size_t item = 0; item < counts.size() / time; ++item) {
        const std::span<const std::uint8_t> steps = counts.subspan(item * time, time);
        const auto counted = static_cast<double>(std::count(steps.begin(), steps.end(), std::uint8_t{1}));
        for (std::size_t k = 0; k < width; ++k) {
            double sum = 0;
            for (std::size_t s = 0; s < time; ++s) {
                float& value = sequences[(item * time + s) * width + k];
                if (!is_forward) value = steps[s] != 0 ? static_cast<float>(means[item * width + k] / counted) : 0;
                if (is_forward && steps[s] != 0) sum += value;
            }
            if (is_forward) means[item * width + k] = static_cast<float>(sum / counted);
        }
    }
}

}  // namespace engine::backend::reference
