// Windows over sequences and images: convolutions and poolings, those over everything among them.
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

#include "engine/export/onnx/chain_operators.h"

namespace engine::exporter::onnx {
namespace {

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
        chain.fail(node, "a window of at least 1 and pads of at least 0", sizesText(w.size) + ", pads " + sizesText(w.pads));
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
        chain.fail(node, "pads of Keras' \"same\" or \"valid\"", sizesText(w.pads));
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

// Its axes of one value stay until a Flatten takes them away.
void addGlobalPool(ChainReader& chain, const NodeView& node, bool is_mean, bool keeps_axes) {
    const std::size_t rank = chain.rank();
    spec::Fields config;
    if (keeps_axes) config.set("keepdims", true);
    chain.add(node, std::string(is_mean ? "GlobalAverage" : "GlobalMax") + (rank == 4 ? "Pooling2D" : "Pooling1D"), std::move(config));
    if (!keeps_axes) chain.layout() = {0, 1};
}

}  // namespace

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
    if (!is_same && !is_valid) chain.fail(node, "pads of Keras' \"same\" or \"valid\"", sizesText(w.pads));
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
    if (w.size.size() + 2 != chain.rank()) chain.fail(node, "a window of the image's axes", sizesText(w.size));
    if (w.dilations != Ints(w.dilations.size(), 1)) chain.fail(node, "no dilations", sizesText(w.dilations));
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
        chain.fail(node, "all axes but the samples' and the channels'", sizesText(axes));
    }
    if (channels == 1) {
        chain.wantChannelsFirst(node);
    } else {
        chain.wantKerasOrder(node);
    }
    addGlobalPool(chain, node, node.op() == "ReduceMean", node.integer("keepdims", 1) != 0);
}

}  // namespace engine::exporter::onnx
