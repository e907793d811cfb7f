// Batch normalisation of values and its way back; the sums are batch_sums.h's.
#include <cmath>
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/batch_sums.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {
namespace {

// The source of the mean and the variance.
enum class Statistics { kMoving, kBatch, kReplicas };

struct BatchNorm {
    Channels channels;
    Statistics statistics;
    const float *gamma, *beta;  // or null
    const float *moving_mean, *moving_variance;
    const float* sums;   // of all replicas: kReplicas
    const float* parts;  // of the batch: kBatch
    int part_count;
    float epsilon, share_of_step;
    float *mean, *inverse, *mean_step, *variance_step, *numbers;  // null: not wanted
};

template <typename T, int width>
__global__ void normalizeKernel(BatchNorm op, const T* x, T* y, ColumnGrid stripes) {
    const ColumnPlace place(stripes.lanes, width);
    Moments<width> batch;
    batch.clear();
    if (op.statistics == Statistics::kBatch) batch = wholeOf<Moments<width>>(op.parts, op.part_count, stripes, place);
    if (place.column >= stripes.columns) return;
    float mean[width], factor[width], offset[width];
    const bool is_first = blockIdx.y == 0 && place.thread_row == 0;
#pragma unroll
    for (int i = 0; i < width; ++i) {
        const std::int64_t channel = place.column + i;
        mean[i] = op.moving_mean[channel];
        float variance = op.moving_variance[channel];
        if (op.statistics == Statistics::kReplicas) {
            const double count = op.sums[2 * stripes.columns];
            if (count > 0) {
                const double distance = op.sums[channel] / count;
                mean[i] = static_cast<float>(mean[i] + distance);
                variance = static_cast<float>(op.sums[stripes.columns + channel] / count - distance * distance);
            }
        } else if (op.statistics == Statistics::kBatch && op.channels.step->samples > 0) {  // of what a mask leaves: 0 of nothing
            mean[i] = batch.mean[i];
            variance = batch.count == 0 ? 0 : batch.squares[i] / batch.count;
        }
        const float inverse = 1 / sqrtf(variance + op.epsilon);
        factor[i] = op.gamma == nullptr ? inverse : op.gamma[channel] * inverse;
        offset[i] = op.beta == nullptr ? 0 : op.beta[channel];
        if (!is_first || op.mean == nullptr) continue;
        op.mean[channel] = mean[i];
        op.inverse[channel] = inverse;
        op.mean_step[channel] = mean[i] * op.share_of_step;
        op.variance_step[channel] = variance * op.share_of_step;
        if (op.numbers != nullptr) op.numbers[channel] = batch.count;
    }
    const std::int64_t begin = blockIdx.y * stripes.rows_of_part, limit = begin + stripes.rows_of_part;
    const std::int64_t end = limit < stripes.rows ? limit : stripes.rows;
#pragma unroll 4
    for (std::int64_t row = begin + place.row; row < end; row += place.step) {
        const std::int64_t at = op.channels.at(row, place.column);
        float values[width];
        loadPack(x + at, values);
        for (int i = 0; i < width; ++i) values[i] = (values[i] - mean[i]) * factor[i] + offset[i];
        storePack(y + at, values);
    }
}

struct BatchNormBack {
    Channels channels;
    Statistics statistics;
    const float* gamma;                   // or null
    const float *first, *second;          // mean and 1 / deviation; kMoving: moving mean and variance
    const float *sums, *parts, *numbers;  // of all replicas; of the batch; of values that count, or null
    int part_count;
    float epsilon;
    float *dgamma, *dbeta;  // or null
};

// dx = gamma / deviation (dy - sum(dy) / n - normalized sum(dy normalized) / n) as dy factor + (x - mean) slope + offset. What does not
// count is no part of the statistics: dy factor alone.
template <typename T, int width>
__global__ void normalizeBackKernel(BatchNormBack op, const T* x, const T* dy, T* dx, ColumnGrid stripes) {
    const ColumnPlace place(stripes.lanes, width);
    GradientSums<width> batch;
    batch.clear();
    if (op.statistics == Statistics::kBatch) batch = wholeOf<GradientSums<width>>(op.parts, op.part_count, stripes, place);
    if (place.column >= stripes.columns) return;
    const std::int64_t present = op.channels.presentRows();
    float mean[width], factor[width], slope[width], offset[width];
    const bool is_first = blockIdx.y == 0 && place.thread_row == 0;
#pragma unroll
    for (int i = 0; i < width; ++i) {
        const std::int64_t channel = place.column + i;
        const float scale = op.gamma == nullptr ? 1 : op.gamma[channel];
        mean[i] = op.first[channel];
        slope[i] = offset[i] = 0;
        if (op.statistics == Statistics::kMoving) {
            factor[i] = scale / sqrtf(op.second[channel] + op.epsilon);
            continue;
        }
        const float inverse = op.second[channel];
        float sum = batch.sum[i], product = batch.product[i] * inverse, count = static_cast<float>(present);
        if (op.statistics == Statistics::kReplicas) {
            product = op.sums[channel];
            sum = op.sums[stripes.columns + channel];
            count = op.sums[2 * stripes.columns];
        }
        if (op.numbers != nullptr) count = op.numbers[channel];
        count = count < 1 ? 1 : count;
        factor[i] = inverse * scale;
        slope[i] = -factor[i] * inverse * product / count;
        offset[i] = -factor[i] * sum / count;
        if (is_first && op.dgamma != nullptr) op.dgamma[channel] = product;
        if (is_first && op.dbeta != nullptr) op.dbeta[channel] = sum;
    }
    const std::int64_t begin = blockIdx.y * stripes.rows_of_part, limit = begin + stripes.rows_of_part;
    const std::int64_t end = limit < stripes.rows ? limit : stripes.rows;
#pragma unroll 4
    for (std::int64_t row = begin + place.row; row < end; row += place.step) {
        const std::int64_t at = op.channels.at(row, place.column);
        float gradients[width], values[width];
        loadPack(dy + at, gradients);
        loadPack(x + at, values);
        const bool is_present = row < present, counts = op.channels.counts(at);
        for (int i = 0; i < width; ++i) {
            const float through = counts ? (values[i] - mean[i]) * slope[i] + offset[i] : 0;
            gradients[i] = is_present ? gradients[i] * factor[i] + through : 0;
        }
        storePack(dx + at, gradients);
    }
}

template <typename T>
BoundOp bindForward(const Context& context, const plan::Op& op) {
    const auto& a = std::get<plan::BatchNormAttributes>(op.attributes);
    const T* x = context.as<T>(op.inputs[0]);
    T* y = context.as<T>(op.outputs[0]);
    const Launches launches(context, op, op.inputs[0], areAligned(x, y));
    const bool trains = op.outputs.size() > 1;
    BatchNorm norm{};
    std::size_t next = 1;
    if (a.scale) norm.gamma = context.floats(op.inputs[next++]);
    if (a.center) norm.beta = context.floats(op.inputs[next++]);
    norm.moving_mean = context.floats(op.inputs[next]);
    norm.moving_variance = context.floats(op.inputs[next + 1]);
    norm.channels = launches.channels;
    norm.statistics = !trains ? Statistics::kMoving : a.synchronized ? Statistics::kReplicas : Statistics::kBatch;
    norm.epsilon = static_cast<float>(a.epsilon);
    norm.share_of_step = static_cast<float>((1 - a.momentum) / context.plan().replicas);
    norm.part_count = launches.partsAfter();
    if (norm.statistics == Statistics::kReplicas) norm.sums = context.floats(op.inputs.back());
    if (trains) {
        norm.mean = context.floats(op.outputs[1]);
        norm.inverse = context.floats(op.outputs[2]);
        norm.mean_step = context.floats(op.outputs[3]);
        norm.variance_step = context.floats(op.outputs[4]);
        if (a.masked) norm.numbers = context.floats(op.outputs.back());
    }
    const bool is_of_batch = norm.statistics == Statistics::kBatch;
    return {.kernel = !trains       ? "moving statistics"
                      : is_of_batch ? "statistics in " + textOf(launches)
                                    : "statistics of all replicas",
            .scratch_bytes = is_of_batch ? launches.scratchBytes<Moments<1>::kNumbers>() : 0,
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                withWidth(launches, [&]<int width>() {
                    BatchNorm run = norm;
                    auto* parts = reinterpret_cast<float*>(scratch);
                    run.parts = parts;
                    if (is_of_batch) enqueueMoments<T, width>(launches, x, parts, stream);
                    launch("BatchNorm", launches.stripes.grid(), stream, normalizeKernel<T, width>, run, x, y, launches.stripes);
                });
            }};
}

template <typename T>
BoundOp bindBack(const Context& context, const plan::Op& op) {
    const auto& a = std::get<plan::BatchNormAttributes>(op.attributes);
    const std::size_t first = a.scale ? 2 : 1;
    const T *x = context.as<T>(op.inputs[0]), *dy = context.as<T>(op.inputs[first + 2]);
    T* dx = context.as<T>(op.outputs[0]);
    const Launches launches(context, op, op.inputs[0], areAligned(x, dy, dx));
    BatchNormBack norm{};
    norm.channels = launches.channels;
    norm.statistics = a.frozen ? Statistics::kMoving : a.synchronized ? Statistics::kReplicas : Statistics::kBatch;
    if (a.scale) norm.gamma = context.floats(op.inputs[1]);
    norm.first = context.floats(op.inputs[first]);
    norm.second = context.floats(op.inputs[first + 1]);
    if (norm.statistics == Statistics::kReplicas) norm.sums = context.floats(op.inputs.back());
    if (a.masked && !a.frozen) norm.numbers = context.floats(op.inputs[op.inputs.size() - 2]);
    norm.part_count = launches.partsAfter();
    norm.epsilon = static_cast<float>(a.epsilon);
    const bool is_of_batch = norm.statistics == Statistics::kBatch;
    std::size_t next = 1;
    if (is_of_batch && a.scale) norm.dgamma = context.floats(op.outputs[next++]);
    if (is_of_batch && a.center) norm.dbeta = context.floats(op.outputs[next]);
    return {.kernel = a.frozen      ? "moving statistics"
                      : is_of_batch ? "sums in " + textOf(launches)
                                    : "sums of all replicas",
            .scratch_bytes = is_of_batch ? launches.scratchBytes<GradientSums<1>::kNumbers>() : 0,
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                withWidth(launches, [&]<int width>() {
                    BatchNormBack run = norm;
                    auto* parts = reinterpret_cast<float*>(scratch);
                    run.parts = parts;
                    if (is_of_batch) enqueueGradientSums<T, width>(launches, x, dy, norm.first, parts, stream);
                    launch("BatchNormBack", launches.stripes.grid(), stream, normalizeBackKernel<T, width>, run, x, dy, dx,
                           launches.stripes);
                });
            }};
}

}  // namespace

BoundOp bindBatchNorm(const Context& context, const plan::Op& op) {
    if (op.kind == plan::OpKind::kMovingAverage) return bindMovingAverage(context, op);
    if (op.kind == plan::OpKind::kBatchSums || op.kind == plan::OpKind::kBatchBackSums) return bindBatchSums(context, op);
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]),
               [&]<typename T>() { bound = op.kind == plan::OpKind::kBatchNorm ? bindForward<T>(context, op) : bindBack<T>(context, op); });
    return bound;
}

}  // namespace engine::backend::cuda
