// Lamb's updates, which need norms of whole variables (engine/backend/whole/norm_scaled_update.h): a pass that moves the moments and
// measures, the ratios of the norms in fixed order, a pass that takes the step.
#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/device_lanes.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/training/update.h"
#include "engine/backend/flat_update.h"
#include "engine/backend/update_formulas.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kChunk = 4096;  // floats of a block

struct Variable {
    float* values;
    const float* gradient;
    float* first_moment;
    float* second_moment;
    float* average;  // or null
    std::int64_t count;
    int first_block;  // of its launch
};
constexpr int kVariables = 60;  // travel with a launch
struct Variables {
    Variable variables[kVariables];
    int count;
    std::int64_t first_variable, first_block;  // among those of all launches
};

// A block's part of a variable.
struct Part {
    const Variable* variable;
    int number;  // of the variable, in its launch
    std::int64_t begin, end;
};
__device__ Part partOf(const Variables& from, int block) {
    int which = 0;
    while (which + 1 < from.count && from.variables[which + 1].first_block <= block) ++which;
    const Variable& own = from.variables[which];
    const std::int64_t begin = static_cast<std::int64_t>(block - own.first_block) * kChunk;
    return {&own, which, begin, begin + kChunk < own.count ? begin + kChunk : own.count};
}

// `squares`: of each block's weights and of its directions.
__global__ void advanceKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* step_factors, Variables from,
                              double* squares) {
    const plan::StepFactors factors = *step_factors;
    if (step->leaves_out || !factors.applies) return;
    const Part part = partOf(from, static_cast<int>(blockIdx.x));
    const Variable& own = *part.variable;
    double weights = 0, directions = 0;
    for (std::int64_t i = part.begin + threadIdx.x; i < part.end; i += kThreads) {
        UpdateValues values{own.first_moment[i], own.second_moment[i]};
        const SquaresOfElement element = advanceElement(rule, factors, own.gradient[i], own.values[i], values);
        own.first_moment[i] = values.first;
        own.second_moment[i] = values.second;
        weights += element.weight;
        directions += element.direction;
    }
    weights = sumOfBlock(weights);
    directions = sumOfBlock(directions);
    if (threadIdx.x != 0) return;
    double* to = squares + 2 * (from.first_block + blockIdx.x);
    to[0] = weights;
    to[1] = directions;
}

// A block a variable.
__global__ void ratioKernel(const StepParameters* step, const plan::StepFactors* factors, Variables from, const double* squares,
                            float* ratios) {
    if (step->leaves_out || !factors->applies) return;
    const Variable& own = from.variables[blockIdx.x];
    const std::int64_t blocks = (own.count + kChunk - 1) / kChunk;
    const double* first = squares + 2 * (from.first_block + own.first_block);
    double weights = 0, directions = 0;
    for (std::int64_t i = threadIdx.x; i < blocks; i += kThreads) {
        weights += first[2 * i];
        directions += first[2 * i + 1];
    }
    weights = sumOfBlock(weights);
    directions = sumOfBlock(directions);
    if (threadIdx.x == 0) ratios[from.first_variable + blockIdx.x] = normRatio(weights, directions);
}

__global__ void applyKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* step_factors, Variables from,
                            const float* ratios) {
    const plan::StepFactors factors = *step_factors;
    if (step->leaves_out || (!factors.applies && !rule.keeps_average)) return;
    const Part part = partOf(from, static_cast<int>(blockIdx.x));
    const Variable& own = *part.variable;
    const float rate = factors.applies ? ratios[from.first_variable + part.number] * factors.step_size : 0;
    for (std::int64_t i = part.begin + threadIdx.x; i < part.end; i += kThreads) {
        float w = own.values[i];
        if (factors.applies) w -= rate * directionOfElement(rule, factors, {own.first_moment[i], own.second_moment[i]});
        if (own.average != nullptr) averageElement(factors, w, own.average[i]);
        own.values[i] = w;
    }
}

struct Launches {
    std::vector<Variables> variables;
    std::vector<std::int64_t> blocks_of;
    std::int64_t blocks = 0, count = 0;

    void add(const plan::UpdateRule& rule, const FlatRun& run) {
        if (variables.empty() || variables.back().count == kVariables) {
            variables.emplace_back();
            variables.back().first_variable = count;
            variables.back().first_block = blocks;
            blocks_of.push_back(0);
        }
        const auto values = updateValues(rule, run.slots);
        Variables& to = variables.back();
        to.variables[to.count++] = {.values = run.parameter,
                                    .gradient = run.gradient,
                                    .first_moment = values[0],
                                    .second_moment = values[1],
                                    .average = rule.keeps_average ? run.slots[rule.average_slot] : nullptr,
                                    .count = run.count,
                                    .first_block = static_cast<int>(blocks_of.back())};
        const std::int64_t own = (run.count + kChunk - 1) / kChunk;
        blocks_of.back() += own;
        blocks += own;
        ++count;
    }
};

}  // namespace

BoundOp bindNormScaledUpdate(const plan::UpdateRule& rule, const std::vector<FlatRun>& runs, const StepParameters* step,
                             const plan::StepFactors* factors) {
    Launches all;
    for (const FlatRun& run : runs) all.add(rule, run);
    BoundOp bound;
    bound.kernel = std::to_string(all.blocks) + (all.blocks == 1 ? " block, by norms" : " blocks, by norms");
    bound.scratch_bytes = 2 * all.blocks * static_cast<std::int64_t>(sizeof(double)) + all.count * static_cast<std::int64_t>(sizeof(float));
    bound.enqueue = [rule, step, factors, all = std::move(all)](cudaStream_t stream, std::byte* scratch) {
        auto* squares = reinterpret_cast<double*>(scratch);
        auto* ratios = reinterpret_cast<float*>(squares + 2 * all.blocks);
        for (std::size_t i = 0; i < all.variables.size(); ++i) {
            const Grid grid{.blocks = dim3(static_cast<unsigned>(all.blocks_of[i])), .threads = dim3(kThreads)};
            const Grid of_variables{.blocks = dim3(static_cast<unsigned>(all.variables[i].count)), .threads = dim3(kThreads)};
            launch("moments of an update", grid, stream, advanceKernel, rule, step, factors, all.variables[i], squares);
            launch("norms of an update", of_variables, stream, ratioKernel, step, factors, all.variables[i], squares, ratios);
            launch("steps of an update", grid, stream, applyKernel, rule, step, factors, all.variables[i], ratios);
        }
    };
    return bound;
}

}  // namespace engine::backend::cuda
