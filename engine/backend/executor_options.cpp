#include <algorithm>
#include <string>

#include "engine/backend/executor.h"
#include "engine/spec/error.h"

namespace engine::backend {

void requirePeers(const plan::Plan& plan, const ExecutorOptions& options) {
    const bool pulls = std::any_of(plan.ops.begin(), plan.ops.end(), [](const plan::Op& op) { return op.kind == plan::OpKind::kPull; });
    if (pulls && options.parameters == nullptr) {
        throw Error(ErrorCode::kInvalidArgument, "executor: expected parameter servers for a plan that pulls its variables, got none");
    }
    if (!pulls && !plan.buckets.empty() && options.collective == nullptr) {
        throw Error(ErrorCode::kInvalidArgument,
                    "executor: expected a collective for a plan of " + std::to_string(plan.replicas) + " replicas, got none");
    }
}

}  // namespace engine::backend
