// Functions by what they do to numbers, for files that write them as formulas.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "engine/export/onnx/chain_reader.h"

namespace engine::exporter::onnx {
namespace {

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}
double softplus(double x) {
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}
double hardSigmoid(double x) {
    return std::clamp(x / 6 + 0.5, 0.0, 1.0);
}

struct Row {
    const char* name;
    double (*of)(double);
};
constexpr std::array kFunctions{
    Row{"gelu", [](double x) { return x * 0.5 * std::erfc(-x / std::numbers::sqrt2); }},
    Row{"gelu_approximate",
        [](double x) { return 0.5 * x * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x))); }},
    Row{"silu", [](double x) { return x * sigmoid(x); }},
    Row{"hard_silu", [](double x) { return x * hardSigmoid(x); }},
    Row{"hard_sigmoid", hardSigmoid},
    Row{"mish", [](double x) { return x * std::tanh(softplus(x)); }},
    Row{"softplus", softplus},
    Row{"softsign", [](double x) { return x / (1 + std::abs(x)); }},
    Row{"relu", [](double x) { return std::max(x, 0.0); }},
    Row{"relu6", [](double x) { return std::clamp(x, 0.0, 6.0); }},
    Row{"sigmoid", sigmoid},
    Row{"tanh", [](double x) { return std::tanh(x); }},
    Row{"log_sigmoid", [](double x) { return -softplus(-x); }},
    Row{"tanh_shrink", [](double x) { return x - std::tanh(x); }},
    Row{"squareplus", [](double x) { return (x + std::sqrt(x * x + 4)) / 2; }},
    Row{"sparse_plus", [](double x) { return x <= -1 ? 0
                                             : x < 1 ? (x + 1) * (x + 1) / 4
                                                     : x; }},
    Row{"sparse_sigmoid", [](double x) { return std::clamp((x + 1) / 2, 0.0, 1.0); }},
};

double unary(const NodeView& node, double x, bool& is_known) {
    const std::string& op = node.op();
    if (op == "Sigmoid") return sigmoid(x);
    if (op == "Tanh") return std::tanh(x);
    if (op == "Softplus") return softplus(x);
    if (op == "Erf") return std::erf(x);
    if (op == "Neg") return -x;
    if (op == "Abs") return std::abs(x);
    if (op == "Exp") return std::exp(x);
    if (op == "Log") return std::log(x);
    if (op == "Sqrt") return std::sqrt(x);
    if (op == "Reciprocal") return 1 / x;
    if (op == "Relu") return std::max(x, 0.0);
    if (op == "HardSigmoid") {
        return std::clamp(static_cast<double>(node.number("alpha", 0.2F)) * x + static_cast<double>(node.number("beta", 0.5F)), 0.0, 1.0);
    }
    is_known = false;
    return 0;
}

double binary(const std::string& op, double a, double b, bool& is_known) {
    if (op == "Add") return a + b;
    if (op == "Sub") return a - b;
    if (op == "Mul") return a * b;
    if (op == "Div") return a / b;
    if (op == "Pow") return std::pow(a, b);
    if (op == "Min") return std::min(a, b);
    if (op == "Max") return std::max(a, b);
    if (op == "Greater") return a > b ? 1 : 0;
    if (op == "Less") return a < b ? 1 : 0;
    if (op == "GreaterOrEqual") return a >= b ? 1 : 0;
    if (op == "LessOrEqual") return a <= b ? 1 : 0;
    is_known = false;
    return 0;
}

}  // namespace

std::optional<std::string> functionOf(const std::vector<double>& x, const std::vector<double>& y) {
    constexpr double kNear = 1e-5;
    for (const Row& row : kFunctions) {
        bool is_same = true;
        for (std::size_t i = 0; i < x.size() && is_same; ++i) {
            const double wanted = row.of(x[i]);
            is_same = std::abs(y[i] - wanted) <= kNear * std::max(1.0, std::abs(wanted));
        }
        if (is_same) return row.name;
    }
    return std::nullopt;
}

std::optional<std::vector<double>> computed(const NodeView& node, const std::vector<std::vector<double>>& inputs) {
    if (inputs.empty() || inputs[0].empty()) return std::nullopt;
    std::vector<double> y(inputs[0].size());
    bool is_known = true;
    for (std::size_t i = 0; i < y.size() && is_known; ++i) {
        if (node.op() == "Identity" || node.op() == "Cast") {
            y[i] = inputs[0][i];
        } else if (node.op() == "Not") {
            y[i] = 1 - inputs[0][i];
        } else if (node.op() == "Clip") {
            const double least =
                inputs.size() > 1 && !inputs[1].empty() ? inputs[1][i] : static_cast<double>(node.number("min", -INFINITY));
            const double most = inputs.size() > 2 && !inputs[2].empty() ? inputs[2][i] : static_cast<double>(node.number("max", INFINITY));
            y[i] = std::min(std::max(inputs[0][i], least), most);
        } else if (node.op() == "Where" && inputs.size() == 3 && !inputs[1].empty() && !inputs[2].empty()) {
            y[i] = inputs[0][i] != 0 ? inputs[1][i] : inputs[2][i];
        } else if (inputs.size() == 1) {
            y[i] = unary(node, inputs[0][i], is_known);
        } else if (inputs.size() == 2 && !inputs[1].empty()) {
            y[i] = binary(node.op(), inputs[0][i], inputs[1][i], is_known);
        } else {
            is_known = false;
        }
    }
    return is_known ? std::optional(std::move(y)) : std::nullopt;
}

}  // namespace engine::exporter::onnx
