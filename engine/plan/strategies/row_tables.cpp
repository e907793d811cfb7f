#include "engine/plan/strategies/row_tables.h"

#include <algorithm>

namespace engine::plan {
namespace {

bool contains(const std::vector<TensorId>& ids, TensorId id) {
    return std::find(ids.begin(), ids.end(), id) != ids.end();
}

// True for an op between worker and servers, or one that servers do.
bool isNoWorkersCompute(const Op& op) {
    return op.kind == OpKind::kPull || op.kind == OpKind::kPush || isServersWork(op);
}

const TensorDesc& tableTensor(const Plan& plan, TensorId id) {
    return plan.tensors[static_cast<std::size_t>(id)];
}

std::vector<RowTable> lookedUpTables(const Plan& plan) {
    std::vector<RowTable> tables;
    for (const Op& op : plan.ops) {
        if (op.kind != OpKind::kEmbedding) continue;
        const TensorDesc& table = tableTensor(plan, op.inputs[1]);
        if (!isVariable(table) || table.dtype != tensor::DType::kFloat32) continue;
        auto found = std::find_if(tables.begin(), tables.end(), [&op](const RowTable& one) { return one.table == op.inputs[1]; });
        if (found == tables.end()) {
            tables.push_back({.table = op.inputs[1], .rows = table.shape[0], .width = table.shape[1]});
            found = tables.end() - 1;
        }
        if (!contains(found->ids, op.inputs[0])) found->ids.push_back(op.inputs[0]);
    }
    return tables;
}

// False when an op does more with the table or its gradient than to look rows up and to sum their gradients.
bool keepToRows(const Plan& plan, RowTable& table) {
    for (const Op& op : plan.ops) {
        if (isNoWorkersCompute(op)) continue;
        if (op.kind == OpKind::kEmbeddingBack && tableTensor(plan, op.outputs.front()).of == table.table) {
            if (table.gradient != kNoTensor || !contains(table.ids, op.inputs[0])) return false;
            table.gradient = op.outputs.front();
        } else if (contains(op.outputs, table.table) || (contains(op.inputs, table.table) && op.kind != OpKind::kEmbedding)) {
            return false;
        }
    }
    return std::none_of(plan.ops.begin(), plan.ops.end(), [&](const Op& op) {
        const bool touches = contains(op.inputs, table.gradient) || contains(op.outputs, table.gradient);
        return table.gradient != kNoTensor && touches && op.kind != OpKind::kEmbeddingBack && !isNoWorkersCompute(op);
    });
}

bool isMadeBefore(const Plan& plan, TensorId id, std::size_t end) {
    return std::any_of(plan.ops.begin(), plan.ops.begin() + static_cast<std::ptrdiff_t>(end),
                       [id](const Op& op) { return contains(op.outputs, id); });
}

}  // namespace

bool isServersWork(const Op& op) {
    return op.kind == OpKind::kUpdate || op.kind == OpKind::kMovingAverage || op.kind == OpKind::kConstrain;
}

std::size_t firstReader(const Plan& plan) {
    const auto reads = [&plan](const Op& op) {
        return !isNoWorkersCompute(op) && std::any_of(op.inputs.begin(), op.inputs.end(),
                                                      [&](TensorId id) { return id != kNoTensor && isVariable(tableTensor(plan, id)); });
    };
    return static_cast<std::size_t>(std::find_if(plan.ops.begin(), plan.ops.end(), reads) - plan.ops.begin());
}

std::vector<RowTable> rowTables(const Plan& plan) {
    std::vector<RowTable> tables = lookedUpTables(plan);
    const std::size_t first = tables.empty() ? 0 : firstReader(plan);
    std::erase_if(tables, [&](RowTable& table) {
        const bool knows = std::all_of(table.ids.begin(), table.ids.end(), [&](TensorId id) { return isMadeBefore(plan, id, first); });
        return !knows || !keepToRows(plan, table);
    });
    for (RowTable& table : tables) {
        for (const TensorId id : table.ids) table.most_rows += elementCount(tableTensor(plan, id));
        table.most_rows = std::min(table.most_rows, table.rows);
    }
    return tables;
}

}  // namespace engine::plan
