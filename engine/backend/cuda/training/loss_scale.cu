// Loss scaling, decided where the gradients are: the host waits for nothing. A pass divides all gradients and looks whether they are
// finite; one thread then sets the scale, and what the updates of this step read.
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/device_lanes.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/loss_scale.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kChunk = 4096;  // floats a block

__global__ void scaleGradientKernel(float* gradient, const float* scale, std::int64_t count) {
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) gradient[i] *= *scale;
}

struct Gradient {
    float* values;
    std::int64_t count;
    int first_block;  // of its launch
};
constexpr int kGradients = 120;  // travel with a launch
struct Gradients {
    Gradient gradients[kGradients];
    int count;
};

// `found`: of each block, 1 where a value is not finite.
__global__ void unscaleKernel(Gradients from, const float* scale, int* found) {
    const int block = static_cast<int>(blockIdx.x);
    int which = 0;
    while (which + 1 < from.count && from.gradients[which + 1].first_block <= block) ++which;
    const Gradient& g = from.gradients[which];
    const std::int64_t begin = static_cast<std::int64_t>(block - g.first_block) * kChunk;
    const std::int64_t end = begin + kChunk < g.count ? begin + kChunk : g.count;
    const float divisor = *scale;
    int others = 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
        const float value = g.values[i];
        g.values[i] = value / divisor;
        others |= std::isfinite(value) ? 0 : 1;
    }
    others = sumOfBlock(others);
    if (threadIdx.x == 0) found[block] = others;
}

struct Numbers {
    float *scale, *steps, *left_out;
    std::int64_t growth_steps;
};

__global__ void decideKernel(plan::UpdateRule rule, Numbers numbers, const int* found, std::int64_t blocks, StepParameters* step,
                             plan::StepFactors* factors) {
    int others = 0;
    for (std::int64_t i = threadIdx.x; i < blocks; i += blockDim.x) others |= found[i] != 0 ? 1 : 0;
    others = sumOfBlock(others);
    if (threadIdx.x != 0) return;
    const DynamicScale now{*numbers.scale, *numbers.steps, *numbers.left_out};
    const DynamicScale next = nextScale(now, others == 0, numbers.growth_steps);
    *numbers.scale = next.scale;
    *numbers.steps = next.steps;
    *numbers.left_out = next.left_out;
    step->leaves_out = others != 0;
    // The host counts every step.
    if (now.left_out > 0) {
        *factors = plan::stepFactors(rule, step->learning_rate, step->iteration - static_cast<std::int64_t>(now.left_out));
    }
}

}  // namespace

BoundOp bindScaleGradient(const Context& context, const plan::Op& op) {
    float* gradient = context.floats(op.outputs[0]);
    const float* scale = context.floats(op.inputs[1]);
    const std::int64_t count = context.elements(op.outputs[0]);
    BoundOp bound;
    bound.kernel = "a pass over values";
    bound.enqueue = [=](cudaStream_t stream, std::byte*) {
        launch("gradient of the scaled loss", gridOf(count), stream, scaleGradientKernel, gradient, scale, count);
    };
    return bound;
}

BoundOp bindUnscaleGradients(const Context& context, const plan::Op& op, std::size_t rule_number) {
    const plan::UpdateRule rule = plan::updateRule(*plan::optimizerOf(op));
    const Numbers numbers{.scale = context.floats(op.outputs[0]),
                          .steps = context.floats(op.outputs[1]),
                          .left_out = context.floats(op.outputs[2]),
                          .growth_steps = std::get<plan::LossScaleAttributes>(op.attributes).growth_steps};
    std::vector<Gradients> launches;
    std::vector<std::int64_t> blocks_of;  // of each launch
    std::int64_t blocks = 0;
    for (std::size_t i = 0; i + op.outputs.size() < op.inputs.size(); ++i) {
        if (launches.empty() || launches.back().count == kGradients) {
            launches.emplace_back();
            blocks_of.push_back(0);
        }
        const std::int64_t count = context.elements(op.inputs[i]), own = (count + kChunk - 1) / kChunk;
        launches.back().gradients[launches.back().count++] = {
            .values = context.floats(op.inputs[i]), .count = count, .first_block = static_cast<int>(blocks_of.back())};
        blocks_of.back() += own;
        blocks += own;
    }
    // The one writer of the step's parameters beside the executor, between the backward pass and the updates.
    auto* step = const_cast<StepParameters*>(context.step());
    plan::StepFactors* factors = &step->factors[rule_number];  // an address alone: the memory is the device's
    BoundOp bound;
    bound.kernel = std::to_string(blocks) + (blocks == 1 ? " block" : " blocks");
    bound.scratch_bytes = blocks * static_cast<std::int64_t>(sizeof(int));
    bound.enqueue = [=](cudaStream_t stream, std::byte* scratch) {
        auto* found = reinterpret_cast<int*>(scratch);
        std::int64_t first = 0;
        for (std::size_t i = 0; i < launches.size(); ++i) {
            const Grid grid{.blocks = dim3(static_cast<unsigned>(blocks_of[i])), .threads = dim3(kThreads)};
            launch("gradients over the loss scale", grid, stream, unscaleKernel, launches[i], numbers.scale, found + first);
            first += blocks_of[i];
        }
        launch("loss scale", {.threads = dim3(kThreads)}, stream, decideKernel, rule, numbers, found, blocks, step, factors);
    };
    return bound;
}

}  // namespace engine::backend::cuda
