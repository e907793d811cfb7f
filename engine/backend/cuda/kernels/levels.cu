// ImageLevels: the maps of engine/backend/image/levels.h. Compile it without fused products and sums (-fmad=false): a value on an end of
// the range is then on the CPU's side of it.
#include <algorithm>
#include <cstdint>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/image_grid.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/reduce.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/image/levels.h"

namespace engine::backend::cuda {
namespace {

struct StretchedImages {
    plan::ImageLevels levels;
    std::int64_t pixels, channels;
    Division values;  // of an image
};

// What the kernels tell each other in the op's scratch memory, of each channel of each image.
struct LevelScratch {
    LevelSums* sums;  // on the way back
    ChannelLevels* extremes;
};

constexpr int kLevelThreads = 128;

// A block a channel of an image. Without dy: the extremes alone.
template <typename T>
__global__ void channelLevelsKernel(StretchedImages images, const T* dy, const T* x, LevelScratch scratch) {
    const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) / images.channels;
    const std::int64_t first = item * images.values.divisor() + static_cast<std::int64_t>(blockIdx.x) % images.channels;
    ChannelLevels extremes;
    for (std::int64_t i = threadIdx.x; i < images.pixels; i += kLevelThreads) {
        extremes.add(levelOf(images.levels, toFloat(x[first + i * images.channels])));
    }
    extremes.low = -blockReduce<kLevelThreads>(-extremes.low, Maximum{});
    extremes.high = blockReduce<kLevelThreads>(extremes.high, Maximum{});
    if (threadIdx.x == 0) scratch.extremes[blockIdx.x] = extremes;
    if (dy == nullptr) return;
    LevelSums sums;
    for (std::int64_t i = threadIdx.x; i < images.pixels; i += kLevelThreads) {
        const std::int64_t at = first + i * images.channels;
        sums.add(extremes, levelOf(images.levels, toFloat(x[at])), toFloat(dy[at]));
    }
    sums.sum = blockSum<kLevelThreads>(sums.sum);
    sums.product = blockSum<kLevelThreads>(sums.product);
    sums.least = blockSum<kLevelThreads>(sums.least);
    sums.most = blockSum<kLevelThreads>(sums.most);
    if (threadIdx.x == 0) scratch.sums[blockIdx.x] = sums;
}

// Back where dy is not null.
template <typename T>
struct StretchLevels {
    StretchedImages images;
    LevelScratch scratch;
    const T* dy;
    const T* x;
    T* result;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const Division::Parts place = images.values(at);
        const std::int64_t channel = place.quotient * images.channels + place.rest % images.channels;
        const ChannelLevels extremes = scratch.extremes[channel];
        const float value = toFloat(x[at]);
        result[at] = fromFloat<T>(dy == nullptr ? stretchedValue(images.levels, extremes, value)
                                                : stretchedBack(images.levels, extremes, scratch.sums[channel], value, toFloat(dy[at])));
    }
};

template <typename T>
BoundOp bindStretchedValues(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kImageLevels;
    const char* what = is_forward ? "ImageLevels" : "ImageLevelsBack";
    const spec::Shape shape = plan::imageShape(context.shape(op.inputs[0]));
    StretchedImages images{};
    images.levels = std::get<plan::ImageLevels>(op.attributes);
    images.pixels = shape[1] * shape[2];
    images.channels = shape[3];
    images.values = Division(images.pixels * images.channels);
    const T* dy = is_forward ? nullptr : context.as<T>(op.inputs[0]);
    const T* x = context.as<T>(op.inputs[is_forward ? 0 : 1]);
    T* result = context.as<T>(op.outputs[0]);
    const std::int64_t channels = shape[0] * images.channels, count = shape[0] * images.values.divisor();
    const std::int64_t sums_bytes = is_forward ? 0 : channels * static_cast<std::int64_t>(sizeof(LevelSums));
    return {.kernel = "value by value, extremes",
            .scratch_bytes = sums_bytes + channels * static_cast<std::int64_t>(sizeof(ChannelLevels)),
            .enqueue = [=](cudaStream_t stream, std::byte* memory) {
                LevelScratch scratch{};
                scratch.sums = reinterpret_cast<LevelSums*>(memory);
                scratch.extremes = reinterpret_cast<ChannelLevels*>(memory + sums_bytes);
                const Grid grid{.blocks = dim3(static_cast<unsigned>(channels)), .threads = dim3(kLevelThreads)};
                launch(what, grid, stream, channelLevelsKernel<T>, images, dy, x, scratch);
                launchPointwise<1>(what, StretchLevels<T>{images, scratch, dy, x, result}, count, false, stream);
            }};
}

struct EqualizedImages {
    const StepParameters* step;
    plan::ImageLevels levels;
    std::int64_t channels, times, groups;  // a group: a channel at one time
    Division values, pixel;                // of an image; of a pixel
    Division items_of_sample;

    struct Place {
        std::int64_t sample, group;
    };
    __device__ Place place(std::int64_t at) const {
        const Division::Parts value = values(at), item = items_of_sample(value.quotient);
        return {item.quotient, item.rest * channels + pixel(value.rest).rest};
    }
};

// What the kernels tell each other in the op's scratch memory.
struct EqualizationScratch {
    std::int32_t* counts;   // (groups, bins)
    std::int32_t* changes;  // (groups)
    float* tables;          // (groups, bins)
};

__global__ void clearCountsKernel(EqualizedImages images, std::int32_t* counts) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at < images.groups * images.levels.bins) counts[at] = 0;
}

// A thread a group.
__global__ void fillTablesKernel(EqualizedImages images, EqualizationScratch scratch) {
    const std::int64_t group = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (group >= images.groups) return;
    const std::int64_t first = group * images.levels.bins;
    scratch.changes[group] = fillEqualizedLevels(images.levels, scratch.counts + first, scratch.tables + first) ? 1 : 0;
}

// Whole numbers: their sum is the same in any order. What a step lacks is not counted.
template <typename T>
struct CountLevels {
    EqualizedImages images;
    EqualizationScratch scratch;
    const T* x;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const auto place = images.place(at);
        if (place.sample >= images.step->samples) return;
        const int bin = countedBin(images.levels, equalizedLevelOf(images.levels, toFloat(x[at])));
        atomicAdd(scratch.counts + place.group * images.levels.bins + bin, 1);
    }
};

// `in` is dy on the way back.
template <typename T>
struct Equalize {
    EqualizedImages images;
    EqualizationScratch scratch;
    bool is_forward;
    const T* in;
    T* out;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const std::int64_t group = images.place(at).group;
        const float* of_bins = scratch.changes[group] == 0 ? nullptr : scratch.tables + group * images.levels.bins;
        const float value = toFloat(in[at]);
        out[at] = fromFloat<T>(is_forward ? equalizedValue(images.levels, of_bins, value) : equalizedBack(of_bins, value));
    }
};

template <typename T>
BoundOp bindEqualizedValues(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kImageLevels;
    const char* what = is_forward ? "ImageLevels" : "ImageLevelsBack";
    const spec::Shape shape = plan::imageShape(context.shape(op.inputs[0]));
    const std::int64_t batch = context.plan().batch;
    EqualizedImages images{};
    images.step = context.step();
    images.levels = std::get<plan::ImageLevels>(op.attributes);
    images.channels = shape[3];
    images.times = batch == 0 ? 1 : std::max<std::int64_t>(shape[0] / batch, 1);
    images.groups = images.times * images.channels;
    images.values = Division(shape[1] * shape[2] * shape[3]);
    images.pixel = Division(images.channels);
    images.items_of_sample = Division(images.times);
    const T* in = context.as<T>(op.inputs[0]);
    const T* x = context.as<T>(op.inputs[is_forward ? 0 : 1]);
    T* out = context.as<T>(op.outputs[0]);
    const std::int64_t count = shape[0] * images.values.divisor(), bins = images.groups * images.levels.bins;
    static_assert(sizeof(std::int32_t) == sizeof(float));
    return {.kernel = "value by value, counts",
            .scratch_bytes = (2 * bins + images.groups) * static_cast<std::int64_t>(sizeof(float)),
            .enqueue = [=](cudaStream_t stream, std::byte* memory) {
                EqualizationScratch scratch{};
                scratch.counts = reinterpret_cast<std::int32_t*>(memory);
                scratch.changes = scratch.counts + bins;
                scratch.tables = reinterpret_cast<float*>(scratch.changes + images.groups);
                launch(what, gridOf(bins), stream, clearCountsKernel, images, scratch.counts);
                launchPointwise<1>(what, CountLevels<T>{images, scratch, x}, count, false, stream);
                launch(what, gridOf(images.groups, 64), stream, fillTablesKernel, images, scratch);
                launchPointwise<1>(what, Equalize<T>{images, scratch, is_forward, in, out}, count, false, stream);
            }};
}

struct TiledImages {
    plan::ImageLevels levels;
    LevelTiles grid;
    ImageGrid places;
};

constexpr int kTileThreads = 256;

// A block a tile of a channel of an image: counts its values, fills its table.
template <typename T>
__global__ void fillTilesKernel(TiledImages images, const T* x, float* tables) {
    __shared__ std::int32_t counts[kTileLevels];
    const std::int64_t of_image = images.places.channels.divisor() * images.grid.tiles();
    const std::int64_t block = static_cast<std::int64_t>(blockIdx.x), image = block / of_image, rest = block % of_image;
    const std::int64_t channel = rest / images.grid.tiles(), tile = rest % images.grid.tiles();
    for (int level = static_cast<int>(threadIdx.x); level < kTileLevels; level += kTileThreads) counts[level] = 0;
    __syncthreads();
    const T* first = x + images.places.at(image, 0, 0, channel);
    for (std::int64_t cell = threadIdx.x; cell < images.grid.cellsOfTile(); cell += kTileThreads) {
        const float value = toFloat(first[images.grid.cellOf(tile, cell) * images.places.channels.divisor()]);
        atomicAdd(counts + tileLevel(images.levels, value), 1);
    }
    __syncthreads();
    if (threadIdx.x == 0) fillTileLevels(images.levels, images.grid.cellsOfTile(), counts, tables + block * kTileLevels);
}

template <typename T>
struct LookUpTiles {
    TiledImages images;
    const float* tables;  // (images, channels, tiles, levels)
    const T* x;
    T* y;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const ImagePlace place = images.places.place(at);
        const std::int64_t channel = place.image * images.places.channels.divisor() + place.channel;
        const float* of_channel = tables + channel * images.grid.tiles() * kTileLevels;
        y[at] = fromFloat<T>(tiledValue(images.levels, images.grid, of_channel, place.row, place.column, toFloat(x[at])));
    }
};

// Tables have no slope.
template <typename T>
struct NoGradients {
    T* dx;

    template <int width>
    __device__ void run(std::int64_t at) const {
        dx[at] = fromFloat<T>(0);
    }
};

template <typename T>
BoundOp bindTiledValues(const Context& context, const plan::Op& op) {
    const std::int64_t count = context.elements(op.inputs[0]);
    T* result = context.as<T>(op.outputs[0]);
    if (op.kind == plan::OpKind::kImageLevelsBack) {
        return {.kernel = "zeros", .enqueue = [=](cudaStream_t stream, std::byte*) {
                    launchPointwise<1>("ImageLevelsBack", NoGradients<T>{result}, count, false, stream);
                }};
    }
    const auto& levels = std::get<plan::ImageLevels>(op.attributes);
    const spec::Shape shape = plan::imageShape(context.shape(op.inputs[0]));
    const TiledImages images{levels, LevelTiles(levels, shape[1], shape[2]), ImageGrid(shape)};
    const std::int64_t tables = shape[0] * shape[3] * images.grid.tiles();
    const T* x = context.as<T>(op.inputs[0]);
    return {.kernel = "value by value, counts of tiles",
            .scratch_bytes = tables * kTileLevels * static_cast<std::int64_t>(sizeof(float)),
            .enqueue = [=](cudaStream_t stream, std::byte* memory) {
                auto* of_tiles = reinterpret_cast<float*>(memory);
                const Grid grid{.blocks = dim3(static_cast<unsigned>(tables)), .threads = dim3(kTileThreads)};
                launch("ImageLevels", grid, stream, fillTilesKernel<T>, images, x, of_tiles);
                launchPointwise<1>("ImageLevels", LookUpTiles<T>{images, of_tiles, x, result}, count, false, stream);
            }};
}

}  // namespace

BoundOp bindLevels(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() {
        switch (std::get<plan::ImageLevels>(op.attributes).map) {
            case plan::ImageLevels::Map::kStretch:
                bound = bindStretchedValues<T>(context, op);
                break;
            case plan::ImageLevels::Map::kEqualization:
                bound = bindEqualizedValues<T>(context, op);
                break;
            case plan::ImageLevels::Map::kAdaptive:
                bound = bindTiledValues<T>(context, op);
                break;
        }
    });
    return bound;
}

}  // namespace engine::backend::cuda
