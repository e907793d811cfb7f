// Regularizers: their part of the loss, and of the gradients.
#include <cmath>

#include "engine/backend/reference/interpreter.h"

namespace engine::backend::reference {

void Interpreter::penalty(const plan::Op& op, const Step& step) {
    const auto& penalties = std::get<plan::PenaltyAttributes>(op.attributes).penalties;
    double total = 0;
    for (std::size_t i = 0; i < penalties.size(); ++i) {
        double sizes = 0, squares = 0;
        for (const float x : floats(op.inputs[i], step.samples)) {
            sizes += std::abs(static_cast<double>(x));
            squares += static_cast<double>(x) * x;
        }
        const double sum = penalties[i].l1 * sizes + penalties[i].l2 * squares;
        total += penalties[i].of_activity && step.samples > 0 ? sum / static_cast<double>(step.samples) : sum;
    }
    floats(plan_.header)[plan::StepHeader::kLossSum] += static_cast<float>(total * static_cast<double>(step.samples));
}

void Interpreter::penaltyBack(const plan::Op& op, const Step& step) {
    const plan::Penalty& penalty = std::get<plan::PenaltyAttributes>(op.attributes).penalties.front();
    const std::span<const float> x = floats(op.inputs[0], step.samples);
    const std::span<float> gradient = floats(op.outputs[0], step.samples);
    const double scale = op.inputs.size() > 2 ? floats(op.inputs[2])[0] : 1;
    const double parts = plan_.replicas / scale * (penalty.of_activity ? static_cast<double>(step.samples) : 1.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double sign = (x[i] > 0) - (x[i] < 0);
        gradient[i] += static_cast<float>((penalty.l1 * sign + 2.0 * penalty.l2 * x[i]) / parts);
    }
}

}  // namespace engine::backend::reference
