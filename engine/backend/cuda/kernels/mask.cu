// Which rows of a tensor count, and what is made of these alone.
#include <cstdint>
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

// 1 where a value of the row is another.
template <typename T>
struct MakeMask {
    const T* x;
    std::uint8_t* mask;
    std::int64_t width;
    float value;

    template <typename Threads>
    __device__ void run(std::int64_t row, bool is_row, Threads threads) const {
        int differs = 0;
        for (std::int64_t i = threads.first(); i < width; i += threads.step()) differs |= toFloat(x[row * width + i]) != value ? 1 : 0;
        differs = threads.reduce(differs, Maximum{});
        if (is_row && threads.first() == 0) mask[row] = static_cast<std::uint8_t>(differs);
    }
};

template <typename T>
struct ApplyMask {
    const T* x;
    const std::uint8_t* mask;
    T* y;
    Division width;

    template <int count>
    __device__ void run(std::int64_t at) const {
        float values[count];
        loadPack(x + at, values);
        const bool counts = mask[width(at).quotient] != 0;
        for (int i = 0; i < count; ++i) values[i] = counts ? values[i] : 0;
        storePack(y + at, values);
    }
};

constexpr int kMeanThreads = 256;

struct MeanSizes {
    const StepParameters* step;
    std::int64_t items_of_sample, time, width;
};

__device__ float countedTimes(const std::uint8_t* mask, std::int64_t time) {
    float counted = 0;
    for (std::int64_t t = threadIdx.x; t < time; t += kMeanThreads) counted += mask[t] != 0 ? 1 : 0;
    return blockSum<kMeanThreads>(counted);
}

// A block an item. What a step lacks has a mean of 0, not of nothing.
template <typename T>
__global__ void maskedMeanKernel(MeanSizes sizes, const T* x, const std::uint8_t* mask, T* y) {
    const std::int64_t item = blockIdx.x;
    const bool is_present = item < sizes.step->samples * sizes.items_of_sample;
    mask += item * sizes.time;
    x += item * sizes.time * sizes.width;
    const float counted = countedTimes(mask, sizes.time);
    for (std::int64_t k = threadIdx.x; k < sizes.width; k += kMeanThreads) {
        float sum = 0;
        for (std::int64_t t = 0; t < sizes.time; ++t) sum += mask[t] != 0 ? toFloat(x[t * sizes.width + k]) : 0;
        y[item * sizes.width + k] = fromFloat<T>(is_present ? sum / counted : 0);
    }
}

template <typename T>
__global__ void maskedMeanBackKernel(MeanSizes sizes, Division width, const T* dy, const std::uint8_t* mask, T* dx) {
    const std::int64_t item = blockIdx.x, count = sizes.time * sizes.width;
    mask += item * sizes.time;
    dy += item * sizes.width;
    dx += item * count;
    const float counted = countedTimes(mask, sizes.time);
    for (std::int64_t i = threadIdx.x; i < count; i += kMeanThreads) {
        const Division::Parts place = width(i);
        dx[i] = fromFloat<T>(mask[place.quotient] != 0 ? toFloat(dy[place.rest]) / counted : 0);
    }
}

template <typename T>
BoundOp bindMean(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kMaskedMean;
    const spec::Shape& shape = context.shape(op.inputs[1]);
    const std::int64_t batch = context.plan().batch, time = shape.back(), items = context.elements(op.inputs[1]) / time;
    const std::int64_t width = context.shape(is_forward ? op.outputs[0] : op.inputs[0]).back();
    const MeanSizes sizes{context.step(), batch == 0 ? 0 : items / batch, time, width};
    const T* in = context.as<T>(op.inputs[0]);
    const std::uint8_t* mask = context.cells(op.inputs[1]);
    T* out = context.as<T>(op.outputs[0]);
    const Grid grid{.blocks = dim3(static_cast<unsigned>(items)), .threads = dim3(kMeanThreads)};
    return {.kernel = "a block an item", .enqueue = [=](cudaStream_t stream, std::byte*) {
                if (is_forward) {
                    launch("MaskedMean", grid, stream, maskedMeanKernel<T>, sizes, in, mask, out);
                } else {
                    launch("MaskedMeanBack", grid, stream, maskedMeanBackKernel<T>, sizes, Division(width), in, mask, out);
                }
            }};
}

template <typename T>
BoundOp bindMask(const Context& context, const plan::Op& op) {
    const T* x = context.as<T>(op.inputs[0]);
    const std::int64_t count = context.elements(op.inputs[0]);
    if (op.kind == plan::OpKind::kMask) {
        const std::int64_t rows = context.elements(op.outputs[0]), width = rows == 0 ? 0 : count / rows;
        const MakeMask<T> make{x, context.cells(op.outputs[0]), width, std::get<plan::MaskAttributes>(op.attributes).value};
        return {.kernel = "row by row", .enqueue = [=](cudaStream_t stream, std::byte*) { launchRows("Mask", make, rows, width, stream); }};
    }
    const std::int64_t rows = context.elements(op.inputs[1]), width = rows == 0 ? 1 : count / rows;
    const ApplyMask<T> apply{x, context.cells(op.inputs[1]), context.as<T>(op.outputs[0]), Division(width)};
    const bool is_wide = width % kVectorOf<T> == 0 && areAligned(x, apply.y);
    return {.kernel = "row by row",
            .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<kVectorOf<T>>("ApplyMask", apply, count, is_wide, stream); }};
}

}  // namespace

BoundOp bindMask(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() {
        const bool is_mean = op.kind == plan::OpKind::kMaskedMean || op.kind == plan::OpKind::kMaskedMeanBack;
        bound = is_mean ? bindMean<T>(context, op) : bindMask<T>(context, op);
    });
    return bound;
}

}  // namespace engine::backend::cuda
