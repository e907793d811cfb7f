// Sizes of convolution and pooling windows. n input, k kernel, s stride, d dilation, ke = (k - 1) d + 1:
//   valid: floor((n - ke) / s) + 1; same: ceil(n / s).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "engine/spec/layers/layer_definition.h"

namespace engine::spec::layers {

using Pair = std::array<std::int64_t, 2>;  // rows, columns

// One number stands for both. `fallback` when absent or null.
Pair readPair(const Fields& config, std::string_view field, Pair fallback);

// 0 or less: the window does not fit.
std::int64_t windowOutput(std::int64_t n, std::int64_t k, std::int64_t s, std::int64_t d, std::string_view padding);

// The input must be rows, columns and channels; nullopt when it is.
std::optional<ShapeFault> expectImage(const Shape& input);
// Rows and columns of the output, or the fault that blames `field` for a window larger than the input.
std::optional<ShapeFault> slideWindow(const Shape& input, const char* field, Pair kernel, Pair strides, Pair dilation,
                                      std::string_view padding, Pair& output);

}  // namespace engine::spec::layers
