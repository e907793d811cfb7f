// The kernels of losses, metrics, penalties, updates, constraints and recurrent layers within an executor whose other ops are the
// reference's.
#pragma once

#include <memory>
#include <optional>

#include "tests/support/cuda_ops_executor.h"

#include "engine/backend/cuda/update.h"

namespace engine::backend::cuda {

inline std::optional<BoundOp> bindUpdateAndLossOps(const Context& context, const plan::Op& op, std::size_t rule) {
    using plan::OpKind;
    switch (op.kind) {
        case OpKind::kSoftmaxCrossEntropy:
            return bindCrossEntropy(context, op);
        case OpKind::kLoss:
            return bindLoss(context, op);
        case OpKind::kMetric:
            return bindMetric(context, op);
        case OpKind::kPenalty:
        case OpKind::kPenaltyBack:
            return bindPenalty(context, op);
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
        case OpKind::kRecurrent:
        case OpKind::kRecurrentBack:
            return bindRecurrent(context, op);
        default:
            // The gradients are the reference's, the update within them is not.
            if (op.apply_update) return withUpdate({}, context, op, rule);
            return std::nullopt;
    }
}

inline std::unique_ptr<Executor> makeUpdateAndLossOps(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options) {
    return std::make_unique<tests::support::CudaOpsExecutor>(plan, variables, options, bindUpdateAndLossOps);
}

}  // namespace engine::backend::cuda
