// Sums and products with numbers of the file: dense layers, biases, scales and normalizations.
#include <cstddef>
#include <utility>

#include "engine/export/onnx/chain_operators.h"

namespace engine::exporter::onnx {
namespace {

// x times and plus a number for each channel, as a BatchNormalization whose moving statistics change nothing.
void addScale(ChainReader& chain, const NodeView& node, const FloatTensor& numbers, bool multiplies) {
    std::size_t ones = 0;
    for (std::int64_t size : numbers.shape) ones += size == 1 ? 1 : 0;
    const auto count = static_cast<std::int64_t>(numbers.values.size());
    if (numbers.shape.size() > chain.rank() || ones + 1 < numbers.shape.size()) {
        chain.fail(node, "one number, or one for each channel", sizesText(numbers.shape));
    }
    std::int64_t position = 0;
    for (std::size_t i = 0; i < numbers.shape.size(); ++i) {
        if (numbers.shape[i] == count) position = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(numbers.shape.size());
    }
    const int axis = chain.kerasAxis(node, position);
    if (axis <= 0 || chain.shape()[static_cast<std::size_t>(axis) - 1] != count) {
        chain.fail(node, "one number for each channel", sizesText(numbers.shape));
    }
    constexpr float kEpsilon = 1e-3F;
    const auto filled = [count](float value) { return FloatTensor{{count}, std::vector<float>(static_cast<std::size_t>(count), value)}; };
    spec::Fields config;
    if (axis != static_cast<int>(chain.shape().size())) config.set("axis", std::int64_t{axis});
    chain.add(node, "BatchNormalization", std::move(config),
              {{"gamma", multiplies ? FloatTensor{{count}, numbers.values} : filled(1)},
               {"beta", multiplies ? filled(0) : FloatTensor{{count}, numbers.values}},
               {"moving_mean", filled(0)},
               {"moving_variance", filled(1 - kEpsilon)}});
}

}  // namespace

void readGemm(ChainReader& chain, const NodeView& node) {
    if (node.integer("transA", 0) != 0) chain.fail(node, "the value as it is", "transA");
    FloatTensor kernel = chain.weight(node, 1);
    if (kernel.shape.size() != 2) chain.fail(node, "a matrix of weights", std::to_string(kernel.shape.size()) + " axes");
    if (node.integer("transB", 0) != 0) kernel = permuted(kernel, {1, 0});
    for (float& value : kernel.values) value *= node.number("alpha", 1);
    std::optional<FloatTensor> bias;
    if (!node.input(2).empty()) {
        bias = chain.weight(node, 2);
        for (float& value : bias->values) value *= node.number("beta", 1);
        if (bias->values.size() == 1) bias->values.resize(static_cast<std::size_t>(kernel.shape[1]), bias->values.front());
    }
    chain.addDense(node, std::move(kernel), std::move(bias));
}

void readMatMul(ChainReader& chain, const NodeView& node) {
    if (chain.constants().has(node.input(0))) chain.fail(node, "the weights as its second input", "them as the first");
    chain.addDense(node, chain.weight(node, 1), std::nullopt);
}

// Add, Sub, Mul, Div with numbers of the file.
void readArithmetic(ChainReader& chain, const NodeView& node) {
    const std::string& op = node.op();
    const bool is_second = !chain.constants().has(node.input(0));
    if (!is_second && (op == "Sub" || op == "Div")) chain.fail(node, "the numbers as its second input", "them as the first");
    FloatTensor numbers = chain.weight(node, is_second ? 1 : 0);
    const bool multiplies = op == "Mul" || op == "Div";
    for (float& value : numbers.values) {
        if (op == "Sub") value = -value;
        if (op == "Div") value = 1 / value;
    }
    if (!multiplies && chain.addBias(node, numbers)) return;
    if (numbers.values.size() != 1) return addScale(chain, node, numbers, multiplies);
    const double number = static_cast<double>(numbers.values.front());
    spec::LayerSpec* last = chain.lastLayer();
    if (!multiplies && last != nullptr && last->class_name == "Rescaling" && last->config.find("offset") == nullptr) {
        last->config.set("offset", number);
        return;
    }
    chain.add(node, "Rescaling", multiplies ? spec::Fields{{"scale", number}} : spec::Fields{{"scale", 1.0}, {"offset", number}});
}

void readBatchNormalization(ChainReader& chain, const NodeView& node) {
    if (node.integer("training_mode", 0) != 0) chain.fail(node, "a model that predicts", "training_mode");
    if (chain.rank() > 2) chain.wantChannelsFirst(node);
    const int axis = chain.kerasAxis(node, 1);
    spec::Fields config{{"epsilon", static_cast<double>(node.number("epsilon", 1e-5F))}};
    if (node.has("momentum")) config.set("momentum", static_cast<double>(node.number("momentum", 0.9F)));
    if (axis != static_cast<int>(chain.shape().size())) config.set("axis", std::int64_t{axis});
    chain.add(node, "BatchNormalization", std::move(config),
              {{"gamma", chain.weight(node, 1)},
               {"beta", chain.weight(node, 2)},
               {"moving_mean", chain.weight(node, 3)},
               {"moving_variance", chain.weight(node, 4)}});
}

void readLayerNormalization(ChainReader& chain, const NodeView& node) {
    chain.wantKerasOrder(node);
    const auto first = chain.axisOf(node, node.integer("axis", -1));
    Ints axes;
    for (std::size_t i = first; i < chain.rank(); ++i) axes.push_back(static_cast<std::int64_t>(i));
    spec::Fields config{{"epsilon", static_cast<double>(node.number("epsilon", 1e-5F))}};
    if (axes.size() > 1) config.set("axis", axes);
    std::map<std::string, FloatTensor> weights{{"gamma", chain.weight(node, 1)}};
    if (node.input(2).empty()) {
        config.set("center", false);
    } else {
        weights["beta"] = chain.weight(node, 2);
    }
    chain.add(node, "LayerNormalization", std::move(config), std::move(weights));
}

}  // namespace engine::exporter::onnx
