#include "engine/plan/traffic.h"

#include <variant>
#include <vector>

namespace engine::plan {
namespace {

std::int64_t bytesOf(const Plan& plan, const std::vector<TensorId>& tensors) {
    std::int64_t bytes = 0;
    for (const TensorId id : tensors) bytes += byteCount(plan.tensors[static_cast<std::size_t>(id)]);
    return bytes;
}

bool staysOnOneDevice(const Op& op) {
    const auto* route = std::get_if<spec::ReduceRoute>(&op.attributes);
    return route != nullptr && route->way == spec::ReduceRoute::Way::kKeep;
}

}  // namespace

std::int64_t trafficOfStep(const Plan& plan) {
    const std::int64_t others = plan.replicas - 1;
    std::int64_t bytes = 0;
    for (const Op& op : plan.ops) {
        if (op.kind == OpKind::kAllReduce) {
            bytes += (staysOnOneDevice(op) ? 1 : 2) * others * plan.buckets[static_cast<std::size_t>(op.bucket)].bytes;
        } else if (op.kind == OpKind::kReadVariables) {
            bytes += others * bytesOf(plan, op.outputs);
        } else if (op.kind == OpKind::kPull) {
            bytes += bytesOf(plan, op.outputs);
        } else if (op.kind == OpKind::kPush) {
            bytes += bytesOf(plan, plan.buckets[static_cast<std::size_t>(op.bucket)].gradients);
        }
    }
    return bytes;
}

}  // namespace engine::plan
