#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "engine/backend/reference/interpreter.h"
#include "engine/backend/reference/kernels.h"

namespace engine::backend::reference {
namespace {

using plan::Activation;
using plan::ActivationSettings;

constexpr double kGeluCube = 0.044715;
const double kGeluRoot = std::sqrt(2 / std::numbers::pi);
constexpr double kShrink = 0.5;

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}
double softplus(double x) {
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
double hardSigmoid(double x) {
    return std::clamp(x / 6 + 0.5, 0.0, 1.0);
}
double normalIntegral(double x) {
    return 0.5 * std::erfc(-x / std::numbers::sqrt2);
}
double normalDensity(double x) {
    return std::exp(-0.5 * x * x) / std::sqrt(2 * std::numbers::pi);
}

double value(Activation activation, const ActivationSettings& s, double x) {
    switch (activation) {
        case Activation::kRelu:
            return x < 0 ? 0 : x;
        case Activation::kRampRelu:
            return std::min<double>(x < s.threshold ? s.slope * (x - s.threshold) : x, s.limit);
        case Activation::kElu:
            return s.scale * (x > 0 ? x : s.alpha * std::expm1(x));
        case Activation::kGelu:
            return x * normalIntegral(x);
        case Activation::kGeluTanh:
            return 0.5 * x * (1 + std::tanh(kGeluRoot * (x + kGeluCube * x * x * x)));
        case Activation::kSigmoid:
            return sigmoid(x);
        case Activation::kHardSigmoid:
            return hardSigmoid(x);
        case Activation::kTanh:
            return std::tanh(x);
        case Activation::kHardTanh:
            return std::clamp(x, -1.0, 1.0);
        case Activation::kSoftplus:
            return softplus(x);
        case Activation::kSoftsign:
            return x / (1 + std::abs(x));
        case Activation::kSilu:
            return x * sigmoid(x);
        case Activation::kHardSilu:
            return x * hardSigmoid(x);
        case Activation::kMish:
            return x * std::tanh(softplus(x));
        case Activation::kExponential:
            return std::exp(x);
        case Activation::kLogSigmoid:
            return -softplus(-x);
        case Activation::kTanhShrink:
            return x - std::tanh(x);
        case Activation::kSoftShrink:
            return x > kShrink ? x - kShrink : x < -kShrink ? x + kShrink : 0;
        case Activation::kHardShrink:
            return std::abs(x) > kShrink ? x : 0;
        case Activation::kSquareplus:
            return (x + std::sqrt(x * x + 4)) / 2;
        default:
            return x;
    }
}

// By x or by y, as plan::derivesFromInput() says.
double derivative(Activation activation, const ActivationSettings& s, double v) {
    switch (activation) {
        case Activation::kRelu:
            return v > 0 ? 1 : 0;
        case Activation::kRampRelu:
            return v < s.threshold ? s.slope : v >= s.limit ? 0 : 1;
        case Activation::kElu:
            return v > 0 ? s.scale : v + static_cast<double>(s.scale) * s.alpha;
        case Activation::kGelu:
            return normalIntegral(v) + v * normalDensity(v);
        case Activation::kGeluTanh: {
            const double t = std::tanh(kGeluRoot * (v + kGeluCube * v * v * v));
            return 0.5 * (1 + t) + 0.5 * v * (1 - t * t) * kGeluRoot * (1 + 3 * kGeluCube * v * v);
        }
        case Activation::kSigmoid:
            return v * (1 - v);
        case Activation::kHardSigmoid:
            return v > 0 && v < 1 ? 1.0 / 6 : 0;
        case Activation::kTanh:
            return 1 - v * v;
        case Activation::kHardTanh:
            return v > -1 && v < 1 ? 1 : 0;
        case Activation::kSoftplus:
            return sigmoid(v);
        case Activation::kSoftsign:
            return (1 - std::abs(v)) * (1 - std::abs(v));
        case Activation::kSilu:
            return sigmoid(v) * (1 + v * (1 - sigmoid(v)));
        case Activation::kHardSilu:
            return v < -3 ? 0 : v > 3 ? 1 : v / 3 + 0.5;
        case Activation::kMish: {
            const double t = std::tanh(softplus(v));
            return t + v * (1 - t * t) * sigmoid(v);
        }
        case Activation::kExponential:
            return v;
        case Activation::kLogSigmoid:
            return sigmoid(-v);
        case Activation::kTanhShrink:
            return std::tanh(v) * std::tanh(v);
        case Activation::kSoftShrink:
        case Activation::kHardShrink:
            return std::abs(v) > kShrink ? 1 : 0;
        case Activation::kSquareplus:
            return 0.5 + 0.5 * v / std::sqrt(v * v + 4);
        default:
            return 1;
    }
}

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
        dx[i] = x[i] > row.tau ? dy[i] : 0.0F;
        sum += dx[i];
    }
    const auto support = static_cast<double>(row.support);
    for (std::size_t j = 0; j < row.support; ++j) {
        dx[row.order[j]] = static_cast<float>(dx[row.order[j]] - sum * (support - static_cast<double>(j)) / support);
    }
}

// By y, of sparsemax by x.
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
    return value(activation, {}, x);
}

double activationDerivative(Activation activation, double saved) {
    return derivative(activation, {}, saved);
}

void activate(Activation activation, const ActivationSettings& settings, std::int64_t columns, std::span<const float> x,
              std::span<float> y) {
    if (!plan::runsAlongRows(activation)) {
        for (std::size_t i = 0; i < x.size(); ++i) y[i] = static_cast<float>(value(activation, settings, x[i]));
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
        for (std::size_t i = 0; i < dy.size(); ++i) dx[i] = static_cast<float>(dy[i] * derivative(activation, settings, saved[i]));
        return;
    }
    const auto width = static_cast<std::size_t>(columns);
    for (std::size_t begin = 0; begin < dy.size(); begin += width) {
        rowGradient(activation, saved.subspan(begin, width), dy.subspan(begin, width), dx.subspan(begin, width));
    }
}

void Interpreter::activation(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples, columns = tensorOf(op.inputs[0]).shape.back();
    const auto* given = std::get_if<ActivationSettings>(&op.attributes);
    const ActivationSettings settings = given == nullptr ? ActivationSettings{} : *given;
    if (op.kind == plan::OpKind::kActivation) {
        activate(op.activation, settings, columns, floats(op.inputs[0], n), floats(op.outputs[0], n));
    } else {
        activateBack(op.activation, settings, columns, floats(op.inputs[0], n), floats(op.inputs[1], n), floats(op.outputs[0], n));
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
        dx[i] = x[i] > 0 ? dy[i] : alpha[slope(i)] * dy[i];
        if (x[i] <= 0) dalpha[slope(i)] += static_cast<double>(dy[i]) * x[i];
    }
    if (op.outputs.size() == 1) return;
    const std::span<float> result = floats(op.outputs[1], n);
    std::transform(dalpha.begin(), dalpha.end(), result.begin(), [](double sum) { return static_cast<float>(sum); });
}

}  // namespace engine::backend::reference
