#include "engine/spec/catalog/layers/window_geometry.h"

#include <algorithm>

#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {

Extent readExtent(const Settings& settings, std::string_view field, Axes axes, Extent otherwise) {
    if (axes == Axes::kSequence) return {1, 1, settings.findInt(field).value_or(otherwise[2])};
    const std::vector<std::int64_t> values = settings.getInts(field);
    if (values.empty()) return otherwise;
    Extent extent{1, 1, 1};
    for (std::size_t axis = firstAxis(axes); axis < extent.size(); ++axis) {
        extent[axis] = values.size() == 1 ? values.front() : values[axis - firstAxis(axes)];
    }
    return extent;
}

Window readConvolution(const Settings& settings, Axes axes) {
    return {.size = readExtent(settings, "kernel_size", axes),
            .strides = readExtent(settings, "strides", axes),
            .dilation = readExtent(settings, "dilation_rate", axes),
            .padding = settings.getString("padding")};
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
    if (input.size() == axisCount(axes) + 1) {
        return std::nullopt;
    }
    const char* expected = axes == Axes::kVolume  ? "expected input rank 5 (batch, planes, rows, columns and channels), got "
                           : axes == Axes::kImage ? "expected input rank 4 (batch, rows, columns and channels), got "
                                                  : "expected input rank 3 (batch, steps and channels), got ";
    return ShapeFault{"", expected + batchShapeText(input)};
}

Extent extentOf(const Shape& input) {
    Extent extent{1, 1, 1};
    std::copy(input.begin(), input.end() - 1, extent.end() - (std::ssize(input) - 1));
    return extent;
}

Shape shapeOf(Axes axes, const Extent& extent, std::int64_t channels) {
    Shape shape(extent.begin() + static_cast<std::ptrdiff_t>(firstAxis(axes)), extent.end());
    shape.push_back(channels);
    return shape;
}

std::int64_t cellsOf(const Extent& extent) {
    return extent[0] * extent[1] * extent[2];
}

std::optional<ShapeFault> slideWindow(const Shape& input, const char* field, const Window& window, Extent& output, const Shape* told) {
    constexpr std::array kNames{" planes", " rows", " columns"};
    const Extent extent = extentOf(input);
    const bool is_sequence = input.size() == 2;
    for (std::size_t axis = 0; axis < extent.size(); ++axis) {
        output[axis] = windowOutput(extent[axis], window.size[axis], window.strides[axis], window.dilation[axis], window.padding);
        if (output[axis] <= 0) {
            const std::int64_t reach = (window.size[axis] - 1) * window.dilation[axis] + 1;
            return ShapeFault{field, "expected a window of at most " + std::to_string(extent[axis]) +
                                         (is_sequence ? " steps" : kNames[axis]) + " (the input is " +
                                         batchShapeText(told == nullptr ? input : *told) + "), got " + std::to_string(reach)};
        }
    }
    return std::nullopt;
}

std::optional<ShapeFault> checkDilation(const Window& window) {
    const bool strides = *std::max_element(window.strides.begin(), window.strides.end()) > 1;
    const std::int64_t dilation = *std::max_element(window.dilation.begin(), window.dilation.end());
    if (!strides || dilation == 1) return std::nullopt;
    return ShapeFault{"dilation_rate", "expected 1 with strides above 1, got " + std::to_string(dilation)};
}

FieldSchema windowField(Axes axes, std::string name, std::string hint) {
    return {.name = std::move(name),
            .kind = axes == Axes::kVolume  ? FieldKind::kIntTriple
                    : axes == Axes::kImage ? FieldKind::kIntPair
                                           : FieldKind::kInt,
            .minimum = 1,
            .maximum = kMaximumSize,
            .hint = std::move(hint)};
}

FieldValue sameForAll(Axes axes, std::int64_t number) {
    if (axes == Axes::kSequence) return number;
    return std::vector<std::int64_t>(axisCount(axes), number);
}

std::string windowHint(Axes axes) {
    return axes == Axes::kVolume  ? "Planes, rows and columns of the window"
           : axes == Axes::kImage ? "Rows and columns of the window"
                                  : "Steps of the window";
}

namespace {

FieldSchema onesField(Axes axes, std::string name, std::string hint) {
    FieldSchema field = windowField(axes, std::move(name), std::move(hint));
    field.fallback = sameForAll(axes, 1);
    return field;
}

}  // namespace

FieldSchema stridesField(Axes axes) {
    return onesField(axes, "strides",
                     axes == Axes::kVolume  ? "Step of the window in planes, rows and columns"
                     : axes == Axes::kImage ? "Step of the window in rows and columns"
                                            : "Step of the window");
}

FieldSchema dilationField(Axes axes) {
    return onesField(axes, "dilation_rate", "Distance between the cells of the window");
}

}  // namespace engine::spec::layers
