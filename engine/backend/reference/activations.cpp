#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "engine/backend/activation_formulas.h"
#include "engine/backend/reference/interpreter.h"
#include "engine/backend/reference/kernels.h"

namespace engine::backend::reference {
namespace {

using plan::Activation;
using plan::ActivationSettings;

using Formulas = ActivationFormulas<double>;

void softmaxRow(bool logarithm, std::span<const float> x, std::span<float> y) {
    const double largest = *std::max_element(x.begin(), x.end());
    double total = 0;
    for (float z : x) total += std::exp(z - largest);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double shifted = x[i] - largest;
        y[i] = static_cast<float>(logarithm ? shifted - std::log(total) : std::exp(shifted) / total);
    }
}

// Places in falling order of the values; the first `support` of them make tau.
struct Sparsemax {
    std::vector<std::size_t> order;
    std::size_t support = 0;
    double tau = 0;

    explicit Sparsemax(std::span<const float> x) : order(x.size()) {
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto key = [x](std::size_t i) { return std::isnan(x[i]) ? -std::numeric_limits<float>::infinity() : x[i]; };
        std::stable_sort(order.begin(), order.end(), [key](std::size_t a, std::size_t b) { return key(a) > key(b); });
        double sum = 0, sums = 0;
        for (std::size_t j = 0; j < order.size(); ++j) {
            sum += x[order[j]];
            if (x[order[j]] <= (sum - 1) / static_cast<double>(j + 1)) continue;
            sums += sum;
            ++support;
        }
        tau = (sums - 1) / static_cast<double>(support);
    }
};

void sparsemaxRow(std::span<const float> x, std::span<float> y) {
    const Sparsemax row(x);
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(std::max(x[i] - row.tau, 0.0));
}

// tau grows with the j-th largest value by (support - j) / support, j from 0.
void sparsemaxGradient(std::span<const float> x, std::span<const float> dy, std::span<float> dx) {
    const Sparsemax row(x);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        dx[i] = x[i] >= row.tau ? dy[i] : 0.0F;
        sum += dx[i];
    }
    const auto support = static_cast<double>(row.support);
    for (std::size_t j = 0; j < row.support; ++j) {
        dx[row.order[j]] = static_cast<float>(dx[row.order[j]] - sum * (support - static_cast<double>(j)) / support);
    }
}

// The gradient, computed from y; for sparsemax `y` is x.
void rowGradient(Activation activation, std::span<const float> y, std::span<const float> dy, std::span<float> dx) {
    if (activation == Activation::kSparsemax) return sparsemaxGradient(y, dy, dx);
    double inner = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (activation == Activation::kSoftmax) inner += static_cast<double>(dy[i]) * y[i];
        if (activation == Activation::kLogSoftmax) inner += dy[i];
    }
    for (std::size_t i = 0; i < y.size(); ++i) {
        if (activation == Activation::kSoftmax) dx[i] = static_cast<float>(y[i] * (dy[i] - inner));
        if (activation == Activation::kLogSoftmax) dx[i] = static_cast<float>(dy[i] - std::exp(static_cast<double>(y[i])) * inner);
    }
}

}  // namespace

double activationValue(Activation activation, double x) {
    return Formulas::value(activation, {}, x);
}

double activationDerivative(Activation activation, double saved) {
    return Formulas::derivative(activation, {}, saved);
}

void activate(Activation activation, const ActivationSettings& settings, std::int64_t columns, std::span<const float> x,
              std::span<float> y) {
    if (!plan::runsAlongRows(activation)) {
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(Formulas::value(activation, settings, x[i]));
        return;
    }
    const auto width = static_cast<std::size_t>(columns);
    for (std::size_t begin = 0; begin < x.size(); begin += width) {
        if (activation == Activation::kSparsemax) {
            sparsemaxRow(x.subspan(begin, width), y.subspan(begin, width));
        } else {
            softmaxRow(activation == Activation::kLogSoftmax, x.subspan(begin, width), y.subspan(begin, width));
        }
    }
}

void activateBack(Activation activation, const ActivationSettings& settings, std::int64_t columns, std::span<const float> saved,
                  std::span<const float> dy, std::span<float> dx) {
    if (!plan::runsAlongRows(activation)) {
        for (std::size_t i = 0; i < dy.size(); ++i)
            dx[i] = static_cast<float>(dy[i] * Formulas::derivative(activation, settings, saved[i]));
        return;
    }
    const auto width = static_cast<std::size_t>(columns);
    for (std::size_t begin = 0; begin < dy.size(); begin += width) {
        rowGradient(activation, saved.subspan(begin, width), dy.subspan(begin, width), dx.subspan(begin, width));
    }
}

void Interpreter::activation(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples, columns = tensorOf(op.inputs[0]).shape.back();
    const auto& [function, settings] = std::get<plan::ActivationAttributes>(op.attributes);
    if (op.kind == plan::OpKind::kActivation) {
        activate(function, settings, columns, floats(op.inputs[0], n), floats(op.outputs[0], n));
    } else {
        activateBack(function, settings, columns, floats(op.inputs[0], n), floats(op.inputs[1], n), floats(op.outputs[0], n));
    }
}

void Interpreter::prelu(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    const std::span<const float> x = floats(op.inputs[0], n), alpha = floats(op.inputs[1], n);
    const spec::Shape& shape = tensorOf(op.inputs[0]).shape;
    const std::vector<std::int64_t> of = plan::broadcastIndices({shape.begin() + 1, shape.end()}, tensorOf(op.inputs[1]).shape);
    const auto slope = [&](std::size_t i) { return static_cast<std::size_t>(of[i % of.size()]); };
    if (op.kind == plan::OpKind::kPrelu) {
        const std::span<float> y = floats(op.outputs[0], n);
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = x[i] > 0 ? x[i] : alpha[slope(i)] * x[i];
        return;
    }
    const std::span<const float> dy = floats(op.inputs[2], n);
    const std::span<float> dx = floats(op.outputs[0], n);
    std::vector<double> dalpha(alpha.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        dx[i] = x[i] > 0 ? dy[i] : x[i] == 0 ? 0 : alpha[slope(i)] * dy[i];  // Keras has two relus there, which both end at 0
        if (x[i] <= 0) dalpha[slope(i)] += static_cast<double>(dy[i]) * x[i];
    }
    if (op.outputs.size() == 1) return;
    const std::span<float> result = floats(op.outputs[1], n);
    std::transform(dalpha.begin(), dalpha.end(), result.begin(), [](double sum) { return static_cast<float>(sum); });
}

}  // namespace engine::backend::reference
