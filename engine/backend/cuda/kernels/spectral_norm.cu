// SpectralNormalization's kernel, divided by its largest singular value before the layer reads it: products of the kernel with vectors, a
// warp a row, or a block for some columns and parts of all rows; then a pass that divides.
#include <cstdint>
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/reduce.h"
#include "engine/backend/spectral_norm.h"
#include "engine/plan/memory.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 256, kRowsOfBlock = kThreads / kWarp, kColumns = 32, kParts = 8;

// What launches leave for each other, in the op's scratch.
struct Found {
    double over_rows, over_columns;  // what makes the vectors' lengths 1
    double largest;                  // the singular value
    double has_values;               // how many rows have some that are not 0
};

struct Vectors {
    float *kernel, *u;
    double *of_rows, *of_columns, *has_values;  // has_values: of each row, 0 where all its values are
    Found* found;
    std::int64_t rows, columns;
};

__global__ void rowsKernel(Vectors w, bool is_first) {
    const std::int64_t row = static_cast<std::int64_t>(blockIdx.x) * kRowsOfBlock + threadIdx.x / kWarp;
    const auto lane = static_cast<std::int64_t>(threadIdx.x % kWarp);
    double sum = 0, has_values = 0;
    for (std::int64_t column = lane; row < w.rows && column < w.columns; column += kWarp) {
        const float value = w.kernel[row * w.columns + column];
        has_values += value == 0 ? 0 : 1;
        sum += static_cast<double>(value) * (is_first ? static_cast<double>(w.u[column]) : w.of_columns[column]);
    }
    sum = warpSum(sum);
    has_values = warpSum(has_values);
    if (lane != 0 || row >= w.rows) return;
    w.of_rows[row] = is_first ? sum : sum * w.found->over_columns;
    if (is_first) w.has_values[row] = has_values;
}

__global__ void lengthOfRowsKernel(Vectors w, bool is_first) {
    double squares = 0, has_values = 0;
    for (std::int64_t i = threadIdx.x; i < w.rows; i += kThreads) {
        squares += w.of_rows[i] * w.of_rows[i];
        has_values += w.has_values[i];
    }
    squares = blockSum<kThreads>(squares);
    has_values = blockSum<kThreads>(has_values);
    if (threadIdx.x != 0) return;
    w.found->over_rows = overLength(squares);
    if (is_first) w.found->has_values = has_values;
}

__global__ void columnsKernel(Vectors w) {
    __shared__ double parts[kParts][kColumns];
    const std::int64_t column = static_cast<std::int64_t>(blockIdx.x) * kColumns + threadIdx.x;
    double sum = 0;
    for (std::int64_t row = threadIdx.y; column < w.columns && row < w.rows; row += kParts) {
        sum += static_cast<double>(w.kernel[row * w.columns + column]) * w.of_rows[row];
    }
    parts[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y != 0 || column >= w.columns) return;
    sum = 0;
    for (int part = 0; part < kParts; ++part) sum += parts[part][threadIdx.x];
    w.of_columns[column] = sum * w.found->over_rows;
}

__global__ void lengthOfColumnsKernel(Vectors w) {
    double squares = 0;
    for (std::int64_t i = threadIdx.x; i < w.columns; i += kThreads) squares += w.of_columns[i] * w.of_columns[i];
    squares = blockSum<kThreads>(squares);
    if (threadIdx.x != 0) return;
    w.found->over_columns = overLength(squares);
    w.found->largest = w.found->over_columns * squares;
}

__global__ void divideKernel(Vectors w) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (w.found->has_values == 0 || i >= w.rows * w.columns) return;
    w.kernel[i] = static_cast<float>(static_cast<double>(w.kernel[i]) / w.found->largest);
    if (i < w.columns) w.u[i] = static_cast<float>(w.of_columns[i] * w.found->over_columns);
}

std::int64_t vectorBytes(std::int64_t count) {
    return plan::alignUp(count * static_cast<std::int64_t>(sizeof(double)));
}

}  // namespace

BoundOp bindSpectralNorm(const Context& context, const plan::Op& op) {
    const int iterations = std::get<plan::SpectralNormAttributes>(op.attributes).iterations;
    const std::int64_t columns = context.shape(op.outputs[0]).back(), rows = context.elements(op.outputs[0]) / columns;
    const Vectors of_variables{.kernel = context.floats(op.outputs[0]),
                               .u = context.floats(op.outputs[1]),
                               .of_rows = nullptr,
                               .of_columns = nullptr,
                               .has_values = nullptr,
                               .found = nullptr,
                               .rows = rows,
                               .columns = columns};
    const auto blocks = [](std::int64_t count, std::int64_t of_block) {
        return dim3(static_cast<unsigned>((count + of_block - 1) / of_block));
    };
    const Grid of_rows{.blocks = blocks(rows, kRowsOfBlock), .threads = dim3(kThreads)}, one{.threads = dim3(kThreads)};
    const Grid of_columns{.blocks = blocks(columns, kColumns), .threads = dim3(kColumns, kParts)};
    return {.kernel = std::to_string(iterations) + (iterations == 1 ? " power" : " powers"),
            .scratch_bytes = 2 * vectorBytes(rows) + vectorBytes(columns) + static_cast<std::int64_t>(sizeof(Found)),
            .enqueue = [=](cudaStream_t stream, std::byte* scratch) {
                Vectors w = of_variables;
                w.of_rows = reinterpret_cast<double*>(scratch);
                w.has_values = reinterpret_cast<double*>(scratch + vectorBytes(rows));
                w.of_columns = reinterpret_cast<double*>(scratch + 2 * vectorBytes(rows));
                w.found = reinterpret_cast<Found*>(scratch + 2 * vectorBytes(rows) + vectorBytes(columns));
                for (int i = 0; i < iterations; ++i) {
                    launch("SpectralNorm, rows", of_rows, stream, rowsKernel, w, i == 0);
                    launch("SpectralNorm, length of rows", one, stream, lengthOfRowsKernel, w, i == 0);
                    launch("SpectralNorm, columns", of_columns, stream, columnsKernel, w);
                    launch("SpectralNorm, length of columns", one, stream, lengthOfColumnsKernel, w);
                }
                launch("SpectralNorm", gridOf(rows * columns), stream, divideKernel, w);
            }};
}

}  // namespace engine::backend::cuda
