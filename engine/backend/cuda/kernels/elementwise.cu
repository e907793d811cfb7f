// Values in another type, many tensors at once; scaled and shifted values, also by channel.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/stored_numbers.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

// Tensors that one launch takes: a kernel's parameters have 4 KB.
constexpr int kMostTensors = 96;
constexpr int kCastWidth = 8, kCastThreads = 256;

template <typename From, typename To>
struct CastTensors {
    const From* from[kMostTensors];
    To* to[kMostTensors];
    std::int64_t counts[kMostTensors];
    std::uint32_t first_block[kMostTensors + 1];
    int tensors;
};

template <int width, typename From, typename To>
__global__ void castKernel(CastTensors<From, To> cast) {
    int low = 0, high = cast.tensors;  // first_block[low] <= block < first_block[high]
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (cast.first_block[middle] <= blockIdx.x ? low : high) = middle;
    }
    const std::int64_t begin =
        (static_cast<std::int64_t>(blockIdx.x - cast.first_block[low]) * kCastThreads + static_cast<int>(threadIdx.x)) * width;
    const From* from = cast.from[low];
    To* to = cast.to[low];
    if (begin + width <= cast.counts[low]) {
        float values[width];
        loadPack(from + begin, values);
        storePack(to + begin, values);
    } else {
        for (std::int64_t at = begin; at < cast.counts[low]; ++at) to[at] = fromFloat<To>(toFloat(from[at]));
    }
}

template <typename From, typename To>
void addCasts(const Context& context, const plan::Op& op, std::vector<std::function<void(cudaStream_t)>>& launches) {
    std::vector<std::size_t> mine;
    for (std::size_t i = 0; i < op.inputs.size(); ++i) {
        bool is_mine = false;
        withValues(context.tensor(op.inputs[i]), [&]<typename F>() {
            withValues(context.tensor(op.outputs[i]), [&]<typename T>() { is_mine = std::is_same_v<F, From> && std::is_same_v<T, To>; });
        });
        if (is_mine && context.elements(op.inputs[i]) > 0) mine.push_back(i);
    }
    for (std::size_t begin = 0; begin < mine.size(); begin += kMostTensors) {
        CastTensors<From, To> cast{};
        bool is_wide = true;
        const std::size_t end = std::min(begin + kMostTensors, mine.size());
        for (std::size_t i = begin; i < end; ++i) {
            const plan::TensorId x = op.inputs[mine[i]], y = op.outputs[mine[i]];
            cast.from[cast.tensors] = context.as<From>(x);
            cast.to[cast.tensors] = context.as<To>(y);
            cast.counts[cast.tensors++] = context.elements(x);
            // Eight floats are two accesses of 16 bytes, aligned to 32.
            is_wide = is_wide && reinterpret_cast<std::uintptr_t>(context.bytes(x)) % (kCastWidth * sizeof(From)) == 0 &&
                      reinterpret_cast<std::uintptr_t>(context.bytes(y)) % (kCastWidth * sizeof(To)) == 0;
        }
        const int width = is_wide ? kCastWidth : 1;
        for (int i = 0; i < cast.tensors; ++i) {
            const std::int64_t values = static_cast<std::int64_t>(kCastThreads) * width;
            cast.first_block[i + 1] = cast.first_block[i] + static_cast<std::uint32_t>((cast.counts[i] + values - 1) / values);
        }
        const Grid grid{.blocks = dim3(cast.first_block[cast.tensors]), .threads = dim3(kCastThreads)};
        launches.push_back([cast, grid, is_wide](cudaStream_t stream) {
            is_wide ? launch("Cast", grid, stream, castKernel<kCastWidth, From, To>, cast)
                    : launch("Cast", grid, stream, castKernel<1, From, To>, cast);
        });
    }
}

BoundOp bindCast(const Context& context, const plan::Op& op) {
    std::vector<std::function<void(cudaStream_t)>> launches;
    addCasts<float, __nv_bfloat16>(context, op, launches);
    addCasts<__nv_bfloat16, float>(context, op, launches);
    addCasts<float, __half>(context, op, launches);
    addCasts<__half, float>(context, op, launches);
    return {.kernel = op.inputs.size() == 1 ? "a pass over values" : "a pass over the values of " + std::to_string(op.inputs.size()),
            .enqueue = [launches](cudaStream_t stream, std::byte*) {
                for (const auto& enqueue : launches) enqueue(stream);
            }};
}

template <typename T>
struct Scale {
    const T* x;
    T* y;
    float scale, offset;

    template <int width>
    __device__ void run(std::int64_t at) const {
        float values[width];
        loadPack(x + at, values);
#pragma unroll
        for (int i = 0; i < width; ++i) values[i] = scale * values[i] + offset;
        storePack(y + at, values);
    }
};

template <typename T>
BoundOp bindAffine(const Context& context, const plan::Op& op) {
    const auto& affine = std::get<plan::Affine>(op.attributes);
    const Scale<T> scale{context.as<T>(op.inputs[0]), context.as<T>(op.outputs[0]), static_cast<float>(affine.scale),
                         static_cast<float>(affine.offset)};
    const std::int64_t count = context.elements(op.inputs[0]);
    const bool is_wide = areAligned(scale.x, scale.y);
    return {.kernel = "a pass over values",
            .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<kVectorOf<T>>("Affine", scale, count, is_wide, stream); }};
}

struct Standardize {
    const float *x, *mean, *variance;
    float* y;
    std::int64_t channels, inner;
    bool inverts, keeps_origin;

    template <int width>
    __device__ void run(std::int64_t at) const {
#pragma unroll
        for (int i = 0; i < width; ++i) {
            const std::int64_t channel = (at + i) / inner % channels;
            const float origin = keeps_origin ? 0.0F : mean[channel], deviation = fmaxf(sqrtf(variance[channel]), plan::kLeastDeviation);
            y[at + i] = inverts ? x[at + i] * deviation + origin : (x[at + i] - origin) / deviation;
        }
    }
};

// Means and variances that are given become tensors of the op's own first.
BoundOp bindStandardize(const Context& context, const plan::Op& op) {
    const auto& attributes = std::get<plan::Standardization>(op.attributes);
    const bool has_inputs = op.inputs.size() > 1;
    const Standardize work{.x = context.floats(op.inputs[0]),
                           .mean = has_inputs ? context.floats(op.inputs[1]) : nullptr,
                           .variance = has_inputs ? context.floats(op.inputs[2]) : nullptr,
                           .y = context.floats(op.outputs[0]),
                           .channels = attributes.channels,
                           .inner = attributes.inner,
                           .inverts = attributes.inverts,
                           .keeps_origin = attributes.keeps_origin};
    const std::int64_t count = context.elements(op.inputs[0]);
    if (has_inputs) {
        return {.kernel = "a pass over channels",
                .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<1>("Standardize", work, count, true, stream); }};
    }
    std::vector<float> given = attributes.mean;
    given.insert(given.end(), attributes.variance.begin(), attributes.variance.end());
    return {.kernel = "a pass over channels",
            .scratch_bytes = static_cast<std::int64_t>(given.size() * sizeof(float)),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                auto* stored = reinterpret_cast<float*>(scratch);
                storeNumbers(given, stored, stream);
                Standardize own = work;
                own.mean = stored;
                own.variance = stored + given.size() / 2;
                launchPointwise<1>("Standardize", own, count, true, stream);
            }};
}

}  // namespace

BoundOp bindElementwise(const Context& context, const plan::Op& op) {
    if (op.kind == plan::OpKind::kCast) return bindCast(context, op);
    if (op.kind == plan::OpKind::kStandardize) return bindStandardize(context, op);
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() { bound = bindAffine<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
