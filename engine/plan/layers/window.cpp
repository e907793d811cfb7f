#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

using Extent = std::array<int, 3>;  // planes, rows, columns

// A field of a number for each axis beside the channels, or of one for all of them; `otherwise` where the class has no such field, or the
// field no value. Axes that the input lacks have 1.
Extent readExtent(const spec::LayerSpec& layer, std::string_view field, const spec::Shape& input, const Extent& otherwise = {1, 1, 1}) {
    const std::size_t axes = input.size() - 2, first = otherwise.size() - axes;
    std::vector<std::int64_t> values(otherwise.begin() + static_cast<std::ptrdiff_t>(first), otherwise.end());
    spec::settingsOf(layer).read(field, values);
    if (values.size() != 1 && values.size() != axes) {
        throw Error(ErrorCode::kInvalidArgument, layer.name + ": expected 1 or " + std::to_string(axes) + " numbers in " +
                                                     std::string(field) + ", got " + std::to_string(values.size()));
    }
    Extent extent{1, 1, 1};
    for (std::size_t axis = first; axis < extent.size(); ++axis) {
        extent[axis] = static_cast<int>(values.size() == 1 ? values.front() : values[axis - first]);
    }
    return extent;
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

// A window of three axes before its padding is resolved.
struct Moves {
    Extent size, strides, dilation;
};

Moves readConvolution(const spec::LayerSpec& layer, const spec::Shape& input) {
    return {readExtent(layer, "kernel_size", input), readExtent(layer, "strides", input), readExtent(layer, "dilation_rate", input)};
}

Moves readPool(const spec::LayerSpec& layer, const spec::Shape& input) {
    const Extent size = readExtent(layer, "pool_size", input);
    return {size, readExtent(layer, "strides", input, size), {1, 1, 1}};
}

// The window along two of the axes.
Window2D windowAlong(const Moves& moves, std::size_t rows, std::size_t columns) {
    return {.kernel_h = moves.size[rows],
            .kernel_w = moves.size[columns],
            .stride_h = moves.strides[rows],
            .stride_w = moves.strides[columns],
            .dilation_h = moves.dilation[rows],
            .dilation_w = moves.dilation[columns]};
}

Window2D imageWindow(const spec::LayerSpec& layer, const spec::Shape& input, const Moves& moves) {
    return resolvePadding(windowAlong(moves, 1, 2), spec::settingsOf(layer).getString("padding"), imageShape(input));
}

VolumeWindow volumeWindow(std::string_view padding, const spec::Shape& input, const Moves& moves) {
    Window2D columns = windowAlong(moves, 1, 2);
    columns.kernel_h = columns.stride_h = columns.dilation_h = 1;
    return {.columns = resolvePadding(columns, padding, columnsView(input)),
            .planes_and_rows = resolvePadding(windowAlong(moves, 0, 1), padding, planesView(input))};
}

}  // namespace

Window2D readConvolutionWindow(const spec::LayerSpec& layer, const spec::Shape& input) {
    return imageWindow(layer, input, readConvolution(layer, input));
}

Window2D readPoolWindow(const spec::LayerSpec& layer, const spec::Shape& input) {
    return imageWindow(layer, input, readPool(layer, input));
}

VolumeWindow readConvolutionVolume(const spec::LayerSpec& layer, const spec::Shape& input) {
    return volumeWindow(spec::settingsOf(layer).getString("padding"), volumeShape(input), readConvolution(layer, input));
}

std::array<int, 3> readStateWindow(const spec::LayerSpec& layer, const spec::Shape& state) {
    return readExtent(layer, "kernel_size", state);
}

VolumeWindow readStateVolume(const spec::LayerSpec& layer, const spec::Shape& state) {
    return volumeWindow("same", volumeShape(state), {readStateWindow(layer, state), {1, 1, 1}, {1, 1, 1}});
}

VolumeWindow readPoolVolume(const spec::LayerSpec& layer, const spec::Shape& input) {
    return volumeWindow(spec::settingsOf(layer).getString("padding"), input, readPool(layer, input));
}

Window2D wholeImage(const spec::Shape& input) {
    const spec::Shape image = imageShape(input);
    return {.kernel_h = static_cast<int>(image[1]), .kernel_w = static_cast<int>(image[2])};
}

Window2D adaptiveWindow(const spec::Shape& input, const spec::Shape& output) {
    const spec::Shape from = imageShape(input), to = imageShape(output);
    const auto most = [](std::int64_t size, std::int64_t count) {
        std::int64_t cells = 1;
        for (std::int64_t i = 0; i < count; ++i) {
            const CellRange range = adaptiveCells(i, count, size);
            cells = std::max(cells, range.end - range.begin);
        }
        return static_cast<int>(cells);
    };
    Window2D window{.kernel_h = most(from[1], to[1]), .kernel_w = most(from[2], to[2])};
    window.is_adaptive = from[1] % to[1] != 0 || from[2] % to[2] != 0;
    if (!window.is_adaptive) {
        window.stride_h = window.kernel_h;
        window.stride_w = window.kernel_w;
    }
    return window;
}

TensorId lowerAdaptivePooling(LayerBuilder& builder, TensorId x, PoolLowering pool) {
    const spec::Shape input = builder.shape(x), output = builder.outputShape();
    if (input.size() < kVolumeRank) return pool(builder, x, adaptiveWindow(input, output), output, "pool");
    const spec::Shape between = withColumns(input, output[3]);
    const VolumeWindow window{.columns = adaptiveWindow(columnsView(input), columnsView(between)),
                              .planes_and_rows = adaptiveWindow(planesView(between), planesView(output))};
    return lowerVolumePooling(builder, x, window, pool);
}

TensorId lowerVolumePooling(LayerBuilder& builder, TensorId x, const VolumeWindow& window, PoolLowering pool) {
    const spec::Shape output = builder.outputShape(), between = withColumns(builder.shape(x), output[3]);
    if (!isSingleCell(window.columns)) {
        x = lowerView(builder, x, columnsView(builder.shape(x)), "rows");
        x = pool(builder, x, window.columns, columnsView(between), "columns");
    }
    x = lowerView(builder, x, planesView(between), "planes");
    x = pool(builder, x, window.planes_and_rows, planesView(output), "pool");
    return lowerSameBytes(builder, x, output, "out");
}

TensorId lowerGlobalPooling(LayerBuilder& builder, TensorId x, PoolLowering pool) {
    const spec::Shape input = builder.shape(x), output = builder.outputShape();
    if (input.size() < kVolumeRank) return pool(builder, x, wholeImage(input), output, "pool");
    x = lowerSameBytes(builder, x, columnsView(input), "rows");
    x = pool(builder, x, wholeImage(builder.shape(x)), {input.front(), input.back()}, "pool");
    return lowerView(builder, x, output, "out");
}

}  // namespace engine::plan
