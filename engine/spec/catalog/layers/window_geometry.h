// Sizes of convolution and pooling windows. n input, k kernel, s stride, d dilation, ke = (k - 1) d + 1:
//   valid: floor((n - ke) / s) + 1; same and causal: ceil(n / s).
// Layers over sequences (steps, channels) and over images (rows, columns, channels) are those over volumes (planes, rows, columns,
// channels) with one plane, and with one row.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec::layers {

using Extent = std::array<std::int64_t, 3>;  // planes, rows, columns

enum class Axes { kSequence, kImage, kVolume };

// How many axes there are beside the channels.
constexpr std::size_t axisCount(Axes axes) {
    return axes == Axes::kSequence ? 1 : axes == Axes::kImage ? 2 : 3;
}
// The place in an Extent of the first axis that there is.
constexpr std::size_t firstAxis(Axes axes) {
    return 3 - axisCount(axes);
}

// How a window moves, as the configuration has it.
struct Window {
    Extent size{1, 1, 1}, strides{1, 1, 1}, dilation{1, 1, 1};
    std::string padding = "valid";
};

// Reads a field of a number for each axis; one number stands for all of them. `otherwise` is the value of a field whose default is null.
// Axes that there are not have 1.
Extent readExtent(const Settings& settings, std::string_view field, Axes axes, Extent otherwise = {1, 1, 1});
// kernel_size, strides, dilation_rate and padding.
Window readConvolution(const Settings& settings, Axes axes);

// 0 or less: the window does not fit.
std::int64_t windowOutput(std::int64_t n, std::int64_t k, std::int64_t s, std::int64_t d, std::string_view padding);

// The input must be rows, columns and channels; nullopt when it is.
std::optional<ShapeFault> expectImage(const Shape& input);
// The same of any axes: steps and channels of a sequence; planes, rows, columns and channels of a volume.
std::optional<ShapeFault> expectAxes(const Shape& input, Axes axes);
// Planes, rows and columns of an input that expectAxes() takes.
Extent extentOf(const Shape& input);
// The layer's output: the axes that there are, then the channels.
Shape shapeOf(Axes axes, const Extent& extent, std::int64_t channels);
// The product of the three numbers.
std::int64_t cellsOf(const Extent& extent);

// The extent of the output, or the fault that blames `field` for a window larger than the input. `told` is the input as the fault names it
// where that has more axes.
std::optional<ShapeFault> slideWindow(const Shape& input, const char* field, const Window& window, Extent& output,
                                      const Shape* told = nullptr);
// Keras takes strides or dilation above 1, not both.
std::optional<ShapeFault> checkDilation(const Window& window);

// Rows that layers with windows have, of a number for each axis.
FieldSchema windowField(Axes axes, std::string name, std::string hint);
// The same number for each axis.
FieldValue sameForAll(Axes axes, std::int64_t number);
// What kernel_size and pool_size are.
std::string windowHint(Axes axes);
FieldSchema stridesField(Axes axes);
FieldSchema dilationField(Axes axes);

}  // namespace engine::spec::layers
