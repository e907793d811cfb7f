// The circle loss; formulas in engine/backend/circle_loss.h. The distances of all samples, a row of them a block for each sample's loss,
// one block for the batch's; then the distances become coefficients, and the gradient their product with the scores.
#include <variant>

#include "engine/backend/circle_loss.h"
#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/device_lanes.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/plan/loss_attributes.h"
#include "engine/plan/memory.h"

namespace engine::backend::cuda {
namespace {

struct Circle {
    const StepParameters* step;
    plan::LossAttributes loss;
    LossBatch labels;  // samples: of the step, set in kernels
    const float* scores;
    float* gradient;  // or null
    float* header;
    LossScale* scale;
    CircleRow* rows;  // (batch)
    float* pairs;     // (batch, batch)
    std::int64_t batch, columns;

    __device__ LossBatch present() const {
        LossBatch result = labels;
        result.samples = step->samples;
        return result;
    }
};

__global__ void distanceKernel(Circle op) {
    const std::int64_t pair = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t i = pair / op.batch, j = pair % op.batch, samples = op.step->samples;
    if (i >= samples || j >= samples) return;
    double product = 0;
    for (std::int64_t k = 0; k < op.columns; ++k) {
        product += static_cast<double>(op.scores[i * op.columns + k]) * static_cast<double>(op.scores[j * op.columns + k]);
    }
    op.pairs[pair] = static_cast<float>(1 - product);
}

__global__ void sampleKernel(Circle op) {
    const std::int64_t i = blockIdx.x;
    if (i >= op.step->samples) return;
    const CircleRow row = circleRow(op.loss, op.present(), i, op.pairs + i * op.batch, BlockLanes{});
    if (threadIdx.x == 0) op.rows[i] = row;
}

__global__ void batchKernel(Circle op) {
    const LossBatch labels = op.present();
    CountedRows counted;
    double sum = 0;
    for (std::int64_t i = threadIdx.x; i < labels.samples; i += blockDim.x) {
        const CountedRows one = countedRow(labels, op.rows[i], i);
        counted.rows += one.rows;
        counted.weights += one.weights;
        sum += (labels.weights == nullptr ? 1.0 : static_cast<double>(labels.weights[i])) * op.rows[i].loss;
    }
    counted.rows = sumOfBlock(counted.rows);
    counted.weights = sumOfBlock(counted.weights);
    sum = sumOfBlock(sum);
    if (threadIdx.x != 0) return;
    const LossScale scale = lossScale(op.loss.reduction, counted, 1);
    *op.scale = scale;
    op.header[plan::StepHeader::kLossSum] = static_cast<float>(sum * scale.row * static_cast<double>(labels.samples));
    op.header[plan::StepHeader::kCount] = static_cast<float>(labels.samples);
}

__global__ void coefficientKernel(Circle op) {
    const std::int64_t pair = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t i = pair / op.batch, j = pair % op.batch, samples = op.step->samples;
    if (i >= samples || j >= samples) return;
    op.pairs[pair] = static_cast<float>(op.scale->row * circleCoefficient(op.loss, op.labels, op.rows, i, j, op.pairs[pair]));
}

__global__ void gradientKernel(Circle op) {
    const std::int64_t element = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t i = element / op.columns, k = element % op.columns, samples = op.step->samples;
    if (i >= op.batch) return;
    double sum = 0;
    for (std::int64_t j = 0; i < samples && j < samples; ++j) {
        sum += static_cast<double>(op.pairs[i * op.batch + j]) * static_cast<double>(op.scores[j * op.columns + k]);
    }
    op.gradient[element] = static_cast<float>(sum);
}

}  // namespace

BoundOp bindCircleLoss(const Context& context, const plan::Op& op) {
    constexpr unsigned kThreads = 128;
    Circle args{};
    args.step = context.step();
    args.loss = std::get<plan::LossAttributes>(op.attributes);
    args.labels.classes = context.as<std::int32_t>(op.inputs[1]);
    const plan::RowWeights weights = plan::rowWeights(context.plan(), op);
    if (weights.samples != plan::kNoTensor) args.labels.weights = context.floats(weights.samples);
    args.scores = context.floats(op.inputs[0]);
    if (op.outputs.size() > 1) args.gradient = context.floats(op.outputs[0]);
    args.header = context.floats(context.plan().header);
    args.batch = context.plan().batch;
    args.columns = context.shape(op.inputs[0]).back();

    const std::int64_t scale_bytes = plan::alignUp(static_cast<std::int64_t>(sizeof(LossScale)));
    const std::int64_t row_bytes = plan::alignUp(args.batch * static_cast<std::int64_t>(sizeof(CircleRow)));
    BoundOp bound;
    bound.kernel = "a block a sample";
    bound.scratch_bytes = scale_bytes + row_bytes + args.batch * args.batch * static_cast<std::int64_t>(sizeof(float));
    bound.enqueue = [=](cudaStream_t stream, std::byte* scratch) {
        Circle placed = args;
        placed.scale = reinterpret_cast<LossScale*>(scratch);
        placed.rows = reinterpret_cast<CircleRow*>(scratch + scale_bytes);
        placed.pairs = reinterpret_cast<float*>(scratch + scale_bytes + row_bytes);
        const Grid samples{.blocks = dim3(static_cast<unsigned>(args.batch)), .threads = dim3(kThreads)};
        launch("distances of samples", gridOf(args.batch * args.batch), stream, distanceKernel, placed);
        launch("loss of samples", samples, stream, sampleKernel, placed);
        launch("loss", {.threads = dim3(kThreads)}, stream, batchKernel, placed);
        if (placed.gradient == nullptr) return;
        launch("coefficients of samples", gridOf(args.batch * args.batch), stream, coefficientKernel, placed);
        launch("gradient of samples", gridOf(args.batch * args.columns), stream, gradientKernel, placed);
    };
    return bound;
}

}  // namespace engine::backend::cuda
