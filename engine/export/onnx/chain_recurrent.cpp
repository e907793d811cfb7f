// RNN, LSTM and GRU of ONNX as Keras' layers: one direction, or both at once as Bidirectional.
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/export/onnx/chain_operators.h"

namespace engine::exporter::onnx {
namespace {

// Keras' gates in ONNX' order of them.
std::vector<std::int64_t> gateOrder(const std::string& op) {
    if (op == "RNN") return {0};
    if (op == "GRU") return {0, 1, 2};
    return {0, 2, 3, 1};  // i, f, g, o of i, o, f, g
}

// The weights of one direction: (directions, gates * units, columns) as (columns, gates * units), the gates in Keras' order.
FloatTensor gateWeights(const FloatTensor& from, std::int64_t direction, std::int64_t units, const std::vector<std::int64_t>& order) {
    const std::int64_t rows = from.shape[1], columns = from.shape[2];
    FloatTensor to{{columns, rows}, {}};
    to.values.reserve(static_cast<std::size_t>(rows * columns));
    for (std::int64_t column = 0; column < columns; ++column) {
        for (std::int64_t gate : order) {
            for (std::int64_t unit = 0; unit < units; ++unit) {
                to.values.push_back(from.values[static_cast<std::size_t>((direction * rows + gate * units + unit) * columns + column)]);
            }
        }
    }
    return to;
}

// (directions, 2 * gates * units): both biases apart, or their sum.
FloatTensor gateBiases(const FloatTensor& from, std::int64_t direction, std::int64_t units, const std::vector<std::int64_t>& order,
                       bool are_apart) {
    const std::int64_t half = from.shape[1] / 2;
    FloatTensor to;
    for (int part = 0; part < 2; ++part) {
        std::size_t next = 0;
        for (std::int64_t gate : order) {
            for (std::int64_t unit = 0; unit < units; ++unit, ++next) {
                const float value = from.values[static_cast<std::size_t>(direction * 2 * half + part * half + gate * units + unit)];
                if (part == 0 || are_apart) {
                    to.values.push_back(value);
                } else {
                    to.values[next] += value;
                }
            }
        }
    }
    to.shape = {static_cast<std::int64_t>(to.values.size())};
    return to;
}

std::string functionName(ChainReader& chain, const NodeView& node, const std::string& name, const std::string& otherwise) {
    if (name.empty()) return otherwise;
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower == "tanh" || lower == "sigmoid" || lower == "relu" || lower == "softsign") return lower;
    const std::vector<float> alphas = node.numbers("activation_alpha");
    if (lower == "hardsigmoid" && !alphas.empty() && std::abs(alphas.front() - 1.0F / 6) < 1e-4F) return "hard_sigmoid";
    chain.fail(node, "Tanh, Sigmoid, Relu, Softsign or HardSigmoid of alpha 1/6", name);
}

void checkWhole(ChainReader& chain, const NodeView& node, int inputs) {
    if (!node.input(4).empty()) chain.fail(node, "sequences of one length", "sequence_lens");
    for (int i = 5; i < std::min(node.inputs(), inputs); ++i) {
        if (!node.input(i).empty() && !chain.constants().isZero(node, node.input(i)))
            chain.fail(node, "a state that begins with zeros", node.input(i));
    }
    if (!node.input(7).empty() && !chain.constants().isZero(node, node.input(7))) chain.fail(node, "no peepholes", node.input(7));
    if (node.has("clip")) chain.fail(node, "no clip", "one");
    if (node.integer("layout", 0) != 0) chain.fail(node, "layout 0", std::to_string(node.integer("layout", 0)));
    if (node.integer("input_forget", 0) != 0) chain.fail(node, "a forget gate of its own", "input_forget");
}

}  // namespace

void readRecurrent(ChainReader& chain, const NodeView& node) {
    const std::string& op = node.op();
    const std::vector<std::int64_t> order = gateOrder(op);
    const auto gates = static_cast<std::int64_t>(order.size());
    const std::string direction = node.text("direction", "forward");
    const std::int64_t directions = direction == "bidirectional" ? 2 : 1, units = node.integer("hidden_size", 0);
    checkWhole(chain, node, 7);
    chain.wantTimesFirst(node);
    const FloatTensor w = chain.weight(node, 1), r = chain.weight(node, 2);
    const std::int64_t features = chain.shape().back();
    constexpr std::int64_t kMostUnits = 1 << 20;
    if (units < 1 || units > kMostUnits || w.shape != spec::Shape{directions, gates * units, features} ||
        r.shape != spec::Shape{directions, gates * units, units}) {
        chain.fail(node, "weights of hidden_size and of " + std::to_string(features) + " features", "others");
    }
    std::optional<FloatTensor> b;
    if (!node.input(3).empty()) {
        b = chain.weight(node, 3);
        if (b->shape != spec::Shape{directions, 2 * gates * units}) chain.fail(node, "two biases a gate and unit", "others");
    }

    spec::Fields config{{"units", units}};
    const std::vector<std::string> functions = node.texts("activations");
    const auto per_direction = static_cast<std::size_t>(op == "RNN" ? 1 : op == "GRU" ? 2 : 3);
    if (!functions.empty() && functions.size() != per_direction * static_cast<std::size_t>(directions)) {
        chain.fail(node, std::to_string(per_direction) + " activations a direction", std::to_string(functions.size()));
    }
    const auto at = [&](std::size_t i) { return i < functions.size() ? functions[i] : std::string(); };
    for (std::size_t i = per_direction; i < functions.size(); ++i) {
        if (functions[i] != functions[i - per_direction]) chain.fail(node, "the same activations in both directions", functions[i]);
    }
    const std::string own = functionName(chain, node, at(op == "RNN" ? 0 : 1), "tanh");
    if (own != "tanh") config.set("activation", own);
    if (op == "LSTM" && at(1) != at(2)) chain.fail(node, "one function for the cell's input and output", at(1) + " and " + at(2));
    if (op != "RNN") {
        const std::string gate = functionName(chain, node, at(0), "sigmoid");
        if (gate != "sigmoid") config.set("recurrent_activation", gate);
    }
    const bool resets_after = op == "GRU" && node.integer("linear_before_reset", 0) != 0;
    if (op == "GRU" && !resets_after) config.set("reset_after", false);
    if (!b) config.set("use_bias", false);

    const bool reads_all = !node.output(0).empty() && chain.isRead(node.output(0));
    const bool reads_last = !node.output(1).empty() && chain.isRead(node.output(1));
    if (reads_all && reads_last) chain.fail(node, "a chain, in which one of its outputs is read", "both");
    if (!node.output(2).empty() && chain.isRead(node.output(2))) chain.fail(node, "a chain over the states", "the cell's, too");
    if (!reads_all && directions == 2) chain.fail(node, "the states of all times", "the last ones of both directions");
    if (reads_all) config.set("return_sequences", true);

    std::map<std::string, FloatTensor> weights;
    const std::string class_name = op == "RNN" ? "SimpleRNN" : op;
    for (std::int64_t i = 0; i < directions; ++i) {
        const std::string prefix = directions == 1 ? "" : i == 0 ? "forward_layer/" : "backward_layer/";
        weights[prefix + "kernel"] = gateWeights(w, i, units, order);
        weights[prefix + "recurrent_kernel"] = gateWeights(r, i, units, order);
        if (b) weights[prefix + "bias"] = gateBiases(*b, i, units, order, resets_after);
    }
    if (directions == 2) {
        chain.add(node, "Bidirectional", {{"layer", spec::ObjectBox({class_name, config})}}, std::move(weights));
        chain.layout() = {1, ChainReader::kDirection, 0, 2};
    } else {
        const bool is_reverse = direction == "reverse";
        if (is_reverse) config.set("go_backwards", true);
        chain.add(node, class_name, config, std::move(weights));
        if (reads_all) {
            chain.layout() = {1, ChainReader::kUnit, 0, 2};
            chain.is_turned = is_reverse;  // ONNX' order of the times is not Keras' then
        } else {
            chain.layout() = {ChainReader::kUnit, 0, 1};
        }
    }
    chain.follow(reads_all ? node.output(0) : node.output(1));
}

}  // namespace engine::exporter::onnx
