// The kernels of losses, metrics, penalties, updates, constraints and recurrent layers within an executor whose other ops are the
// reference's.
#pragma once

#include <memory>
#include <optional>

#include "tests/support/cuda_ops_executor.h"

#include "engine/backend/cuda/bind_op.h"
#include "engine/backend/cuda/training/update.h"
#include "engine/plan/op_table.h"

namespace engine::backend::cuda {

inline std::optional<BoundOp> bindUpdateAndLossOps(const Context& context, const plan::Op& op, std::size_t rule) {
    using plan::OpFamily;
    switch (plan::rowOf(op.kind).family) {
        case OpFamily::kCrossEntropy:
        case OpFamily::kLoss:
        case OpFamily::kMetric:
        case OpFamily::kPenalty:
        case OpFamily::kLossScale:
        case OpFamily::kPrepareGradients:
        case OpFamily::kUpdate:
        case OpFamily::kConstrain:
        case OpFamily::kRecurrent:
            return bindOp(context, op, rule);
        default:
            // The gradients are the reference's, the update within them is not.
            if (op.fused_update) return withUpdate({}, context, op, rule);
            return std::nullopt;
    }
}

inline std::unique_ptr<Executor> makeUpdateAndLossOps(const plan::Plan& plan, Variables& variables, const ExecutorOptions& options) {
    return std::make_unique<tests::support::CudaOpsExecutor>(plan, variables, options, bindUpdateAndLossOps);
}

}  // namespace engine::backend::cuda
