// What layer each operator becomes. An operator is added by a function and its row in findNodeReader().
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/export/onnx/chain_reader.h"

namespace engine::exporter::onnx {
namespace {

using Ints = std::vector<std::int64_t>;

std::string text(const Ints& values) {
    std::string joined;
    for (std::int64_t value : values) joined += (joined.empty() ? "" : ", ") + std::to_string(value);
    return "(" + joined + ")";
}

// An attribute of older opsets, an input of newer ones.
Ints attributeOrInput(ChainReader& chain, const NodeView& node, std::string_view name, int input, Ints otherwise = {}) {
    if (node.has(name)) return node.integers(name, std::move(otherwise));
    if (node.input(input).empty()) return otherwise;
    auto values = chain.constants().integers(node, node.input(input));
    if (!values) chain.fail(node, std::string(name) + " that the file holds", node.input(input));
    return std::move(*values);
}

float numberOrInput(ChainReader& chain, const NodeView& node, std::string_view name, int input, float otherwise) {
    if (node.has(name) || node.input(input).empty()) return node.number(name, otherwise);
    const auto value = chain.constants().scalar(node, node.input(input));
    if (!value) chain.fail(node, std::string(name) + " that the file holds", node.input(input));
    return *value;
}

FloatTensor permuted(const FloatTensor& from, const std::vector<std::size_t>& axes) {
    FloatTensor to;
    for (std::size_t axis : axes) to.shape.push_back(from.shape[axis]);
    Ints strides(from.shape.size(), 1), index(from.shape.size());
    for (std::size_t i = from.shape.size() - 1; i-- > 0;) strides[i] = strides[i + 1] * from.shape[i + 1];
    to.values.reserve(from.values.size());
    while (to.values.size() < from.values.size()) {
        std::int64_t offset = 0;
        for (std::size_t i = 0; i < axes.size(); ++i) offset += index[i] * strides[axes[i]];
        to.values.push_back(from.values[static_cast<std::size_t>(offset)]);
        for (std::size_t i = axes.size(); i-- > 0;) {
            if (++index[i] < to.shape[i]) break;
            index[i] = 0;
        }
    }
    return to;
}

// A window of one or two axes, as the file has it.
struct WindowFields {
    Ints size, strides, dilations, pads;  // pads: before each axis, then behind
    std::string padding = "valid";        // Keras' word for them, once told
};

WindowFields windowOf(ChainReader& chain, const NodeView& node, Ints size) {
    const std::size_t axes = size.size();
    WindowFields w{.size = std::move(size),
                   .strides = node.integers("strides", Ints(axes, 1)),
                   .dilations = node.integers("dilations", Ints(axes, 1)),
                   .pads = node.integers("pads", Ints(2 * axes, 0))};
    if (w.strides.size() != axes || w.dilations.size() != axes || w.pads.size() != 2 * axes) {
        chain.fail(node, std::to_string(axes) + " strides and dilations and twice as many pads", "others");
    }
    constexpr std::int64_t kMost = 1 << 20;
    const auto isSize = [](std::int64_t n) { return n >= 1 && n <= kMost; };
    if (!std::all_of(w.size.begin(), w.size.end(), isSize) || !std::all_of(w.strides.begin(), w.strides.end(), isSize) ||
        !std::all_of(w.dilations.begin(), w.dilations.end(), isSize) ||
        !std::all_of(w.pads.begin(), w.pads.end(), [](std::int64_t n) { return n >= 0 && n <= kMost; })) {
        chain.fail(node, "a window of at least 1 and pads of at least 0", text(w.size) + ", pads " + text(w.pads));
    }
    return w;
}

// The pads of Keras' "same" over these cells: what is odd comes at the end.
std::pair<std::int64_t, std::int64_t> samePads(std::int64_t n, std::int64_t size, std::int64_t stride, std::int64_t dilation) {
    const std::int64_t out = (n + stride - 1) / stride;
    const std::int64_t total = std::max<std::int64_t>((out - 1) * stride + (size - 1) * dilation + 1 - n, 0);
    return {total / 2, total - total / 2};
}

// Tells the padding by Keras' word, or puts zeros around the image by a layer of their own. `shape` is Keras', channels last.
void padWindow(ChainReader& chain, const NodeView& node, WindowFields& w, bool may_add_zeros) {
    const std::size_t axes = w.size.size();
    const std::string automatic = node.text("auto_pad", "NOTSET");
    if (automatic == "VALID") w.pads.assign(2 * axes, 0);
    bool is_same = true, is_valid = true;
    for (std::size_t i = 0; i < axes; ++i) {
        auto [before, behind] = samePads(chain.shape()[i], w.size[i], w.strides[i], w.dilations[i]);
        if (automatic == "SAME_LOWER") std::swap(before, behind);
        if (automatic.starts_with("SAME")) {
            w.pads[i] = before;
            w.pads[axes + i] = behind;
            if (automatic == "SAME_LOWER") std::swap(before, behind);
        }
        is_same = is_same && w.pads[i] == before && w.pads[axes + i] == behind;
        is_valid = is_valid && w.pads[i] == 0 && w.pads[axes + i] == 0;
    }
    if (is_valid) return;
    if (is_same) {
        w.padding = "same";
    } else if (axes == 1 && may_add_zeros && w.pads[0] == (w.size[0] - 1) * w.dilations[0] && w.pads[1] == 0) {
        w.padding = "causal";
    } else if (!may_add_zeros) {
        chain.fail(node, "pads of Keras' \"same\" or \"valid\"", text(w.pads));
    } else if (axes == 1) {
        chain.add(node, "ZeroPadding1D", {{"padding", Ints{w.pads[0], w.pads[1]}}});
    } else {
        chain.add(node, "ZeroPadding2D", {{"padding", Ints{w.pads[0], w.pads[2], w.pads[1], w.pads[3]}}});
    }
}

void addWindowFields(spec::Fields& config, const WindowFields& w, const char* size_name) {
    config.set(size_name, w.size);
    if (w.strides != Ints(w.strides.size(), 1) || size_name == std::string_view("pool_size")) config.set("strides", w.strides);
    if (w.dilations != Ints(w.dilations.size(), 1)) config.set("dilation_rate", w.dilations);
    if (w.padding != "valid") config.set("padding", w.padding);
}

void checkImage(ChainReader& chain, const NodeView& node) {
    if (chain.rank() != 3 && chain.rank() != 4)
        chain.fail(node, "a sequence or an image (3 or 4 axes)", std::to_string(chain.rank()) + " axes");
}

void readConv(ChainReader& chain, const NodeView& node) {
    checkImage(chain, node);
    chain.wantChannelsFirst(node);
    const FloatTensor kernel = chain.weight(node, 1);
    if (kernel.shape.size() != chain.rank()) {
        chain.fail(node, "a kernel of " + std::to_string(chain.rank()) + " axes", std::to_string(kernel.shape.size()));
    }
    WindowFields w = windowOf(chain, node, Ints(kernel.shape.begin() + 2, kernel.shape.end()));
    padWindow(chain, node, w, true);
    const bool is_image = chain.rank() == 4;
    const std::int64_t groups = node.integer("group", 1), channels = chain.shape().back(), filters = kernel.shape[0];
    const bool is_depthwise =
        is_image && groups == channels && groups > 1 && kernel.shape[1] == 1 && filters % groups == 0 && w.strides[0] == w.strides[1];
    std::map<std::string, FloatTensor> weights;
    spec::Fields config;
    // (filters, channels, rows, columns): Keras has the filters last.
    const FloatTensor last = permuted(kernel, is_image ? std::vector<std::size_t>{2, 3, 1, 0} : std::vector<std::size_t>{2, 1, 0});
    if (is_depthwise) {
        weights["depthwise_kernel"] = last;  // (rows, columns, 1, channels * m), which is Keras' (rows, columns, channels, m)
        if (filters != channels) config.set("depth_multiplier", filters / channels);
    } else {
        weights["kernel"] = last;
        config.set("filters", filters);
    }
    addWindowFields(config, w, "kernel_size");
    if (groups > 1 && !is_depthwise) config.set("groups", groups);
    if (node.input(2).empty()) {
        config.set("use_bias", false);
    } else {
        weights["bias"] = chain.weight(node, 2);
    }
    chain.add(node, is_depthwise ? "DepthwiseConv2D" : is_image ? "Conv2D" : "Conv1D", std::move(config), std::move(weights));
}

void readConvTranspose(ChainReader& chain, const NodeView& node) {
    if (chain.rank() != 4) chain.fail(node, "an image (4 axes)", std::to_string(chain.rank()) + " axes");
    chain.wantChannelsFirst(node);
    const FloatTensor kernel = chain.weight(node, 1);
    if (kernel.shape.size() != 4) chain.fail(node, "a kernel of 4 axes", std::to_string(kernel.shape.size()));
    if (node.integer("group", 1) != 1) chain.fail(node, "one group", std::to_string(node.integer("group", 1)));
    if (node.has("output_shape")) chain.fail(node, "pads and output_padding", "output_shape");
    WindowFields w = windowOf(chain, node, Ints(kernel.shape.begin() + 2, kernel.shape.end()));
    const Ints beyond = node.integers("output_padding", {0, 0});
    const std::string automatic = node.text("auto_pad", "NOTSET");
    bool is_same = true, is_valid = true;
    for (std::size_t i = 0; i < 2; ++i) {
        const std::int64_t n = chain.shape()[i], full = (n - 1) * w.strides[i] + (w.size[i] - 1) * w.dilations[i] + 1;
        const std::int64_t output = automatic.starts_with("SAME") ? n * w.strides[i] : full - w.pads[i] - w.pads[2 + i] + beyond[i];
        const std::int64_t cut = std::max<std::int64_t>(full - n * w.strides[i], 0);
        is_same = is_same && output == n * w.strides[i] && (automatic == "SAME_UPPER" || w.pads[i] == cut / 2);
        is_valid = is_valid && w.pads[i] == 0 && w.pads[2 + i] == 0 && output == std::max(full, n * w.strides[i]) && automatic == "NOTSET";
    }
    if (!is_same && !is_valid) chain.fail(node, "pads of Keras' \"same\" or \"valid\"", text(w.pads));
    if (is_same && !is_valid) w.padding = "same";
    spec::Fields config{{"filters", kernel.shape[1]}};
    addWindowFields(config, w, "kernel_size");
    std::map<std::string, FloatTensor> weights{{"kernel", permuted(kernel, {2, 3, 1, 0})}};
    if (node.input(2).empty()) {
        config.set("use_bias", false);
    } else {
        weights["bias"] = chain.weight(node, 2);
    }
    chain.add(node, "Conv2DTranspose", std::move(config), std::move(weights));
}

void readPool(ChainReader& chain, const NodeView& node) {
    checkImage(chain, node);
    chain.wantChannelsFirst(node);
    WindowFields w = windowOf(chain, node, node.integers("kernel_shape"));
    if (w.size.size() + 2 != chain.rank()) chain.fail(node, "a window of the image's axes", text(w.size));
    if (w.dilations != Ints(w.dilations.size(), 1)) chain.fail(node, "no dilations", text(w.dilations));
    padWindow(chain, node, w, false);
    const std::size_t axes = w.size.size();
    for (std::size_t i = 0; i < axes && node.integer("ceil_mode", 0) != 0; ++i) {
        if ((chain.shape()[i] + w.pads[i] + w.pads[axes + i] - w.size[i]) % w.strides[i] != 0) {
            chain.fail(node, "windows within the image", "ceil_mode");
        }
    }
    const bool is_mean = node.op() == "AveragePool";
    if (is_mean && w.padding == "same" && node.integer("count_include_pad", 0) != 0 &&
        std::any_of(w.pads.begin(), w.pads.end(), [](std::int64_t n) { return n > 0; })) {
        chain.fail(node, "means of the image's cells alone", "count_include_pad");
    }
    spec::Fields config;
    w.dilations.clear();
    config.set("pool_size", w.size);
    if (w.strides != w.size) config.set("strides", w.strides);
    if (w.padding != "valid") config.set("padding", w.padding);
    chain.add(node, std::string(is_mean ? "Average" : "Max") + (axes == 2 ? "Pooling2D" : "Pooling1D"), std::move(config));
}

// Its axes of one value stay until a Flatten takes them away.
void addGlobalPool(ChainReader& chain, const NodeView& node, bool is_mean, bool keeps_axes) {
    const std::size_t rank = chain.rank();
    spec::Fields config;
    if (keeps_axes) config.set("keepdims", true);
    chain.add(node, std::string(is_mean ? "GlobalAverage" : "GlobalMax") + (rank == 4 ? "Pooling2D" : "Pooling1D"), std::move(config));
    if (!keeps_axes) chain.layout() = {0, 1};
}

void readGlobalPool(ChainReader& chain, const NodeView& node) {
    checkImage(chain, node);
    chain.wantChannelsFirst(node);
    addGlobalPool(chain, node, node.op() == "GlobalAveragePool", true);
}

// Reads a global pooling: over all rows and columns, or over all times.
void readReduce(ChainReader& chain, const NodeView& node) {
    checkImage(chain, node);
    const Ints axes = attributeOrInput(chain, node, "axes", 1);
    std::vector<bool> reduced(chain.rank());
    for (std::int64_t axis : axes) reduced[chain.axisOf(node, axis)] = true;
    const auto channels = static_cast<std::size_t>(std::find(reduced.begin() + 1, reduced.end(), false) - reduced.begin());
    if (reduced[0] || channels >= chain.rank() || axes.size() != chain.rank() - 2) {
        chain.fail(node, "all axes but the samples' and the channels'", text(axes));
    }
    if (channels == 1) {
        chain.wantChannelsFirst(node);
    } else {
        chain.wantKerasOrder(node);
    }
    addGlobalPool(chain, node, node.op() == "ReduceMean", node.integer("keepdims", 1) != 0);
}

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

// x times and plus a number for each channel, as a BatchNormalization whose moving statistics change nothing.
void addScale(ChainReader& chain, const NodeView& node, const FloatTensor& numbers, bool multiplies) {
    std::size_t ones = 0;
    for (std::int64_t size : numbers.shape) ones += size == 1 ? 1 : 0;
    const auto count = static_cast<std::int64_t>(numbers.values.size());
    if (numbers.shape.size() > chain.rank() || ones + 1 < numbers.shape.size()) {
        chain.fail(node, "one number, or one for each channel", text(numbers.shape));
    }
    std::int64_t position = 0;
    for (std::size_t i = 0; i < numbers.shape.size(); ++i) {
        if (numbers.shape[i] == count) position = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(numbers.shape.size());
    }
    const int axis = chain.kerasAxis(node, position);
    if (axis <= 0 || chain.shape()[static_cast<std::size_t>(axis) - 1] != count) {
        chain.fail(node, "one number for each channel", text(numbers.shape));
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

void readTranspose(ChainReader& chain, const NodeView& node) {
    Ints axes = node.integers("perm");
    const std::size_t rank = chain.rank();
    if (axes.empty()) {
        for (std::size_t i = rank; i-- > 0;) axes.push_back(static_cast<std::int64_t>(i));
    }
    std::vector<bool> seen(rank);
    if (axes.size() != rank) chain.fail(node, std::to_string(rank) + " axes", text(axes));
    static_cast<void>(chain.kerasAxis(node, 0));
    std::vector<int> layout;
    for (std::int64_t axis : axes) {
        const std::size_t from = chain.axisOf(node, axis);
        if (seen[from]) chain.fail(node, "each axis once", text(axes));
        seen[from] = true;
        layout.push_back(chain.layout()[from]);
    }
    chain.layout() = layout;
}

void readFlatten(ChainReader& chain, const NodeView& node) {
    if (chain.axisOf(node, node.integer("axis", 1)) != 1) chain.fail(node, "axis 1", std::to_string(node.integer("axis", 1)));
    chain.flatten(node);
}

// A reshape that moves axes of one value alone, as tf2onnx writes a Transpose: the same as one. `target` has the batch first.
bool movesUnits(ChainReader& chain, const Ints& before, const Ints& target) {
    std::vector<int>& layout = chain.layout();
    if (target.size() != layout.size() || layout.front() != 0 || *std::min_element(layout.begin(), layout.end()) < 0) return false;
    std::vector<int> units, others, moved{0};
    Ints sizes;
    for (std::size_t i = 1; i < layout.size(); ++i) {
        (before[i] == 1 ? units : others).push_back(layout[i]);
        if (before[i] != 1) sizes.push_back(before[i]);
    }
    std::size_t next_unit = 0, next_other = 0;
    for (std::size_t i = 1; i < target.size(); ++i) {
        if (target[i] == 1 && next_unit < units.size()) {
            moved.push_back(units[next_unit++]);
        } else if (next_other < others.size() && target[i] == sizes[next_other]) {
            moved.push_back(others[next_other++]);
        } else {
            return false;
        }
    }
    layout = moved;
    return true;
}

void readReshape(ChainReader& chain, const NodeView& node) {
    const auto given = chain.constants().integers(node, node.input(1));
    if (!given || given->empty()) chain.fail(node, "a shape that the file holds", node.input(1));
    static_cast<void>(chain.kerasAxis(node, 0));
    const Ints before = chain.sizes();
    Ints target = *given;
    std::int64_t whole = 1;
    for (std::int64_t size : chain.shape()) whole *= size;
    for (std::size_t i = 0; i < target.size(); ++i) {
        if (target[i] == 0 && i < before.size()) target[i] = before[i];
    }
    // Both directions of a recurrent layer become one axis.
    std::vector<int>& layout = chain.layout();
    if (layout.size() == 4 && layout[2] == ChainReader::kDirection && target.size() == 3) {
        layout.erase(layout.begin() + 2);
        return;
    }
    // An axis of one value goes away.
    std::vector<int> real;
    Ints left;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        if (layout[i] == ChainReader::kUnit) continue;
        real.push_back(layout[i]);
        left.push_back(before[i]);
    }
    if (real.size() < layout.size() && left.size() == target.size() && std::count(target.begin(), target.end(), -1) <= 1 &&
        std::equal(left.begin(), left.end(), target.begin(), [](std::int64_t a, std::int64_t b) { return a == b || b == -1; })) {
        layout = real;
        return;
    }
    const std::int64_t batch = chain.fixedBatch();
    if (target.front() != ChainReader::kBatch && (batch == 0 || target.front() != batch)) {
        chain.fail(node, "the samples along the first axis", text(*given));
    }
    Ints rest(target.begin() + 1, target.end());
    std::int64_t product = 1;
    for (std::int64_t size : rest) {
        if (size > 0 && (size > whole || __builtin_mul_overflow(product, size, &product)))
            chain.fail(node, "the same values", text(*given));
    }
    for (std::int64_t& size : rest) {
        if (size < 0 && product > 0) size = whole / product;
        if (size < 0 || product == 0) chain.fail(node, "sizes of at least 1", text(*given));
    }
    product = 1;
    for (std::int64_t size : rest) product *= size;
    if (product != whole) chain.fail(node, "as many values a sample as there are (" + std::to_string(whole) + ")", text(*given));
    if (rest.empty()) chain.fail(node, "at least two axes", text(*given));
    if (rest.size() == 1) return chain.flatten(node);
    if (std::find(layout.begin(), layout.end(), ChainReader::kDirection) != layout.end()) {
        chain.fail(node, "both directions side by side", text(*given));
    }
    Ints whole_target{before.front()};
    whole_target.insert(whole_target.end(), rest.begin(), rest.end());
    if (movesUnits(chain, before, whole_target)) return;
    chain.wantKerasOrder(node);
    if (rest != chain.shape()) chain.add(node, "Reshape", {{"target_shape", rest}});
    layout.clear();
    for (std::size_t i = 0; i <= rest.size(); ++i) layout.push_back(static_cast<int>(i));
}

void readSqueeze(ChainReader& chain, const NodeView& node) {
    Ints axes = attributeOrInput(chain, node, "axes", 1);
    static_cast<void>(chain.kerasAxis(node, 0));
    std::vector<bool> dropped(chain.rank());
    for (std::int64_t axis : axes) dropped[chain.axisOf(node, axis)] = true;
    const Ints sizes = chain.sizes();
    std::vector<int>& layout = chain.layout();
    bool has_real = false;
    for (std::size_t i = 0; i < dropped.size(); ++i) {
        if (axes.empty() && i > 0) dropped[i] = sizes[i] == 1;
        if (dropped[i] && (sizes[i] != 1 || layout[i] == 0)) chain.fail(node, "axes of one value", text(axes));
        has_real = has_real || (dropped[i] && layout[i] > 0);
    }
    if (has_real) {
        const auto left = static_cast<std::size_t>(std::count(dropped.begin(), dropped.end(), false));
        if (left == 2) return chain.flatten(node);
        chain.wantKerasOrder(node);
        Ints rest;
        for (std::size_t i = 1; i < dropped.size(); ++i) {
            if (!dropped[i]) rest.push_back(sizes[i]);
        }
        chain.add(node, "Reshape", {{"target_shape", rest}});
        layout.clear();
        for (std::size_t i = 0; i <= rest.size(); ++i) layout.push_back(static_cast<int>(i));
        return;
    }
    std::vector<int> left;
    for (std::size_t i = 0; i < dropped.size(); ++i) {
        if (!dropped[i]) left.push_back(layout[i]);
    }
    layout = left;
}

void readUnsqueeze(ChainReader& chain, const NodeView& node) {
    const Ints axes = attributeOrInput(chain, node, "axes", 1);
    static_cast<void>(chain.kerasAxis(node, 0));
    std::vector<int>& layout = chain.layout();
    constexpr std::size_t kMostAxes = 6;
    if (axes.empty() || layout.size() + axes.size() > kMostAxes) chain.fail(node, "at most 6 axes", text(axes));
    const auto rank = static_cast<std::int64_t>(layout.size() + axes.size());
    Ints sorted;
    for (std::int64_t axis : axes) sorted.push_back(axis < 0 ? axis + rank : axis);
    std::sort(sorted.begin(), sorted.end());
    for (std::int64_t axis : sorted) {
        if (axis < 1 || axis > static_cast<std::int64_t>(layout.size())) chain.fail(node, "axes behind the samples", text(axes));
        layout.insert(layout.begin() + axis, ChainReader::kUnit);
    }
}

// A row, several times: RepeatVector.
void readTile(ChainReader& chain, const NodeView& node) {
    const auto times = chain.constants().integers(node, node.input(1));
    static_cast<void>(chain.kerasAxis(node, 0));
    const std::vector<int> row{0, ChainReader::kUnit, 1};
    if (!times || chain.layout() != row || times->size() != 3 || (*times)[0] != 1 || (*times)[2] != 1) {
        chain.fail(node, "one row several times", times ? text(*times) : node.input(1));
    }
    chain.add(node, "RepeatVector", {{"n", (*times)[1]}});
    chain.layout() = {0, 1, 2};
}

void readPad(ChainReader& chain, const NodeView& node) {
    if (node.text("mode", "constant") != "constant") chain.fail(node, "zeros around the image", node.text("mode", "constant"));
    if (numberOrInput(chain, node, "value", 2, 0) != 0) chain.fail(node, "zeros around the image", "other values");
    checkImage(chain, node);
    const Ints pads = attributeOrInput(chain, node, "pads", 1);
    const std::size_t rank = chain.rank();
    if (pads.size() != 2 * rank || !node.input(3).empty()) chain.fail(node, "pads of all axes", text(pads));
    // Whichever of the axes behind the samples' has none is the channels'.
    const bool channels_first = pads[1] == 0 && pads[rank + 1] == 0;
    if (channels_first) {
        chain.wantChannelsFirst(node);
    } else {
        chain.wantKerasOrder(node);
    }
    const std::size_t first = channels_first ? 2 : 1, channels = channels_first ? 1 : rank - 1;
    if (pads[0] != 0 || pads[rank] != 0 || pads[channels] != 0 || pads[rank + channels] != 0) {
        chain.fail(node, "pads of rows and columns", text(pads));
    }
    if (rank == 3) return chain.add(node, "ZeroPadding1D", {{"padding", Ints{pads[first], pads[rank + first]}}});
    chain.add(node, "ZeroPadding2D", {{"padding", Ints{pads[first], pads[rank + first], pads[first + 1], pads[rank + first + 1]}}});
}

// True when the node takes, of all times of the recurrent layer before, the one at `index` alone and that is the last.
bool readsLastTime(ChainReader& chain, const NodeView& node, std::int64_t axis, std::int64_t index) {
    const spec::LayerSpec* last = chain.lastLayer();
    return chain.rank() == 3 && chain.kerasAxis(node, axis) == 1 && last != nullptr && last->config.getBool("return_sequences", false) &&
           !last->config.getBool("go_backwards", false) && (index == -1 || index == chain.shape().front() - 1);
}

// The times backwards, or rows and columns taken away.
void readSlice(ChainReader& chain, const NodeView& node) {
    const Ints starts = attributeOrInput(chain, node, "starts", 1), ends = attributeOrInput(chain, node, "ends", 2);
    Ints axes = attributeOrInput(chain, node, "axes", 3), steps = attributeOrInput(chain, node, "steps", 4);
    for (std::size_t i = axes.size(); i < starts.size(); ++i) axes.push_back(static_cast<std::int64_t>(i));
    steps.resize(axes.size(), 1);
    if (starts.empty() || starts.size() != ends.size() || axes.size() != starts.size())
        chain.fail(node, "a start and an end an axis", text(starts));
    if (steps == Ints{-1} && starts == Ints{-1} && chain.kerasAxis(node, axes[0]) == 1 && chain.rank() == 3) {
        chain.is_turned = !chain.is_turned;
        return;
    }
    if (steps != Ints(steps.size(), 1)) chain.fail(node, "steps of 1", text(steps));
    if (axes.size() == 1 && readsLastTime(chain, node, axes[0], starts[0]) && (ends[0] >= chain.shape().front() || ends[0] == 0)) {
        const std::size_t axis = chain.axisOf(node, axes[0]);
        chain.lastLayer()->config.erase("return_sequences");
        chain.dropTimes(axis);
        chain.layout().insert(chain.layout().begin() + static_cast<std::ptrdiff_t>(axis), ChainReader::kUnit);
        return;
    }
    checkImage(chain, node);
    static_cast<void>(chain.kerasAxis(node, 0));
    const Ints sizes = chain.sizes();
    Ints cropped(2 * chain.shape().size());  // by Keras' axes
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::size_t axis = chain.axisOf(node, axes[i]);
        const std::int64_t size = sizes[axis];
        const auto within = [size](std::int64_t n) { return std::clamp<std::int64_t>(n < 0 ? std::max(n, -size) + size : n, 0, size); };
        const int keras = chain.layout()[axis];
        if (keras <= 0 || keras == static_cast<int>(chain.shape().size())) {
            if (keras > 0 && within(starts[i]) == 0 && within(ends[i]) == size) continue;
            chain.fail(node, "rows and columns taken away", "axis " + std::to_string(axes[i]));
        }
        cropped[2 * static_cast<std::size_t>(keras) - 2] = within(starts[i]);
        cropped[2 * static_cast<std::size_t>(keras) - 1] = size - within(ends[i]);
    }
    cropped.resize(cropped.size() - 2);
    if (std::all_of(cropped.begin(), cropped.end(), [](std::int64_t n) { return n == 0; })) return;
    chain.add(node, cropped.size() == 4 ? "Cropping2D" : "Cropping1D", {{"cropping", cropped}});
}

void readResize(ChainReader& chain, const NodeView& node) {
    checkImage(chain, node);
    chain.wantChannelsFirst(node);
    const int input = node.op() == "Upsample" ? 1 : 2;
    Ints factors;
    if (!node.input(input).empty()) {
        for (float scale : chain.weight(node, input).values) factors.push_back(std::llround(scale) == scale ? std::llround(scale) : 0);
    }
    if (factors.empty() && !node.input(3).empty()) {  // sizes
        const auto sizes = chain.constants().integers(node, node.input(3));
        const Ints before = chain.sizes();
        for (std::size_t i = 0; sizes && i < sizes->size() && i < before.size(); ++i) {
            factors.push_back(i == 0 ? 1 : (*sizes)[i] % before[i] == 0 ? (*sizes)[i] / before[i] : 0);
        }
    }
    if (factors.size() != chain.rank() || factors[0] != 1 || factors[1] != 1 || *std::min_element(factors.begin(), factors.end()) < 1) {
        chain.fail(node, "rows and columns a whole number of times", text(factors));
    }
    const std::string mode = node.text("mode", "nearest"), places = node.text("coordinate_transformation_mode", "half_pixel");
    const bool is_linear = mode == "linear" && places == "half_pixel" && chain.rank() == 4;
    const bool is_nearest = mode == "nearest" && (node.op() == "Upsample" ||
                                                  (places == "asymmetric" && node.text("nearest_mode", "round_prefer_floor") == "floor") ||
                                                  places == "half_pixel");
    if (!is_linear && !is_nearest) chain.fail(node, "nearest cells or half_pixel linear ones", mode + ", " + places);
    if (chain.rank() == 3) return chain.add(node, "UpSampling1D", {{"size", factors[2]}});
    spec::Fields config{{"size", Ints{factors[2], factors[3]}}};
    if (is_linear) config.set("interpolation", std::string("bilinear"));
    chain.add(node, "UpSampling2D", std::move(config));
}

// Rows of a table by the chain's ids; or the last time of a recurrent layer.
void readGather(ChainReader& chain, const NodeView& node) {
    if (chain.constants().has(node.input(0))) {
        const FloatTensor table = chain.weight(node, 0);
        if (table.shape.size() != 2 || node.integer("axis", 0) != 0) chain.fail(node, "rows of a table of two axes", text(table.shape));
        chain.wantKerasOrder(node);
        chain.add(node, "Embedding", {{"input_dim", table.shape[0]}, {"output_dim", table.shape[1]}}, {{"embeddings", table}});
        chain.layout().push_back(static_cast<int>(chain.shape().size()));
        return;
    }
    const auto index = chain.constants().integers(node, node.input(1));
    const std::int64_t axis = node.integer("axis", 0);
    if (!index || index->size() != 1 || !readsLastTime(chain, node, axis, index->front())) {
        chain.fail(node, "rows of a table, or the last time of a recurrent layer", "others");
    }
    chain.lastLayer()->config.erase("return_sequences");
    chain.dropTimes(chain.axisOf(node, axis));
}

}  // namespace

NodeReader findNodeReader(const std::string& op) {
    static const std::map<std::string, NodeReader> kReaders{
        {"Add", readArithmetic},
        {"AveragePool", readPool},
        {"BatchNormalization", readBatchNormalization},
        {"Cast", readIdentity},
        {"Celu", readFunction},
        {"Clip", readClip},
        {"Conv", readConv},
        {"ConvTranspose", readConvTranspose},
        {"Div", readArithmetic},
        {"Dropout", readDropout},
        {"Elu", readFunction},
        {"Exp", readFunction},
        {"Flatten", readFlatten},
        {"GRU", readRecurrent},
        {"Gather", readGather},
        {"Gelu", readFunction},
        {"Gemm", readGemm},
        {"GlobalAveragePool", readGlobalPool},
        {"GlobalMaxPool", readGlobalPool},
        {"HardSigmoid", readFunction},
        {"HardSwish", readFunction},
        {"Identity", readIdentity},
        {"LSTM", readRecurrent},
        {"LayerNormalization", readLayerNormalization},
        {"LeakyRelu", readFunction},
        {"LogSoftmax", readSoftmax},
        {"MatMul", readMatMul},
        {"MaxPool", readPool},
        {"Mish", readFunction},
        {"Mul", readArithmetic},
        {"PRelu", readPrelu},
        {"Pad", readPad},
        {"RNN", readRecurrent},
        {"ReduceMax", readReduce},
        {"ReduceMean", readReduce},
        {"Relu", readFunction},
        {"Reshape", readReshape},
        {"Resize", readResize},
        {"Selu", readFunction},
        {"Shrink", readFunction},
        {"Sigmoid", readFunction},
        {"Slice", readSlice},
        {"Softmax", readSoftmax},
        {"Softplus", readFunction},
        {"Softsign", readFunction},
        {"Squeeze", readSqueeze},
        {"Sub", readArithmetic},
        {"Tanh", readFunction},
        {"Tile", readTile},
        {"Transpose", readTranspose},
        {"Unsqueeze", readUnsqueeze},
        {"Upsample", readResize},
    };
    const auto found = kReaders.find(op);
    return found == kReaders.end() ? nullptr : found->second;
}

}  // namespace engine::exporter::onnx
