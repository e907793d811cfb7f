// Ops that move or resample the cells of images, and the order of axes. Compile it without fused products and sums (-fmad=false): where a
// map reads is then the CPU's place to the last bit, and no cell falls to the other side.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/axis_map.h"
#include "engine/backend/cuda/kernels/cell_sums.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/image_grid.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/image/image_map.h"
#include "engine/backend/image/resample_taps.h"
#include "engine/backend/image/resize_taps.h"

namespace engine::backend::cuda {
namespace {

// y[i] = x[map(i)]: runs of x's last axis.
template <typename Bits>
struct CopyRuns {
    const Bits* x;
    Bits* y;
    AxisMap map;

    template <int width>
    __device__ void run(std::int64_t at) const {
        copyPack<width>(x + map(at), y + at);
    }
};

constexpr int kTile = 32, kTileRows = 8;

// Matrices (across, along) that become (along, across).
struct Matrices {
    std::int64_t across, along;       // sizes of y's last axis and of x's
    std::int64_t x_stride, y_stride;  // from one place across to the next in x, along in y
    Division across_tiles, along_tiles;
    AxisMap x_begin, y_begin;  // by number of the matrix
};

// A block a tile: rows of x go in, rows of y come out.
template <typename Bits>
__global__ void transposeKernel(Matrices m, const Bits* x, Bits* y) {
    __shared__ Bits tile[kTile][kTile + 1];
    const Division::Parts place = m.across_tiles(blockIdx.x), rest = m.along_tiles(place.quotient);
    const std::int64_t across = place.rest * kTile, along = rest.rest * kTile;
    const int side = static_cast<int>(threadIdx.x), begin = static_cast<int>(threadIdx.y);
    x += m.x_begin(rest.quotient);
    y += m.y_begin(rest.quotient);
    for (int i = begin; i < kTile; i += kTileRows) {
        if (across + i < m.across && along + side < m.along) tile[i][side] = x[(across + i) * m.x_stride + along + side];
    }
    __syncthreads();
    for (int i = begin; i < kTile; i += kTileRows) {
        if (along + i < m.along && across + side < m.across) y[(along + i) * m.y_stride + across + side] = tile[side][i];
    }
}

template <typename Bits>
BoundOp bindTranspose(const Context& context, const plan::Op& op) {
    const spec::Shape& shape = context.shape(op.inputs[0]);
    std::vector<int> axes{0};  // of x, with the batch
    for (int axis : std::get<plan::Permutation>(op.attributes).axes) axes.push_back(axis + 1);
    const std::size_t rank = axes.size();
    const auto size = [&](std::size_t y_axis) { return shape[static_cast<std::size_t>(axes[y_axis])]; };
    std::vector<std::int64_t> x_strides(rank, 1), y_strides(rank, 1);
    for (std::size_t i = rank - 1; i-- > 0;) {
        x_strides[i] = x_strides[i + 1] * shape[i + 1];
        y_strides[i] = y_strides[i + 1] * size(i + 1);
    }
    const auto x_stride = [&](std::size_t y_axis) { return x_strides[static_cast<std::size_t>(axes[y_axis])]; };
    const Bits* x = context.as<Bits>(op.inputs[0]);
    Bits* y = context.as<Bits>(op.outputs[0]);
    const std::int64_t count = context.elements(op.inputs[0]);
    constexpr int kWidth = kVectorOf<Bits>;
    const int last = static_cast<int>(rank) - 1;
    std::vector<AxisMap::Axis> x_axes, y_axes;
    if (axes.back() == last) {
        for (std::size_t i = 0; i < rank; ++i) x_axes.push_back({size(i), x_stride(i)});
        const CopyRuns<Bits> copy{x, y, AxisMap(x_axes)};
        const bool is_wide = size(rank - 1) % kWidth == 0 && areAligned(x, y);
        return {.kernel = "runs",
                .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<kWidth>("Transpose", copy, count, is_wide, stream); }};
    }
    Matrices matrices{};
    std::int64_t number = 1;
    for (std::size_t i = 0; i < rank; ++i) {
        if (i + 1 == rank) {
            matrices.across = size(i);
            matrices.x_stride = x_stride(i);
        } else if (axes[i] == last) {
            matrices.along = size(i);
            matrices.y_stride = y_strides[i];
        } else {
            x_axes.push_back({size(i), x_stride(i)});
            y_axes.push_back({size(i), y_strides[i]});
            number *= size(i);
        }
    }
    const auto tiles = [](std::int64_t length) { return std::max<std::int64_t>((length + kTile - 1) / kTile, 1); };
    matrices.across_tiles = Division(tiles(matrices.across));
    matrices.along_tiles = Division(tiles(matrices.along));
    matrices.x_begin = AxisMap(x_axes);
    matrices.y_begin = AxisMap(y_axes);
    const Grid grid{.blocks = dim3(static_cast<unsigned>(number * tiles(matrices.across) * tiles(matrices.along))),
                    .threads = dim3(kTile, kTileRows)};
    return {.kernel = "transposed blocks",
            .enqueue = [=](cudaStream_t stream, std::byte*) { launch("Transpose", grid, stream, transposeKernel<Bits>, matrices, x, y); }};
}

// Cells that move: with rows and columns of zeros above and to the left of them (fewer: they are cut off), or so many times each.
template <typename Bits, bool kRepeats>
struct MoveCells {
    ImageGrid in, out;
    int rows, columns;
    const Bits* x;
    Bits* y;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const ImagePlace place = out.place(at);
        const int row = kRepeats ? place.row / rows : place.row - rows, column = kRepeats ? place.column / columns : place.column - columns;
        const bool is_inside = row >= 0 && row < in.height.divisor() && column >= 0 && column < in.width.divisor();
        if (is_inside) return copyPack<width>(x + in.at(place.image, row, column, place.channel), y + at);
        const Pack<Bits, width> zeros{};
        *reinterpret_cast<Pack<Bits, width>*>(y + at) = zeros;
    }
};

template <typename T>
struct Blend {
    ImageGrid in, out;
    int rows, columns;
    const T* x;
    T* y;

    template <int width>
    __device__ void run(std::int64_t at) const {
        constexpr auto kBilinear = plan::Interpolation::kBilinear;
        const ImagePlace place = out.place(at);
        const ResizeTaps row = resizeTaps(kBilinear, rows, place.row, in.height.divisor());
        const ResizeTaps column = resizeTaps(kBilinear, columns, place.column, in.width.divisor());
        float sums[width] = {};
#pragma unroll
        for (int tap = 0; tap < 4; ++tap) {
            const bool is_low = tap / 2 == 1, is_right = tap % 2 == 1;
            const auto weight = static_cast<float>((is_low ? row.second_weight : 1 - row.second_weight) *
                                                   (is_right ? column.second_weight : 1 - column.second_weight));
            float values[width];
            loadPack(x + in.at(place.image, static_cast<int>(is_low ? row.second : row.first),
                               static_cast<int>(is_right ? column.second : column.first), place.channel),
                     values);
            for (int i = 0; i < width; ++i) sums[i] += weight * values[i];
        }
        storePack(y + at, sums);
    }
};

// Each cell of the smaller image looks at the ones of the larger that are made of it.
template <typename T>
struct UpsampleBack {
    ImageGrid small, large;
    plan::Resize2D resize;
    const T* dy;
    T* dx;

    struct Range {
        int begin, end;
    };
    __device__ Range rangeOf(int cell, int times, std::int64_t size) const {
        if (resize.interpolation == plan::Interpolation::kNearest) return {cell * times, (cell + 1) * times};
        const int begin = (cell - 1) * times, end = (cell + 2) * times, limit = static_cast<int>(size) * times;
        return {begin < 0 ? 0 : begin, end < limit ? end : limit};
    }
    __device__ float weightOf(int cell, int times, int out, std::int64_t size) const {
        const ResizeTaps taps = resizeTaps(resize.interpolation, times, out, size);
        return static_cast<float>((taps.first == cell ? 1 - taps.second_weight : 0) + (taps.second == cell ? taps.second_weight : 0));
    }
    template <int width>
    __device__ void run(std::int64_t at) const {
        const ImagePlace place = small.place(at);
        const Range rows = rangeOf(place.row, resize.rows, small.height.divisor());
        const Range columns = rangeOf(place.column, resize.columns, small.width.divisor());
        float sums[width] = {};
        for (int row = rows.begin; row < rows.end; ++row) {
            const float of_row = weightOf(place.row, resize.rows, row, small.height.divisor());
            if (of_row == 0) continue;
            for (int column = columns.begin; column < columns.end; ++column) {
                const float weight = of_row * weightOf(place.column, resize.columns, column, small.width.divisor());
                if (weight == 0) continue;
                float gradients[width];
                loadPack(dy + large.at(place.image, row, column, place.channel), gradients);
                for (int i = 0; i < width; ++i) sums[i] += weight * gradients[i];
            }
        }
        storePack(dx + at, sums);
    }
};

// The cells of each window, row by row; zeros beyond the image.
template <typename Bits>
struct TakePatches {
    ImageGrid image, patches;
    plan::Window2D window;
    Division cells, columns;  // of the window
    const Bits* x;
    Bits* y;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const ImagePlace place = patches.place(at);
        const Division::Parts seen = cells(place.column), cell = columns(seen.rest);
        const int row = place.row * window.stride_h + static_cast<int>(cell.quotient) * window.dilation_h - window.pad_top,
                  column =
                      static_cast<int>(seen.quotient) * window.stride_w + static_cast<int>(cell.rest) * window.dilation_w - window.pad_left;
        const bool is_inside = row >= 0 && row < image.height.divisor() && column >= 0 && column < image.width.divisor();
        if (is_inside) return copyPack<width>(x + image.at(place.image, row, column, place.channel), y + at);
        const Pack<Bits, width> zeros{};
        *reinterpret_cast<Pack<Bits, width>*>(y + at) = zeros;
    }
};

// Each cell of the image looks at the windows that saw it.
template <typename T>
struct PatchesBack {
    ImageGrid image, patches;
    plan::Window2D window;
    const T* dy;
    T* dx;

    // Returns the window that sees `place` with its cell `cell` along one axis; -1: none does.
    __device__ static int windowAt(int place, int cell, int stride, int dilation, int pad, std::int64_t windows) {
        const int begin = place + pad - cell * dilation;
        if (begin < 0 || begin % stride != 0) return -1;
        return begin / stride < windows ? begin / stride : -1;
    }
    template <int width>
    __device__ void run(std::int64_t at) const {
        const ImagePlace place = image.place(at);
        const int cells = window.kernel_h * window.kernel_w;
        float sums[width] = {};
        for (int i = 0; i < window.kernel_h; ++i) {
            const int row = windowAt(place.row, i, window.stride_h, window.dilation_h, window.pad_top, patches.height.divisor());
            if (row < 0) continue;
            for (int j = 0; j < window.kernel_w; ++j) {
                const int column =
                    windowAt(place.column, j, window.stride_w, window.dilation_w, window.pad_left, patches.width.divisor() / cells);
                if (column < 0) continue;
                float gradients[width];
                loadPack(dy + patches.at(place.image, row, column * cells + i * window.kernel_w + j, place.channel), gradients);
                for (int k = 0; k < width; ++k) sums[k] += gradients[k];
            }
        }
        storePack(dx + at, sums);
    }
};

// The parts of images that become all of a result.
struct ResampleGrid {
    ImageGrid image, result;
    plan::Resample2D part;
    const StepParameters* step;
    Division items_of_sample;
    PartBegin* begins;  // of each image; null: those of `part`

    __device__ PartBegin beginOf(std::int64_t item) const { return begins == nullptr ? PartBegin{part.top, part.left} : begins[item]; }
    __device__ ResampleTaps row(const PartBegin& begin, int out) const {
        return resampleTaps(part.interpolation, begin.top, part.rows, result.height.divisor(), out);
    }
    __device__ ResampleTaps column(const PartBegin& begin, int out) const {
        return resampleTaps(part.interpolation, begin.left, part.columns, result.width.divisor(), out);
    }
};

// A thread an image.
__global__ void drawBeginsKernel(ResampleGrid grid, std::int64_t items) {
    const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (item >= items) return;
    DropoutKey key;
    key.seed = grid.step->seed;
    key.epoch = grid.step->epoch;
    key.iteration = grid.step->iteration;
    key.layer = grid.part.seed;
    grid.begins[item] = partBegin(keyOfItem(key, grid.items_of_sample.divisor(), item), grid.part);
}

template <typename T>
struct Resample {
    ResampleGrid grid;
    const T* x;
    T* y;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const ImagePlace place = grid.result.place(at);
        const PartBegin begin = grid.beginOf(place.image);
        const ResampleTaps row = grid.row(begin, place.row), column = grid.column(begin, place.column);
        float sums[width] = {};
#pragma unroll
        for (int tap = 0; tap < 4; ++tap) {
            const bool is_low = tap / 2 == 1, is_right = tap % 2 == 1;
            const float weight =
                (is_low ? row.second_weight : 1 - row.second_weight) * (is_right ? column.second_weight : 1 - column.second_weight);
            if (weight == 0) continue;
            const std::int64_t at_row = is_low ? row.second : row.first, at_column = is_right ? column.second : column.first;
            float values[width];
            if (at_row >= 0 && at_row < grid.image.height.divisor() && at_column >= 0 && at_column < grid.image.width.divisor()) {
                loadPack(x + grid.image.at(place.image, static_cast<int>(at_row), static_cast<int>(at_column), place.channel), values);
            } else {
                for (float& value : values) value = static_cast<float>(grid.part.fill_value);
            }
            for (int i = 0; i < width; ++i) sums[i] += weight * values[i];
        }
        storePack(y + at, sums);
    }
};

// Each cell of the image looks at the ones of the result that may be made of it.
template <typename T>
struct ResampleBack {
    ResampleGrid grid;
    const T* dy;
    T* dx;

    struct Range {
        int begin, end;
    };
    // `cell` counts from the part's begin. The part's border cells also serve places beyond them.
    static __device__ Range rangeOf(std::int64_t cell, std::int64_t size, std::int64_t results) {
        constexpr double kReach = 1.5, kSlack = 2;  // a tap is less than a cell away from its place
        const double per_cell = static_cast<double>(results) / static_cast<double>(size);
        const double begin = (static_cast<double>(cell) - kReach + 0.5) * per_cell - kSlack;
        const double end = (static_cast<double>(cell) + kReach + 0.5) * per_cell + kSlack;
        return {begin > 0 ? static_cast<int>(begin) : 0, static_cast<int>(end < static_cast<double>(results) ? end : results)};
    }
    static __device__ float weightOf(const ResampleTaps& taps, std::int64_t cell) {
        return (taps.first == cell ? 1 - taps.second_weight : 0) + (taps.second == cell ? taps.second_weight : 0);
    }

    template <int width>
    __device__ void run(std::int64_t at) const {
        const ImagePlace place = grid.image.place(at);
        const PartBegin begin = grid.beginOf(place.image);
        const Range rows = rangeOf(place.row - begin.top, grid.part.rows, grid.result.height.divisor());
        const Range columns = rangeOf(place.column - begin.left, grid.part.columns, grid.result.width.divisor());
        float sums[width] = {};
        for (int row = rows.begin; row < rows.end; ++row) {
            const float of_row = weightOf(grid.row(begin, row), place.row);
            if (of_row == 0) continue;
            for (int column = columns.begin; column < columns.end; ++column) {
                const float weight = of_row * weightOf(grid.column(begin, column), place.column);
                if (weight == 0) continue;
                float gradients[width];
                loadPack(dy + grid.result.at(place.image, row, column, place.channel), gradients);
                for (int i = 0; i < width; ++i) sums[i] += weight * gradients[i];
            }
        }
        storePack(dx + at, sums);
    }
};

template <int width, typename Work>
BoundOp pointwiseOp(const std::string& kernel, const char* what, const Work& work, std::int64_t count, bool is_wide) {
    return {.kernel = kernel,
            .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<width>(what, work, count, is_wide, stream); }};
}

template <typename Bits>
BoundOp bindMoves(const Context& context, const plan::Op& op) {
    const ImageGrid in(context.shape(op.inputs[0])), out(context.shape(op.outputs[0]));
    const Bits* x = context.as<Bits>(op.inputs[0]);
    Bits* y = context.as<Bits>(op.outputs[0]);
    constexpr int kWidth = kVectorOf<Bits>;
    const bool is_wide = in.channels.divisor() % kWidth == 0 && areAligned(x, y);
    const std::int64_t count = context.elements(op.outputs[0]);
    if (op.kind == plan::OpKind::kPad2D) {
        const auto& pads = std::get<plan::Pads2D>(op.attributes);
        return pointwiseOp<kWidth>("rows", "Pad2D", MoveCells<Bits, false>{in, out, pads.top, pads.left, x, y}, count, is_wide);
    }
    const auto& resize = std::get<plan::Resize2D>(op.attributes);
    return pointwiseOp<kWidth>("repeated cells", "Upsample2D", MoveCells<Bits, true>{in, out, resize.rows, resize.columns, x, y}, count,
                               is_wide);
}

template <typename T>
BoundOp bindResize(const Context& context, const plan::Op& op) {
    const auto& resize = std::get<plan::Resize2D>(op.attributes);
    const ImageGrid in(context.shape(op.inputs[0])), out(context.shape(op.outputs[0]));
    const T* x = context.as<T>(op.inputs[0]);
    T* y = context.as<T>(op.outputs[0]);
    constexpr int kWidth = kVectorOf<T>;
    const bool is_wide = in.channels.divisor() % kWidth == 0 && areAligned(x, y);
    const std::int64_t count = context.elements(op.outputs[0]);
    if (op.kind == plan::OpKind::kUpsample2D) {
        return pointwiseOp<kWidth>("bilinear along channels", "Upsample2D", Blend<T>{in, out, resize.rows, resize.columns, x, y}, count,
                                   is_wide);
    }
    return pointwiseOp<kWidth>("sums along channels", "Upsample2DBack", UpsampleBack<T>{out, in, resize, x, y}, count, is_wide);
}

template <typename Bits>
BoundOp bindPatches(const Context& context, const plan::Op& op) {
    const auto& window = std::get<plan::Window2D>(op.attributes);
    const ImageGrid image(context.shape(op.inputs[0])), patches(context.shape(op.outputs[0]));
    const Bits* x = context.as<Bits>(op.inputs[0]);
    Bits* y = context.as<Bits>(op.outputs[0]);
    constexpr int kWidth = kVectorOf<Bits>;
    const bool is_wide = image.channels.divisor() % kWidth == 0 && areAligned(x, y);
    const TakePatches<Bits> take{
        image, patches, window, Division(std::int64_t{window.kernel_h} * window.kernel_w), Division(window.kernel_w), x, y};
    return pointwiseOp<kWidth>("cells", "Patches", take, context.elements(op.outputs[0]), is_wide);
}

template <typename T>
BoundOp bindPatchesBack(const Context& context, const plan::Op& op) {
    const auto& window = std::get<plan::Window2D>(op.attributes);
    const ImageGrid patches(context.shape(op.inputs[0])), image(context.shape(op.outputs[0]));
    const T* dy = context.as<T>(op.inputs[0]);
    T* dx = context.as<T>(op.outputs[0]);
    constexpr int kWidth = kVectorOf<T>;
    const bool is_wide = image.channels.divisor() % kWidth == 0 && areAligned(dy, dx);
    return pointwiseOp<kWidth>("sums along channels", "PatchesBack", PatchesBack<T>{image, patches, window, dy, dx},
                               context.elements(op.outputs[0]), is_wide);
}

template <typename T>
BoundOp bindResample(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kResample2D;
    const char* what = is_forward ? "Resample2D" : "Resample2DBack";
    const spec::Shape& shape = context.shape(op.inputs[0]);
    const std::int64_t batch = context.plan().batch, items = plan::imageShape(shape)[0];
    const ImageGrid in_grid(shape), out_grid(context.shape(op.outputs[0]));
    const ResampleGrid grid{is_forward ? in_grid : out_grid,
                            is_forward ? out_grid : in_grid,
                            std::get<plan::Resample2D>(op.attributes),
                            context.step(),
                            Division(batch == 0 ? 1 : std::max<std::int64_t>(items / batch, 1)),
                            nullptr};
    const T* in = context.as<T>(op.inputs[0]);
    T* out = context.as<T>(op.outputs[0]);
    constexpr int kWidth = kVectorOf<T>;
    const bool is_wide = grid.image.channels.divisor() % kWidth == 0 && areAligned(in, out);
    const std::int64_t count = context.elements(op.outputs[0]);
    return {.kernel = is_forward ? "blended cells" : "sums along channels",
            .scratch_bytes = grid.part.is_drawn ? items * static_cast<std::int64_t>(sizeof(PartBegin)) : 0,
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                ResampleGrid with_begins = grid;
                if (grid.part.is_drawn) {
                    with_begins.begins = reinterpret_cast<PartBegin*>(scratch);
                    launch(what, gridOf(items, 64), stream, drawBeginsKernel, with_begins, items);
                }
                if (is_forward) {
                    launchPointwise<kWidth>(what, Resample<T>{with_begins, in, out}, count, is_wide, stream);
                } else {
                    launchPointwise<kWidth>(what, ResampleBack<T>{with_begins, in, out}, count, is_wide, stream);
                }
            }};
}

struct RandomImages {
    const StepParameters* step;
    plan::RandomImage random;
    std::int64_t layer, height, width, channels;
    Division items_of_sample, pixels;  // of an image
};

// A thread an image; what a step lacks is read as it is.
__global__ void drawMapsKernel(RandomImages images, std::int64_t items, ImageMap* maps) {
    const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (item >= items) return;
    const std::int64_t sample = images.items_of_sample(item).quotient;
    ImageMap map;
    if (sample < images.step->samples) {
        DropoutKey key;
        key.seed = images.step->seed;
        key.epoch = images.step->epoch;
        key.iteration = images.step->iteration;
        key.layer = images.layer;
        const std::uint32_t* indices = images.step->indices;
        const auto index = indices == nullptr ? static_cast<std::uint32_t>(sample) : indices[sample];
        map = drawImageMap(keyOfItem(key, images.items_of_sample.divisor(), item), images.random, index, images.height, images.width);
    }
    maps[item] = map;
}

__device__ inline ImageTaps tapsOf(const RandomImages& images, const ImageMap& map, std::int64_t pixel) {
    return imageTaps(map, images.random, pixel / images.width, pixel % images.width, images.height, images.width);
}

// A thread a pixel.
template <typename T>
__global__ void readImagesKernel(RandomImages images, std::int64_t count, const ImageMap* maps, const T* x, T* y) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= count) return;
    const Division::Parts place = images.pixels(at);
    const ImageTaps taps = tapsOf(images, maps[place.quotient], place.rest);
    const T* image = x + place.quotient * images.pixels.divisor() * images.channels;
    for (std::int64_t channel = 0; channel < images.channels; ++channel) {
        float sum = taps.constant;
        for (int t = 0; t < taps.count; ++t) sum += taps.weights[t] * toFloat(image[taps.cells[t] * images.channels + channel]);
        y[at * images.channels + channel] = fromFloat<T>(sum);
    }
}

template <typename T>
__global__ void spreadImagesKernel(RandomImages images, std::int64_t count, const ImageMap* maps, const float* largest, const T* dy,
                                   unsigned long long* sums) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= count) return;
    const Division::Parts place = images.pixels(at);
    const float most = largest[place.quotient];
    if (!(most > 0)) return;
    const ImageTaps taps = tapsOf(images, maps[place.quotient], place.rest);
    const double unit = unitOf(most);
    unsigned long long* image = sums + place.quotient * images.pixels.divisor() * images.channels;
    for (std::int64_t channel = 0; channel < images.channels; ++channel) {
        const double gradient = toFloat(dy[at * images.channels + channel]) / unit;
        for (int t = 0; t < taps.count; ++t) {
            const long long share = llrint(gradient * taps.weights[t]);
            atomicAdd(&image[taps.cells[t] * images.channels + channel], static_cast<unsigned long long>(share));
        }
    }
}

template <typename T>
BoundOp bindRandom(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kRandomImage;
    const spec::Shape shape = plan::imageShape(context.shape(op.inputs[0]));
    const std::int64_t batch = context.plan().batch, items = shape[0], pixels = shape[1] * shape[2];
    RandomImages images{};
    images.step = context.step();
    images.random = std::get<plan::RandomImage>(op.attributes);
    images.layer = images.random.seed;
    images.height = shape[1];
    images.width = shape[2];
    images.channels = shape[3];
    images.items_of_sample = Division(batch == 0 ? 1 : std::max<std::int64_t>(items / batch, 1));
    images.pixels = Division(pixels);
    const T* in = context.as<T>(op.inputs[0]);
    T* out = context.as<T>(op.outputs[0]);
    auto* maps = context.as<ImageMap>(is_forward ? op.outputs[1] : op.inputs[1]);
    if (is_forward) {
        return {.kernel = "blended cells", .enqueue = [=](cudaStream_t stream, std::byte*) {
                    launch("RandomImage", gridOf(items, 64), stream, drawMapsKernel, images, items, maps);
                    launch("RandomImage", gridOf(items * pixels), stream, readImagesKernel<T>, images, items * pixels, maps, in, out);
                }};
    }
    const std::int64_t values = pixels * images.channels,
                       sums_bytes = items * values * static_cast<std::int64_t>(sizeof(unsigned long long));
    return {
        .kernel = "spread cells, sums of whole numbers",
        .scratch_bytes = sums_bytes + items * static_cast<std::int64_t>(sizeof(float)),
        .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
            auto* sums = reinterpret_cast<unsigned long long*>(scratch);
            auto* largest = reinterpret_cast<float*>(scratch + sums_bytes);
            const Grid grid{.blocks = dim3(static_cast<unsigned>(items)), .threads = dim3(kBackThreads)};
            launch("RandomImageBack", grid, stream, gradientUnitsKernel<T>, values, in, sums, largest);
            launch("RandomImageBack", gridOf(items * pixels), stream, spreadImagesKernel<T>, images, items * pixels, maps, largest, in,
                   sums);
            launchPointwise<1>("RandomImageBack", SumsToGradients<T>{sums, largest, Division(values), out}, items * values, false, stream);
        }};
}

}  // namespace

BoundOp bindImage(const Context& context, const plan::Op& op) {
    const plan::TensorDesc& x = context.tensor(op.inputs[0]);
    BoundOp bound;
    if (op.kind == plan::OpKind::kTranspose) {
        withBits(x, [&]<typename Bits>() { bound = bindTranspose<Bits>(context, op); });
        return bound;
    }
    if (op.kind == plan::OpKind::kPatches) {
        withBits(x, [&]<typename Bits>() { bound = bindPatches<Bits>(context, op); });
        return bound;
    }
    if (op.kind == plan::OpKind::kPatchesBack) {
        withValues(x, [&]<typename T>() { bound = bindPatchesBack<T>(context, op); });
        return bound;
    }
    if (op.kind == plan::OpKind::kRandomImage || op.kind == plan::OpKind::kRandomImageBack) {
        withValues(x, [&]<typename T>() { bound = bindRandom<T>(context, op); });
        return bound;
    }
    if (std::holds_alternative<plan::Resample2D>(op.attributes)) {
        withValues(x, [&]<typename T>() { bound = bindResample<T>(context, op); });
        return bound;
    }
    const auto* resize = std::get_if<plan::Resize2D>(&op.attributes);
    const bool repeats =
        resize != nullptr && op.kind == plan::OpKind::kUpsample2D && resize->interpolation == plan::Interpolation::kNearest;
    if (op.kind == plan::OpKind::kPad2D || repeats) {
        withBits(x, [&]<typename Bits>() { bound = bindMoves<Bits>(context, op); });
    } else {
        withValues(x, [&]<typename T>() { bound = bindResize<T>(context, op); });
    }
    return bound;
}

}  // namespace engine::backend::cuda
