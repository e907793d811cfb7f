// Sums of batch normalisation over the batch: by parts of the rows, a block each; the kernel that uses them puts the parts together first,
// every block its own channels, so that two launches do. Many parts are put together by a launch of their own. Only .cu files include it.
//
// x is (outer, channels, inner). inner = 1: the channels are columns, threads side by side have neighbours. Else a block has one channel,
// and a "row" is one of its outer * inner values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/column_sums.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/values.h"

namespace engine::backend::cuda {

inline constexpr int kNormWidth = 4;  // channels of a thread, where they come out even

// Tells where the values of a channel are, and which of them count.
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

// The moments of some values of each of a thread's channels: their number (the same for all its channels), mean, and the sum of squared
// distances from the mean.
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

// Merges all parts; every thread gets the whole of its own channels. All threads of the block call it.
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
        return is_aligned && is_row && a.inner == 1 && a.channels % kNormWidth == 0 ? kNormWidth : 1;
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
    if (launches.columns_of_thread == kNormWidth) return function.template operator()<kNormWidth>();
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

inline std::string textOf(const Launches& launches) {
    return std::to_string(launches.sums.parts) + (launches.sums.parts == 1 ? " part" : " parts");
}

// BatchSums and BatchBackSums, for statistics of all replicas.
BoundOp bindBatchSums(const Context& context, const plan::Op& op);

}  // namespace engine::backend::cuda
