// The steps in time of a recurrent layer: a block takes some samples through all times in one launch. States lie in shared memory, the
// recurrent kernel, too, where it fits.
#include <algorithm>
#include <cstdint>
#include <string>

#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/reduce.h"
#include "engine/backend/cuda/products/transpose.h"
#include "engine/backend/cuda/recurrent/recurrent_cell.h"
#include "engine/backend/dropout_mask.h"
#include "engine/spec/error.h"

namespace engine::backend::cuda {
namespace {

constexpr int kMostThreads = 512;

// How the threads of a block share the work.
struct Sharing {
    int parts = 1;                   // a product's sum is shared by so many threads (of a gate, on the way back)
    bool has_shared_kernel = false;  // else read where it lies
};

// Calls item(index of the block's sample, unit) for each of the block's; always the same thread for the same pair.
template <int kSamples, typename Item>
__device__ void forItems(int units, Item item) {
    for (int i = static_cast<int>(threadIdx.x); i < kSamples * units; i += static_cast<int>(blockDim.x)) item(i / units, i % units);
}

// Shared memory of the way forward, in floats.
struct ForwardShared {
    float *h, *c, *reset, *candidate, *sums, *kernel;
    float* states;  // what the gates see: h itself, or a copy for each

    __host__ __device__ static std::int64_t floats(const Cell& op, const Sharing& sharing, int samples) {
        const std::int64_t state = static_cast<std::int64_t>(op.units) * samples;
        return state * (4 + (op.kept != nullptr ? op.gates : 0)) + static_cast<std::int64_t>(sharing.parts) * samples * op.columns +
               (sharing.has_shared_kernel ? static_cast<std::int64_t>(op.units) * op.columns : 0);
    }
    __device__ ForwardShared(const Cell& op, const Sharing& sharing, int samples, float* memory) {
        const int state = op.units * samples;
        h = memory;
        c = h + state;
        reset = c + state;
        candidate = reset + state;
        states = op.kept == nullptr ? h : candidate + state;
        sums = candidate + state * (1 + (op.kept != nullptr ? op.gates : 0));
        kernel = sums + sharing.parts * samples * op.columns;
    }
};

__device__ void drawMasks(const Forward& op, std::int64_t first, std::int64_t end) {
    const DropoutKey of_layer{op.step->seed, op.step->epoch, op.step->iteration, op.layer};
    const int words = (op.columns + 3) / 4;
    for (std::int64_t i = threadIdx.x; i < (end - first) * words; i += blockDim.x) {
        const std::int64_t item = first + i / words, sample = item / op.items_per_sample;
        const int word = static_cast<int>(i % words);
        const std::uint32_t number = sample >= op.step->samples    ? 0
                                     : op.step->indices == nullptr ? static_cast<std::uint32_t>(sample)
                                                                   : op.step->indices[sample];
        const tensor::RandomStream random = randomStream(keyOfItem(of_layer, op.items_per_sample, item), tensor::RandomPurpose::kDropout);
        const tensor::PhiloxCounter drawn = random.block(number, static_cast<std::uint64_t>(word));
        for (int k = 0; k < 4 && word * 4 + k < op.columns; ++k) {
            op.kept[item * op.columns + word * 4 + k] = drawn[static_cast<std::size_t>(k)] >= op.threshold ? 1 : 0;
        }
    }
}

// Sums of the products of `states` with columns [begin, end) of the kernel, and z with them; of the gate apart, z goes to
// shared.candidate.
template <int kSamples>
__device__ void multiplyStates(const Forward& op, const Sharing& sharing, const ForwardShared& shared, const float* states, int begin,
                               int end, std::int64_t first, std::int64_t s) {
    const int width = end - begin, units = op.units, columns = op.columns;
    const float* kernel = sharing.has_shared_kernel ? shared.kernel : op.kernel;
    const bool has_copies = op.kept != nullptr && states == shared.states;
    for (int slot = static_cast<int>(threadIdx.x); slot < width * sharing.parts; slot += static_cast<int>(blockDim.x)) {
        const int column = begin + slot % width, part = slot / width, gate = column / units;
        const float* seen = has_copies ? states + gate * units * kSamples : states;
        float own[kSamples] = {}, sum[kSamples] = {};
        if (part == 0) {
#pragma unroll
            for (int i = 0; i < kSamples; ++i) {
                if (first + i < op.samples) own[i] = op.outer(op.row(first + i, s), column);
            }
        }
        const int last = units * (part + 1) / sharing.parts;
#pragma unroll 8
        for (int k = units * part / sharing.parts; k < last; ++k) {
            const float weight = kernel[k * columns + column];
#pragma unroll
            for (int i = 0; i < kSamples; ++i) sum[i] += seen[k * kSamples + i] * weight;
        }
        const bool is_apart = op.isApart(gate);
        const float state_bias = part > 0 ? 0 : op.stateBias(column);
#pragma unroll
        for (int i = 0; i < kSamples; ++i) {
            if (is_apart && part == 0) shared.candidate[i * units + column - 2 * units] = own[i];
            shared.sums[(part * kSamples + i) * columns + column] = sum[i] + (is_apart ? state_bias : own[i] + state_bias);
        }
    }
}

// What the parts have of a unit of the block's sample `i`.
template <int kSamples>
struct SumsOfBlock {
    const Forward& op;
    const Sharing& sharing;
    const ForwardShared& shared;
    int i, unit;

    __device__ float gate(int gate) const {
        const int column = gate * op.units + unit;
        float sum = shared.sums[i * op.columns + column];
        for (int part = 1; part < sharing.parts; ++part) sum += shared.sums[(part * kSamples + i) * op.columns + column];
        return sum;
    }
    __device__ float apart() const { return shared.candidate[i * op.units + unit]; }
    __device__ float reset() const { return shared.reset[unit * kSamples + i]; }
};

// A GRU's gates before its candidate is known; without reset_after the state that the candidate sees.
template <int kSamples>
__device__ void openGates(const Forward& op, const Sharing& sharing, const ForwardShared& shared, std::int64_t first, std::int64_t s) {
    forItems<kSamples>(op.units, [&](int i, int unit) {
        const std::int64_t sample = first + i;
        if (sample >= op.samples) return;
        const std::int64_t row = op.row(sample, s);
        if (!op.counts(row)) return;  // nothing is kept of such a time
        const SumsOfBlock<kSamples> sums{op, sharing, shared, i, unit};
        float* gates = op.all_gates + row * op.columns;
        const float reset = op.gate(sums.gate(1));
        gates[unit] = op.gate(sums.gate(0));
        gates[op.units + unit] = reset;
        shared.reset[unit * kSamples + i] = reset * shared.h[unit * kSamples + i] * op.seen(sample, 2, unit);
    });
}

template <int kSamples>
__device__ void finishStep(const Forward& op, const Sharing& sharing, const ForwardShared& shared, std::int64_t first, std::int64_t s) {
    forItems<kSamples>(op.units, [&](int i, int unit) {
        const std::int64_t sample = first + i;
        if (sample >= op.samples) return;
        const int at = unit * kSamples + i;
        const float h = takeStep(op, sample, s, unit, shared.h[at], shared.c[at], SumsOfBlock<kSamples>{op, sharing, shared, i, unit});
        shared.h[at] = h;
        for (int gate = 0; op.kept != nullptr && gate < op.gates; ++gate) {
            shared.states[gate * op.units * kSamples + at] = h * op.seen(sample, gate, unit);
        }
    });
}

template <int kSamples>
__global__ void __launch_bounds__(kMostThreads) forwardKernel(Forward op, Sharing sharing) {
    const ForwardShared shared(op, sharing, kSamples, dynamicShared<float>());
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kSamples;
    const std::int64_t end = first + kSamples < op.samples ? first + kSamples : op.samples;
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x), state = op.units * kSamples;
    for (int i = thread; i < 4 * state; i += threads) shared.h[i] = 0;  // h, c, reset, candidate
    for (int i = thread; op.kept != nullptr && i < op.gates * state; i += threads) shared.states[i] = 0;
    for (int i = thread; sharing.has_shared_kernel && i < op.units * op.columns; i += threads) shared.kernel[i] = op.kernel[i];
    if (op.kept != nullptr) drawMasks(op, first, end);
    __syncthreads();
    const bool resets_first = op.isGru() && !op.a.reset_after;
    const int gated = resets_first ? 2 * op.units : op.columns;
    for (std::int64_t s = 0; s < op.time; ++s) {
        multiplyStates<kSamples>(op, sharing, shared, shared.states, 0, gated, first, s);
        __syncthreads();
        if (resets_first) {
            openGates<kSamples>(op, sharing, shared, first, s);
            __syncthreads();
            multiplyStates<kSamples>(op, sharing, shared, shared.reset, gated, op.columns, first, s);
            __syncthreads();
        }
        finishStep<kSamples>(op, sharing, shared, first, s);
        __syncthreads();
    }
}

struct BackwardShared {
    float *dh, *dc, *gradients, *sums, *turned;
    int stride;  // of turned: odd, so that it is filled without conflicts

    __host__ __device__ static int strideOf(int units) { return units | 1; }
    __host__ __device__ static std::int64_t floats(const Cell& op, const Sharing& sharing, int samples) {
        const std::int64_t state = static_cast<std::int64_t>(op.units) * samples;
        return state * 2 + static_cast<std::int64_t>(op.columns) * samples + op.gates * sharing.parts * state +
               (sharing.has_shared_kernel ? static_cast<std::int64_t>(strideOf(op.units)) * op.columns : 0);
    }
    __device__ BackwardShared(const Cell& op, const Sharing& sharing, int samples, float* memory) {
        const int state = op.units * samples;
        dh = memory;
        dc = dh + state;
        gradients = dc + state;
        sums = gradients + op.columns * samples;
        turned = sums + op.gates * sharing.parts * state;
        stride = strideOf(op.units);
    }
};

// Multiplies the gradients of each of the gates [begin, end) with its part of the kernel, transposed. `turned`: (columns, units), where it
// is not in shared memory.
template <int kSamples>
__device__ void multiplyGradients(const Backward& op, const Sharing& sharing, const BackwardShared& shared, const float* turned, int begin,
                                  int end) {
    const int units = op.units, stride = sharing.has_shared_kernel ? shared.stride : units, parts = sharing.parts;
    const float* kernel = sharing.has_shared_kernel ? shared.turned : turned;
    for (int slot = static_cast<int>(threadIdx.x); slot < units * (end - begin) * parts; slot += static_cast<int>(blockDim.x)) {
        const int unit = slot % units, sub = slot / units, gate = begin + sub / parts, part = sub % parts;
        const int from = gate * units + units * part / parts, to = gate * units + units * (part + 1) / parts;
        float sum[kSamples] = {};
#pragma unroll 8
        for (int column = from; column < to; ++column) {
            const float weight = kernel[column * stride + unit];
#pragma unroll
            for (int i = 0; i < kSamples; ++i) sum[i] += shared.gradients[column * kSamples + i] * weight;
        }
#pragma unroll
        for (int i = 0; i < kSamples; ++i) shared.sums[((gate * parts + part) * kSamples + i) * units + unit] = sum[i];
    }
}

// What gates [begin, end) say of a unit of the state before.
template <int kSamples>
__device__ float joined(const Backward& op, const Sharing& sharing, const BackwardShared& shared, std::int64_t sample, int i, int unit,
                        int begin, int end) {
    float total = 0;
    for (int gate = begin; gate < end; ++gate) {
        float sum = 0;
        for (int part = 0; part < sharing.parts; ++part) {
            sum += shared.sums[((gate * sharing.parts + part) * kSamples + i) * op.units + unit];
        }
        total += sum * op.seen(sample, gate, unit);
    }
    return total;
}

template <int kSamples>
__device__ void beginBack(const Backward& op, const BackwardShared& shared, std::int64_t first, std::int64_t s) {
    forItems<kSamples>(op.units, [&](int i, int unit) {
        const std::int64_t sample = first + i;
        if (sample >= op.samples) return;
        const int at = unit * kSamples + i;
        const auto store = [&](int gate, float value) { shared.gradients[(gate * op.units + unit) * kSamples + i] = value; };
        shared.dh[at] = takeStepBack(op, sample, s, unit, shared.dh[at], shared.dc[at], store);
    });
}

// The reset gate's gradient without reset_after, from that of the state that the gate had reset.
template <int kSamples>
__device__ void resetBack(const Backward& op, const Sharing& sharing, const BackwardShared& shared, std::int64_t first, std::int64_t s) {
    forItems<kSamples>(op.units, [&](int i, int unit) {
        const std::int64_t sample = first + i;
        if (sample >= op.samples) return;
        const std::int64_t row = op.row(sample, s);
        if (!op.counts(row)) return;
        const float reset = op.all_gates[row * op.columns + op.units + unit];
        const float dreset = joined<kSamples>(op, sharing, shared, sample, i, unit, 2, 3);
        const float dz = dreset * op.previous[row * op.units + unit] * op.gateSlope(reset);
        op.dz[row * op.columns + op.units + unit] = dz;
        shared.gradients[(op.units + unit) * kSamples + i] = dz;
        shared.dh[unit * kSamples + i] += dreset * reset;
    });
}

template <int kSamples>
__global__ void __launch_bounds__(kMostThreads) backwardKernel(Backward op, Sharing sharing, const float* turned) {
    const BackwardShared shared(op, sharing, kSamples, dynamicShared<float>());
    const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * kSamples;
    const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x), state = op.units * kSamples;
    for (int i = thread; i < 2 * state; i += threads) shared.dh[i] = 0;  // dh, dc
    for (int i = thread; i < op.columns * kSamples; i += threads) shared.gradients[i] = 0;
    for (int i = thread; sharing.has_shared_kernel && i < op.units * op.columns; i += threads) {
        shared.turned[i % op.columns * shared.stride + i / op.columns] = op.kernel[i];
    }
    __syncthreads();
    const bool resets_first = op.isGru() && !op.a.reset_after;
    const int gated = resets_first ? 2 : op.gates;
    for (std::int64_t s = op.time; s-- > 0;) {
        beginBack<kSamples>(op, shared, first, s);
        __syncthreads();
        if (resets_first) {
            multiplyGradients<kSamples>(op, sharing, shared, turned, 2, 3);
            __syncthreads();
            resetBack<kSamples>(op, sharing, shared, first, s);
            __syncthreads();
        }
        if (s == 0) return;
        multiplyGradients<kSamples>(op, sharing, shared, turned, 0, gated);
        __syncthreads();
        forItems<kSamples>(op.units, [&](int i, int unit) {
            if (first + i >= op.samples) return;
            shared.dh[unit * kSamples + i] += joined<kSamples>(op, sharing, shared, first + i, i, unit, 0, gated);
        });
    }
}

// How blocks take samples: few each while that gives more blocks than a GPU has processors; the kernel in shared memory where it fits.
struct Blocks {
    Sharing sharing{};
    int samples = 1, threads = 32;
    std::size_t shared_bytes = 0;

    Grid grid(const Cell& cell) const {
        return {.blocks = dim3(static_cast<unsigned>((cell.samples + samples - 1) / samples)),
                .threads = dim3(static_cast<unsigned>(threads)),
                .shared_bytes = shared_bytes};
    }
    std::string text() const {
        return std::to_string(samples) + (samples == 1 ? " sample" : " samples") + " a block through time, U in " +
               (sharing.has_shared_kernel ? "shared memory" : "global memory");
    }
};

template <typename Shared>
Blocks chooseBlocks(const Cell& cell) {
    constexpr std::int64_t kProcessors = 160;
    constexpr int kLeastDepth = 8;  // of a part of a sum
    const std::int64_t limit = sharedLimit();
    Blocks blocks;
    Sharing& sharing = blocks.sharing;
    sharing.parts = std::max(1, std::min(kMostThreads / std::max(cell.columns, 1), cell.units / kLeastDepth));
    blocks.threads = std::clamp((cell.columns * sharing.parts + kWarp - 1) / kWarp * kWarp, kWarp, kMostThreads);
    for (const int samples : {4, 2, 1}) {
        blocks.samples = samples;
        if (samples > 1 && cell.samples < kProcessors * samples / 2) continue;
        for (const bool has_kernel : {true, false}) {
            sharing.has_shared_kernel = has_kernel;
            const std::int64_t bytes = Shared::floats(cell, sharing, samples) * static_cast<std::int64_t>(sizeof(float));
            blocks.shared_bytes = static_cast<std::size_t>(bytes);
            if (bytes <= limit) return blocks;
        }
    }
    throw Error(ErrorCode::kUnimplemented,
                "recurrent layer: " + std::to_string(cell.units) + " units need more shared memory than this GPU has");
}

template <typename Function>
void withSamples(int samples, Function&& function) {
    if (samples == 4) return function.template operator()<4>();
    if (samples == 2) return function.template operator()<2>();
    return function.template operator()<1>();
}

}  // namespace

BoundOp bindRecurrentBlocks(const Forward& op) {
    const Blocks blocks = chooseBlocks<ForwardShared>(op);
    BoundOp bound;
    bound.kernel = blocks.text();
    withSamples(blocks.samples, [&]<int kSamples>() {
        allowShared("recurrent layer", forwardKernel<kSamples>);
        bound.enqueue = [op, blocks](cudaStream_t stream, std::byte*) {
            launch("recurrent layer", blocks.grid(op), stream, forwardKernel<kSamples>, op, blocks.sharing);
        };
    });
    return bound;
}

BoundOp bindRecurrentBlocks(const Backward& op) {
    const Blocks blocks = chooseBlocks<BackwardShared>(op);
    BoundOp bound;
    bound.kernel = blocks.text();
    if (!blocks.sharing.has_shared_kernel) {
        bound.scratch_bytes = static_cast<std::int64_t>(op.units) * op.columns * static_cast<std::int64_t>(sizeof(float));
    }
    withSamples(blocks.samples, [&]<int kSamples>() {
        allowShared("recurrent layer's gradients", backwardKernel<kSamples>);
        bound.enqueue = [op, blocks](cudaStream_t stream, std::byte* scratch) {
            const float* turned = nullptr;
            if (!blocks.sharing.has_shared_kernel) {
                constexpr auto kFloat = tensor::DType::kFloat32;
                enqueueTranspose(stream, op.kernel, kFloat, scratch, kFloat, op.units, op.columns);
                turned = reinterpret_cast<const float*>(scratch);
            }
            launch("recurrent layer's gradients", blocks.grid(op), stream, backwardKernel<kSamples>, op, blocks.sharing, turned);
        };
    });
    return bound;
}

}  // namespace engine::backend::cuda
