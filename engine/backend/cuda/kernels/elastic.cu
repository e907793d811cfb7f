// RandomElastic: the fields of engine/backend/image/elastic_map.h. Compile it without fused products and sums (-fmad=false): a cell is then
// read where the CPU reads it, to the last bit.
#include <algorithm>
#include <cstdint>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/cell_sums.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/image/elastic_map.h"

namespace engine::backend::cuda {
namespace {

struct ElasticImages {
    const StepParameters* step;
    plan::RandomElastic elastic;
    std::int64_t height, width, channels, items, places;  // places: of the largest window
    Division items_of_sample, cells;                      // of an image

    __device__ DropoutKey keyOf(std::int64_t item) const {
        DropoutKey key;
        key.seed = step->seed;
        key.epoch = step->epoch;
        key.iteration = step->iteration;
        key.layer = elastic.seed;
        return keyOfItem(key, items_of_sample.divisor(), item);
    }
};

// What the kernels tell each other in the op's scratch memory.
struct ElasticScratch {
    ElasticNumbers* numbers;  // (times)
    float* weights;           // (times, places)
    float* before;            // (items, cells)
};

// A thread a time: its numbers, and the weights of its window.
__global__ void weighPlacesKernel(ElasticImages images, ElasticScratch scratch) {
    const std::int64_t time = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (time >= images.items_of_sample.divisor()) return;
    const ElasticNumbers numbers = drawElasticNumbers(images.keyOf(time), images.elastic, images.height, images.width);
    scratch.numbers[time] = numbers;
    const BlurCurve curve(numbers.places(), numbers.deviation);
    for (int i = 0; i < numbers.places(); ++i) scratch.weights[time * images.places + i] = curve.share(i);
}

// A thread a cell: its number, which is 0 where the image stays as it is, and in what a step lacks.
__global__ void drawCellsKernel(ElasticImages images, const ElasticNumbers* numbers, float* field) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= images.items * images.cells.divisor()) return;
    const Division::Parts place = images.cells(at), item = images.items_of_sample(place.quotient);
    float number = 0;
    const float deviation = numbers[item.rest].deviation;
    if (item.quotient < images.step->samples && deviation != 0) {
        const std::uint32_t* indices = images.step->indices;
        const auto sample = indices == nullptr ? static_cast<std::uint32_t>(item.quotient) : indices[item.quotient];
        const DropoutKey key = images.keyOf(place.quotient);
        if (drawElasticFate(key, images.elastic, sample)) number = elasticNumber(key, sample, place.rest) * deviation;
    }
    field[at] = number;
}

// A thread a cell, along the rows of an image or along its columns.
enum class Axis { kRows, kColumns };
template <Axis axis>
__global__ void smoothCellsKernel(ElasticImages images, ElasticScratch scratch, const float* from, float* to) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= images.items * images.cells.divisor()) return;
    const Division::Parts place = images.cells(at);
    const std::int64_t time = images.items_of_sample(place.quotient).rest, column = place.rest % images.width;
    const ElasticNumbers numbers = scratch.numbers[time];
    const float* weights = scratch.weights + time * images.places;
    float sum = 0;
    if (numbers.deviation == 0) {
        sum = 0;
    } else if constexpr (axis == Axis::kRows) {
        sum = smoothedAt(weights, numbers.half, from + at - column, 1, images.width, column);
    } else {
        const float* first = from + place.quotient * images.cells.divisor() + column;
        sum = numbers.reach * smoothedAt(weights, numbers.half, first, images.width, images.height, place.rest / images.width);
    }
    to[at] = sum;
}

template <typename T>
__device__ float mixedAt(const ImageTaps& taps, const ElasticImages& images, const T* image, std::int64_t channel) {
    float sum = taps.constant;
    for (int t = 0; t < taps.count; ++t) sum += taps.weights[t] * toFloat(image[taps.cells[t] * images.channels + channel]);
    return sum;
}

// A thread a cell.
template <typename T>
__global__ void readCellsKernel(ElasticImages images, const float* field, const T* x, T* y) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= images.items * images.cells.divisor()) return;
    const Division::Parts place = images.cells(at);
    const ImageTaps taps = elasticTaps(images.elastic, field[at], place.rest, images.height, images.width);
    const T* image = x + place.quotient * images.cells.divisor() * images.channels;
    for (std::int64_t channel = 0; channel < images.channels; ++channel) {
        y[at * images.channels + channel] = fromFloat<T>(elasticHeld(images.elastic, mixedAt(taps, images, image, channel)));
    }
}

template <typename T>
__global__ void spreadCellsKernel(ElasticImages images, const float* field, const float* largest, const T* dy, const T* x,
                                  unsigned long long* sums) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (at >= images.items * images.cells.divisor()) return;
    const Division::Parts place = images.cells(at);
    const float most = largest[place.quotient];
    if (!(most > 0)) return;
    const ImageTaps taps = elasticTaps(images.elastic, field[at], place.rest, images.height, images.width);
    const double unit = unitOf(most);
    const std::int64_t first = place.quotient * images.cells.divisor() * images.channels;
    for (std::int64_t channel = 0; channel < images.channels; ++channel) {
        const float slope = elasticHeldSlope(images.elastic, mixedAt(taps, images, x + first, channel));
        const double gradient = toFloat(dy[at * images.channels + channel]) * slope / unit;
        for (int t = 0; t < taps.count; ++t) {
            const long long share = llrint(gradient * taps.weights[t]);
            atomicAdd(&sums[first + taps.cells[t] * images.channels + channel], static_cast<unsigned long long>(share));
        }
    }
}

ElasticImages imagesOf(const Context& context, const plan::Op& op) {
    const spec::Shape shape = plan::imageShape(context.shape(op.inputs[0]));
    const std::int64_t batch = context.plan().batch;
    ElasticImages images{};
    images.step = context.step();
    images.elastic = std::get<plan::RandomElastic>(op.attributes);
    images.height = shape[1];
    images.width = shape[2];
    images.channels = shape[3];
    images.items = shape[0];
    images.places = mostElasticPlaces(images.elastic, {shape[1], shape[2], shape[3]});
    images.items_of_sample = Division(batch == 0 ? 1 : std::max<std::int64_t>(shape[0] / batch, 1));
    images.cells = Division(shape[1] * shape[2]);
    return images;
}

template <typename T>
BoundOp bindForward(const Context& context, const plan::Op& op) {
    const ElasticImages images = imagesOf(context, op);
    const std::int64_t times = images.items_of_sample.divisor(), cells = images.items * images.cells.divisor();
    const T* x = context.as<T>(op.inputs[0]);
    T* y = context.as<T>(op.outputs[0]);
    float* field = context.floats(op.outputs[1]);
    static_assert(alignof(ElasticNumbers) == alignof(float));
    return {.kernel = "smoothed field, cells",
            .scratch_bytes = times * static_cast<std::int64_t>(sizeof(ElasticNumbers)) +
                             (times * images.places + cells) * static_cast<std::int64_t>(sizeof(float)),
            .enqueue = [=](cudaStream_t stream, std::byte* memory) {
                ElasticScratch scratch{};
                scratch.numbers = reinterpret_cast<ElasticNumbers*>(memory);
                scratch.weights = reinterpret_cast<float*>(scratch.numbers + times);
                scratch.before = scratch.weights + times * images.places;
                launch("RandomElastic", gridOf(times, 64), stream, weighPlacesKernel, images, scratch);
                launch("RandomElastic", gridOf(cells), stream, drawCellsKernel, images, scratch.numbers, field);
                launch("RandomElastic", gridOf(cells), stream, smoothCellsKernel<Axis::kRows>, images, scratch, field, scratch.before);
                launch("RandomElastic", gridOf(cells), stream, smoothCellsKernel<Axis::kColumns>, images, scratch, scratch.before, field);
                launch("RandomElastic", gridOf(cells), stream, readCellsKernel<T>, images, field, x, y);
            }};
}

template <typename T>
BoundOp bindBack(const Context& context, const plan::Op& op) {
    const ElasticImages images = imagesOf(context, op);
    const std::int64_t cells = images.items * images.cells.divisor(), values = images.cells.divisor() * images.channels,
                       sums_bytes = images.items * values * static_cast<std::int64_t>(sizeof(unsigned long long));
    const T* dy = context.as<T>(op.inputs[0]);
    const T* x = context.as<T>(op.inputs[1]);
    const float* field = context.floats(op.inputs[2]);
    T* dx = context.as<T>(op.outputs[0]);
    return {.kernel = "spread cells, sums of whole numbers",
            .scratch_bytes = sums_bytes + images.items * static_cast<std::int64_t>(sizeof(float)),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                auto* sums = reinterpret_cast<unsigned long long*>(scratch);
                auto* largest = reinterpret_cast<float*>(scratch + sums_bytes);
                const Grid grid{.blocks = dim3(static_cast<unsigned>(images.items)), .threads = dim3(kBackThreads)};
                launch("RandomElasticBack", grid, stream, gradientUnitsKernel<T>, values, dy, sums, largest);
                launch("RandomElasticBack", gridOf(cells), stream, spreadCellsKernel<T>, images, field, largest, dy, x, sums);
                launchPointwise<1>("RandomElasticBack", SumsToGradients<T>{sums, largest, Division(values), dx}, images.items * values,
                                   false, stream);
            }};
}

}  // namespace

BoundOp bindElastic(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() {
        bound = op.kind == plan::OpKind::kRandomElastic ? bindForward<T>(context, op) : bindBack<T>(context, op);
    });
    return bound;
}

}  // namespace engine::backend::cuda
