// Regularizers: their part of the loss, summed by blocks of a fixed size in fixed order, and of the gradients.
#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/device_lanes.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/cuda/kernels/values.h"
#include "engine/backend/cuda/training/orthogonal_penalty.h"
#include "engine/plan/memory.h"

namespace engine::backend::cuda {
namespace {

constexpr int kThreads = 256;
constexpr std::int64_t kChunk = 4096;  // values a block

struct Penalised {
    const void* values;
    std::int64_t count;
    int first_block;
    std::int64_t sample_elements;  // of an activity: elements that each sample present has; 0 of a variable
    float l1, l2;
    tensor::DType dtype;
};
constexpr int kInputs = 48;  // travel with a launch
struct Inputs {
    Penalised inputs[kInputs];
    int count;
};

__device__ float valueAt(const Penalised& x, std::int64_t i) {
    switch (x.dtype) {
        case tensor::DType::kBFloat16:
            return toFloat(static_cast<const __nv_bfloat16*>(x.values)[i]);
        case tensor::DType::kFloat16:
            return toFloat(static_cast<const __half*>(x.values)[i]);
        default:
            return static_cast<const float*>(x.values)[i];
    }
}

__global__ void penaltyKernel(const StepParameters* step, Inputs from, double* partial) {
    int which = 0;
    while (which + 1 < from.count && from.inputs[which + 1].first_block <= static_cast<int>(blockIdx.x)) ++which;
    const Penalised& x = from.inputs[which];
    const std::int64_t samples = step->samples;
    const std::int64_t present = x.sample_elements > 0 ? samples * x.sample_elements : x.count;
    const std::int64_t begin = (static_cast<std::int64_t>(blockIdx.x) - x.first_block) * kChunk;
    const std::int64_t end = begin + kChunk < present ? begin + kChunk : present;
    double sizes = 0, squares = 0;
    for (std::int64_t i = begin + threadIdx.x; i < end; i += kThreads) {
        const auto value = static_cast<double>(valueAt(x, i));
        sizes += value < 0 ? -value : value;
        squares += value * value;
    }
    sizes = sumOfBlock(sizes);
    squares = sumOfBlock(squares);
    if (threadIdx.x != 0) return;
    const double value = static_cast<double>(x.l1) * sizes + static_cast<double>(x.l2) * squares;
    partial[blockIdx.x] = x.sample_elements > 0 && samples > 0 ? value / static_cast<double>(samples) : value;
}

__global__ void addPenalties(const StepParameters* step, const double* partial, std::int64_t blocks, float* header) {
    double total = 0;
    for (std::int64_t i = threadIdx.x; i < blocks; i += blockDim.x) total += partial[i];
    total = sumOfBlock(total);
    if (threadIdx.x == 0) header[plan::StepHeader::kLossSum] += static_cast<float>(total * static_cast<double>(step->samples));
}

BoundOp bindValue(const Context& context, const plan::Op& op) {
    const auto& penalties = std::get<plan::PenaltyAttributes>(op.attributes).penalties;
    std::vector<Inputs> groups;
    std::vector<std::int64_t> blocks_of;
    std::int64_t blocks = 0;
    std::vector<OrthogonalMatrix> matrices;  // their parts stand behind the blocks
    std::int64_t vectors = 0, length_bytes = 0;
    for (std::size_t i = 0; i < penalties.size(); ++i) {
        if (penalties[i].vectors != plan::PenalisedVectors::kNone) {
            matrices.push_back(orthogonalMatrix(penalties[i], context.shape(op.inputs[i]), context.floats(op.inputs[i])));
            vectors += matrices.back().count;
            length_bytes = std::max(length_bytes, orthogonalScratch(matrices.back()));
            continue;
        }
        const std::int64_t count = context.elements(op.inputs[i]);
        if (groups.empty() || groups.back().count == kInputs) {
            groups.push_back({});
            blocks_of.push_back(0);
        }
        Inputs& group = groups.back();
        group.inputs[group.count++] = {.values = context.bytes(op.inputs[i]),
                                       .count = count,
                                       .first_block = static_cast<int>(blocks_of.back()),
                                       .sample_elements = penalties[i].of_activity ? count / context.plan().batch : 0,
                                       .l1 = penalties[i].l1,
                                       .l2 = penalties[i].l2,
                                       .dtype = context.tensor(op.inputs[i]).dtype};
        const std::int64_t own = std::max<std::int64_t>((count + kChunk - 1) / kChunk, 1);
        blocks_of.back() += own;
        blocks += own;
    }
    BoundOp bound;
    bound.kernel = std::to_string(blocks) + (blocks == 1 ? " block" : " blocks");
    const std::int64_t partial_bytes = plan::alignUp((blocks + vectors) * static_cast<std::int64_t>(sizeof(double)));
    bound.scratch_bytes = partial_bytes + length_bytes;
    bound.enqueue = [=, step = context.step(), header = context.floats(context.plan().header)](cudaStream_t stream, std::byte* scratch) {
        auto* partial = reinterpret_cast<double*>(scratch);
        std::int64_t first = 0;
        for (std::size_t i = 0; i < groups.size(); ++i) {
            const Grid grid{.blocks = dim3(static_cast<unsigned>(blocks_of[i])), .threads = dim3(kThreads)};
            launch("penalties", grid, stream, penaltyKernel, step, groups[i], partial + first);
            first += blocks_of[i];
        }
        for (const OrthogonalMatrix& matrix : matrices) {
            launchOrthogonalParts(matrix, partial + first, stream, scratch + partial_bytes);
            first += matrix.count;
        }
        launch("sum of penalties", {.threads = dim3(kThreads)}, stream, addPenalties, step, partial, blocks + vectors, header);
    };
    return bound;
}

struct Slope {
    const StepParameters* step;
    float l1, l2;
    double replicas;
    const float* scale;                   // of the loss, or null
    std::int64_t count, sample_elements;  // as of Penalised
};

template <typename X, typename G>
__global__ void slopeKernel(Slope op, const X* x, G* gradient) {
    __shared__ float factors[2];
    const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t samples = op.step->samples;
    const std::int64_t present = op.sample_elements > 0 ? samples * op.sample_elements : op.count;
    if (threadIdx.x == 0) {  // once a block: divisions of doubles are dear
        double parts = op.sample_elements > 0 ? op.replicas * static_cast<double>(samples) : op.replicas;
        if (op.scale != nullptr) parts /= static_cast<double>(*op.scale);
        factors[0] = static_cast<float>(static_cast<double>(op.l1) / parts);
        factors[1] = static_cast<float>(2.0 * static_cast<double>(op.l2) / parts);
    }
    __syncthreads();
    if (i >= present) return;
    const float l1 = factors[0], l2 = factors[1], value = toFloat(x[i]);
    gradient[i] = fromFloat<G>(toFloat(gradient[i]) + l1 * static_cast<float>((value > 0) - (value < 0)) + l2 * value);
}

BoundOp bindSlope(const Context& context, const plan::Op& op) {
    const plan::Penalty penalty = std::get<plan::PenaltyAttributes>(op.attributes).penalties.front();
    if (penalty.vectors != plan::PenalisedVectors::kNone) return bindOrthogonalSlope(context, op);
    const plan::TensorId x = op.inputs[0], gradient = op.outputs[0];
    Slope slope{.step = context.step(),
                .l1 = penalty.l1,
                .l2 = penalty.l2,
                .replicas = static_cast<double>(context.plan().replicas),
                .scale = op.inputs.size() > 2 ? context.floats(op.inputs[2]) : nullptr,
                .count = context.elements(x),
                .sample_elements = 0};
    if (penalty.of_activity) slope.sample_elements = slope.count / context.plan().batch;
    BoundOp bound;
    bound.kernel = "a pass over values";
    withValues(context.tensor(x), [&]<typename X>() {
        withValues(context.tensor(gradient), [&]<typename G>() {
            bound.enqueue = [slope, from = context.as<X>(x), to = context.as<G>(gradient)](cudaStream_t stream, std::byte*) {
                launch("slope of a penalty", gridOf(slope.count), stream, slopeKernel<X, G>, slope, from, to);
            };
        });
    });
    return bound;
}

}  // namespace

BoundOp bindPenalty(const Context& context, const plan::Op& op) {
    return op.kind == plan::OpKind::kPenalty ? bindValue(context, op) : bindSlope(context, op);
}

}  // namespace engine::backend::cuda
