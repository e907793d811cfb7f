// Softmax (or Keras' clipped probabilities), sparse cross-entropy, accuracy and the gradient of the scores in one pass over the rows. The
// header's sums come from the same kernel where one block takes all rows, else from a second one.
#include <cmath>
#include <string>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/row_sums.h"
#include "engine/backend/loss_formulas.h"

namespace engine::backend::cuda {
namespace {

struct CrossEntropy {
    const StepParameters* step;
    const float* scores;         // (rows, columns)
    const std::int32_t* labels;  // (rows)
    float* gradient;             // (rows, columns), or null
    float* header;
    RowSums* partial;  // losses, right answers: one a block; null: to the header
    std::int64_t rows, columns, rows_per_sample;
    int replicas, width;
    bool from_logits;
    plan::LossAttributes probabilities;
};

__device__ void writeHeader(float* header, RowSums sums, std::int64_t samples) {
    header[plan::StepHeader::kLossSum] = static_cast<float>(sums.first);
    header[plan::StepHeader::kCorrect] = static_cast<float>(sums.second);
    header[plan::StepHeader::kCount] = static_cast<float>(samples);
}

// Rows that the step lacks get a gradient of zeros.
template <typename Lanes>
__device__ RowSums computeRow(const CrossEntropy& op, std::int64_t row, bool is_row, bool counts, float scale, Lanes lanes) {
    const float* scores = op.scores + row * op.columns;
    float* gradient = is_row && op.gradient != nullptr ? op.gradient + row * op.columns : nullptr;
    const std::int64_t label = counts ? op.labels[row] : 0;
    const PlacedValue best = firstLargest(scores, op.columns, lanes);
    double loss = 0;
    if (op.from_logits) {
        float total = 0;
        for (std::int64_t i = lanes.first(); i < op.columns; i += lanes.step()) total += expf(scores[i] - best.value);
        total = lanes.added(total);
        loss = static_cast<double>(logf(total)) + (static_cast<double>(best.value) - static_cast<double>(scores[label]));
        const float factor = scale / total;
        for (std::int64_t i = lanes.first(); gradient != nullptr && i < op.columns; i += lanes.step()) {
            gradient[i] = counts ? expf(scores[i] - best.value) * factor - (i == label ? scale : 0.0F) : 0.0F;
        }
    } else {
        const double own_scale = counts ? static_cast<double>(scale) : 0;
        loss = sparseCrossEntropy<float>(LossRow{op.probabilities, scores, op.columns, gradient, own_scale}, label, lanes);
    }
    if (!counts) return {};
    return {loss, best.index == label ? 1.0 : 0.0};
}

template <bool kWide>
__global__ void __launch_bounds__(kMostRowThreads) crossEntropyKernel(CrossEntropy op) {
    const std::int64_t samples = op.step->samples, present = samples * op.rows_per_sample;
    const auto scale = static_cast<float>(1.0 / (static_cast<double>(samples < 1 ? 1 : samples) * op.replicas));
    const RowSums sums = sumOverRows<kWide>(op.rows, op.width, [&](std::int64_t row, bool is_row, auto lanes) {
        return computeRow(op, row, is_row, is_row && row < present, scale, lanes);
    });
    if (threadIdx.x != 0) return;
    if (op.partial == nullptr) {
        writeHeader(op.header, sums, samples);
    } else {
        op.partial[blockIdx.x] = sums;
    }
}

__global__ void finishCrossEntropy(CrossEntropy op, int blocks) {
    const RowSums sums = sumOverBlocks(op.partial, blocks);
    if (threadIdx.x == 0) writeHeader(op.header, sums, op.step->samples);
}

}  // namespace

BoundOp bindCrossEntropy(const Context& context, const plan::Op& op) {
    CrossEntropy args{};
    args.step = context.step();
    args.scores = context.floats(op.inputs[0]);
    args.labels = context.as<std::int32_t>(op.inputs[1]);
    if (op.outputs.size() > 1) args.gradient = context.floats(op.outputs[0]);
    args.header = context.floats(context.plan().header);
    args.columns = context.shape(op.inputs[0]).back();
    args.rows = context.elements(op.inputs[0]) / args.columns;
    args.rows_per_sample = args.rows / context.plan().batch;
    args.replicas = context.plan().replicas;
    args.from_logits = std::get<plan::CrossEntropyAttributes>(op.attributes).from_logits;
    const RowGrid rows(args.rows, args.columns);
    args.width = rows.width;

    BoundOp bound;
    bound.kernel = rows.text();
    if (rows.blocks > 1) bound.scratch_bytes = rows.partialBytes();
    bound.enqueue = [args, rows](cudaStream_t stream, std::byte* scratch) {
        CrossEntropy placed = args;
        placed.partial = rows.blocks > 1 ? reinterpret_cast<RowSums*>(scratch) : nullptr;
        launch("cross-entropy", rows.grid(), stream, rows.width == 0 ? crossEntropyKernel<true> : crossEntropyKernel<false>, placed);
        if (rows.blocks == 1) return;
        launch("sums of the cross-entropy", {.threads = dim3(256)}, stream, finishCrossEntropy, placed, static_cast<int>(rows.blocks));
    };
    return bound;
}

}  // namespace engine::backend::cuda
