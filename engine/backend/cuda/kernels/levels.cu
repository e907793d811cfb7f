// ImageLevels: the maps of engine/backend/image/levels.h. Compile it without fused products and sums (-fmad=false): a value on an end of
// the range is then on the CPU's side of it.
#include <cstdint>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/reduce.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/image/levels.h"

namespace engine::backend::cuda {
namespace {

struct LevelledImages {
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
__global__ void channelLevelsKernel(LevelledImages images, const T* dy, const T* x, LevelScratch scratch) {
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
    LevelledImages images;
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
BoundOp bindLevelledValues(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kImageLevels;
    const char* what = is_forward ? "ImageLevels" : "ImageLevelsBack";
    const spec::Shape shape = plan::imageShape(context.shape(op.inputs[0]));
    LevelledImages images{};
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

}  // namespace

BoundOp bindLevels(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() { bound = bindLevelledValues<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
