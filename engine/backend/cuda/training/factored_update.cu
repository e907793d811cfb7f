// Adafactor's updates (engine/backend/whole/factored_update.h): rows and columns of all matrices, then the steps by the root mean squares
// of whole variables. A variable of fewer than two axes is rows of its elements here.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/device_lanes.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/products/scratch.h"
#include "engine/backend/cuda/training/update.h"
#include "engine/backend/flat_update.h"
#include "engine/backend/update_formulas.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 128;
constexpr std::int64_t kRowOfElements = 4096, kRowsOfPart = 64;
constexpr std::size_t kR = 0, kC = 1, kV = 2;  // places of the slots

struct Variable {
    float* values;
    const float* gradient;
    float* r;
    float* c;
    float* v;
    float* average;                                               // or null
    std::int64_t count, rows, columns;                            // rows of all matrices; of each matrix where it is factored
    std::int64_t first_sum;                                       // of its parts' columns, among those of all launches
    std::int64_t rows_of_matrix;                                  // 0: not factored
    int first_row, first_part, first_column_block, first_matrix;  // blocks of its launch
};
constexpr int kVariables = 28;  // travel with a launch
struct Variables {
    Variable variables[kVariables];
    int count;
    std::int64_t first_variable, first_row, first_matrix;  // among those of all launches
};
struct Sums {
    double *weights, *steps;  // squares of each row
    double* columns;          // of each part
    float *row_means, *scales;
};

template <int Variable::*kFirst>
__device__ int variableOf(const Variables& from, int block) {
    int which = 0;
    while (which + 1 < from.count && from.variables[which + 1].*kFirst <= block) ++which;
    return which;
}

__device__ std::int64_t endOfRow(const Variable& own, std::int64_t begin) {
    return begin + own.columns < own.count ? begin + own.columns : own.count;
}

__device__ std::int64_t partsOf(const Variable& own) {
    return (own.rows_of_matrix + kRowsOfPart - 1) / kRowsOfPart;
}

// A block a row: weight decay, squares of the weights, r.
__global__ void rowKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* step_factors, Variables from,
                          Sums to) {
    const plan::StepFactors factors = *step_factors;
    if (step->leaves_out || !factors.applies) return;
    const auto block = static_cast<int>(blockIdx.x);
    const Variable& own = from.variables[variableOf<&Variable::first_row>(from, block)];
    const std::int64_t row = block - own.first_row, begin = row * own.columns, end = endOfRow(own, begin);
    double weights = 0, squares = 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
        float w = own.values[i];
        if (factors.decay != 1) own.values[i] = w *= factors.decay;
        weights += static_cast<double>(w) * static_cast<double>(w);
        squares += static_cast<double>(regulatedSquare(rule, own.gradient[i]));
    }
    weights = sumOfBlock(weights);
    squares = sumOfBlock(squares);
    if (threadIdx.x != 0) return;
    to.weights[from.first_row + block] = weights;
    if (own.rows_of_matrix > 0) {
        own.r[row] = blendedMean(factors, own.r[row], static_cast<float>(squares / static_cast<double>(own.columns)));
    }
}

// A thread a column of some rows of a matrix.
__global__ void partKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* factors, Variables from, Sums to) {
    if (step->leaves_out || !factors->applies) return;
    const auto block = static_cast<int>(blockIdx.x);
    const Variable& own = from.variables[variableOf<&Variable::first_part>(from, block)];
    const std::int64_t tiles = (own.columns + kThreads - 1) / kThreads, number = block - own.first_part, part = number / tiles;
    const std::int64_t column = number % tiles * kThreads + threadIdx.x;
    if (column >= own.columns) return;
    const std::int64_t matrix = part / partsOf(own), first = part % partsOf(own) * kRowsOfPart;
    const std::int64_t end = first + kRowsOfPart < own.rows_of_matrix ? first + kRowsOfPart : own.rows_of_matrix;
    double sum = 0;
    for (std::int64_t row = first; row < end; ++row) {
        sum += static_cast<double>(regulatedSquare(rule, own.gradient[(matrix * own.rows_of_matrix + row) * own.columns + column]));
    }
    to.columns[own.first_sum + part * own.columns + column] = sum;
}

// A thread a column of a matrix: c.
__global__ void columnKernel(const StepParameters* step, const plan::StepFactors* step_factors, Variables from, Sums sums) {
    const plan::StepFactors factors = *step_factors;
    if (step->leaves_out || !factors.applies) return;
    const auto block = static_cast<int>(blockIdx.x);
    const Variable& own = from.variables[variableOf<&Variable::first_column_block>(from, block)];
    const std::int64_t tiles = (own.columns + kThreads - 1) / kThreads, number = block - own.first_column_block;
    const std::int64_t matrix = number / tiles, column = number % tiles * kThreads + threadIdx.x;
    if (column >= own.columns) return;
    const std::int64_t parts = partsOf(own);
    double sum = 0;
    for (std::int64_t part = matrix * parts; part < (matrix + 1) * parts; ++part) {
        sum += sums.columns[own.first_sum + part * own.columns + column];
    }
    float& c = own.c[matrix * own.columns + column];
    c = blendedMean(factors, c, static_cast<float>(sum / static_cast<double>(own.rows_of_matrix)));
}

// A block a matrix: the mean of its r.
__global__ void rowMeanKernel(const StepParameters* step, const plan::StepFactors* factors, Variables from, Sums to) {
    if (step->leaves_out || !factors->applies) return;
    const auto block = static_cast<int>(blockIdx.x);
    const Variable& own = from.variables[variableOf<&Variable::first_matrix>(from, block)];
    const float* r = own.r + (block - own.first_matrix) * own.rows_of_matrix;
    double sum = 0;
    for (std::int64_t i = threadIdx.x; i < own.rows_of_matrix; i += kThreads) sum += static_cast<double>(r[i]);
    sum = sumOfBlock(sum);
    if (threadIdx.x == 0) to.row_means[from.first_matrix + block] = static_cast<float>(sum / static_cast<double>(own.rows_of_matrix));
}

// A block a row: v, squares of the steps.
__global__ void momentKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* step_factors, Variables from,
                             Sums to) {
    const plan::StepFactors factors = *step_factors;
    if (step->leaves_out || !factors.applies) return;
    const auto block = static_cast<int>(blockIdx.x);
    const Variable& own = from.variables[variableOf<&Variable::first_row>(from, block)];
    const std::int64_t row = block - own.first_row, begin = row * own.columns, end = endOfRow(own, begin);
    const bool is_factored = own.rows_of_matrix > 0;
    const std::int64_t matrix = is_factored ? row / own.rows_of_matrix : 0;
    const float share = is_factored ? own.r[row] / to.row_means[from.first_matrix + own.first_matrix + matrix] : 0;
    double squares = 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
        const float g = own.gradient[i];
        const float v =
            is_factored ? share * own.c[matrix * own.columns + i - begin] : blendedMean(factors, own.v[i], regulatedSquare(rule, g));
        own.v[i] = v;
        const auto taken = static_cast<double>(factoredStep(g, v));
        squares += taken * taken;
    }
    squares = sumOfBlock(squares);
    if (threadIdx.x == 0) to.steps[from.first_row + block] = squares;
}

// A block a variable.
__global__ void scaleKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* factors, Variables from,
                            Sums sums) {
    if (step->leaves_out || !factors->applies) return;
    const Variable& own = from.variables[blockIdx.x];
    const std::int64_t first = from.first_row + own.first_row;
    double weights = 0, steps = 0;
    for (std::int64_t i = threadIdx.x; i < own.rows; i += kThreads) {
        weights += sums.weights[first + i];
        steps += sums.steps[first + i];
    }
    weights = sumOfBlock(weights);
    steps = sumOfBlock(steps);
    if (threadIdx.x == 0) sums.scales[from.first_variable + blockIdx.x] = factoredScale(rule, *factors, weights, steps, own.count);
}

__global__ void applyFactoredKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* step_factors,
                                    Variables from, Sums sums) {
    const plan::StepFactors factors = *step_factors;
    if (step->leaves_out || (!factors.applies && !rule.keeps_average)) return;
    const auto block = static_cast<int>(blockIdx.x);
    const int which = variableOf<&Variable::first_row>(from, block);
    const Variable& own = from.variables[which];
    const std::int64_t begin = (block - own.first_row) * own.columns, end = endOfRow(own, begin);
    const float scale = factors.applies ? sums.scales[from.first_variable + which] : 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
        float w = own.values[i];
        if (factors.applies) w -= scale * factoredStep(own.gradient[i], own.v[i]);
        if (own.average != nullptr) averageElement(factors, w, own.average[i]);
        own.values[i] = w;
    }
}

std::int64_t divideUp(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

struct Blocks {
    std::int64_t rows = 0, parts = 0, columns = 0, matrices = 0;
};

struct FactoredLaunches {
    std::vector<Variables> variables;
    std::vector<Blocks> blocks_of;
    std::int64_t rows = 0, matrices = 0, sums = 0, count = 0;

    void add(const plan::UpdateRule& rule, const FlatRun& run) {
        if (run.count == 0) return;
        if (variables.empty() || variables.back().count == kVariables) {
            variables.emplace_back();
            variables.back().first_variable = count;
            variables.back().first_row = rows;
            variables.back().first_matrix = matrices;
            blocks_of.emplace_back();
        }
        Blocks& blocks = blocks_of.back();
        const bool is_factored = run.rows > 0;
        Variable own{.values = run.parameter,
                     .gradient = run.gradient,
                     .r = run.slots[kR],
                     .c = run.slots[kC],
                     .v = run.slots[kV],
                     .average = rule.keeps_average ? run.slots[rule.average_slot] : nullptr,
                     .count = run.count,
                     .columns = is_factored ? run.columns : kRowOfElements,
                     .first_sum = sums,
                     .rows_of_matrix = run.rows,
                     .first_row = static_cast<int>(blocks.rows),
                     .first_part = static_cast<int>(blocks.parts),
                     .first_column_block = static_cast<int>(blocks.columns),
                     .first_matrix = static_cast<int>(blocks.matrices)};
        own.rows = divideUp(run.count, own.columns);
        blocks.rows += own.rows;
        rows += own.rows;
        if (is_factored) {
            const std::int64_t own_matrices = own.rows / run.rows, tiles = divideUp(run.columns, kThreads);
            const std::int64_t parts = own_matrices * divideUp(run.rows, kRowsOfPart);
            blocks.parts += parts * tiles;
            blocks.columns += own_matrices * tiles;
            blocks.matrices += own_matrices;
            matrices += own_matrices;
            sums += parts * run.columns;
        }
        Variables& to = variables.back();
        to.variables[to.count++] = own;
        ++count;
    }
};

}  // namespace

BoundOp bindFactoredUpdate(const plan::UpdateRule& rule, const std::vector<FlatRun>& runs, const StepParameters* step,
                           const plan::StepFactors* factors) {
    FactoredLaunches all;
    for (const FlatRun& run : runs) all.add(rule, run);
    constexpr auto kDouble = static_cast<std::int64_t>(sizeof(double)), kFloat = static_cast<std::int64_t>(sizeof(float));
    ScratchLayout layout;
    const std::int64_t weights_at = layout.add(all.rows * kDouble), steps_at = layout.add(all.rows * kDouble);
    const std::int64_t columns_at = layout.add(all.sums * kDouble), means_at = layout.add(all.matrices * kFloat);
    const std::int64_t scales_at = layout.add(all.count * kFloat);
    BoundOp bound;
    bound.kernel = std::to_string(all.rows) + (all.rows == 1 ? " row, factored" : " rows, factored");
    bound.scratch_bytes = layout.bytes();
    bound.enqueue = [=, all = std::move(all)](cudaStream_t stream, std::byte* scratch) {
        const Sums sums{.weights = reinterpret_cast<double*>(scratch + weights_at),
                        .steps = reinterpret_cast<double*>(scratch + steps_at),
                        .columns = reinterpret_cast<double*>(scratch + columns_at),
                        .row_means = reinterpret_cast<float*>(scratch + means_at),
                        .scales = reinterpret_cast<float*>(scratch + scales_at)};
        const auto grid = [](std::int64_t blocks) {
            return Grid{.blocks = dim3(static_cast<unsigned>(blocks)), .threads = dim3(kThreads)};
        };
        for (std::size_t i = 0; i < all.variables.size(); ++i) {
            const Variables& from = all.variables[i];
            const Blocks& blocks = all.blocks_of[i];
            launch("rows of an update", grid(blocks.rows), stream, rowKernel, rule, step, factors, from, sums);
            launch("parts of an update's columns", grid(blocks.parts), stream, partKernel, rule, step, factors, from, sums);
            launch("columns of an update", grid(blocks.columns), stream, columnKernel, step, factors, from, sums);
            launch("means of an update's rows", grid(blocks.matrices), stream, rowMeanKernel, step, factors, from, sums);
            launch("moments of an update", grid(blocks.rows), stream, momentKernel, rule, step, factors, from, sums);
            launch("scales of an update", grid(from.count), stream, scaleKernel, rule, step, factors, from, sums);
            launch("steps of an update", grid(blocks.rows), stream, applyFactoredKernel, rule, step, factors, from, sums);
        }
    };
    return bound;
}

}  // namespace engine::backend::cuda
