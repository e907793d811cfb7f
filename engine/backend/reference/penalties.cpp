// Regularizers: their part of the loss, and of the gradients.
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/backend/reference/interpreter.h"

namespace engine::backend::reference {

namespace {

// The rows or columns of a matrix, as vectors of length 1.
struct Vectors {
    std::int64_t count = 0, length = 0;
    std::vector<double> values, over_length;

    Vectors(const plan::Penalty& penalty, const spec::Shape& shape, std::span<const float> matrix) {
        const bool rows = penalty.vectors == plan::PenalisedVectors::kRows;
        count = rows ? shape[0] : shape[1];
        length = rows ? shape[1] : shape[0];
        for (std::int64_t i = 0; i < count; ++i) {
            double squares = 0;
            for (std::int64_t k = 0; k < length; ++k) {
                const float x = matrix[static_cast<std::size_t>(rows ? i * length + k : k * count + i)];
                values.push_back(x);
                squares += static_cast<double>(x) * x;
            }
            constexpr double kLargest = 1e7;  // a vector of zeros has no direction
            over_length.push_back(std::min(1 / std::sqrt(squares), kLargest));
            for (std::int64_t k = 0; k < length; ++k) at(i, k) *= over_length.back();
        }
    }
    double& at(std::int64_t i, std::int64_t k) { return values[static_cast<std::size_t>(i * length + k)]; }
    double product(std::int64_t i, std::int64_t j) {
        double sum = 0;
        for (std::int64_t k = 0; k < length; ++k) sum += at(i, k) * at(j, k);
        return sum;
    }
    double overPairs() const { return count > 1 ? 1 / static_cast<double>(count * (count - 1)) : 0; }
    double meanProduct() {
        double sum = 0;
        for (std::int64_t i = 0; i < count; ++i) {
            for (std::int64_t j = 0; j < count; ++j) sum += i == j ? 0 : std::abs(product(i, j));
        }
        return sum * overPairs();
    }
    // Of the mean product, by the k-th number of vector i.
    double slope(std::int64_t i, std::int64_t k) {
        double pull = 0, along = 0;
        for (std::int64_t j = 0; j < count; ++j) {
            const double both = i == j ? 0 : product(i, j);
            pull += ((both > 0) - (both < 0)) * at(j, k);
            along += std::abs(both);
        }
        constexpr double kLargest = 1e7;
        const auto slot = static_cast<std::size_t>(i);
        return 2 * overPairs() * over_length[slot] * (pull - (over_length[slot] < kLargest ? along * at(i, k) : 0));
    }
};

}  // namespace

void Interpreter::penalty(const plan::Op& op, const Step& step) {
    const auto& penalties = std::get<plan::PenaltyAttributes>(op.attributes).penalties;
    double total = 0;
    for (std::size_t i = 0; i < penalties.size(); ++i) {
        if (penalties[i].vectors != plan::PenalisedVectors::kNone) {
            total += penalties[i].orthogonal * Vectors(penalties[i], tensorOf(op.inputs[i]).shape, floats(op.inputs[i])).meanProduct();
            continue;
        }
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
    if (penalty.vectors != plan::PenalisedVectors::kNone) {
        Vectors vectors(penalty, tensorOf(op.inputs[0]).shape, x);
        const bool rows = penalty.vectors == plan::PenalisedVectors::kRows;
        for (std::int64_t i = 0; i < vectors.count; ++i) {
            for (std::int64_t k = 0; k < vectors.length; ++k) {
                const std::int64_t at = rows ? i * vectors.length + k : k * vectors.count + i;
                gradient[static_cast<std::size_t>(at)] += static_cast<float>(penalty.orthogonal * vectors.slope(i, k) / parts);
            }
        }
        return;
    }
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double sign = (x[i] > 0) - (x[i] < 0);
        gradient[i] += static_cast<float>((penalty.l1 * sign + 2.0 * penalty.l2 * x[i]) / parts);
    }
}

}  // namespace engine::backend::reference
