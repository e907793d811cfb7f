// Normalisation within an item: groups of channels, rows, and rows of length 1.
#include <cmath>
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/column_sums.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

// x as (items, positions, groups, width). A row is an item's group: positions * width values.
struct Groups {
    std::int64_t positions, values;
    Division groups, width;
    bool is_run;          // a row's values lie side by side
    bool subtracts_mean;  // else the mean counts as 0

    explicit Groups(const plan::GroupNormAttributes& a)
        : positions(a.positions),
          values(a.positions * a.width),
          groups(a.groups),
          width(a.width),
          is_run(a.positions == 1 || a.groups == 1),
          subtracts_mean(a.subtracts_mean) {}

    // The place of value `index` of a row, and its channel.
    struct Place {
        std::int64_t at, channel;
    };
    __device__ Place place(std::int64_t row, std::int64_t index) const {
        const Division::Parts item = groups(row);
        const Division::Parts position = width(index);
        const std::int64_t channel = item.rest * width.divisor() + position.rest;
        if (is_run) return {row * values + index, channel};
        return {(item.quotient * positions + position.quotient) * groups.divisor() * width.divisor() + channel, channel};
    }
};

struct RowMoments {
    float mean, inverse;
};
template <typename T, typename Threads>
__device__ RowMoments momentsOf(const Groups& groups, const T* x, std::int64_t row, float epsilon, Threads threads) {
    const float share = 1 / static_cast<float>(groups.values);
    float sum = 0, squares = 0;
    if (groups.subtracts_mean) {
        for (std::int64_t i = threads.first(); i < groups.values; i += threads.step()) sum += toFloat(x[groups.place(row, i).at]);
        sum = threads.reduce(sum, Sum{});
    }
    const float mean = sum * share;
    for (std::int64_t i = threads.first(); i < groups.values; i += threads.step()) {
        const float distance = toFloat(x[groups.place(row, i).at]) - mean;
        squares += distance * distance;
    }
    return {mean, 1 / sqrtf(threads.reduce(squares, Sum{}) * share + epsilon)};
}

template <typename T>
struct GroupNorm {
    Groups groups;
    const T* x;
    const float *gamma, *beta;  // or null
    T* y;
    float epsilon;

    template <typename Threads>
    __device__ void run(std::int64_t row, bool is_row, Threads threads) const {
        const RowMoments m = momentsOf(groups, x, row, epsilon, threads);
        if (!is_row) return;
        for (std::int64_t i = threads.first(); i < groups.values; i += threads.step()) {
            const Groups::Place place = groups.place(row, i);
            const float normalized = (toFloat(x[place.at]) - m.mean) * m.inverse;
            const float scale = gamma == nullptr ? 1 : gamma[place.channel], offset = beta == nullptr ? 0 : beta[place.channel];
            y[place.at] = fromFloat<T>(normalized * scale + offset);
        }
    }
};

template <typename T>
struct GroupNormBack {
    Groups groups;
    const T *x, *dy;
    const float* gamma;  // or null
    T* dx;
    RowMoments* moments;  // of each row, for the gradients of gamma and beta; or null
    float epsilon;

    __device__ float gradient(Groups::Place place) const { return toFloat(dy[place.at]) * (gamma == nullptr ? 1 : gamma[place.channel]); }
    template <typename Threads>
    __device__ void run(std::int64_t row, bool is_row, Threads threads) const {
        const RowMoments m = momentsOf(groups, x, row, epsilon, threads);
        float sum = 0, product = 0;
        for (std::int64_t i = threads.first(); i < groups.values; i += threads.step()) {
            const Groups::Place place = groups.place(row, i);
            const float g = gradient(place);
            sum += g;
            product += g * (toFloat(x[place.at]) - m.mean) * m.inverse;
        }
        const float share = 1 / static_cast<float>(groups.values);
        sum = groups.subtracts_mean ? threads.reduce(sum, Sum{}) * share : 0;
        product = threads.reduce(product, Sum{}) * share;
        if (!is_row) return;
        if (moments != nullptr && threads.first() == 0) moments[row] = m;
        for (std::int64_t i = threads.first(); i < groups.values; i += threads.step()) {
            const Groups::Place place = groups.place(row, i);
            const float normalized = (toFloat(x[place.at]) - m.mean) * m.inverse;
            dx[place.at] = fromFloat<T>(m.inverse * (gradient(place) - sum - normalized * product));
        }
    }
};

// Rows: positions of items; columns: channels. What they add to gamma's gradient and to beta's.
template <typename T>
struct ChannelGradients {
    const T *x, *dy;
    const RowMoments* moments;
    std::int64_t channels;
    Division positions, width;

    template <int count>
    __device__ void add(std::int64_t row, std::int64_t column, SumsOfColumns<2, count>& to) const {
        float values[count], gradients[count];
        loadPack(x + row * channels + column, values);
        loadPack(dy + row * channels + column, gradients);
        const RowMoments* item = moments + positions(row).quotient * (channels / width.divisor());
#pragma unroll
        for (int i = 0; i < count; ++i) {
            const RowMoments m = item[width(column + i).quotient];
            to.values[0][i] += gradients[i] * (values[i] - m.mean) * m.inverse;
            to.values[1][i] += gradients[i];
        }
    }
};

template <typename T>
BoundOp bindForward(const Context& context, const plan::Op& op) {
    const auto& a = std::get<plan::GroupNormAttributes>(op.attributes);
    std::size_t next = 1;
    const float* gamma = a.scale ? context.floats(op.inputs[next++]) : nullptr;
    const float* beta = a.center ? context.floats(op.inputs[next]) : nullptr;
    const Groups groups(a);
    const GroupNorm<T> norm{groups, context.as<T>(op.inputs[0]), gamma, beta, context.as<T>(op.outputs[0]), static_cast<float>(a.epsilon)};
    const std::int64_t rows = context.elements(op.inputs[0]) / groups.values;
    return {.kernel = "by group",
            .enqueue = [=](cudaStream_t stream, std::byte*) { launchRows("GroupNorm", norm, rows, groups.values, stream); }};
}

template <typename T>
BoundOp bindBack(const Context& context, const plan::Op& op) {
    const auto& a = std::get<plan::GroupNormAttributes>(op.attributes);
    const T *x = context.as<T>(op.inputs[0]), *dy = context.as<T>(op.inputs.back());
    const Groups groups(a);
    const GroupNormBack<T> norm{groups,
                                x,
                                dy,
                                a.scale ? context.floats(op.inputs[1]) : nullptr,
                                context.as<T>(op.outputs[0]),
                                nullptr,
                                static_cast<float>(a.epsilon)};
    const std::int64_t rows = context.elements(op.inputs[0]) / groups.values;
    if (op.outputs.size() == 1) {
        return {.kernel = "by group",
                .enqueue = [=](cudaStream_t stream, std::byte*) { launchRows("GroupNormBack", norm, rows, groups.values, stream); }};
    }
    const std::int64_t channels = a.groups * a.width;
    constexpr int kColumns = 4;
    const ColumnSums<2, kColumns> sums(context.elements(op.inputs[0]) / channels, channels, areAligned(x, dy));
    SumDestinations<2> to{};
    std::size_t next = 1;
    if (a.scale) to.of[0] = context.floats(op.outputs[next++]);
    if (a.center) to.of[1] = context.floats(op.outputs[next]);
    const std::int64_t moments_bytes =
        (rows * static_cast<std::int64_t>(sizeof(RowMoments)) + kVectorBytes - 1) / kVectorBytes * kVectorBytes;
    const ChannelGradients<T> gradients{x, dy, nullptr, channels, Division(a.positions), Division(a.width)};
    return {.kernel = "by group, sums of columns",
            .scratch_bytes = moments_bytes + sums.scratchBytes(),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                GroupNormBack<T> values = norm;
                ChannelGradients<T> of_channels = gradients;
                values.moments = reinterpret_cast<RowMoments*>(scratch);
                of_channels.moments = values.moments;
                launchRows("GroupNormBack", values, rows, groups.values, stream);
                sums.enqueue("GroupNormBack", of_channels, to, reinterpret_cast<float*>(scratch + moments_bytes), stream);
            }};
}

// y = x / |x|, and its gradient.
template <typename T>
struct UnitNorm {
    const T *x, *dy;  // dy: null for y
    T* out;
    std::int64_t width;

    template <typename Threads>
    __device__ void run(std::int64_t row, bool is_row, Threads threads) const {
        constexpr auto kMost = static_cast<float>(plan::kMostUnitFactor);
        const std::int64_t begin = row * width;
        float squares = 0, inner = 0;
        for (std::int64_t i = threads.first(); i < width; i += threads.step()) {
            const float value = toFloat(x[begin + i]);
            squares += value * value;
            if (dy != nullptr) inner += toFloat(dy[begin + i]) * value;
        }
        const float length = sqrtf(threads.reduce(squares, Sum{})), inverse = length * kMost < 1 ? kMost : 1 / length;
        if (dy != nullptr) inner = threads.reduce(inner, Sum{}) * inverse * inverse;
        if (!is_row) return;
        for (std::int64_t i = threads.first(); i < width; i += threads.step()) {
            const float value = toFloat(x[begin + i]);
            out[begin + i] = fromFloat<T>(inverse * (dy == nullptr ? value : toFloat(dy[begin + i]) - value * inner));
        }
    }
};

template <typename T>
BoundOp bindUnit(const Context& context, const plan::Op& op) {
    const std::int64_t width = std::get<plan::GroupNormAttributes>(op.attributes).width, rows = context.elements(op.inputs[0]) / width;
    const UnitNorm<T> norm{context.as<T>(op.inputs[0]), op.inputs.size() > 1 ? context.as<T>(op.inputs[1]) : nullptr,
                           context.as<T>(op.outputs[0]), width};
    return {.kernel = "by rows", .enqueue = [=](cudaStream_t stream, std::byte*) { launchRows("UnitNorm", norm, rows, width, stream); }};
}

}  // namespace

BoundOp bindGroupNorm(const Context& context, const plan::Op& op) {
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() {
        if (op.kind == plan::OpKind::kUnitNorm || op.kind == plan::OpKind::kUnitNormBack) {
            bound = bindUnit<T>(context, op);
        } else {
            bound = op.kind == plan::OpKind::kGroupNorm ? bindForward<T>(context, op) : bindBack<T>(context, op);
        }
    });
    return bound;
}

}  // namespace engine::backend::cuda
