// Batch normalisation and the moving statistics. Sums over the batch are taken by parts of the rows, a block each; the kernel that uses
// them puts the parts together first, every block its own channels, so that two launches do. Many parts are put together by a launch of
// their own.
//
// x is (outer, channels, inner). inner = 1: the channels are columns, threads side by side have neighbours. Else a block has one channel,
// and a "row" is one of its outer * inner values.
#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/column_sums.h"
#include "engine/backend/cuda/division.h"
#include "engine/backend/cuda/pointwise.h"
#include "engine/backend/cuda/values.h"

namespace engine::backend::cuda {
namespace {

constexpr int kWidth = 4;  // channels of a thread, where they come out even

// Where the values of a channel are, and which of them count.
struct Channels {
    const StepParameters* step;
    std::int64_t rows_of_sample;
    std::int64_t channels;
    Division inner;
    const std::uint8_t* mask;  // or null: one for each `mask_width` values of x
    Division mask_width;

    __device__ std::int64_t presentRows() const { return step->samples * rows_of_sample; }
    __device__ std::int64_t at(std::int64_t row, std::int64_t channel) const {
        if (inner.divisor() == 1) return row * channels + channel;
        const Division::Parts parts = inner(row);
        return (parts.quotient * channels + channel) * inner.divisor() + parts.rest;
    }
    __device__ bool counts(std::int64_t at) const { return mask == nullptr || mask[mask_width(at).quotient] != 0; }
};

// Of some values of each of a thread's channels: their number (the same for all its channels), mean, and the squared distances from it.
template <int width>
struct Moments {
    float count, mean[width], squares[width];

    __device__ void clear() {
        count = 0;
        for (int i = 0; i < width; ++i) mean[i] = squares[i] = 0;
    }
    // Chan, Golub, LeVeque 1979: moments of parts put together.
    __device__ void merge(const Moments& more) {
        if (more.count == 0) return;
        const float all = count + more.count, share = more.count / all;
        for (int i = 0; i < width; ++i) {
            const float distance = more.mean[i] - mean[i];
            mean[i] += distance * share;
            squares[i] += more.squares[i] + distance * distance * count * share;
        }
        count = all;
    }
    static constexpr int kNumbers = 3;  // of a channel
    __device__ void store(float* part, std::int64_t channels, std::int64_t channel) const {
        for (int i = 0; i < width; ++i) {
            part[channel + i] = count;
            part[channels + channel + i] = mean[i];
            part[2 * channels + channel + i] = squares[i];
        }
    }
    __device__ void load(const float* part, std::int64_t channels, std::int64_t channel) {
        count = part[channel];
        for (int i = 0; i < width; ++i) {
            mean[i] = part[channels + channel + i];
            squares[i] = part[2 * channels + channel + i];
        }
    }
};

// Sums of dy, and of dy (x - mean).
template <int width>
struct GradientSums {
    float sum[width], product[width];

    __device__ void clear() {
        for (int i = 0; i < width; ++i) sum[i] = product[i] = 0;
    }
    __device__ void merge(const GradientSums& more) {
        for (int i = 0; i < width; ++i) {
            sum[i] += more.sum[i];
            product[i] += more.product[i];
        }
    }
    static constexpr int kNumbers = 2;
    __device__ void store(float* part, std::int64_t channels, std::int64_t channel) const {
        for (int i = 0; i < width; ++i) {
            part[channel + i] = sum[i];
            part[channels + channel + i] = product[i];
        }
    }
    __device__ void load(const float* part, std::int64_t channels, std::int64_t channel) {
        for (int i = 0; i < width; ++i) {
            sum[i] = part[channel + i];
            product[i] = part[channels + channel + i];
        }
    }
};

// Of all parts; every thread has its channels' whole. All threads of the block call it.
template <typename Part>
__device__ Part wholeOf(const float* parts, int count, const ColumnGrid& grid, const ColumnPlace& place) {
    Part whole;
    whole.clear();
    if (place.column < grid.columns) {
        for (int p = place.thread_row; p < count; p += place.thread_rows) {
            Part part;
            part.load(parts + static_cast<std::int64_t>(p) * Part::kNumbers * grid.columns, grid.columns, place.column);
            whole.merge(part);
        }
    }
    return mergeDown(whole, grid.lanes);
}

// Parts become one, in the place of the first: only a block reads its channels.
template <typename Part, int width>
__global__ void joinPartsKernel(float* parts, int count, ColumnGrid grid) {
    const ColumnPlace place(grid.lanes, width);
    const Part whole = wholeOf<Part>(parts, count, grid, place);
    if (place.thread_row == 0 && place.column < grid.columns) whole.store(parts, grid.columns, place.column);
}

template <typename T, int width>
__global__ void momentsKernel(Channels channels, const T* x, ColumnGrid grid, float* parts) {
    constexpr int kRows = 8;  // whose moments are taken at once
    const ColumnPlace place(grid.lanes, width);
    const std::int64_t begin = blockIdx.y * grid.rows_of_part, limit = begin + grid.rows_of_part, present = channels.presentRows();
    const std::int64_t end = limit < present ? limit : present;
    Moments<width> mine;
    mine.clear();
    if (place.column < grid.columns) {
        for (std::int64_t row = begin + place.row; row < end; row += kRows * place.step) {
            float values[kRows][width] = {};
            bool counts[kRows];
            Moments<width> chunk;
            chunk.clear();
#pragma unroll
            for (int i = 0; i < kRows; ++i) {
                const std::int64_t at = channels.at(row + i * place.step, place.column);
                counts[i] = row + i * place.step < end && channels.counts(at);
                if (!counts[i]) continue;
                loadPack(x + at, values[i]);
                chunk.count += 1;
            }
            if (chunk.count == 0) continue;
            const float share = 1 / chunk.count;
#pragma unroll
            for (int i = 0; i < kRows; ++i)
                for (int k = 0; k < width; ++k) chunk.mean[k] += values[i][k] * share;
#pragma unroll
            for (int i = 0; i < kRows; ++i) {
                if (!counts[i]) continue;
                for (int k = 0; k < width; ++k) {
                    const float distance = values[i][k] - chunk.mean[k];
                    chunk.squares[k] += distance * distance;
                }
            }
            mine.merge(chunk);
        }
    }
    mine = mergeDown(mine, grid.lanes);
    if (place.thread_row != 0 || place.column >= grid.columns) return;
    mine.store(parts + blockIdx.y * Moments<width>::kNumbers * grid.columns, grid.columns, place.column);
}

template <typename T, int width>
__global__ void gradientSumsKernel(Channels channels, const T* x, const T* dy, const float* mean, ColumnGrid grid, float* parts) {
    const ColumnPlace place(grid.lanes, width);
    const std::int64_t begin = blockIdx.y * grid.rows_of_part, limit = begin + grid.rows_of_part, present = channels.presentRows();
    const std::int64_t end = limit < present ? limit : present;
    GradientSums<width> mine;
    mine.clear();
    if (place.column < grid.columns) {
        float center[width];
        for (int i = 0; i < width; ++i) center[i] = mean[place.column + i];
#pragma unroll 4
        for (std::int64_t row = begin + place.row; row < end; row += place.step) {
            const std::int64_t at = channels.at(row, place.column);
            float values[width], gradients[width];
            loadPack(x + at, values);
            loadPack(dy + at, gradients);
            for (int i = 0; i < width; ++i) {
                mine.sum[i] += gradients[i];
                mine.product[i] += gradients[i] * (values[i] - center[i]);
            }
        }
    }
    mine = mergeDown(mine, grid.lanes);
    if (place.thread_row != 0 || place.column >= grid.columns) return;
    mine.store(parts + blockIdx.y * GradientSums<width>::kNumbers * grid.columns, grid.columns, place.column);
}

// Where the mean and the variance come from.
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

// What the replicas add up: sums of x - m and of its square, or of dy normalized and of dy (also dgamma, dbeta); the number of values.
struct ReplicaSums {
    Channels channels;
    const float* parts;
    int part_count;
    const float *mean, *inverse;  // inverse: backward
    float *sums, *dgamma, *dbeta;
};
template <int width>
__global__ void sumsOfValuesKernel(ReplicaSums op, ColumnGrid grid) {
    const ColumnPlace place(grid.lanes, width);
    const auto batch = wholeOf<Moments<width>>(op.parts, op.part_count, grid, place);
    if (place.thread_row != 0 || place.column >= grid.columns) return;
    for (int i = 0; i < width; ++i) {
        const float distance = batch.count == 0 ? 0 : batch.mean[i] - op.mean[place.column + i];
        op.sums[place.column + i] = batch.count * distance;
        op.sums[grid.columns + place.column + i] = batch.squares[i] + batch.count * distance * distance;
    }
    if (place.column == 0) op.sums[2 * grid.columns] = static_cast<float>(op.channels.presentRows());
}
template <int width>
__global__ void sumsOfGradientsKernel(ReplicaSums op, ColumnGrid grid) {
    const ColumnPlace place(grid.lanes, width);
    const auto batch = wholeOf<GradientSums<width>>(op.parts, op.part_count, grid, place);
    if (place.thread_row != 0 || place.column >= grid.columns) return;
    for (int i = 0; i < width; ++i) {
        const std::int64_t channel = place.column + i;
        const float product = batch.product[i] * op.inverse[channel];
        op.sums[channel] = product;
        op.sums[grid.columns + channel] = batch.sum[i];
        if (op.dgamma != nullptr) op.dgamma[channel] = product;
        if (op.dbeta != nullptr) op.dbeta[channel] = batch.sum[i];
    }
    if (place.column == 0) op.sums[2 * grid.columns] = static_cast<float>(op.channels.presentRows());
}

struct MoveAverage {
    const float *before, *added;
    float* after;
    float momentum;

    template <int width>
    __device__ void run(std::int64_t at) const {
        float values[width], steps[width];
        loadPack(before + at, values);
        loadPack(added + at, steps);
        for (int i = 0; i < width; ++i) values[i] = values[i] * momentum + steps[i];
        storePack(after + at, values);
    }
};

// How the kernels above are launched for an op.
struct Launches {
    Channels channels{};
    ColumnGrid sums, stripes;  // of the kernels that read, and that write all values
    int columns_of_thread;
    bool joins;  // its own launch puts the parts together

    Launches(const Context& context, const plan::Op& op, plan::TensorId x, bool is_aligned)
        : Launches(context, op, x, widthOf(context, op, x, is_aligned)) {}

    int partsAfter() const { return joins ? 1 : sums.parts; }
    template <int numbers>
    std::int64_t scratchBytes() const {
        return sums.parts * numbers * sums.columns * static_cast<std::int64_t>(sizeof(float));
    }

private:
    static constexpr std::int64_t kStripesOfSum = 4;

    static int widthOf(const Context& context, const plan::Op& op, plan::TensorId x, bool is_aligned) {
        const auto& a = std::get<plan::BatchNormAttributes>(op.attributes);
        const bool is_row = !a.masked || context.shape(x).back() == a.channels;  // a mask has one value for all channels of a thread
        return is_aligned && is_row && a.inner == 1 && a.channels % kWidth == 0 ? kWidth : 1;
    }
    Launches(const Context& context, const plan::Op& op, plan::TensorId x, int width)
        : sums(rowsOf(context, op, x), channelsOf(op), width, mostBlocks(context, x)),
          stripes(rowsOf(context, op, x), channelsOf(op), width, kStripesOfSum * mostBlocks(context, x)),
          columns_of_thread(width) {
        const auto& a = std::get<plan::BatchNormAttributes>(op.attributes);
        if (a.inner > 1) {
            sums = alone(sums, mostBlocks(context, x));
            stripes = alone(stripes, kStripesOfSum * mostBlocks(context, x));
        }
        constexpr int kManyParts = 32;
        joins = sums.parts > kManyParts;
        const std::int64_t batch = context.plan().batch;
        channels.step = context.step();
        channels.rows_of_sample = batch == 0 ? 0 : sums.rows / batch;
        channels.channels = a.channels;
        channels.inner = Division(a.inner);
        if (a.masked) {
            channels.mask = context.cells(op.inputs.back());
            channels.mask_width = Division(context.shape(x).back());
        }
    }

    static std::int64_t channelsOf(const plan::Op& op) { return std::get<plan::BatchNormAttributes>(op.attributes).channels; }
    static std::int64_t rowsOf(const Context& context, const plan::Op& op, plan::TensorId x) {
        return context.elements(x) / channelsOf(op);
    }
    // Few values: as many blocks as the next launch can put together on the way.
    static std::int64_t mostBlocks(const Context& context, plan::TensorId x) {
        constexpr std::int64_t kFewValues = 1 << 20, kFewBlocks = 32, kManyBlocks = 512;
        return context.elements(x) <= kFewValues ? kFewBlocks : kManyBlocks;
    }
    // A block a channel.
    static ColumnGrid alone(ColumnGrid grid, std::int64_t most_blocks) {
        ColumnGrid one(grid.rows, 1, 1, std::max<std::int64_t>(most_blocks / grid.columns, 1));
        one.columns = grid.columns;
        one.tiles = static_cast<unsigned>(grid.columns);
        return one;
    }
};

// Calls function.operator()<width>() for the columns of a thread.
template <typename Function>
void withWidth(const Launches& launches, Function&& function) {
    if (launches.columns_of_thread == kWidth) return function.template operator()<kWidth>();
    function.template operator()<1>();
}

template <typename Part, int width>
void enqueueJoin(const Launches& launches, float* parts, cudaStream_t stream) {
    if (!launches.joins) return;
    Grid grid = launches.sums.grid();
    grid.blocks.y = 1;
    launch("parts of a batch's sums", grid, stream, joinPartsKernel<Part, width>, parts, launches.sums.parts, launches.sums);
}
template <typename T, int width>
void enqueueMoments(const Launches& launches, const T* x, float* parts, cudaStream_t stream) {
    launch("moments of a batch", launches.sums.grid(), stream, momentsKernel<T, width>, launches.channels, x, launches.sums, parts);
    enqueueJoin<Moments<width>, width>(launches, parts, stream);
}
template <typename T, int width>
void enqueueGradientSums(const Launches& launches, const T* x, const T* dy, const float* mean, float* parts, cudaStream_t stream) {
    launch("gradients of a batch", launches.sums.grid(), stream, gradientSumsKernel<T, width>, launches.channels, x, dy, mean,
           launches.sums, parts);
    enqueueJoin<GradientSums<width>, width>(launches, parts, stream);
}

std::string textOf(const Launches& launches) {
    return std::to_string(launches.sums.parts) + (launches.sums.parts == 1 ? " part" : " parts");
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

template <typename T>
BoundOp bindSums(const Context& context, const plan::Op& op) {
    const auto& a = std::get<plan::BatchNormAttributes>(op.attributes);
    const bool is_forward = op.kind == plan::OpKind::kBatchSums;
    const T *x = context.as<T>(op.inputs[0]), *dy = is_forward ? nullptr : context.as<T>(op.inputs[3]);
    const Launches launches(context, op, op.inputs[0], areAligned(x, dy));
    ReplicaSums sums{};
    sums.channels = launches.channels;
    sums.part_count = launches.partsAfter();
    sums.mean = context.floats(op.inputs[1]);
    if (!is_forward) sums.inverse = context.floats(op.inputs[2]);
    sums.sums = context.floats(op.outputs[0]);
    std::size_t next = 1;
    if (!is_forward && a.scale) sums.dgamma = context.floats(op.outputs[next++]);
    if (!is_forward && a.center) sums.dbeta = context.floats(op.outputs[next]);
    Grid grid = launches.sums.grid();
    grid.blocks.y = 1;
    return {.kernel = "sums in " + textOf(launches),
            .scratch_bytes = launches.scratchBytes<Moments<1>::kNumbers>(),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                withWidth(launches, [&]<int width>() {
                    ReplicaSums run = sums;
                    auto* parts = reinterpret_cast<float*>(scratch);
                    run.parts = parts;
                    if (is_forward) {
                        enqueueMoments<T, width>(launches, x, parts, stream);
                        launch("BatchSums", grid, stream, sumsOfValuesKernel<width>, run, launches.sums);
                    } else {
                        enqueueGradientSums<T, width>(launches, x, dy, sums.mean, parts, stream);
                        launch("BatchBackSums", grid, stream, sumsOfGradientsKernel<width>, run, launches.sums);
                    }
                });
            }};
}

BoundOp bindMovingAverage(const Context& context, const plan::Op& op) {
    const MoveAverage move{context.floats(op.inputs[0]), context.floats(op.inputs[1]), context.floats(op.outputs[0]),
                           static_cast<float>(std::get<plan::BatchNormAttributes>(op.attributes).momentum)};
    const std::int64_t count = context.elements(op.outputs[0]);
    const bool is_wide = areAligned(move.before, move.added, move.after);
    return {.kernel = "one pass", .enqueue = [=](cudaStream_t stream, std::byte*) {
                launchPointwise<kVectorOf<float>>("MovingAverage", move, count, is_wide, stream);
            }};
}

}  // namespace

BoundOp bindBatchNorm(const Context& context, const plan::Op& op) {
    if (op.kind == plan::OpKind::kMovingAverage) return bindMovingAverage(context, op);
    BoundOp bound;
    withValues(context.tensor(op.inputs[0]), [&]<typename T>() {
        if (op.kind == plan::OpKind::kBatchNorm) {
            bound = bindForward<T>(context, op);
        } else if (op.kind == plan::OpKind::kBatchNormBack) {
            bound = bindBack<T>(context, op);
        } else {
            bound = bindSums<T>(context, op);
        }
    });
    return bound;
}

}  // namespace engine::backend::cuda
