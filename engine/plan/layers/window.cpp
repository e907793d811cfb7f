#include <algorithm>
#include <vector>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

struct IntPair {
    int first = 1, second = 1;
};

// A field that is one number or a pair; `otherwise` where the class has no such field, or the field no value. Layers over (N, W, C) have
// the columns alone.
IntPair readPair(const spec::LayerSpec& layer, std::string_view field, bool is_sequence, IntPair otherwise = {}) {
    std::vector<std::int64_t> values{otherwise.first, otherwise.second};
    spec::settingsOf(layer).read(field, values);
    if (values.empty() || values.size() > 2) {
        throw Error(ErrorCode::kInvalidArgument,
                    layer.name + ": expected one or two numbers in " + std::string(field) + ", got " + std::to_string(values.size()));
    }
    const int last = static_cast<int>(values.back());
    return {is_sequence ? 1 : static_cast<int>(values.front()), last};
}

Window2D resolvePadding(Window2D window, std::string_view padding, const spec::Shape& image) {
    if (padding == "causal") window.pad_left = (window.kernel_w - 1) * window.dilation_w;
    if (padding != "same") return window;
    auto total = [](std::int64_t n, int kernel, int stride, int dilation) {
        const std::int64_t out = (n + stride - 1) / stride;
        return static_cast<int>(std::max<std::int64_t>((out - 1) * stride + (kernel - 1) * dilation + 1 - n, 0));
    };
    const int rows = total(image[1], window.kernel_h, window.stride_h, window.dilation_h);
    const int columns = total(image[2], window.kernel_w, window.stride_w, window.dilation_w);
    window.pad_top = rows / 2;
    window.pad_bottom = rows - rows / 2;
    window.pad_left = columns / 2;
    window.pad_right = columns - columns / 2;
    return window;
}

}  // namespace

Window2D readConvolutionWindow(const spec::LayerSpec& layer, const spec::Shape& input) {
    const bool is_sequence = input.size() == 3;
    const IntPair kernel_size = readPair(layer, "kernel_size", is_sequence);
    const IntPair strides = readPair(layer, "strides", is_sequence);
    const IntPair dilation = readPair(layer, "dilation_rate", is_sequence);
    return resolvePadding({.kernel_h = kernel_size.first,
                           .kernel_w = kernel_size.second,
                           .stride_h = strides.first,
                           .stride_w = strides.second,
                           .dilation_h = dilation.first,
                           .dilation_w = dilation.second},
                          spec::settingsOf(layer).getString("padding"), imageShape(input));
}

Window2D readPoolWindow(const spec::LayerSpec& layer, const spec::Shape& input) {
    const bool is_sequence = input.size() == 3;
    const IntPair size = readPair(layer, "pool_size", is_sequence);
    const IntPair strides = readPair(layer, "strides", is_sequence, size);
    return resolvePadding({.kernel_h = size.first, .kernel_w = size.second, .stride_h = strides.first, .stride_w = strides.second},
                          spec::settingsOf(layer).getString("padding"), imageShape(input));
}

Window2D wholeImage(const spec::Shape& input) {
    const spec::Shape image = imageShape(input);
    return {.kernel_h = static_cast<int>(image[1]), .kernel_w = static_cast<int>(image[2])};
}

}  // namespace engine::plan
