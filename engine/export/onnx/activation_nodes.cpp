// Activation functions. What ONNX has no operator for in opset 17 is written as its formula.
#include <cmath>
#include <numbers>

#include "engine/export/onnx/op_emitters.h"
#include "engine/spec/error.h"

namespace engine::exporter::onnx {
namespace {

using plan::Activation;

// Short names for the formulas below.
struct Terms {
    NodeList& nodes;

    std::string add(const std::string& a, const std::string& b) const { return nodes.add("Add", {a, b}); }
    std::string sub(const std::string& a, const std::string& b) const { return nodes.add("Sub", {a, b}); }
    std::string mul(const std::string& a, const std::string& b) const { return nodes.add("Mul", {a, b}); }
    std::string div(const std::string& a, const std::string& b) const { return nodes.add("Div", {a, b}); }
    std::string of(std::string_view op_type, const std::string& x) const { return nodes.add(op_type, {x}); }
    std::string number(double value) const { return nodes.constant(static_cast<float>(value)); }
    std::string clip(const std::string& x, double least, double most) const {
        return nodes.add("Clip", {x, number(least), std::isinf(most) ? "" : number(most)});
    }
    std::string where(const std::string& condition, const std::string& yes, const std::string& no) const {
        return nodes.add("Where", {condition, yes, no});
    }
    std::string less(const std::string& a, const std::string& b) const { return nodes.add("Less", {a, b}); }
    std::string greater(const std::string& a, const std::string& b) const { return nodes.add("Greater", {a, b}); }
    std::string hardSigmoid(const std::string& x) const { return nodes.add("HardSigmoid", {x}, {{"alpha", 1.0F / 6}, {"beta", 0.5F}}); }
};

// x above the threshold, limit at most; slope (x - threshold) at it and below.
std::string rampRelu(const Terms& t, const plan::ActivationSettings& s, const std::string& x) {
    if (s.threshold == 0 && s.slope == 0) return t.clip(x, 0, s.limit);
    std::string y;
    if (s.threshold == 0) {
        y = t.nodes.add("LeakyRelu", {x}, {{"alpha", s.slope}});
    } else {
        const std::string threshold = t.number(s.threshold);
        y = t.where(t.less(threshold, x), x, t.mul(t.sub(x, threshold), t.number(s.slope)));
    }
    return std::isinf(s.limit) ? y : t.nodes.add("Min", {y, t.number(s.limit)});
}

// x within the support: engine/plan/activation.h has the formula.
std::string sparsemax(const Terms& t, const std::string& input, std::int64_t axis) {
    NodeList& nodes = t.nodes;
    // The classes along the last axis: TopK and CumSum have to know their number from the value itself.
    const std::string& x = input;
    const std::string count = nodes.add("Gather", {t.of("Shape", x), nodes.integers({axis})});
    const std::string sorted = nodes.newName("sorted");
    nodes.addTo("TopK", {x, count}, {sorted, nodes.newName("order")}, {{"axis", axis}});
    const std::string sums = nodes.add("CumSum", {sorted, nodes.integer(axis)});
    // 1, 2, 3, … along the axis.
    const std::string ones = nodes.add("Add", {nodes.add("Sub", {sorted, sorted}), t.number(1)});
    const std::string places = nodes.add("CumSum", {ones, nodes.integer(axis)});
    const std::string inside = t.greater(sorted, t.div(t.sub(sums, t.number(1)), places));
    const std::string kept = nodes.add("Cast", {inside}, {{"to", std::int64_t{proto::TensorProto::FLOAT}}});
    const auto sum = [&](const std::string& value) {
        return nodes.add("ReduceSum", {value, nodes.integers({axis})}, {{"keepdims", std::int64_t{1}}});
    };
    const std::string tau = t.div(t.sub(sum(t.mul(kept, sums)), t.number(1)), sum(kept));
    return t.of("Relu", t.sub(x, tau));
}

}  // namespace

std::string addActivation(NodeList& nodes, const plan::ActivationAttributes& activation, const std::string& x, std::int64_t axis) {
    const Terms t{nodes};
    const plan::ActivationSettings& s = activation.settings;
    switch (activation.function) {
        case Activation::kLinear:
            return x;
        case Activation::kRelu:
            return t.of("Relu", x);
        case Activation::kSoftmax:
            return nodes.add("Softmax", {x}, {{"axis", axis}});
        case Activation::kLogSoftmax:
            return nodes.add("LogSoftmax", {x}, {{"axis", axis}});
        case Activation::kSparsemax:
            return sparsemax(t, x, axis);
        case Activation::kRampRelu:
            return rampRelu(t, s, x);
        case Activation::kElu:
            if (s.scale == 1) return nodes.add("Elu", {x}, {{"alpha", s.alpha}});
            return nodes.add("Selu", {x}, {{"alpha", s.alpha}, {"gamma", s.scale}});
        case Activation::kGelu:
            return t.mul(t.mul(t.number(0.5), x), t.add(t.number(1), t.of("Erf", t.mul(x, t.number(1 / std::numbers::sqrt2)))));
        case Activation::kGeluTanh: {
            const std::string cube = t.mul(t.mul(x, x), x);
            const std::string inner = t.mul(t.number(std::sqrt(2 / std::numbers::pi)), t.add(x, t.mul(t.number(0.044715), cube)));
            return t.mul(t.mul(t.number(0.5), x), t.add(t.number(1), t.of("Tanh", inner)));
        }
        case Activation::kSigmoid:
            return t.of("Sigmoid", x);
        case Activation::kHardSigmoid:
            return t.hardSigmoid(x);
        case Activation::kTanh:
            return t.of("Tanh", x);
        case Activation::kHardTanh:
        case Activation::kHardTanhOfValue:
            return t.clip(x, -1, 1);
        case Activation::kSoftplus:
            return t.of("Softplus", x);
        case Activation::kSoftsign:
            return t.of("Softsign", x);
        case Activation::kSilu:
            return t.mul(x, t.of("Sigmoid", x));
        case Activation::kHardSilu:
            return t.mul(x, t.hardSigmoid(x));
        case Activation::kMish:
            return t.mul(x, t.of("Tanh", t.of("Softplus", x)));
        case Activation::kExponential:
            return t.of("Exp", x);
        case Activation::kLogSigmoid:
            return t.of("Neg", t.of("Softplus", t.of("Neg", x)));
        case Activation::kTanhShrink:
            return t.sub(x, t.of("Tanh", x));
        case Activation::kSoftShrink:
            return nodes.add("Shrink", {x}, {{"lambd", 0.5F}, {"bias", 0.5F}});
        case Activation::kHardShrink:
            return nodes.add("Shrink", {x}, {{"lambd", 0.5F}, {"bias", 0.0F}});
        case Activation::kSquareplus:
            return t.mul(t.number(0.5), t.add(x, t.of("Sqrt", t.add(t.mul(x, x), t.number(4)))));
        case Activation::kSparsePlus: {
            const std::string half = nodes.add("HardSigmoid", {x}, {{"alpha", 0.5F}, {"beta", 0.5F}});  // its square is the bend
            return t.add(t.mul(half, half), t.of("Relu", t.sub(x, t.number(1))));
        }
        case Activation::kSparseSigmoid:
            return nodes.add("HardSigmoid", {x}, {{"alpha", 0.5F}, {"beta", 0.5F}});
    }
    ENGINE_CHECK(false);
    return {};
}

void emitActivation(GraphWriter& writer, const plan::Op& op) {
    const plan::TensorId x = op.inputs[0];
    const Layout layout = writer.layoutOf(x);
    const auto last = static_cast<std::int64_t>(writer.rank(x)) - 1;
    const std::int64_t axis = layout == Layout::kFirst ? 1 : last;
    writer.define(op.outputs[0],
                  addActivation(writer.nodes(), std::get<plan::ActivationAttributes>(op.attributes), writer.value(x, layout), axis),
                  layout);
}

void emitPrelu(GraphWriter& writer, const plan::Op& op) {
    const spec::Shape& slopes = writer.shape(op.inputs[1]);
    writer.define(op.outputs[0], writer.nodes().add("PRelu", {writer.value(op.inputs[0]), writer.initializer(op.inputs[1], slopes)}));
}

}  // namespace engine::exporter::onnx
