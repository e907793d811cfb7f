// Dense, convolutions, pools, paddings: what PyTorch has as modules. Kernels are turned from Keras' order of axes into PyTorch's.
#include <algorithm>
#include <array>

#include "engine/script/python_text.h"
#include "engine/script/torch/layer_rows.h"
#include "engine/script/torch/model_writer.h"
#include "engine/spec/keras/python/python_literal.h"

namespace engine::script::torch {
namespace {

using spec::Shape;

// Axes of an input's places: 1 of a sequence, 2 of an image, 3 of a volume.
std::size_t axesOf(const Place& place) {
    return place.info.input_shape.size() - 1;
}

Shape sizesOf(const Place& place, const char* field, const Shape& otherwise) {
    const spec::FieldValue* value = place.settings.has(field) ? place.settings.find(field) : nullptr;
    if (value == nullptr || std::holds_alternative<std::monostate>(*value)) return otherwise;
    const std::vector<std::int64_t> values = place.settings.getInts(field);
    if (values.empty()) return otherwise;
    return values.size() == axesOf(place) ? Shape(values.begin(), values.end()) : Shape(axesOf(place), values.back());
}

Shape allOnes(const Place& place) {
    return Shape(axesOf(place), 1);
}

bool isOne(const Shape& sizes) {
    return std::all_of(sizes.begin(), sizes.end(), [](std::int64_t size) { return size == 1; });
}

std::string sizeText(const Shape& sizes) {
    const bool alike = std::all_of(sizes.begin(), sizes.end(), [&](std::int64_t size) { return size == sizes.front(); });
    return alike ? std::to_string(sizes.front()) : pyTuple(sizes);
}

// Cells that are added before and behind along each axis; less than nothing: taken away.
struct Border {
    Shape before, behind;
    bool isThere() const {
        const auto some = [](std::int64_t size) { return size != 0; };
        return std::any_of(before.begin(), before.end(), some) || std::any_of(behind.begin(), behind.end(), some);
    }
    // The same on both sides: the module pads by itself.
    bool isEven() const { return before == behind; }
};

// As F.pad takes it: the last axis first.
std::string borderText(const Border& border) {
    Shape pairs;
    for (std::size_t axis = border.before.size(); axis-- > 0;) {
        pairs.push_back(border.before[axis]);
        pairs.push_back(border.behind[axis]);
    }
    return pyTuple(pairs);
}

struct Window {
    Shape size, strides, dilation;
    Border pads;
};

Window windowOf(const Place& place, const char* size_field, const Shape& places, bool strides_as_size = false) {
    const Shape ones = allOnes(place);
    Window window;
    window.size = sizesOf(place, size_field, ones);
    window.strides = sizesOf(place, "strides", strides_as_size ? window.size : ones);
    window.dilation = sizesOf(place, "dilation_rate", ones);
    window.pads = {Shape(ones.size(), 0), Shape(ones.size(), 0)};
    const std::string padding = place.settings.getString("padding");
    if (padding == "valid") return window;
    for (std::size_t axis = 0; axis < ones.size(); ++axis) {
        const std::int64_t n = places[axis], s = window.strides[axis];
        const std::int64_t extent = (window.size[axis] - 1) * window.dilation[axis] + 1;
        const std::int64_t total = padding == "causal" ? extent - 1 : std::max<std::int64_t>(((n + s - 1) / s - 1) * s + extent - n, 0);
        window.pads.before[axis] = padding == "causal" ? total : total / 2;
        window.pads.behind[axis] = total - window.pads.before[axis];
    }
    return window;
}

Window convolutionWindow(const Place& place) {
    return windowOf(place, "kernel_size", place.info.input_shape);
}

// Strides, padding and dilation of a module. Says the padding where the module can't: PyTorch pads alike on both sides, Keras' "same" adds
// the odd cell behind.
std::string argumentsOf(ModelWriter& writer, const Window& window) {
    std::string more;
    if (!isOne(window.strides)) more += ", stride=" + sizeText(window.strides);
    if (window.pads.isThere() && window.pads.isEven()) more += ", padding=" + sizeText(window.pads.before);
    if (window.pads.isThere() && !window.pads.isEven()) {
        writer.say("x = F.pad(x, " + borderText(window.pads) + ")  # 'same' as Keras pads: the odd cell behind");
    }
    if (!isOne(window.dilation)) more += ", dilation=" + sizeText(window.dilation);
    return more;
}

// Of a kernel (places, a, b), which PyTorch has as (b, a, places).
std::vector<int> turnedKernel(const Place& place) {
    const int n = static_cast<int>(axesOf(place));
    std::vector<int> axes{n + 1, n};
    for (int axis = 0; axis < n; ++axis) axes.push_back(axis);
    return axes;
}

void finish(ModelWriter& writer, const Place& place, const std::string& call) {
    const std::string activation = activationCall(writer, place.settings.getString("activation"), call, writer.axes());
    writer.say("x = " + (activation.empty() ? call : activation));
}

// "nn.Conv2d" of an image.
std::string forAxes(const Place& place, const std::string& stem) {
    return stem + std::to_string(axesOf(place)) + "d";
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
    std::string call = "torch.einsum(" + spec::pythonText(place.settings.getString("equation")) + ", x, " + name + "_kernel)";
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
    const Window window = convolutionWindow(place);
    std::string more = argumentsOf(writer, window);
    if (place.settings.getInt("groups") != 1) more += ", groups=" + std::to_string(place.settings.getInt("groups"));
    if (!place.settings.getBool("use_bias")) more += ", bias=False";
    writer.declare("self." + place.name + " = " + forAxes(place, "nn.Conv") + "(" + std::to_string(place.info.input_shape.back()) + ", " +
                   std::to_string(place.settings.getInt("filters")) + ", " + sizeText(window.size) + more + ")");
    writer.addVariable(place, "kernel", place.name + ".weight", turnedKernel(place));
    writer.addVariable(place, "bias", place.name + ".bias");
    finish(writer, place, "self." + place.name + "(x)");
}

// A kernel of its own for each channel: (places, channels, multiplier) becomes (channels * multiplier, 1, places).
void declareDepthwise(ModelWriter& writer, const Place& place, const std::string& name, const std::string& variable, bool bias) {
    const Window window = convolutionWindow(place);
    const std::string more = argumentsOf(writer, window);
    const std::int64_t channels = place.info.input_shape.back();
    writer.declare("self." + name + " = " + forAxes(place, "nn.Conv") + "(" + std::to_string(channels) + ", " +
                   std::to_string(channels * place.settings.getInt("depth_multiplier")) + ", " + sizeText(window.size) + more +
                   ", groups=" + std::to_string(channels) + (bias ? ")" : ", bias=False)"));
    std::vector<int> axes = turnedKernel(place);
    std::swap(axes[0], axes[1]);
    writer.addVariable(place, variable, name + ".weight", axes, "depthwise");
}

void writeDepthwise(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    const bool named_kernel = !place.info.variables.empty() && place.info.variables.front().name.ends_with("/kernel");
    declareDepthwise(writer, place, place.name, named_kernel ? "kernel" : "depthwise_kernel", place.settings.getBool("use_bias"));
    writer.addVariable(place, "bias", place.name + ".bias");
    finish(writer, place, "self." + place.name + "(x)");
}

void writeSeparable(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    declareDepthwise(writer, place, place.name + "_depthwise", "depthwise_kernel", false);
    const bool bias = place.settings.getBool("use_bias");
    const std::int64_t between = place.info.input_shape.back() * place.settings.getInt("depth_multiplier");
    writer.declare("self." + place.name + "_pointwise = " + forAxes(place, "nn.Conv") + "(" + std::to_string(between) + ", " +
                   std::to_string(place.settings.getInt("filters")) + ", 1" + (bias ? ")" : ", bias=False)"));
    writer.addVariable(place, "pointwise_kernel", place.name + "_pointwise.weight", turnedKernel(place), "pointwise");
    writer.addVariable(place, "bias", place.name + "_pointwise.bias");
    finish(writer, place, "self." + place.name + "_pointwise(self." + place.name + "_depthwise(x))");
}

// PyTorch gives the whole result, Keras a part of it; where Keras' is larger, zeros follow. The bias comes last.
void writeTransposed(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    const Shape ones = allOnes(place), size = sizesOf(place, "kernel_size", ones), strides = sizesOf(place, "strides", ones),
                dilation = sizesOf(place, "dilation_rate", ones);
    const bool same = place.settings.getString("padding") == "same";
    const bool says_padding = sizesOf(place, "output_padding", Shape(ones.size(), -1)).front() >= 0;
    Border border{Shape(ones.size(), 0), Shape(ones.size(), 0)};
    for (std::size_t axis = 0; axis < ones.size(); ++axis) {
        const std::int64_t n = place.info.input_shape[axis], s = strides[axis], o = place.info.output_shape[axis];
        const std::int64_t extent = (size[axis] - 1) * dilation[axis] + 1, whole = (n - 1) * s + extent;
        const std::int64_t total =
            says_padding ? std::max<std::int64_t>(whole - o, 0) : std::max<std::int64_t>(((o + s - 1) / s - 1) * s + extent - o, 0);
        const std::int64_t before = same ? total / 2 : 0;
        border.before[axis] = -before;
        border.behind[axis] = o - whole + before;
    }
    const std::string name = "self." + place.name;
    writer.declare(name + " = " + forAxes(place, "nn.ConvTranspose") + "(" + std::to_string(place.info.input_shape.back()) + ", " +
                   std::to_string(place.settings.getInt("filters")) + ", " + sizeText(size) +
                   (isOne(strides) ? "" : ", stride=" + sizeText(strides)) + (isOne(dilation) ? "" : ", dilation=" + sizeText(dilation)) +
                   ", bias=False)");
    writer.addVariable(place, "kernel", place.name + ".weight", turnedKernel(place));
    std::string call = name + "(x)";
    if (border.isThere()) call = "F.pad(" + call + ", " + borderText(border) + ")";
    if (place.settings.getBool("use_bias")) {
        writer.declare(name + "_bias = nn.Parameter(torch.zeros(" + std::to_string(place.settings.getInt("filters")) + "))");
        writer.addVariable(place, "bias", place.name + "_bias");
        call += " + " + name + "_bias[:";
        for (std::size_t axis = 0; axis < ones.size(); ++axis) call += ", None";
        call += "]";
    }
    finish(writer, place, call);
}

void writePool(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    const Window window = windowOf(place, "pool_size", place.info.input_shape, true);
    const bool largest = place.layer.class_name.starts_with("Max");
    const std::string pool = forAxes(place, largest ? "F.max_pool" : "F.avg_pool"), pads = borderText(window.pads);
    std::string sizes = sizeText(window.size);
    if (window.strides != window.size) sizes += ", " + sizeText(window.strides);
    if (!window.pads.isThere()) {
        writer.say("x = " + pool + "(x, " + sizes + ")");
    } else if (largest) {
        writer.say("x = " + pool + "(F.pad(x, " + pads + ", value=-torch.inf), " + sizes + ")");
    } else {
        // Cells that are padded don't count in the mean.
        writer.say("counted = " + pool + "(F.pad(torch.ones_like(x[:1, :1]), " + pads + "), " + sizes + ")");
        writer.say("x = " + pool + "(F.pad(x, " + pads + "), " + sizes + ") / counted");
    }
}

// PyTorch's windows adapt by the same formula.
void writeAdaptivePool(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    const bool largest = place.layer.class_name.starts_with("AdaptiveMax");
    const Shape& result = place.info.output_shape;
    writer.say("x = " + forAxes(place, largest ? "F.adaptive_max_pool" : "F.adaptive_avg_pool") + "(x, " +
               sizeText(Shape(result.begin(), result.end() - 1)) + ")");
}

void writeGlobalPool(ModelWriter& writer, const Place& place) {
    const bool largest = place.layer.class_name.starts_with("GlobalMax"), keeps = place.settings.getBool("keepdims");
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    const char* const axes[] = {"1", "(1, 2)", "(1, 2, 3)"};
    const std::string keep = keeps ? ", keepdim=True" : "";
    if (place.info.input_mask && !largest) {
        writer.say("x = (x * mask[..., None]).sum(1" + keep + ") / mask.sum(1)[:, None" + (keeps ? ", None]" : "]"));
    } else {
        writer.say("x = x." + std::string(largest ? "amax(" : "mean(") + axes[axesOf(place) - 1] + keep + ")");
    }
}

void writeBorder(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    const bool pads = place.layer.class_name.starts_with("Zero");
    const std::vector<std::int64_t> sizes = place.settings.getInts(pads ? "padding" : "cropping");
    const std::size_t axes = axesOf(place);
    Border border;
    for (std::size_t axis = 0; axis < axes; ++axis) {  // one for all, one for each axis, or two for each
        const bool both = sizes.size() == 2 * axes, each = sizes.size() == axes;
        const std::int64_t sign = pads ? 1 : -1;
        border.before.push_back(sign * (both ? sizes[2 * axis] : each ? sizes[axis] : sizes.front()));
        border.behind.push_back(sign * (both ? sizes[2 * axis + 1] : each ? sizes[axis] : sizes.front()));
    }
    writer.say("x = F.pad(x, " + borderText(border) + ")" + (pads ? "" : "  # less than nothing: cropped"));
}

void writeUpSampling(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsFirst, place.info.input_shape.size());
    const Shape& result = place.info.output_shape;
    const bool smooth = place.settings.has("interpolation") && place.settings.getString("interpolation") == "bilinear";
    writer.say("x = F.interpolate(x, size=" + pyTuple(Shape(result.begin(), result.end() - 1)) + (smooth ? ", mode='bilinear')" : ")"));
}

// Over (times, places, channels). PyTorch has none: the program holds one (torch_blocks.cpp).
void writeConvLstm(ModelWriter& writer, const Place& place) {
    writer.turn(Axes::kChannelsLast, place.info.input_shape.size());
    writer.need("ConvLSTM");
    const spec::Settings& settings = place.settings;
    // Its window goes over the places of a time.
    spec::LayerInfo one_time = place.info;
    one_time.input_shape.erase(one_time.input_shape.begin());
    const Place inside{.layer = place.layer, .info = one_time, .settings = settings, .name = place.name, .path = place.path};
    const Window window = convolutionWindow(inside);
    std::string more;
    const auto say = [&](const char* name, const std::string& value) { more += std::string(", ") + name + "=" + value; };
    const auto sayFunction = [&](const char* field, const char* otherwise) {
        const std::string function = settings.getString(field);
        const std::string call = activationCall(writer, function, "x", Axes::kChannelsFirst);
        if (function != otherwise) say(field, "lambda x: " + (call.empty() ? "x" : call));
    };
    if (!isOne(window.strides)) say("strides", pyTuple(window.strides));
    if (!isOne(window.dilation)) say("dilation", pyTuple(window.dilation));
    if (window.pads.isThere()) say("pads", borderText(window.pads));
    sayFunction("activation", "tanh");
    sayFunction("recurrent_activation", "sigmoid");
    for (const char* flag : {"return_sequences", "go_backwards"}) {
        if (settings.getBool(flag)) say(flag, "True");
    }
    if (!settings.getBool("use_bias")) say("use_bias", "False");
    for (const char* rate : {"dropout", "recurrent_dropout"}) {
        if (settings.getDouble(rate) > 0) say(rate, pyNumber(settings.getDouble(rate)));
    }
    writer.declare("self." + place.name + " = ConvLSTM(" + std::to_string(place.info.input_shape.back()) + ", " +
                   std::to_string(settings.getInt("filters")) + ", " + pyTuple(window.size) + more + ")");
    writer.addVariable(place, "kernel", place.name + ".kernel", turnedKernel(inside));
    writer.addVariable(place, "recurrent_kernel", place.name + ".recurrent_kernel", turnedKernel(inside), "recurrent");
    writer.addVariable(place, "bias", place.name + ".bias");
    writer.say("x = self." + place.name + "(x)");
}

}  // namespace

std::vector<LayerRow> convolutionRows() {
    std::vector<LayerRow> rows{{"Dense", writeDense},
                               {"EinsumDense", writeEinsumDense},
                               {"DepthwiseConv1D", writeDepthwise},
                               {"DepthwiseConv2D", writeDepthwise},
                               {"SeparableConv1D", writeSeparable},
                               {"SeparableConv2D", writeSeparable}};
    // These are there for sequences, images and volumes.
    using Names = std::array<std::string_view, 3>;
    const std::pair<Names, void (*)(ModelWriter&, const Place&)> groups[] = {
        {{"Conv1D", "Conv2D", "Conv3D"}, writeConvolution},
        {{"Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose"}, writeTransposed},
        {{"MaxPooling1D", "MaxPooling2D", "MaxPooling3D"}, writePool},
        {{"AveragePooling1D", "AveragePooling2D", "AveragePooling3D"}, writePool},
        {{"GlobalMaxPooling1D", "GlobalMaxPooling2D", "GlobalMaxPooling3D"}, writeGlobalPool},
        {{"GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalAveragePooling3D"}, writeGlobalPool},
        {{"AdaptiveAveragePooling1D", "AdaptiveAveragePooling2D", "AdaptiveAveragePooling3D"}, writeAdaptivePool},
        {{"AdaptiveMaxPooling1D", "AdaptiveMaxPooling2D", "AdaptiveMaxPooling3D"}, writeAdaptivePool},
        {{"ZeroPadding1D", "ZeroPadding2D", "ZeroPadding3D"}, writeBorder},
        {{"Cropping1D", "Cropping2D", "Cropping3D"}, writeBorder},
        {{"UpSampling1D", "UpSampling2D", "UpSampling3D"}, writeUpSampling},
        {{"ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"}, writeConvLstm}};
    for (const auto& [names, write] : groups) {
        for (const std::string_view name : names) rows.push_back({name, write});
    }
    return rows;
}

}  // namespace engine::script::torch
