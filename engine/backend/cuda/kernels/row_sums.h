// Two sums over rows (of a loss, of a metric), row by row with the lanes that fit its width: the frame of their kernels. Only .cu files
// include it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include "engine/backend/cuda/kernels/device_lanes.h"
#include "engine/backend/cuda/kernels/launch.h"

namespace engine::backend::cuda {

struct RowSums {
    double first = 0, second = 0;
};

// The __launch_bounds__ of a kernel that takes rows, so that the formulas' registers leave room for such a block.
inline constexpr unsigned kMostRowThreads = 512;

// How a kernel takes rows; depends on sizes alone.
struct RowGrid {
    std::int64_t rows = 0;
    unsigned blocks = 1, threads = 256;
    int width = 1;  // lanes of a row; 0: a block

    RowGrid(std::int64_t row_count, std::int64_t columns) : rows(row_count), width(columns >= kWideRow ? 0 : lanesOfRow(columns)) {
        constexpr std::int64_t kMostBlocks = 1024, kSoloLanes = 2048;
        const std::int64_t lanes = rows * std::max(width, 1);
        if (width > 0 && lanes <= kSoloLanes) {  // one block does, and nothing has to be joined
            threads = static_cast<unsigned>(std::clamp<std::int64_t>((lanes + kWarp - 1) / kWarp * kWarp, kWarp, kMostRowThreads));
        } else {
            const std::int64_t rows_a_block = width == 0 ? 1 : threads / static_cast<unsigned>(width);
            blocks = static_cast<unsigned>(std::clamp<std::int64_t>((rows + rows_a_block - 1) / rows_a_block, 1, kMostBlocks));
        }
    }
    Grid grid() const { return {.blocks = dim3(blocks), .threads = dim3(threads)}; }
    std::int64_t partialBytes() const { return static_cast<std::int64_t>(blocks * sizeof(RowSums)); }
    std::string text() const {
        return width == 0 ? "a block a row" : std::to_string(width) + (width == 1 ? " lane a row" : " lanes a row");
    }
};

// The block's sum of what `value(row, is_row, lanes)` returns on each row's first lane. Lanes without a row take part all the same: they
// get row 0 and is_row = false.
template <bool kWide, typename Value>
__device__ RowSums sumOverRows(std::int64_t rows, int width, Value value) {
    RowSums sums;
    if constexpr (kWide) {
        for (std::int64_t row = blockIdx.x; row < rows; row += gridDim.x) {
            const RowSums own = value(row, true, BlockLanes{});
            if (threadIdx.x != 0) continue;
            sums.first += own.first;
            sums.second += own.second;
        }
    } else {
        const std::int64_t per_block = static_cast<int>(blockDim.x) / width, stride = per_block * gridDim.x;
        for (std::int64_t begin = blockIdx.x * per_block; begin < rows; begin += stride) {
            const WarpLanes lanes{width};
            const std::int64_t row = begin + static_cast<int>(threadIdx.x) / width;
            const RowSums own = value(row < rows ? row : 0, row < rows, lanes);
            if (row >= rows || lanes.first() != 0) continue;
            sums.first += own.first;
            sums.second += own.second;
        }
    }
    sums.first = sumOfBlock(sums.first);
    sums.second = sumOfBlock(sums.second);
    return sums;
}

// Adds up the sums that the blocks of an earlier kernel left in `partial`; one block calls it.
__device__ inline RowSums sumOverBlocks(const RowSums* partial, int blocks) {
    RowSums sums;
    for (int i = static_cast<int>(threadIdx.x); i < blocks; i += static_cast<int>(blockDim.x)) {
        sums.first += partial[i].first;
        sums.second += partial[i].second;
    }
    sums.first = sumOfBlock(sums.first);
    sums.second = sumOfBlock(sums.second);
    return sums;
}

}  // namespace engine::backend::cuda
