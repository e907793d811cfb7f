// The CTC loss; formulas in engine/backend/losses/ctc_loss.h. One block weighs the samples; some lanes take each frame's softmax; a block
// has each sample's recursions, whose threads share the states; one block adds the losses up.
#include <algorithm>
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/device_lanes.h"
#include "engine/backend/cuda/kernels/launch.h"
#include "engine/backend/loss_weights.h"
#include "engine/backend/losses/ctc_loss.h"
#include "engine/plan/loss_attributes.h"
#include "engine/plan/memory.h"

namespace engine::backend::cuda {
namespace {

constexpr unsigned kThreads = 128;

struct Ctc {
    const StepParameters* step;
    plan::LossReduction reduction;
    const std::int32_t* labels;  // (batch, room.columns)
    const float* weights;        // (batch), or null
    const float* scores;         // (batch, room.frames, classes)
    float* gradient;             // or null
    float* header;
    LossScale* scale;
    double* losses;    // (batch): times their weights
    double* log_sums;  // (batch, room.frames)
    double* memory;    // (batch, room.doubles())
    CtcRoom room;
    std::int64_t batch, classes;
    int replicas, width;

    __device__ double weightOf(std::int64_t i) const { return weights == nullptr ? 1.0 : static_cast<double>(weights[i]); }
    __device__ double gradientScale(std::int64_t i) const { return scale->row * weightOf(i) / scale->replicas; }
};

__global__ void scaleKernel(Ctc op) {
    CountedRows counted;
    for (std::int64_t i = threadIdx.x; i < op.step->samples; i += blockDim.x) {
        counted.rows += 1;
        counted.weights += op.weightOf(i);
    }
    counted.rows = sumOfBlock(counted.rows);
    counted.weights = sumOfBlock(counted.weights);
    if (threadIdx.x == 0) *op.scale = lossScale(op.reduction, counted, op.replicas);
}

__global__ void frameKernel(Ctc op) {
    const std::int64_t thread = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    const std::int64_t frames = op.batch * op.room.frames, place = thread / op.width;
    const bool is_frame = place < frames;
    const std::int64_t frame = is_frame ? place : frames - 1, sample = frame / op.room.frames;
    const bool is_present = sample < op.step->samples;
    const WarpLanes lanes{op.width};
    float* gradient = is_frame && op.gradient != nullptr ? op.gradient + frame * op.classes : nullptr;
    const double log_sum = ctcFrame(op.scores + frame * op.classes, op.classes, is_present ? gradient : nullptr,
                                    is_present ? op.gradientScale(sample) : 0, lanes);
    if (is_frame && lanes.first() == 0) op.log_sums[frame] = log_sum;
    for (std::int64_t c = lanes.first(); !is_present && gradient != nullptr && c < op.classes; c += lanes.step()) gradient[c] = 0;
}

__global__ void __launch_bounds__(kThreads) sampleKernel(Ctc op) {
    const std::int64_t i = blockIdx.x, elements = op.room.frames * op.classes;
    if (i >= op.step->samples) return;
    const CtcSample sample{.scores = op.scores + i * elements,
                           .labels = op.labels + i * op.room.columns,
                           .log_sums = op.log_sums + i * op.room.frames,
                           .classes = op.classes,
                           .gradient = op.gradient == nullptr ? nullptr : op.gradient + i * elements,
                           .scale = op.gradientScale(i),
                           .room = op.room,
                           .memory = op.memory + i * op.room.doubles()};
    const double loss = CtcPaths<BlockLanes>(sample, BlockLanes{}).run();
    if (threadIdx.x == 0) op.losses[i] = op.weightOf(i) * loss;
}

__global__ void headerKernel(Ctc op) {
    const std::int64_t samples = op.step->samples;
    double sum = 0;
    for (std::int64_t i = threadIdx.x; i < samples; i += blockDim.x) sum += op.losses[i];
    sum = sumOfBlock(sum);
    if (threadIdx.x != 0) return;
    op.header[plan::StepHeader::kLossSum] = static_cast<float>(sum * op.scale->row * static_cast<double>(samples));
    op.header[plan::StepHeader::kCount] = static_cast<float>(samples);
}

// Where the parts of the op's memory begin.
struct Places {
    std::int64_t losses = 0, log_sums = 0, memory = 0, end = 0;
};
Places placesOf(const Ctc& op) {
    const auto bytes = [](std::int64_t doubles) { return plan::alignUp(doubles * static_cast<std::int64_t>(sizeof(double))); };
    Places places;
    places.losses = plan::alignUp(static_cast<std::int64_t>(sizeof(LossScale)));
    places.log_sums = places.losses + bytes(op.batch);
    places.memory = places.log_sums + bytes(op.batch * op.room.frames);
    places.end = places.memory + bytes(op.batch * op.room.doubles());
    return places;
}

}  // namespace

BoundOp bindCtcLoss(const Context& context, const plan::Op& op) {
    const auto& loss = std::get<plan::LossAttributes>(op.attributes);
    Ctc args{};
    args.step = context.step();
    args.reduction = loss.reduction;
    args.labels = context.as<std::int32_t>(op.inputs[1]);
    const plan::RowWeights weights = plan::rowWeights(context.plan(), op);
    if (weights.samples != plan::kNoTensor) args.weights = context.floats(weights.samples);
    args.scores = context.floats(op.inputs[0]);
    if (op.outputs.size() > 1) args.gradient = context.floats(op.outputs[0]);
    args.header = context.floats(context.plan().header);
    args.batch = context.plan().batch;
    args.classes = context.shape(op.inputs[0]).back();
    args.room = ctcRoom(context.shape(op.inputs[0])[1], context.shape(op.inputs[1]).back());
    args.replicas = context.plan().replicas;
    args.width = lanesOfRow(args.classes);

    const Places places = placesOf(args);
    BoundOp bound;
    bound.kernel = "a block a sample";
    bound.scratch_bytes = places.end;
    bound.enqueue = [args, places](cudaStream_t stream, std::byte* scratch) {
        Ctc placed = args;
        placed.scale = reinterpret_cast<LossScale*>(scratch);
        placed.losses = reinterpret_cast<double*>(scratch + places.losses);
        placed.log_sums = reinterpret_cast<double*>(scratch + places.log_sums);
        placed.memory = reinterpret_cast<double*>(scratch + places.memory);
        launch("weights of the loss", {.threads = dim3(kThreads)}, stream, scaleKernel, placed);
        launch("frames of the loss", gridOf(args.batch * args.room.frames * args.width, kThreads), stream, frameKernel, placed);
        launch("loss of samples", {.blocks = dim3(static_cast<unsigned>(args.batch)), .threads = dim3(kThreads)}, stream, sampleKernel,
               placed);
        launch("loss", {.threads = dim3(kThreads)}, stream, headerKernel, placed);
    };
    return bound;
}

}  // namespace engine::backend::cuda
