// The loss op: any of Keras' losses but the circle loss and CTC; formulas in engine/backend/loss_formulas.h. Where labels or weights decide
// how a row weighs, one block looks at all of them first; then the rows with their gradients; then the sum, unless one block took all rows.
#include <cmath>
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/row_sums.h"
#include "engine/backend/loss_formulas.h"
#include "engine/backend/loss_weights.h"
#include "engine/plan/loss_attributes.h"

namespace engine::backend::cuda {
namespace {

struct Loss {
    const StepParameters* step;
    plan::LossAttributes loss;
    LossBatch batch;  // samples: of the step, set in kernels
    const float* scores;
    float* gradient;  // or null
    float* header;
    LossScale* scale;            // of what the rows say; null: the number of rows says all
    RowSums* partial;            // null: to the header
    std::int64_t rows, columns;  // of a full batch
    int replicas, width;
};

// The scale when all rows count the same.
__device__ LossScale plainScale(const Loss& op, std::int64_t samples) {
    const auto rows = static_cast<double>(op.batch.layout.rows(samples));
    if (op.batch.layout.joins()) {
        const auto counted = static_cast<double>(samples);
        return joinedScale(op.loss.reduction, {counted, counted}, false, op.rows);
    }
    return lossScale(op.loss.reduction, {rows, rows}, op.replicas);
}

__global__ void __launch_bounds__(kMostRowThreads) scaleKernel(Loss op) {
    const LossLayout layout = op.batch.layout;
    const std::int64_t rows_per_sample = layout.joins() ? 1 : layout.rows_per_sample, rows = op.step->samples * rows_per_sample;
    CountedRows counted;
    for (std::int64_t row = threadIdx.x; row < rows; row += blockDim.x) {
        if (!isCounted(op.batch, row)) continue;
        counted.rows += 1;
        counted.weights += op.batch.weights == nullptr ? 1.0 : static_cast<double>(op.batch.weights[row / rows_per_sample]);
    }
    counted.rows = sumOfBlock(counted.rows);
    counted.weights = sumOfBlock(counted.weights);
    LossScale scale = layout.joins() ? joinedScale(op.loss.reduction, counted, op.batch.weights != nullptr, op.rows)
                                     : lossScale(op.loss.reduction, counted, op.replicas);
    if (isHinge(op.loss.kind)) {
        int others = 0;
        for (std::int64_t i = threadIdx.x; i < rows * op.columns; i += blockDim.x) {
            others |= op.batch.values[i] == 0 || op.batch.values[i] == 1 ? 0 : 1;
        }
        scale.zero_one = sumOfBlock(others) == 0;
    }
    if (threadIdx.x == 0) *op.scale = scale;
}

template <typename Lanes>
__device__ RowSums computeRow(const Loss& op, const LossScale& scale, std::int64_t row, bool is_row, bool counts, Lanes lanes) {
    const RowTarget target = counts ? rowTarget(op.batch, row) : RowTarget{0, 0};
    const LossLayout& layout = op.batch.layout;
    const std::int64_t begin = layout.begin(row), present = layout.rowElements(op.step->samples);
    float* gradient = is_row && op.gradient != nullptr ? op.gradient + begin : nullptr;
    const LossRow own{op.loss, op.scores + begin, present, gradient, scale.row * target.weight / scale.replicas, layout.stride};
    const double loss = op.batch.classes != nullptr ? classLoss<float>(own, target.class_id, lanes)
                                                    : rowLoss<float>(own, op.batch.values + (counts ? begin : 0), scale.zero_one, lanes);
    // What a formula makes of a row that the step lacks need not be finite: 0 times it is no 0.
    if (gradient != nullptr) {
        const std::int64_t kept = counts ? present : 0;
        for (std::int64_t i = lanes.first(); i < op.columns; i += lanes.step()) {
            if (i >= kept) gradient[i * layout.stride] = 0;
        }
    }
    return {counts ? target.weight * loss : 0, 0};
}

__device__ void writeHeader(const Loss& op, const LossScale& scale, double sum, std::int64_t samples) {
    op.header[plan::StepHeader::kLossSum] = static_cast<float>(sum * scale.row * static_cast<double>(samples));
    op.header[plan::StepHeader::kCount] = static_cast<float>(samples);
}

template <bool kWide>
__global__ void __launch_bounds__(kMostRowThreads, 1) lossKernel(Loss op) {
    const std::int64_t samples = op.step->samples, present = op.batch.layout.rows(samples);
    const LossScale scale = op.scale == nullptr ? plainScale(op, samples) : *op.scale;
    const RowSums sums = sumOverRows<kWide>(op.rows, op.width, [&](std::int64_t row, bool is_row, auto lanes) {
        return computeRow(op, scale, row, is_row, is_row && row < present, lanes);
    });
    if (threadIdx.x != 0) return;
    if (op.partial == nullptr) {
        writeHeader(op, scale, sums.first, samples);
    } else {
        op.partial[blockIdx.x] = sums;
    }
}

__global__ void finishLoss(Loss op, int blocks) {
    const std::int64_t samples = op.step->samples;
    const LossScale scale = op.scale == nullptr ? plainScale(op, samples) : *op.scale;
    const RowSums sums = sumOverBlocks(op.partial, blocks);
    if (threadIdx.x == 0) writeHeader(op, scale, sums.first, samples);
}

}  // namespace

BoundOp bindLoss(const Context& context, const plan::Op& op) {
    if (std::get<plan::LossAttributes>(op.attributes).kind == plan::LossKind::kCircle) return bindCircleLoss(context, op);
    if (std::get<plan::LossAttributes>(op.attributes).kind == plan::LossKind::kCtc) return bindCtcLoss(context, op);
    Loss args{};
    args.step = context.step();
    args.loss = std::get<plan::LossAttributes>(op.attributes);
    args.scores = context.floats(op.inputs[0]);
    args.batch.layout = lossLayout(args.loss, context.shape(op.inputs[0]));
    args.columns = args.batch.layout.rowElements(context.plan().batch);
    args.rows = args.batch.layout.rows(context.plan().batch);
    if (plan::hasClassLabels(args.loss.kind)) {
        args.batch.classes = context.as<std::int32_t>(op.inputs[1]);
    } else {
        args.batch.values = context.floats(op.inputs[1]);
    }
    ignoreClass(args.loss, args.batch);
    const plan::RowWeights weights = plan::rowWeights(context.plan(), op);
    if (weights.samples != plan::kNoTensor) args.batch.weights = context.floats(weights.samples);
    if (weights.mask != plan::kNoTensor) args.batch.mask = context.cells(weights.mask);
    if (op.outputs.size() > 1) args.gradient = context.floats(op.outputs[0]);
    args.header = context.floats(context.plan().header);
    args.replicas = context.plan().replicas;
    const RowGrid rows(args.rows, args.columns);
    args.width = rows.width;
    const bool looks_at_rows =
        args.batch.ignores_class || args.batch.mask != nullptr || isHinge(args.loss.kind) ||
        (args.batch.weights != nullptr && (args.batch.layout.joins() || args.loss.reduction == plan::LossReduction::kWeightedMean));

    constexpr std::int64_t kScaleBytes = 256;
    BoundOp bound;
    bound.kernel = rows.text() + (looks_at_rows ? ", after a look at all labels" : "");
    bound.scratch_bytes = kScaleBytes + (rows.blocks > 1 ? rows.partialBytes() : 0);
    bound.enqueue = [args, rows, looks_at_rows](cudaStream_t stream, std::byte* scratch) {
        Loss placed = args;
        placed.scale = looks_at_rows ? reinterpret_cast<LossScale*>(scratch) : nullptr;
        placed.partial = rows.blocks > 1 ? reinterpret_cast<RowSums*>(scratch + kScaleBytes) : nullptr;
        if (looks_at_rows) launch("weights of the loss", {.threads = dim3(kMostRowThreads)}, stream, scaleKernel, placed);
        launch("loss", rows.grid(), stream, rows.width == 0 ? lossKernel<true> : lossKernel<false>, placed);
        if (rows.blocks > 1) launch("sum of the loss", {.threads = dim3(256)}, stream, finishLoss, placed, static_cast<int>(rows.blocks));
    };
    return bound;
}

}  // namespace engine::backend::cuda
