// Dense, convolutions, pools, paddings: what PyTorch has as modules. Kernels are turned from Keras' order of axes into PyTorch's.
#include <algorithm>
#include <array>

#include "engine/script/python_text.h"
#include "engine/script/torch/layer_rows.h"
#include "engine/script/torch/model_writer.h"

namespace engine::script::torch {
namespace {

using Pair = std::array<std::int64_t, 2>;
using spec::Shape;

bool isImage(const Place& place) {
    return place.info.input_shape.size() == 3;
}

// A size of rows and columns; of steps: the second one alone counts.
Pair pairOf(const Place& place, const char* field, Pair otherwise) {
    if (!place.settings.has(field)) return otherwise;
    const spec::FieldValue* value = place.settings.find(field);
    if (value == nullptr || std::holds_alternative<std::monostate>(*value)) return otherwise;
    const std::vector<std::int64_t> values = place.settings.getInts(field);
    if (values.empty()) return otherwise;
    return {isImage(place) ? values.front() : 1, values.back()};
}

std::string sizeText(const Place& place, Pair pair) {
    if (!isImage(place) || pair[0] == pair[1]) return std::to_string(pair[1]);
    return pyTuple({pair[0], pair[1]});
}

struct Window {
    Pair size{1, 1}, strides{1, 1}, dilation{1, 1};
    std::array<std::int64_t, 4> pads{};  // left, right, top, bottom: as F.pad takes them
    bool isPadded() const { return pads != std::array<std::int64_t, 4>{}; }
    // The same on both sides: the module pads by itself.
    bool isEven() const { return pads[0] == pads[1] && pads[2] == pads[3]; }
};

Window windowOf(const Place& place, const char* size_field, Pair strides_otherwise) {
    Window window;
    window.size = pairOf(place, size_field, {1, 1});
    window.strides = pairOf(place, "strides", strides_otherwise[0] == 0 ? window.size : strides_otherwise);
    window.dilation = pairOf(place, "dilation_rate", {1, 1});
    if (place.settings.getString("padding") == "valid") return window;
    const bool causal = place.settings.getString("padding") == "causal";
    const Shape& input = place.info.input_shape;
    for (std::size_t axis = isImage(place) ? 0 : 1; axis < 2; ++axis) {
        const std::int64_t n = isImage(place) ? input[axis] : input[0], s = window.strides[axis];
        const std::int64_t extent = (window.size[axis] - 1) * window.dilation[axis] + 1;
        const std::int64_t total = causal ? extent - 1 : std::max<std::int64_t>(((n + s - 1) / s - 1) * s + extent - n, 0);
        const std::int64_t before = causal ? total : total / 2;
        window.pads[axis == 1 ? 0 : 2] = before;
        window.pads[axis == 1 ? 1 : 3] = total - before;
    }
    return window;
}

std::string padsText(const Place& place, const std::array<std::int64_t, 4>& pads) {
    return isImage(place) ? pyTuple({pads[0], pads[1], pads[2], pads[3]}) : pyTuple({pads[0], pads[1]});
}

// Says the padding where the module can't: PyTorch pads alike on both sides, Keras' "same" adds the odd cell behind.
std::string paddingOf(ModelWriter& writer, const Place& place, const Window& window) {
    if (!window.isPadded()) return {};
    if (window.isEven()) return ", padding=" + sizeText(place, {window.pads[2], window.pads[0]});
    writer.say("x = F.pad(x, " + padsText(place, window.pads) + ")  # 'same' as Keras pads: the odd cell behind");
    return {};
}

void finish(ModelWriter& writer, const Place& place, const std::string& call) {
    const std::string activation = activationCall(writer, place.settings.getString("activation"), call, writer.axes());
    writer.say("x = " + (activation.empty() ? call : activation));
}

std::string moduleName(const Place& place, const char* stem) {
    return std::string("nn.") + stem + (isImage(place) ? "2d" : "1d");
}

void writeDense(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    const bool bias = place.settings.getBool("use_bias");
    writer.declare("self." + place.name + " = nn.Linear(" + std::to_string(place.info.input_shape.back()) + ", " +
                   std::to_string(place.settings.getInt("units")) + (bias ? ")" : ", bias=False)"));
    writer.addVariable(place, "kernel", place.name + ".weight", {1, 0});
    writer.addVariable(place, "bias", place.name + ".bias");
    finish(writer, place, "self." + place.name + "(x)");
}

// torch.einsum reads Keras' equations; both variables keep their shapes.
void writeEinsumDense(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    const std::string name = "self." + place.name;
    std::string call = "torch.einsum(" + pyText(place.settings.getString("equation")) + ", x, " + name + "_kernel)";
    for (const spec::VariableInfo& variable : place.info.variables) {
        const std::string own = variable.name.substr(variable.name.rfind('/') + 1);
        writer.declare(name + "_" + own + " = nn.Parameter(torch.zeros(" + pyTuple(variable.shape) + "))");
        writer.addVariable(place, own, place.name + "_" + own);
        if (own == "bias") call = "(" + call + " + " + name + "_bias)";
    }
    finish(writer, place, call);
}

void writeConvolution(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    const Window window = windowOf(place, "kernel_size", {1, 1});
    std::string more = paddingOf(writer, place, window);
    if (window.strides != Pair{1, 1}) more = ", stride=" + sizeText(place, window.strides) + more;
    if (window.dilation != Pair{1, 1}) more += ", dilation=" + sizeText(place, window.dilation);
    if (place.settings.getInt("groups") != 1) more += ", groups=" + std::to_string(place.settings.getInt("groups"));
    if (!place.settings.getBool("use_bias")) more += ", bias=False";
    writer.declare("self." + place.name + " = " + moduleName(place, "Conv") + "(" + std::to_string(place.info.input_shape.back()) + ", " +
                   std::to_string(place.settings.getInt("filters")) + ", " + sizeText(place, window.size) + more + ")");
    writer.addVariable(place, "kernel", place.name + ".weight", isImage(place) ? std::vector<int>{3, 2, 0, 1} : std::vector<int>{2, 1, 0});
    writer.addVariable(place, "bias", place.name + ".bias");
    finish(writer, place, "self." + place.name + "(x)");
}

// A kernel of its own for each channel: (rows, columns, channels, multiplier) becomes (channels * multiplier, 1, rows, columns).
void declareDepthwise(ModelWriter& writer, const Place& place, const std::string& name, const std::string& variable, bool bias) {
    const Window window = windowOf(place, "kernel_size", {1, 1});
    std::string more = paddingOf(writer, place, window);
    if (window.strides != Pair{1, 1}) more = ", stride=" + sizeText(place, window.strides) + more;
    if (window.dilation != Pair{1, 1}) more += ", dilation=" + sizeText(place, window.dilation);
    const std::int64_t channels = place.info.input_shape.back();
    writer.declare("self." + name + " = nn.Conv2d(" + std::to_string(channels) + ", " +
                   std::to_string(channels * place.settings.getInt("depth_multiplier")) + ", " + sizeText(place, window.size) + more +
                   ", groups=" + std::to_string(channels) + (bias ? ")" : ", bias=False)"));
    writer.addVariable(place, variable, name + ".weight", {2, 3, 0, 1}, "depthwise");
}

void writeDepthwise(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, 3);
    const bool named_kernel = !place.info.variables.empty() && place.info.variables.front().name.ends_with("/kernel");
    declareDepthwise(writer, place, place.name, named_kernel ? "kernel" : "depthwise_kernel", place.settings.getBool("use_bias"));
    writer.addVariable(place, "bias", place.name + ".bias");
    finish(writer, place, "self." + place.name + "(x)");
}

void writeSeparable(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, 3);
    declareDepthwise(writer, place, place.name + "_depthwise", "depthwise_kernel", false);
    const bool bias = place.settings.getBool("use_bias");
    const std::int64_t between = place.info.input_shape.back() * place.settings.getInt("depth_multiplier");
    writer.declare("self." + place.name + "_pointwise = nn.Conv2d(" + std::to_string(between) + ", " +
                   std::to_string(place.settings.getInt("filters")) + ", 1" + (bias ? ")" : ", bias=False)"));
    writer.addVariable(place, "pointwise_kernel", place.name + "_pointwise.weight", {3, 2, 0, 1}, "pointwise");
    writer.addVariable(place, "bias", place.name + "_pointwise.bias");
    finish(writer, place, "self." + place.name + "_pointwise(self." + place.name + "_depthwise(x))");
}

// PyTorch gives the whole result, Keras a part of it; where Keras' is larger, zeros follow. The bias comes last.
void writeTransposed(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, 3);
    Window window;
    window.size = pairOf(place, "kernel_size", {1, 1});
    window.strides = pairOf(place, "strides", {1, 1});
    window.dilation = pairOf(place, "dilation_rate", {1, 1});
    const bool same = place.settings.getString("padding") == "same";
    const bool says_padding = pairOf(place, "output_padding", {-1, -1})[0] >= 0;
    std::array<std::int64_t, 4> pads{};
    for (std::size_t axis = 0; axis < 2; ++axis) {
        const std::int64_t n = place.info.input_shape[axis], s = window.strides[axis], o = place.info.output_shape[axis];
        const std::int64_t extent = (window.size[axis] - 1) * window.dilation[axis] + 1, whole = (n - 1) * s + extent;
        const std::int64_t total =
            says_padding ? std::max<std::int64_t>(whole - o, 0) : std::max<std::int64_t>(((o + s - 1) / s - 1) * s + extent - o, 0);
        const std::int64_t before = same ? total / 2 : 0;
        pads[axis == 1 ? 0 : 2] = -before;
        pads[axis == 1 ? 1 : 3] = o - whole + before;
    }
    const std::string name = "self." + place.name;
    writer.declare(name + " = nn.ConvTranspose2d(" + std::to_string(place.info.input_shape.back()) + ", " +
                   std::to_string(place.settings.getInt("filters")) + ", " + sizeText(place, window.size) +
                   (window.strides == Pair{1, 1} ? "" : ", stride=" + sizeText(place, window.strides)) +
                   (window.dilation == Pair{1, 1} ? "" : ", dilation=" + sizeText(place, window.dilation)) + ", bias=False)");
    writer.addVariable(place, "kernel", place.name + ".weight", {3, 2, 0, 1});
    std::string call = name + "(x)";
    if (pads != std::array<std::int64_t, 4>{}) call = "F.pad(" + call + ", " + padsText(place, pads) + ")";
    if (place.settings.getBool("use_bias")) {
        writer.declare(name + "_bias = nn.Parameter(torch.zeros(" + std::to_string(place.settings.getInt("filters")) + "))");
        writer.addVariable(place, "bias", place.name + "_bias");
        call += " + " + name + "_bias[:, None, None]";
    }
    finish(writer, place, call);
}

void writePool(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    const Window window = windowOf(place, "pool_size", {0, 0});
    const bool largest = place.layer.class_name.starts_with("Max");
    const std::string kind = isImage(place) ? "2d" : "1d";
    std::string sizes = sizeText(place, window.size);
    if (window.strides != window.size) sizes += ", " + sizeText(place, window.strides);
    if (!window.isPadded()) {
        writer.say("x = F." + std::string(largest ? "max" : "avg") + "_pool" + kind + "(x, " + sizes + ")");
    } else if (largest) {
        writer.say("x = F.max_pool" + kind + "(F.pad(x, " + padsText(place, window.pads) + ", value=-torch.inf), " + sizes + ")");
    } else {
        // Cells that are padded don't count in the mean.
        const std::string pads = padsText(place, window.pads);
        writer.say("counted = F.avg_pool" + kind + "(F.pad(torch.ones_like(x[:1, :1]), " + pads + "), " + sizes + ")");
        writer.say("x = F.avg_pool" + kind + "(F.pad(x, " + pads + "), " + sizes + ") / counted");
    }
}

// PyTorch's windows adapt by the same formula.
void writeAdaptivePool(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    const bool largest = place.layer.class_name.starts_with("AdaptiveMax");
    const spec::Shape& result = place.info.output_shape;
    writer.say("x = F.adaptive_" + std::string(largest ? "max" : "avg") + "_pool" + (isImage(place) ? "2d" : "1d") + "(x, " +
               (isImage(place) ? pyTuple({result[0], result[1]}) : std::to_string(result[0])) + ")");
}

void writeGlobalPool(ModelWriter& writer, const Place& place) {
    const bool largest = place.layer.class_name.starts_with("GlobalMax"), keeps = place.settings.getBool("keepdims");
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    const std::string axes = isImage(place) ? "(1, 2)" : "1", keep = keeps ? ", keepdim=True" : "";
    if (place.info.input_mask && !largest) {
        writer.say("x = (x * mask[..., None]).sum(1" + keep + ") / mask.sum(1)[:, None" + (keeps ? ", None]" : "]"));
    } else {
        writer.say("x = x." + std::string(largest ? "amax(" : "mean(") + axes + keep + ")");
    }
}

void writeBorder(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    const bool pads = place.layer.class_name.starts_with("Zero");
    const std::vector<std::int64_t> sizes = place.settings.getInts(pads ? "padding" : "cropping");
    std::array<std::int64_t, 4> border{};  // top, bottom, left, right
    if (!isImage(place)) {
        border = {0, 0, sizes.front(), sizes.back()};
    } else if (sizes.size() == 4) {
        border = {sizes[0], sizes[1], sizes[2], sizes[3]};
    } else {
        border = {sizes.front(), sizes.front(), sizes.back(), sizes.back()};
    }
    const std::int64_t sign = pads ? 1 : -1;
    writer.say("x = F.pad(x, " + padsText(place, {sign * border[2], sign * border[3], sign * border[0], sign * border[1]}) + ")" +
               (pads ? "" : "  # less than nothing: cropped"));
}

void writeUpSampling(ModelWriter& writer, const Place& place) {
    const Pair size = pairOf(place, "size", {1, 1});
    if (!isImage(place)) {
        writer.turn(Axes::kChannelsLast, 2);
        writer.say("x = x.repeat_interleave(" + std::to_string(size[1]) + ", 1)");
        return;
    }
    writer.turn(Axes::kChannelsFirst, 3);
    const bool smooth = place.settings.getString("interpolation") == "bilinear";
    writer.say("x = F.interpolate(x, size=" + pyTuple({place.info.output_shape[0], place.info.output_shape[1]}) +
               (smooth ? ", mode='bilinear')" : ")"));
}

}  // namespace

std::vector<LayerRow> convolutionRows() {
    return {{"Dense", writeDense},
            {"EinsumDense", writeEinsumDense},
            {"Conv1D", writeConvolution},
            {"Conv2D", writeConvolution},
            {"DepthwiseConv2D", writeDepthwise},
            {"SeparableConv2D", writeSeparable},
            {"Conv2DTranspose", writeTransposed},
            {"MaxPooling1D", writePool},
            {"MaxPooling2D", writePool},
            {"AveragePooling1D", writePool},
            {"AveragePooling2D", writePool},
            {"GlobalMaxPooling1D", writeGlobalPool},
            {"GlobalMaxPooling2D", writeGlobalPool},
            {"GlobalAveragePooling1D", writeGlobalPool},
            {"GlobalAveragePooling2D", writeGlobalPool},
            {"AdaptiveAveragePooling1D", writeAdaptivePool},
            {"AdaptiveAveragePooling2D", writeAdaptivePool},
            {"AdaptiveMaxPooling1D", writeAdaptivePool},
            {"AdaptiveMaxPooling2D", writeAdaptivePool},
            {"ZeroPadding1D", writeBorder},
            {"ZeroPadding2D", writeBorder},
            {"Cropping1D", writeBorder},
            {"Cropping2D", writeBorder},
            {"UpSampling1D", writeUpSampling},
            {"UpSampling2D", writeUpSampling}};
}

}  // namespace engine::script::torch
