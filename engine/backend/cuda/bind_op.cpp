#include "engine/backend/cuda/bind_op.h"

#include "engine/backend/cuda/status.h"
#include "engine/backend/cuda/update.h"

namespace engine::backend::cuda {
namespace {

BoundOp bindAlone(const Context& context, const plan::Op& op, std::size_t rule) {
    using plan::OpKind;
    switch (op.kind) {
        case OpKind::kGather:
            return bindGather(context, op);
        case OpKind::kConv2D:
        case OpKind::kConv2DBackInput:
        case OpKind::kConv2DBackKernel:
        case OpKind::kFusedConvBlock:
        case OpKind::kFusedConvBlockBack:
            return bindConvolution(context, op);
        case OpKind::kMatMul:
        case OpKind::kMatMulBackInput:
        case OpKind::kMatMulBackWeight:
        case OpKind::kFusedDense:
        case OpKind::kFusedDenseBack:
            return bindDense(context, op);
        case OpKind::kBiasAdd:
        case OpKind::kBiasAddBack:
            return bindBias(context, op);
        case OpKind::kActivation:
        case OpKind::kActivationBack:
        case OpKind::kPrelu:
        case OpKind::kPreluBack:
            return bindActivation(context, op);
        case OpKind::kMaxPool2D:
        case OpKind::kMaxPool2DBack:
        case OpKind::kAveragePool2D:
        case OpKind::kAveragePool2DBack:
            return bindPooling(context, op);
        case OpKind::kBatchNorm:
        case OpKind::kBatchNormBack:
        case OpKind::kBatchSums:
        case OpKind::kBatchBackSums:
        case OpKind::kMovingAverage:
            return bindBatchNorm(context, op);
        case OpKind::kGroupNorm:
        case OpKind::kGroupNormBack:
        case OpKind::kUnitNorm:
        case OpKind::kUnitNormBack:
            return bindGroupNorm(context, op);
        case OpKind::kEmbedding:
        case OpKind::kEmbeddingBack:
            return bindEmbedding(context, op);
        case OpKind::kRecurrent:
        case OpKind::kRecurrentBack:
            return bindRecurrent(context, op);
        case OpKind::kMerge:
        case OpKind::kMergeBack:
            return bindMerge(context, op);
        case OpKind::kMask:
        case OpKind::kApplyMask:
        case OpKind::kMaskedMean:
        case OpKind::kMaskedMeanBack:
            return bindMask(context, op);
        case OpKind::kCast:
        case OpKind::kAffine:
            return bindElementwise(context, op);
        case OpKind::kTranspose:
        case OpKind::kPad2D:
        case OpKind::kUpsample2D:
        case OpKind::kUpsample2DBack:
        case OpKind::kRandomImage:
        case OpKind::kRandomImageBack:
            return bindImage(context, op);
        case OpKind::kDropout:
        case OpKind::kDropoutBack:
        case OpKind::kGaussianNoise:
            return bindNoise(context, op);
        case OpKind::kSoftmaxCrossEntropy:
            return bindCrossEntropy(context, op);
        case OpKind::kLoss:
            return bindLoss(context, op);
        case OpKind::kPenalty:
        case OpKind::kPenaltyBack:
            return bindPenalty(context, op);
        case OpKind::kMetric:
            return bindMetric(context, op);
        case OpKind::kScaleGradient:
            return bindScaleGradient(context, op);
        case OpKind::kUnscaleGradients:
            return bindUnscaleGradients(context, op, rule);
        case OpKind::kPrepareGradients:
            return bindPrepareGradients(context, op, rule);
        case OpKind::kUpdate:
        case OpKind::kFusedUpdate:
            return bindUpdate(context, op, rule);
        case OpKind::kConstrain:
            return bindConstrain(context, op);
        case OpKind::kReshape: {
            // The memory planner makes it the same memory, but for the ends of a plan.
            std::byte *from = context.bytes(op.inputs[0]), *to = context.bytes(op.outputs[0]);
            if (from == to) return {};
            const auto bytes = static_cast<std::size_t>(plan::byteCount(context.tensor(op.outputs[0])));
            return {.kernel = "a copy", .enqueue = [=](cudaStream_t stream, std::byte*) {
                        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream), "reshape");
                    }};
        }
        case OpKind::kCustomLoss:
        case OpKind::kAllReduce:
        case OpKind::kReadVariables:
            return {};
    }
    return {};
}

}  // namespace

BoundOp bindOp(const Context& context, const plan::Op& op, std::size_t rule) {
    BoundOp bound = bindAlone(context, op, rule);
    return op.apply_update ? withUpdate(std::move(bound), context, op, rule) : bound;
}

}  // namespace engine::backend::cuda
