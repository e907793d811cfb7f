#include "engine/backend/cuda/bind_op.h"

#include <utility>
#include <variant>

#include "engine/backend/cuda/status.h"
#include "engine/backend/cuda/training/update.h"
#include "engine/plan/op_table.h"

namespace engine::backend::cuda {
namespace {

BoundOp bindAlone(const Context& context, const plan::Op& op, std::size_t rule) {
    using plan::OpFamily;
    switch (plan::rowOf(op.kind).family) {
        case OpFamily::kGather:
            return bindGather(context, op);
        case OpFamily::kConvolution:
        case OpFamily::kConvolutionBack:
            return bindConvolution(context, op);
        case OpFamily::kDense:
        case OpFamily::kDenseBack:
            return bindDense(context, op);
        case OpFamily::kBias:
            return bindBias(context, op);
        case OpFamily::kActivation:
        case OpFamily::kPrelu:
            return bindActivation(context, op);
        case OpFamily::kPooling:
            return bindPooling(context, op);
        case OpFamily::kBatchNorm:
            return bindBatchNorm(context, op);
        case OpFamily::kGroupNorm:
            return bindGroupNorm(context, op);
        case OpFamily::kSpectralNorm:
            return bindSpectralNorm(context, op);
        case OpFamily::kIds:
        case OpFamily::kEmbedding:
            return bindEmbedding(context, op);
        case OpFamily::kRecurrent:
            return bindRecurrent(context, op);
        case OpFamily::kAttention:
            return bindAttention(context, op);
        case OpFamily::kMerge:
            return bindMerge(context, op);
        case OpFamily::kMask:
            return bindMask(context, op);
        case OpFamily::kCast:
        case OpFamily::kAffine:
        case OpFamily::kStandardize:
            return bindElementwise(context, op);
        case OpFamily::kImage:
            if (std::holds_alternative<plan::RandomColors>(op.attributes)) return bindColor(context, op);
            if (std::holds_alternative<plan::RandomErasing>(op.attributes)) return bindErasing(context, op);
            if (std::holds_alternative<plan::RandomBlur>(op.attributes)) return bindBlur(context, op);
            if (std::holds_alternative<plan::RandomElastic>(op.attributes)) return bindElastic(context, op);
            if (std::holds_alternative<plan::ImageLevels>(op.attributes)) return bindLevels(context, op);
            if (std::holds_alternative<plan::RandomMix>(op.attributes)) return bindMix(context, op);
            return bindImage(context, op);
        case OpFamily::kSignal:
            return bindSignal(context, op);
        case OpFamily::kNoise:
            return bindNoise(context, op);
        case OpFamily::kCrossEntropy:
            return bindCrossEntropy(context, op);
        case OpFamily::kLoss:
            return bindLoss(context, op);
        case OpFamily::kPenalty:
            return bindPenalty(context, op);
        case OpFamily::kMetric:
            return bindMetric(context, op);
        case OpFamily::kLossScale:
            return op.kind == plan::OpKind::kScaleGradient ? bindScaleGradient(context, op) : bindUnscaleGradients(context, op, rule);
        case OpFamily::kPrepareGradients:
            return bindPrepareGradients(context, op, rule);
        case OpFamily::kUpdate:
            return bindUpdate(context, op, rule);
        case OpFamily::kConstrain:
            return bindConstrain(context, op);
        case OpFamily::kReshape: {
            // The memory planner makes it the same memory, but for the ends of a plan.
            std::byte *from = context.bytes(op.inputs[0]), *to = context.bytes(op.outputs[0]);
            if (from == to) return {};
            const auto bytes = static_cast<std::size_t>(plan::byteCount(context.tensor(op.outputs[0])));
            return {.kernel = "a copy", .enqueue = [=](cudaStream_t stream, std::byte*) {
                        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "reshape");
                    }};
        }
        case OpFamily::kCustomLoss:
        case OpFamily::kCollective:
            return {};
    }
    return {};
}

}  // namespace

BoundOp bindOp(const Context& context, const plan::Op& op, std::size_t rule) {
    BoundOp bound = bindAlone(context, op, rule);
    if (op.gate) bound = withGate(std::move(bound), context, op);
    return op.fused_update ? withUpdate(std::move(bound), context, op, rule) : bound;
}

}  // namespace engine::backend::cuda
