#include "engine/spec/layers/window_geometry.h"

#include <string>

#include "engine/spec/shape_text.h"

namespace engine::spec::layers {

Pair readPair(const Fields& config, std::string_view field, Pair fallback) {
    const std::vector<std::int64_t> values = config.getInts(field, {fallback[0], fallback[1]});
    return {values.front(), values.back()};
}

std::int64_t windowOutput(std::int64_t n, std::int64_t k, std::int64_t s, std::int64_t d, std::string_view padding) {
    if (padding == "same") {
        return (n + s - 1) / s;
    }
    const std::int64_t extent = (k - 1) * d + 1;
    return n < extent ? 0 : (n - extent) / s + 1;
}

std::optional<ShapeFault> expectImage(const Shape& input) {
    if (input.size() == 3) {
        return std::nullopt;
    }
    return ShapeFault{"", "expected input rank 4 (batch, rows, columns and channels), got " + batchShapeText(input)};
}

std::optional<ShapeFault> slideWindow(const Shape& input, const char* field, Pair kernel, Pair strides, Pair dilation,
                                      std::string_view padding, Pair& output) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
        output[axis] = windowOutput(input[axis], kernel[axis], strides[axis], dilation[axis], padding);
        if (output[axis] <= 0) {
            const std::int64_t extent = (kernel[axis] - 1) * dilation[axis] + 1;
            return ShapeFault{field, std::string("expected a window of at most ") + std::to_string(input[axis]) +
                                         (axis == 0 ? " rows" : " columns") + " (the input is " + batchShapeText(input) + "), got " +
                                         std::to_string(extent)};
        }
    }
    return std::nullopt;
}

}  // namespace engine::spec::layers
