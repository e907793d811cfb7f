// Sums down the columns of a matrix, in an order that depends on its shape alone. Only .cu files include it.
//
// A block has 256 threads: `lanes` of them side by side, each with some neighbouring columns, the others below with rows of their own. The
// rows are dealt to parts, a block each; a second kernel adds the parts.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/backend/cuda/kernels/launch.h"

namespace engine::backend::cuda {

inline constexpr int kColumnThreads = 256;

// `columns`: a thread's, side by side.
struct ColumnGrid {
    std::int64_t rows = 0, columns = 0, rows_of_part = 1;
    int lanes = 1, parts = 1;
    unsigned tiles = 1;  // blocks side by side

    // The grid has at most `most_blocks` blocks.
    ColumnGrid(std::int64_t row_count, std::int64_t column_count, int columns_of_thread, std::int64_t most_blocks = 512)
        : rows(row_count), columns(column_count) {
        constexpr std::int64_t kMostLanes = 32, kRowsOfThread = 8;
        const std::int64_t groups = (columns + columns_of_thread - 1) / columns_of_thread;
        while (lanes < kMostLanes && lanes < groups) lanes *= 2;
        tiles = static_cast<unsigned>((groups + lanes - 1) / lanes);
        const std::int64_t wanted = rows / (kColumnThreads / lanes * kRowsOfThread);
        const std::int64_t most = std::clamp<std::int64_t>(wanted, 1, std::max<std::int64_t>(most_blocks / std::max(tiles, 1U), 1));
        rows_of_part = std::max<std::int64_t>((rows + most - 1) / most, 1);
        parts = static_cast<int>(std::max<std::int64_t>((rows + rows_of_part - 1) / rows_of_part, 1));
    }
    Grid grid() const { return {.blocks = dim3(tiles, static_cast<unsigned>(parts)), .threads = dim3(kColumnThreads)}; }
};

// The place of a thread of such a block.
struct ColumnPlace {
    std::int64_t column, row, step;  // its first column; its first row in the part, from where it goes on by `step`
    int thread_row, thread_rows;

    __device__ ColumnPlace(int lanes, int columns_of_thread) {
        const int thread = static_cast<int>(threadIdx.x);
        thread_row = thread / lanes;
        thread_rows = kColumnThreads / lanes;
        column = (static_cast<std::int64_t>(blockIdx.x) * lanes + thread % lanes) * columns_of_thread;
        row = thread_row;
        step = thread_rows;
    }
};

// Puts together what the threads above each other have; the result is all of theirs. All threads of the block call it.
template <typename Part>
__device__ Part mergeDown(Part mine, int lanes) {
    __shared__ Part of_threads[kColumnThreads];
    const int thread = static_cast<int>(threadIdx.x);
    of_threads[thread] = mine;
    for (int half = kColumnThreads / 2; half >= lanes; half /= 2) {
        __syncthreads();
        if (thread < half) of_threads[thread].merge(of_threads[thread + half]);
    }
    __syncthreads();
    mine = of_threads[thread % lanes];
    __syncthreads();
    return mine;
}

template <int sums, int width>
struct SumsOfColumns {
    float values[sums][width];

    __device__ void clear() {
        for (auto& row : values)
            for (float& value : row) value = 0;
    }
    __device__ void merge(const SumsOfColumns& other) {
        for (int s = 0; s < sums; ++s)
            for (int i = 0; i < width; ++i) values[s][i] += other.values[s][i];
    }
};

// Sum s of column c of part p goes to of[s][p * part_stride + c]; null: nowhere.
template <int sums>
struct SumDestinations {
    float* of[sums];
    std::int64_t part_stride = 0;
};

// value.add<w>(row, column, to): adds to to.values[s][i] what the row has for column + i.
template <int sums, int width, typename Value>
__global__ void columnSumsKernel(Value value, ColumnGrid grid, SumDestinations<sums> to) {
    const ColumnPlace place(grid.lanes, width);
    SumsOfColumns<sums, width> mine;
    mine.clear();
    const std::int64_t begin = blockIdx.y * grid.rows_of_part, end = begin + grid.rows_of_part;
    if (place.column < grid.columns) {
        const std::int64_t last = end < grid.rows ? end : grid.rows;
        for (std::int64_t row = begin + place.row; row < last; row += place.step) value.template add<width>(row, place.column, mine);
    }
    mine = mergeDown(mine, grid.lanes);
    if (place.thread_row != 0 || place.column >= grid.columns) return;
    for (int s = 0; s < sums; ++s) {
        if (to.of[s] == nullptr) continue;
        for (int i = 0; i < width; ++i) to.of[s][blockIdx.y * to.part_stride + place.column + i] = mine.values[s][i];
    }
}

// The rows are parts' sums.
template <int sums>
struct PartSums {
    const float* parts;
    std::int64_t columns;
    template <int width>
    __device__ void add(std::int64_t row, std::int64_t column, SumsOfColumns<sums, width>& to) const {
        for (int s = 0; s < sums; ++s)
            for (int i = 0; i < width; ++i) to.values[s][i] += parts[(row * sums + s) * columns + column + i];
    }
};

// `width` columns a thread where they come out even and memory is aligned.
template <int sums, int width>
class ColumnSums {
public:
    ColumnSums(std::int64_t rows, std::int64_t columns, bool is_aligned)
        : is_wide_(is_aligned && columns % width == 0), grid_(rows, columns, is_wide_ ? width : 1), join_(grid_.parts, columns, 1, 1) {}

    std::int64_t scratchBytes() const {
        return grid_.parts == 1 ? 0 : grid_.parts * grid_.columns * sums * static_cast<std::int64_t>(sizeof(float));
    }
    template <typename Value>
    void enqueue(const char* what, const Value& value, const SumDestinations<sums>& to, float* scratch, cudaStream_t stream) const {
        if (grid_.parts == 1) return enqueueParts(what, value, to, stream);
        SumDestinations<sums> parts;
        for (int s = 0; s < sums; ++s) parts.of[s] = scratch + s * grid_.columns;
        parts.part_stride = sums * grid_.columns;
        enqueueParts(what, value, parts, stream);
        launch(what, join_.grid(), stream, columnSumsKernel<sums, 1, PartSums<sums>>, PartSums<sums>{scratch, grid_.columns}, join_, to);
    }

private:
    template <typename Value>
    void enqueueParts(const char* what, const Value& value, const SumDestinations<sums>& to, cudaStream_t stream) const {
        if (is_wide_) {
            launch(what, grid_.grid(), stream, columnSumsKernel<sums, width, Value>, value, grid_, to);
        } else {
            launch(what, grid_.grid(), stream, columnSumsKernel<sums, 1, Value>, value, grid_, to);
        }
    }

    bool is_wide_;
    ColumnGrid grid_, join_;
};

}  // namespace engine::backend::cuda
