#include <algorithm>
#include <vector>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/error.h"

namespace engine::plan {

Window2D resolvePadding(Window2D window, std::string_view padding, std::int64_t height, std::int64_t width) {
    if (padding != "same") return window;
    auto total = [](std::int64_t n, int kernel, int stride, int dilation) {
        const std::int64_t out = (n + stride - 1) / stride;
        return static_cast<int>(std::max<std::int64_t>((out - 1) * stride + (kernel - 1) * dilation + 1 - n, 0));
    };
    const int rows = total(height, window.kernel_h, window.stride_h, window.dilation_h);
    const int columns = total(width, window.kernel_w, window.stride_w, window.dilation_w);
    window.pad_top = rows / 2;
    window.pad_bottom = rows - rows / 2;
    window.pad_left = columns / 2;
    window.pad_right = columns - columns / 2;
    return window;
}

IntPair readPair(const spec::LayerSpec& layer, std::string_view field, IntPair fallback) {
    const std::vector<std::int64_t> values = layer.config.getInts(field, {fallback.first, fallback.second});
    if (values.empty() || values.size() > 2) {
        throw Error(ErrorCode::kInvalidArgument,
                    layer.name + ": expected one or two numbers in " + std::string(field) + ", got " + std::to_string(values.size()));
    }
    return {static_cast<int>(values.front()), static_cast<int>(values.back())};
}

}  // namespace engine::plan
