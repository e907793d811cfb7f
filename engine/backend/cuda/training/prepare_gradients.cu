// Accumulation and clipping of all gradients: a pass that accumulates and measures, the norms of it in fixed order, a pass that scales.
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/device_lanes.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/update_formulas.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kChunk = 4096;  // floats a block

struct Gradient {
    float* values;
    float* accumulator;  // or null
    std::int64_t count;
    int first_block;  // of its launch
};
constexpr int kGradients = 100;  // travel with a launch
struct Gradients {
    Gradient gradients[kGradients];
    int count;
    int first_gradient;        // its number among all
    std::int64_t first_block;  // of all launches
};

__device__ int gradientOf(const Gradients& from, int block) {
    int low = 0;
    for (int high = from.count; high - low > 1;) {
        const int middle = (low + high) / 2;
        if (from.gradients[middle].first_block <= block) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

__global__ void collectKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* factors, Gradients from,
                              double* squares) {
    if (step->leaves_out) return;
    const int block = static_cast<int>(blockIdx.x);
    const Gradient& g = from.gradients[gradientOf(from, block)];
    const std::int64_t begin = static_cast<std::int64_t>(block - g.first_block) * kChunk;
    const std::int64_t end = begin + kChunk < g.count ? begin + kChunk : g.count;
    const bool applies = factors->applies;
    const auto steps = static_cast<float>(rule.accumulation_steps);
    double sum = 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
        float value = g.values[i];
        if (g.accumulator != nullptr) {
            if (!applies) {
                g.accumulator[i] += value;
                continue;
            }
            value = (value + g.accumulator[i]) / steps;
            g.accumulator[i] = 0;
        }
        if (rule.clip_value > 0) value = value < -rule.clip_value ? -rule.clip_value : rule.clip_value < value ? rule.clip_value : value;
        g.values[i] = value;
        sum += static_cast<double>(value) * static_cast<double>(value);
    }
    if (squares == nullptr || !applies) return;
    sum = sumOfBlock(sum);
    if (threadIdx.x == 0) squares[from.first_block + block] = sum;
}

// A block a gradient, or one for all of them: what to multiply with.
__global__ void normKernel(plan::UpdateRule rule, const StepParameters* step, const plan::StepFactors* factors, const double* squares,
                           const std::int64_t* first_blocks, float* scales) {
    if (step->leaves_out || !factors->applies) return;
    double sum = 0;
    for (std::int64_t i = first_blocks[blockIdx.x] + threadIdx.x; i < first_blocks[blockIdx.x + 1]; i += blockDim.x) sum += squares[i];
    sum = sumOfBlock(sum);
    if (threadIdx.x != 0) return;
    scales[blockIdx.x] = clipFactor(rule, sum);
}

__global__ void scaleKernel(const StepParameters* step, const plan::StepFactors* factors, Gradients from, const float* scales,
                            bool one_scale) {
    if (step->leaves_out || !factors->applies) return;
    const int block = static_cast<int>(blockIdx.x), which = gradientOf(from, block);
    const float scale = scales[one_scale ? 0 : from.first_gradient + which];
    if (scale == 1.0F) return;
    const Gradient& g = from.gradients[which];
    const std::int64_t begin = static_cast<std::int64_t>(block - g.first_block) * kChunk;
    const std::int64_t end = begin + kChunk < g.count ? begin + kChunk : g.count;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) g.values[i] *= scale;
}

// Blocks of each gradient travel with launches, too.
constexpr int kNumbers = 256;
struct Numbers {
    std::int64_t values[kNumbers];
    int count;
};
__global__ void writeNumbers(Numbers from, std::int64_t* to) {
    for (int i = static_cast<int>(threadIdx.x); i < from.count; i += static_cast<int>(blockDim.x)) to[i] = from.values[i];
}

std::int64_t divideUp(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

struct Preparation {
    plan::UpdateRule rule;
    const StepParameters* step = nullptr;
    const plan::StepFactors* factors = nullptr;
    std::vector<Gradients> launches;
    std::vector<std::int64_t> blocks_of;     // of each launch
    std::vector<std::int64_t> first_blocks;  // of each norm, and the end
    std::int64_t blocks = 0, gradients = 0;

    bool scales() const { return rule.clip_norm > 0 || rule.global_clip_norm > 0; }
    std::int64_t norms() const { return rule.clip_norm > 0 ? gradients : 1; }

    void add(float* values, float* accumulator, std::int64_t count) {
        if (launches.empty() || launches.back().count == kGradients) {
            launches.emplace_back();
            launches.back().first_gradient = static_cast<int>(gradients);
            launches.back().first_block = blocks;
            blocks_of.push_back(0);
        }
        Gradients& launch = launches.back();
        launch.gradients[launch.count++] = {
            .values = values, .accumulator = accumulator, .count = count, .first_block = static_cast<int>(blocks_of.back())};
        if (rule.clip_norm > 0 || gradients == 0) first_blocks.push_back(blocks);
        const std::int64_t own = divideUp(count, kChunk);
        blocks_of.back() += own;
        blocks += own;
        ++gradients;
    }

    Grid gridOf(std::size_t i) const { return {.blocks = dim3(static_cast<unsigned>(blocks_of[i])), .threads = dim3(kThreads)}; }

    void enqueue(cudaStream_t stream, std::byte* scratch) const {
        auto* squares = reinterpret_cast<double*>(scratch);
        auto* firsts = reinterpret_cast<std::int64_t*>(squares + blocks);
        auto* of_norm = reinterpret_cast<float*>(firsts + norms() + 1);
        for (std::size_t i = 0; i < launches.size(); ++i) {
            launch("gradients before an update", gridOf(i), stream, collectKernel, rule, step, factors, launches[i],
                   scales() ? squares : nullptr);
        }
        if (!scales()) return;
        for (std::size_t begin = 0; begin < first_blocks.size(); begin += kNumbers) {
            Numbers part{};
            part.count = static_cast<int>(std::min<std::size_t>(kNumbers, first_blocks.size() - begin));
            std::copy_n(first_blocks.begin() + static_cast<std::ptrdiff_t>(begin), part.count, part.values);
            launch("blocks of gradients", {.threads = dim3(kNumbers)}, stream, writeNumbers, part, firsts + begin);
        }
        launch("norms of gradients", {.blocks = dim3(static_cast<unsigned>(norms())), .threads = dim3(kThreads)}, stream, normKernel, rule,
               step, factors, squares, firsts, of_norm);
        for (std::size_t i = 0; i < launches.size(); ++i) {
            launch("clipped gradients", gridOf(i), stream, scaleKernel, step, factors, launches[i], of_norm, norms() == 1);
        }
    }
};

}  // namespace

BoundOp bindPrepareGradients(const Context& context, const plan::Op& op, std::size_t rule) {
    Preparation preparation;
    preparation.rule = plan::updateRule(*plan::optimizerOf(op));
    preparation.step = context.step();
    preparation.factors = &context.step()->factors[rule];  // an address alone: the memory is the device's
    for (std::size_t i = 0; i + op.outputs.size() < op.inputs.size(); ++i) {
        float* accumulator = op.outputs.empty() ? nullptr : context.floats(op.outputs[i]);
        preparation.add(context.floats(op.inputs[i]), accumulator, context.elements(op.inputs[i]));
    }
    preparation.first_blocks.push_back(preparation.blocks);
    BoundOp bound;
    bound.kernel = std::to_string(preparation.blocks) + (preparation.blocks == 1 ? " block" : " blocks");
    const std::int64_t norms = preparation.norms();
    bound.scratch_bytes = preparation.blocks * static_cast<std::int64_t>(sizeof(double)) +
                          (norms + 1) * static_cast<std::int64_t>(sizeof(std::int64_t)) + norms * static_cast<std::int64_t>(sizeof(float));
    bound.enqueue = [preparation = std::move(preparation)](cudaStream_t stream, std::byte* scratch) {
        preparation.enqueue(stream, scratch);
    };
    return bound;
}

}  // namespace engine::backend::cuda
