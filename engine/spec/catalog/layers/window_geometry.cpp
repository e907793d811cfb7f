#include "engine/spec/catalog/layers/window_geometry.h"

#include <algorithm>

#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {

Pair readPair(const Fields& config, std::string_view field, Pair fallback, Axes axes) {
    if (axes == Axes::kSequence) return {1, config.getInt(field, fallback[1])};
    const std::vector<std::int64_t> values = config.getInts(field, {fallback[0], fallback[1]});
    return {values.front(), values.back()};
}

Window readConvolution(const Fields& config, Axes axes) {
    return {.size = readPair(config, "kernel_size", {1, 1}, axes),
            .strides = readPair(config, "strides", {1, 1}, axes),
            .dilation = readPair(config, "dilation_rate", {1, 1}, axes),
            .padding = config.getString("padding", "valid")};
}

std::int64_t windowOutput(std::int64_t n, std::int64_t k, std::int64_t s, std::int64_t d, std::string_view padding) {
    if (padding != "valid") {
        return (n + s - 1) / s;
    }
    const std::int64_t extent = (k - 1) * d + 1;
    return n < extent ? 0 : (n - extent) / s + 1;
}

std::optional<ShapeFault> expectImage(const Shape& input) {
    return expectAxes(input, Axes::kImage);
}

std::optional<ShapeFault> expectAxes(const Shape& input, Axes axes) {
    if (input.size() == (axes == Axes::kImage ? 3 : 2)) {
        return std::nullopt;
    }
    const char* expected = axes == Axes::kImage ? "expected input rank 4 (batch, rows, columns and channels), got "
                                                : "expected input rank 3 (batch, steps and channels), got ";
    return ShapeFault{"", expected + batchShapeText(input)};
}

std::array<std::int64_t, 3> imageOf(const Shape& input) {
    const std::int64_t rows = input.size() == 3 ? input.front() : 1;
    return {rows, input[input.size() - 2], input.back()};
}

Shape shapeOf(Axes axes, Pair size, std::int64_t channels) {
    if (axes == Axes::kSequence) return {size[1], channels};
    return {size[0], size[1], channels};
}

std::optional<ShapeFault> slideWindow(const Shape& input, const char* field, const Window& window, Pair& output) {
    const std::array<std::int64_t, 3> image = imageOf(input);
    const bool is_sequence = input.size() == 2;
    for (std::size_t axis = 0; axis < 2; ++axis) {
        output[axis] = windowOutput(image[axis], window.size[axis], window.strides[axis], window.dilation[axis], window.padding);
        if (output[axis] <= 0) {
            const std::int64_t extent = (window.size[axis] - 1) * window.dilation[axis] + 1;
            return ShapeFault{field, "expected a window of at most " + std::to_string(image[axis]) +
                                         (is_sequence ? " steps"
                                          : axis == 0 ? " rows"
                                                      : " columns") +
                                         " (the input is " + batchShapeText(input) + "), got " + std::to_string(extent)};
        }
    }
    return std::nullopt;
}

std::optional<ShapeFault> checkDilation(const Window& window) {
    const bool strides = std::max(window.strides[0], window.strides[1]) > 1;
    const std::int64_t dilation = std::max(window.dilation[0], window.dilation[1]);
    if (!strides || dilation == 1) return std::nullopt;
    return ShapeFault{"dilation_rate", "expected 1 with strides above 1, got " + std::to_string(dilation)};
}

FieldSchema windowField(Axes axes, std::string name, std::string hint) {
    return {.name = std::move(name),
            .kind = axes == Axes::kImage ? FieldKind::kIntPair : FieldKind::kInt,
            .minimum = 1,
            .maximum = kMaximumSize,
            .hint = std::move(hint)};
}

namespace {

FieldSchema onesField(Axes axes, std::string name, std::string hint) {
    FieldSchema field = windowField(axes, std::move(name), std::move(hint));
    field.fallback = axes == Axes::kImage ? FieldValue(std::vector<std::int64_t>{1, 1}) : FieldValue(std::int64_t{1});
    return field;
}

}  // namespace

FieldSchema stridesField(Axes axes) {
    return onesField(axes, "strides", axes == Axes::kImage ? "Step of the window in rows and columns" : "Step of the window");
}

FieldSchema dilationField(Axes axes) {
    return onesField(axes, "dilation_rate", "Distance between the cells of the window");
}

}  // namespace engine::spec::layers
