// Functions of each value or of each row, and what predictions leave out.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "engine/export/onnx/chain_operators.h"

namespace engine::exporter::onnx {

void readFunction(ChainReader& chain, const NodeView& node) {
    const std::string& op = node.op();
    const auto isNear = [](float a, float b) { return std::abs(a - b) < 1e-4F; };
    if (op == "Relu") return chain.addActivation(node, "relu");
    if (op == "Sigmoid") return chain.addActivation(node, "sigmoid");
    if (op == "Tanh") return chain.addActivation(node, "tanh");
    if (op == "Softplus") return chain.addActivation(node, "softplus");
    if (op == "Softsign") return chain.addActivation(node, "softsign");
    if (op == "Exp") return chain.addActivation(node, "exponential");
    if (op == "HardSwish") return chain.addActivation(node, "hard_silu");
    if (op == "Mish") return chain.addActivation(node, "mish");
    if (op == "Gelu") return chain.addActivation(node, node.text("approximate", "none") == "tanh" ? "gelu_approximate" : "gelu");
    if (op == "Elu") {
        if (node.number("alpha", 1) == 1) return chain.addActivation(node, "elu");
        return chain.add(node, "ELU", {{"alpha", static_cast<double>(node.number("alpha", 1))}});
    }
    if (op == "Celu" && node.number("alpha", 1) == 1) return chain.addActivation(node, "celu");
    if (op == "LeakyRelu") return chain.add(node, "LeakyReLU", {{"negative_slope", static_cast<double>(node.number("alpha", 0.01F))}});
    if (op == "Selu" && isNear(node.number("alpha", 1.67326F), 1.67326F) && isNear(node.number("gamma", 1.0507F), 1.0507F)) {
        return chain.addActivation(node, "selu");
    }
    if (op == "HardSigmoid" && isNear(node.number("alpha", 0.2F), 1.0F / 6) && isNear(node.number("beta", 0.5F), 0.5F)) {
        return chain.addActivation(node, "hard_sigmoid");
    }
    if (op == "Shrink" && isNear(node.number("lambd", 0.5F), 0.5F)) {
        if (isNear(node.number("bias", 0), 0.5F)) return chain.addActivation(node, "soft_shrink");
        if (node.number("bias", 0) == 0) return chain.addActivation(node, "hard_shrink");
    }
    chain.fail(node, "the constants of Keras' function", "others");
}

void readSoftmax(ChainReader& chain, const NodeView& node) {
    const int axis = chain.kerasAxis(node, node.integer("axis", -1));
    if (axis != static_cast<int>(chain.shape().size())) {
        chain.wantKerasOrder(node);
        if (chain.kerasAxis(node, node.integer("axis", -1)) != static_cast<int>(chain.shape().size())) {
            chain.fail(node, "the last axis", "axis " + std::to_string(node.integer("axis", -1)));
        }
    }
    chain.addActivation(node, node.op() == "Softmax" ? "softmax" : "log_softmax");
}

void readClip(ChainReader& chain, const NodeView& node) {
    const float least = numberOrInput(chain, node, "min", 1, -INFINITY), most = numberOrInput(chain, node, "max", 2, INFINITY);
    if (least == -1 && most == 1) return chain.addActivation(node, "hard_tanh");
    if (least != 0) chain.fail(node, "0 to a limit, or -1 to 1", std::to_string(least) + " to " + std::to_string(most));
    if (most == 6) return chain.addActivation(node, "relu6");
    if (std::isinf(most)) return chain.addActivation(node, "relu");
    chain.add(node, "ReLU", {{"max_value", static_cast<double>(most)}});
}

void readPrelu(ChainReader& chain, const NodeView& node) {
    FloatTensor slope = chain.weight(node, 1);
    if (chain.rank() > 2 && slope.shape.size() + 1 == chain.rank() &&
        std::all_of(slope.shape.begin() + 1, slope.shape.end(), [](std::int64_t n) { return n == 1; })) {
        chain.wantChannelsFirst(node);  // one a channel, of an image that has them first
        Ints shared;
        for (std::size_t i = 1; i + 1 < chain.rank(); ++i) shared.push_back(static_cast<std::int64_t>(i));
        return chain.add(node, "PReLU", {{"shared_axes", shared}}, {{"alpha", std::move(slope)}});
    }
    chain.wantKerasOrder(node);
    Ints shared;
    slope.shape.insert(slope.shape.begin(), std::max<std::size_t>(chain.rank() - 1, slope.shape.size()) - slope.shape.size(), 1);
    for (std::size_t i = 0; i < slope.shape.size(); ++i) {
        if (slope.shape[i] == 1 && i < chain.shape().size() && chain.shape()[i] != 1) shared.push_back(static_cast<std::int64_t>(i) + 1);
    }
    spec::Fields config;
    if (!shared.empty()) config.set("shared_axes", shared);
    chain.add(node, "PReLU", std::move(config), {{"alpha", std::move(slope)}});
}

void readIdentity(ChainReader&, const NodeView&) {}

void readDropout(ChainReader& chain, const NodeView& node) {
    const float rate = numberOrInput(chain, node, "ratio", 1, 0.5F);
    if (rate >= 0 && rate < 1) chain.add(node, "Dropout", {{"rate", static_cast<double>(rate)}});
}

}  // namespace engine::exporter::onnx
