#include "engine/plan/traffic.h"

#include <algorithm>
#include <variant>
#include <vector>

#include "engine/plan/strategies/row_tables.h"

namespace engine::plan {
namespace {

std::int64_t bytesOf(const Plan& plan, const std::vector<TensorId>& tensors) {
    std::int64_t bytes = 0;
    for (const TensorId id : tensors) bytes += byteCount(plan.tensors[static_cast<std::size_t>(id)]);
    return bytes;
}

// The bytes of tables that go by rows which stay where they are, since a batch does not name them.
std::int64_t restOfTables(const std::vector<RowTable>& tables, const std::vector<TensorId>& tensors) {
    std::int64_t bytes = 0;
    for (const RowTable& table : tables) {
        const bool goes =
            std::any_of(tensors.begin(), tensors.end(), [&](TensorId id) { return id == table.table || id == table.gradient; });
        if (goes) bytes += (table.rows - table.most_rows) * table.rowBytes();
    }
    return bytes;
}

bool staysOnOneDevice(const Op& op) {
    const auto* route = std::get_if<spec::ReduceRoute>(&op.attributes);
    return route != nullptr && route->way == spec::ReduceRoute::Way::kKeep;
}

}  // namespace

std::int64_t trafficOfStep(const Plan& plan) {
    const std::int64_t others = plan.replicas - 1;
    const std::vector<RowTable> tables = rowTables(plan);
    std::int64_t bytes = 0;
    for (const Op& op : plan.ops) {
        if (op.kind == OpKind::kAllReduce) {
            bytes += (staysOnOneDevice(op) ? 1 : 2) * others * plan.buckets[static_cast<std::size_t>(op.bucket)].bytes;
        } else if (op.kind == OpKind::kReadVariables) {
            bytes += others * bytesOf(plan, op.outputs);
        } else if (op.kind == OpKind::kPull) {
            bytes += bytesOf(plan, op.outputs) - restOfTables(tables, op.outputs);
        } else if (op.kind == OpKind::kPush) {
            const std::vector<TensorId>& gradients = plan.buckets[static_cast<std::size_t>(op.bucket)].gradients;
            bytes += bytesOf(plan, gradients) - restOfTables(tables, gradients);
        }
    }
    return bytes;
}

}  // namespace engine::plan
