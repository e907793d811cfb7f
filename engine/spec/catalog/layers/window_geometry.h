// Sizes of convolution and pooling windows. n input, k kernel, s stride, d dilation, ke = (k - 1) d + 1:
//   valid: floor((n - ke) / s) + 1; same and causal: ceil(n / s).
// Layers over sequences (steps, channels) are those over images (rows, columns, channels) with one row.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec::layers {

using Pair = std::array<std::int64_t, 2>;  // rows, columns

enum class Axes { kSequence, kImage };

// How a window moves, as the configuration has it.
struct Window {
    Pair size{1, 1}, strides{1, 1}, dilation{1, 1};
    std::string padding = "valid";
};

// Reads a field of two numbers; one number stands for both. `otherwise` is the value of a field whose default is null. A sequence has
// columns alone; its rows are 1.
Pair readPair(const Settings& settings, std::string_view field, Axes axes = Axes::kImage, Pair otherwise = {1, 1});
// kernel_size, strides, dilation_rate and padding.
Window readConvolution(const Settings& settings, Axes axes);

// 0 or less: the window does not fit.
std::int64_t windowOutput(std::int64_t n, std::int64_t k, std::int64_t s, std::int64_t d, std::string_view padding);

// The input must be rows, columns and channels; nullopt when it is.
std::optional<ShapeFault> expectImage(const Shape& input);
// The same of either: steps and channels of a sequence.
std::optional<ShapeFault> expectAxes(const Shape& input, Axes axes);
// Rows, columns and channels of an input that expectAxes() takes.
std::array<std::int64_t, 3> imageOf(const Shape& input);
// The layer's output: without the row of a sequence.
Shape shapeOf(Axes axes, Pair size, std::int64_t channels);

// Rows and columns of the output, or the fault that blames `field` for a window larger than the input.
std::optional<ShapeFault> slideWindow(const Shape& input, const char* field, const Window& window, Pair& output);
// Keras takes strides or dilation above 1, not both.
std::optional<ShapeFault> checkDilation(const Window& window);

// Rows that layers with windows have, in one or two numbers.
FieldSchema windowField(Axes axes, std::string name, std::string hint);
FieldSchema stridesField(Axes axes);
FieldSchema dilationField(Axes axes);

}  // namespace engine::spec::layers
