// A sequence's attention to itself: a query's weights by the lanes of its row, everything else value by value.
#include <cstdint>
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"

namespace engine::backend::cuda {
namespace {

// A matrix (T, T) of an item's head is a square; its rows of (N, T, heads * size) are `row` apart.
struct Sizes {
    Division heads, time, size;
    std::int64_t row;

    Sizes(const Context& context, const plan::Op& op, plan::TensorId wide)
        : heads(std::get<plan::AttentionAttributes>(op.attributes).heads),
          time(context.shape(wide)[1]),
          size(context.shape(wide)[2] / heads.divisor()),
          row(context.shape(wide)[2]) {}

    // The place in (N, T, heads * size) of the first value of `time` of square number `square`.
    __device__ std::int64_t wide(std::int64_t square, std::int64_t at_time) const {
        const Division::Parts item = heads(square);
        return (item.quotient * time.divisor() + at_time) * row + item.rest * size.divisor();
    }
};

__device__ float dotProduct(const float* a, const float* b, std::int64_t count) {
    float sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
    return sum;
}

// Which keys a query looks at; of a query that does not count: none.
struct Keys {
    const std::uint8_t* mask;  // or null
    bool causal;

    __device__ bool any(const Sizes& sizes, std::int64_t square, std::int64_t query) const {
        return mask == nullptr || mask[sizes.heads(square).quotient * sizes.time.divisor() + query] != 0;
    }
    __device__ bool counts(const Sizes& sizes, std::int64_t square, std::int64_t query, std::int64_t key) const {
        return any(sizes, square, key) && (!causal || key <= query);
    }
};

// Rows: queries of squares.
struct Weights {
    Sizes sizes;
    Keys keys;
    float scale;
    const float *q, *k;
    float* p;

    template <typename Threads>
    __device__ void run(std::int64_t row, bool is_row, Threads threads) const {
        constexpr float kLowest = -3.402823466e38F;
        const Division::Parts place = sizes.time(row);
        const std::int64_t square = place.quotient, query = place.rest, time = sizes.time.divisor();
        const bool any = keys.any(sizes, square, query);
        float largest = kLowest;
        for (std::int64_t key = threads.first(); key < time; key += threads.step()) {
            if (!any || !keys.counts(sizes, square, query, key)) continue;
            const float score = scale * dotProduct(q + sizes.wide(square, query), k + sizes.wide(square, key), sizes.size.divisor());
            largest = score > largest ? score : largest;
            if (is_row) p[row * time + key] = score;
        }
        largest = threads.reduce(largest, Maximum{});
        float sum = 0;
        for (std::int64_t key = threads.first(); is_row && key < time; key += threads.step()) {
            const bool counts = any && keys.counts(sizes, square, query, key);
            const float weight = any ? (counts ? expf(p[row * time + key] - largest) : 0) : 1;
            p[row * time + key] = weight;
            sum += weight;
        }
        sum = threads.reduce(sum, Sum{});
        for (std::int64_t key = threads.first(); is_row && key < time; key += threads.step()) p[row * time + key] /= sum;
    }
};

// The slopes of the scores, times the scale.
struct Slopes {
    Sizes sizes;
    Keys keys;
    float scale;
    const float *p, *dp;
    float* slopes;

    template <typename Threads>
    __device__ void run(std::int64_t row, bool is_row, Threads threads) const {
        const Division::Parts place = sizes.time(row);
        const std::int64_t time = sizes.time.divisor();
        float mean = 0;
        for (std::int64_t key = threads.first(); key < time; key += threads.step()) mean += p[row * time + key] * dp[row * time + key];
        mean = threads.reduce(mean, Sum{});
        if (!is_row) return;
        const bool any = keys.any(sizes, place.quotient, place.rest);
        for (std::int64_t key = threads.first(); key < time; key += threads.step()) {
            slopes[row * time + key] = any ? scale * p[row * time + key] * (dp[row * time + key] - mean) : 0;
        }
    }
};

// c = a b, or a^T b, with squares a and rows of heads b and c.
struct IntoRows {
    Sizes sizes;
    const float *a, *b;
    float* c;
    bool turned;

    template <int width>
    __device__ void run(std::int64_t at) const {
        static_assert(width == 1);
        const Division::Parts value = sizes.size(at), head = sizes.heads(value.quotient), item = sizes.time(head.quotient);
        const std::int64_t square = item.quotient * sizes.heads.divisor() + head.rest, time = sizes.time.divisor();
        const float* own = a + square * time * time;
        float sum = 0;
        for (std::int64_t s = 0; s < time; ++s) {
            sum += own[turned ? s * time + item.rest : item.rest * time + s] * b[sizes.wide(square, s) + value.rest];
        }
        c[at] = sum;
    }
};

// c = a b^T with rows of heads a and b, a square c.
struct IntoSquare {
    Sizes sizes;
    const float *a, *b;
    float* c;

    template <int width>
    __device__ void run(std::int64_t at) const {
        static_assert(width == 1);
        const Division::Parts key = sizes.time(at), query = sizes.time(key.quotient);
        c[at] = dotProduct(a + sizes.wide(query.quotient, query.rest), b + sizes.wide(query.quotient, key.rest), sizes.size.divisor());
    }
};

Keys keysOf(const Context& context, const plan::Op& op) {
    const auto& attention = std::get<plan::AttentionAttributes>(op.attributes);
    return {attention.masked ? context.cells(op.inputs.back()) : nullptr, attention.causal};
}

float scaleOf(const plan::Op& op) {
    return static_cast<float>(std::get<plan::AttentionAttributes>(op.attributes).scale);
}

BoundOp bindWeights(const Context& context, const plan::Op& op) {
    const Sizes sizes(context, op, op.inputs[0]);
    const Weights weights{
        sizes, keysOf(context, op), scaleOf(op), context.floats(op.inputs[0]), context.floats(op.inputs[1]), context.floats(op.outputs[0])};
    const std::int64_t time = sizes.time.divisor(), rows = context.elements(op.outputs[0]) / time;
    return {.kernel = "query by query",
            .enqueue = [=](cudaStream_t stream, std::byte*) { launchRows("AttentionWeights", weights, rows, time, stream); }};
}

BoundOp bindWeightsBack(const Context& context, const plan::Op& op) {
    const Sizes sizes(context, op, op.inputs[0]);
    const Slopes slopes{sizes, keysOf(context, op), scaleOf(op), context.floats(op.inputs[2]), context.floats(op.inputs[3]), nullptr};
    const IntoRows dq{sizes, nullptr, context.floats(op.inputs[1]), context.floats(op.outputs[0]), false};
    const IntoRows dk{sizes, nullptr, context.floats(op.inputs[0]), context.floats(op.outputs[1]), true};
    const std::int64_t time = sizes.time.divisor(), squares = context.elements(op.inputs[2]), values = context.elements(op.inputs[0]);
    return {.kernel = "query by query",
            .scratch_bytes = squares * static_cast<std::int64_t>(sizeof(float)),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                Slopes first = slopes;
                IntoRows second = dq, third = dk;
                second.a = third.a = first.slopes = reinterpret_cast<float*>(scratch);
                launchRows("AttentionWeightsBack", first, squares / time, time, stream);
                launchPointwise<1>("AttentionWeightsBack's queries", second, values, false, stream);
                launchPointwise<1>("AttentionWeightsBack's keys", third, values, false, stream);
            }};
}

BoundOp bindValues(const Context& context, const plan::Op& op) {
    const Sizes sizes(context, op, op.inputs[1]);
    const IntoRows sums{sizes, context.floats(op.inputs[0]), context.floats(op.inputs[1]), context.floats(op.outputs[0]), false};
    const std::int64_t values = context.elements(op.outputs[0]);
    return {.kernel = "value by value",
            .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<1>("AttentionValues", sums, values, false, stream); }};
}

BoundOp bindValuesBack(const Context& context, const plan::Op& op) {
    const Sizes sizes(context, op, op.inputs[1]);
    const float* dy = context.floats(op.inputs[2]);
    const IntoSquare dp{sizes, dy, context.floats(op.inputs[1]), context.floats(op.outputs[0])};
    const IntoRows dv{sizes, context.floats(op.inputs[0]), dy, context.floats(op.outputs[1]), true};
    const std::int64_t squares = context.elements(op.outputs[0]), values = context.elements(op.outputs[1]);
    return {.kernel = "value by value", .enqueue = [=](cudaStream_t stream, std::byte*) {
                launchPointwise<1>("AttentionValuesBack's weights", dp, squares, false, stream);
                launchPointwise<1>("AttentionValuesBack's values", dv, values, false, stream);
            }};
}

}  // namespace

BoundOp bindAttention(const Context& context, const plan::Op& op) {
    switch (op.kind) {
        case plan::OpKind::kAttentionWeights:
            return bindWeights(context, op);
        case plan::OpKind::kAttentionWeightsBack:
            return bindWeightsBack(context, op);
        case plan::OpKind::kAttentionValues:
            return bindValues(context, op);
        default:
            return bindValuesBack(context, op);
    }
}

}  // namespace engine::backend::cuda
