// RandomColors: the maps of engine/backend/image/color_map.h. Compile it without fused products and sums (-fmad=false): a value that lies
// on a step of a map is then on the CPU's side of it.
#include <algorithm>
#include <cstdint>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/reduce.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/image/color_map.h"

namespace engine::backend::cuda {
namespace {

struct ColorImages {
    const StepParameters* step;
    plan::RandomColors colors;
    std::int64_t items, pixels, channels;
    Division items_of_sample, values;  // of an image
};

// What the kernels tell each other in the op's scratch memory.
struct ColorScratch {
    ColorNumbers* numbers;  // (items)
    float* means;           // (items, channels) of the values, for kContrast
    float* gradients;       // (items, channels): what each value of a channel gets by way of its mean
};

// A thread an image; what a step lacks stays as it is.
__global__ void drawColorsKernel(ColorImages images, ColorNumbers* numbers) {
    const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (item >= images.items) return;
    const std::int64_t sample = images.items_of_sample(item).quotient;
    ColorNumbers drawn;
    if (sample < images.step->samples) {
        DropoutKey key;
        key.seed = images.step->seed;
        key.epoch = images.step->epoch;
        key.iteration = images.step->iteration;
        key.layer = images.colors.seed;
        const std::uint32_t* indices = images.step->indices;
        const auto index = indices == nullptr ? static_cast<std::uint32_t>(sample) : indices[sample];
        drawn = drawColorNumbers(keyOfItem(key, images.items_of_sample.divisor(), item), images.colors, index);
    }
    numbers[item] = drawn;
}

constexpr int kMeanThreads = 128;

// A block a channel of an image. Without dy: the mean of the values alone.
template <typename T>
__global__ void channelMeansKernel(ColorImages images, const T* dy, const T* x, ColorScratch scratch) {
    const std::int64_t item = static_cast<std::int64_t>(blockIdx.x) / images.channels;
    const std::int64_t first = item * images.values.divisor() + static_cast<std::int64_t>(blockIdx.x) % images.channels;
    const auto count = static_cast<double>(images.pixels);
    double sum = 0;
    for (std::int64_t i = threadIdx.x; i < images.pixels; i += kMeanThreads) sum += toFloat(x[first + i * images.channels]);
    const auto mean = static_cast<float>(blockSum<kMeanThreads>(sum) / count);
    if (threadIdx.x == 0) scratch.means[blockIdx.x] = mean;
    if (dy == nullptr) return;
    const ColorNumbers numbers = scratch.numbers[item];
    sum = 0;
    for (std::int64_t i = threadIdx.x; i < images.pixels; i += kMeanThreads) {
        const std::int64_t at = first + i * images.channels;
        sum += toFloat(dy[at]) * mapValueSlope(images.colors, numbers, mean, toFloat(x[at]));
    }
    const auto gradient = static_cast<float>(blockSum<kMeanThreads>(sum) / count);
    if (threadIdx.x == 0) scratch.gradients[blockIdx.x] = numbers.changes ? (1 - numbers.amount) * gradient : 0;
}

// Each value on its own, or with its channel's mean; back where dy is not null.
template <typename T>
struct ColorValues {
    ColorImages images;
    ColorScratch scratch;
    const T* dy;
    const T* x;
    T* result;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const Division::Parts place = images.values(at);
        const ColorNumbers numbers = scratch.numbers[place.quotient];
        const bool has_mean = images.colors.map == plan::RandomColors::Map::kContrast;
        const std::int64_t channel = has_mean ? place.quotient * images.channels + place.rest % images.channels : 0;
        const float mean = has_mean ? scratch.means[channel] : 0;
        if (dy == nullptr) {
            result[at] = fromFloat<T>(mapValue(images.colors, numbers, mean, toFloat(x[at])));
            return;
        }
        float gradient = toFloat(dy[at]) * mapValueSlope(images.colors, numbers, mean, toFloat(x[at]));
        if (has_mean && numbers.changes) gradient = numbers.amount * gradient + scratch.gradients[channel];
        result[at] = fromFloat<T>(gradient);
    }
};

// Three channels together: run() counts pixels.
template <typename T>
struct ColorPixels {
    ColorImages images;
    ColorScratch scratch;
    Division pixels;  // of an image
    const T* dy;
    const T* x;
    T* result;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const ColorNumbers numbers = scratch.numbers[pixels(at).quotient];
        const std::int64_t first = at * 3;
        float pixel[3] = {toFloat(x[first]), toFloat(x[first + 1]), toFloat(x[first + 2])};
        if (dy == nullptr) {
            mapPixel(images.colors, numbers, pixel);
            for (int i = 0; i < 3; ++i) result[first + i] = fromFloat<T>(pixel[i]);
            return;
        }
        float gradients[3] = {toFloat(dy[first]), toFloat(dy[first + 1]), toFloat(dy[first + 2])};
        mapPixelBack(images.colors, numbers, pixel, gradients);
        for (int i = 0; i < 3; ++i) result[first + i] = fromFloat<T>(gradients[i]);
    }
};

constexpr std::int64_t roundedUp(std::int64_t bytes) {
    constexpr std::int64_t kAlignment = 16;
    return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

template <typename T>
BoundOp bindColors(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kRandomColors;
    const char* what = is_forward ? "RandomColors" : "RandomColorsBack";
    const spec::Shape shape = plan::imageShape(context.shape(op.inputs[0]));
    const std::int64_t batch = context.plan().batch;
    ColorImages images{};
    images.step = context.step();
    images.colors = std::get<plan::RandomColors>(op.attributes);
    images.items = shape[0];
    images.pixels = shape[1] * shape[2];
    images.channels = shape[3];
    images.items_of_sample = Division(batch == 0 ? 1 : std::max<std::int64_t>(images.items / batch, 1));
    images.values = Division(images.pixels * images.channels);
    const T* dy = is_forward ? nullptr : context.as<T>(op.inputs[0]);
    const T* x = context.as<T>(op.inputs[is_forward ? 0 : 1]);
    T* result = context.as<T>(op.outputs[0]);
    const bool has_mean = images.colors.map == plan::RandomColors::Map::kContrast;
    const std::int64_t numbers_bytes = roundedUp(images.items * static_cast<std::int64_t>(sizeof(ColorNumbers)));
    const std::int64_t means = has_mean ? images.items * images.channels : 0;
    return {.kernel = has_mean ? "value by value, means" : "value by value",
            .scratch_bytes = numbers_bytes + 2 * means * static_cast<std::int64_t>(sizeof(float)),
            .enqueue = [=](cudaStream_t stream, std::byte* memory) {
                ColorScratch scratch{};
                scratch.numbers = reinterpret_cast<ColorNumbers*>(memory);
                scratch.means = reinterpret_cast<float*>(memory + numbers_bytes);
                scratch.gradients = scratch.means + means;
                launch(what, gridOf(images.items, 64), stream, drawColorsKernel, images, scratch.numbers);
                if (has_mean) {
                    const Grid grid{.blocks = dim3(static_cast<unsigned>(means)), .threads = dim3(kMeanThreads)};
                    launch(what, grid, stream, channelMeansKernel<T>, images, dy, x, scratch);
                }
                if (mixesChannels(images.colors.map)) {
                    launchPointwise<1>(what, ColorPixels<T>{images, scratch, Division(images.pixels), dy, x, result},
                                       images.items * images.pixels, false, stream);
                } else {
                    launchPointwise<1>(what, ColorValues<T>{images, scratch, dy, x, result}, images.items * images.values.divisor(), false,
                                       stream);
                }
            }};
}

}  // namespace

BoundOp bindColor(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() { bound = bindColors<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
