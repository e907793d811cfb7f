// Dropout's masks and normal noise: the numbers of engine/backend/dropout_mask.h and gaussian_noise.h, four units a thread.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/axis_map.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/dropout_mask.h"
#include "engine/backend/gaussian_noise.h"

namespace engine::backend::cuda {
namespace {

constexpr int kWords = 4;  // of a block of random numbers

// Items with `units` numbers each.
struct Draws {
    const StepParameters* step;
    std::int64_t layer;
    std::int64_t items, units;
    Division quads, items_of_sample;  // blocks of numbers of an item
    bool is_wide;

    __device__ DropoutKey keyOf(std::int64_t item) const {
        DropoutKey key;
        key.seed = step->seed;
        key.epoch = step->epoch;
        key.iteration = step->iteration;
        key.layer = layer;
        return keyOfItem(key, items_of_sample.divisor(), item);
    }
};

// draw.run<count>(at, words): makes the values at .. at + count - 1, of which words[0] is the first one's. What a step lacks gets zeros.
template <typename Draw>
__global__ void drawKernel(Draws draws, Draw draw) {
    __shared__ std::uint32_t common[2];
    const bool is_common = draws.items_of_sample.divisor() == 1;  // else the key changes with the time
    if (is_common) {
        if (threadIdx.x == 0) {
            const tensor::PhiloxKey folded = tensor::RandomStream::foldKey(randomKey(draws.keyOf(0), tensor::RandomPurpose::kDropout));
            common[0] = folded[0];
            common[1] = folded[1];
        }
        __syncthreads();
    }
    const Division::Parts place = draws.quads(static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x);
    const std::int64_t item = place.quotient, sample = draws.items_of_sample(item).quotient, first = place.rest * kWords;
    if (item >= draws.items) return;
    tensor::PhiloxCounter words{0, 0, 0, 0};
    if (sample < draws.step->samples) {
        const tensor::PhiloxKey key = is_common
                                          ? tensor::PhiloxKey{common[0], common[1]}
                                          : tensor::RandomStream::foldKey(randomKey(draws.keyOf(item), tensor::RandomPurpose::kDropout));
        const std::uint32_t* indices = draws.step->indices;
        const auto index = indices == nullptr ? static_cast<std::uint64_t>(sample) : indices[sample];
        words = tensor::RandomStream(key).block(index, static_cast<std::uint64_t>(place.rest));
    }
    const std::int64_t at = item * draws.units + first;
    if (draws.is_wide) {
        draw.template run<kWords>(at, words, 0);
    } else {
        for (int i = 0; i < kWords && first + i < draws.units; ++i) draw.template run<1>(at + i, words, i);
    }
}

template <typename T>
struct DropoutDraw {
    const T* x;  // null: the mask alone
    T* y;
    std::uint8_t* mask;
    std::uint64_t threshold;
    float scale;

    template <int count>
    __device__ void run(std::int64_t at, const tensor::PhiloxCounter& words, int first) const {
        Pack<std::uint8_t, count> kept;
#pragma unroll
        for (int i = 0; i < count; ++i) kept.values[i] = words[static_cast<std::size_t>(first + i)] >= threshold ? 1 : 0;
        *reinterpret_cast<Pack<std::uint8_t, count>*>(mask + at) = kept;
        if (x == nullptr) return;
        float values[count];
        loadPack(x + at, values);
#pragma unroll
        for (int i = 0; i < count; ++i) values[i] = kept.values[i] != 0 ? values[i] * scale : 0;
        storePack(y + at, values);
    }
};

template <typename T>
struct NoiseDraw {
    const T* x;
    T* y;
    float deviation;
    bool multiplies;

    template <int count>
    __device__ void run(std::int64_t at, const tensor::PhiloxCounter& words, int first) const {
        const NormalNumbers noise = normalNumbers(words);
        float values[count];
        loadPack(x + at, values);
#pragma unroll
        for (int i = 0; i < count; ++i) values[i] = withNoise(values[i], deviation * noise.values[first + i], multiplies);
        storePack(y + at, values);
    }
};

// x * scale where the mask is not 0, else 0.
template <typename T>
struct Masked {
    const T* x;
    const std::uint8_t* mask;
    T* y;
    float scale;
    bool is_shared;      // axes of size 1 in the mask: one fate for all along them
    Division size;       // values of an item
    AxisMap unit;        // of a place in the item
    std::int64_t units;  // of an item

    template <int count>
    __device__ void run(std::int64_t at) const {
        float values[count];
        loadPack(x + at, values);
        Pack<std::uint8_t, count> kept;
        if (is_shared) {
#pragma unroll
            for (int i = 0; i < count; ++i) {
                const Division::Parts place = size(at + i);
                kept.values[i] = mask[place.quotient * units + unit(place.rest)];
            }
        } else {
            kept = *reinterpret_cast<const Pack<std::uint8_t, count>*>(mask + at);
        }
#pragma unroll
        for (int i = 0; i < count; ++i) values[i] = kept.values[i] != 0 ? values[i] * scale : 0;
        storePack(y + at, values);
    }
};

std::int64_t itemsOf(const Context& context, plan::TensorId id) {
    return context.shape(id).front();
}

Draws drawsOf(const Context& context, std::int64_t seed, plan::TensorId units) {
    Draws draws{};
    const std::int64_t batch = context.plan().batch;
    draws.step = context.step();
    draws.layer = seed;
    draws.items = itemsOf(context, units);
    draws.units = draws.items == 0 ? 0 : context.elements(units) / draws.items;
    draws.quads = Division(std::max<std::int64_t>((draws.units + kWords - 1) / kWords, 1));
    draws.items_of_sample = Division(batch == 0 ? 1 : std::max<std::int64_t>(draws.items / batch, 1));
    return draws;
}

template <typename Draw>
void launchDraws(const char* what, const Draws& draws, const Draw& draw, cudaStream_t stream) {
    if (draws.units == 0) return;
    launch(what, gridOf(draws.items * draws.quads.divisor()), stream, drawKernel<Draw>, draws, draw);
}

template <typename T>
BoundOp bindDropout(const Context& context, const plan::Op& op) {
    const auto& dropout = std::get<plan::DropoutAttributes>(op.attributes);
    const bool is_forward = op.kind == plan::OpKind::kDropout;
    const plan::TensorId mask = is_forward ? op.outputs[1] : op.inputs[1];
    const spec::Shape &x_shape = context.shape(op.inputs[0]), &mask_shape = context.shape(mask);
    Masked<T> masked{};
    masked.x = context.as<T>(op.inputs[0]);
    masked.mask = context.cells(mask);
    masked.y = context.as<T>(op.outputs[0]);
    masked.scale = dropoutScale(dropout.rate);
    masked.is_shared = x_shape != mask_shape;
    std::vector<AxisMap::Axis> axes(x_shape.size() - 1);
    std::int64_t size = 1;
    masked.units = 1;
    for (std::size_t axis = x_shape.size(); axis-- > 1;) {
        axes[axis - 1] = {x_shape[axis], mask_shape[axis] == 1 ? 0 : masked.units};
        size *= x_shape[axis];
        masked.units *= mask_shape[axis];
    }
    masked.size = Division(std::max<std::int64_t>(size, 1));
    masked.unit = AxisMap(axes);
    const std::int64_t count = context.elements(op.inputs[0]);
    const bool is_wide = areAligned(masked.x, masked.y) && isAligned(masked.mask);
    if (!is_forward) {
        return {.kernel = masked.is_shared ? "mask, shared" : "mask", .enqueue = [=](cudaStream_t stream, std::byte*) {
                    launchPointwise<kVectorOf<T>>("DropoutBack", masked, count, is_wide, stream);
                }};
    }
    Draws draws = drawsOf(context, dropout.seed, mask);
    draws.is_wide = draws.units % kWords == 0 && is_wide;
    const DropoutDraw<T> draw{masked.is_shared ? nullptr : masked.x, masked.y, context.cells(mask), dropoutThreshold(dropout.rate),
                              masked.scale};
    return {.kernel = masked.is_shared ? "mask of Philox, shared" : "mask of Philox", .enqueue = [=](cudaStream_t stream, std::byte*) {
                launchDraws("Dropout", draws, draw, stream);
                if (masked.is_shared) launchPointwise<kVectorOf<T>>("Dropout", masked, count, is_wide, stream);
            }};
}

template <typename T>
BoundOp bindGaussian(const Context& context, const plan::Op& op) {
    const auto& noise = std::get<plan::GaussianNoiseAttributes>(op.attributes);
    const NoiseDraw<T> draw{context.as<T>(op.inputs[0]), context.as<T>(op.outputs[0]), static_cast<float>(noise.deviation),
                            noise.multiplies};
    Draws draws = drawsOf(context, noise.seed, op.inputs[0]);
    draws.is_wide = draws.units % kWords == 0 && areAligned(draw.x, draw.y);
    return {.kernel = "Box and Muller of Philox",
            .enqueue = [=](cudaStream_t stream, std::byte*) { launchDraws("GaussianNoise", draws, draw, stream); }};
}

}  // namespace

BoundOp bindNoise(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() {
        bound = op.kind == plan::OpKind::kGaussianNoise ? bindGaussian<T>(context, op) : bindDropout<T>(context, op);
    });
    return bound;
}

}  // namespace engine::backend::cuda
