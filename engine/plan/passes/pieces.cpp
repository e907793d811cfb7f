#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/plan/cost.h"
#include "engine/plan/index/plan_index.h"
#include "engine/plan/loss.h"
#include "engine/plan/memory.h"
#include "engine/plan/op_table.h"
#include "engine/plan/passes/passes.h"

namespace engine::plan {
namespace {

constexpr std::int64_t kCachedBytes = std::int64_t{6} << 20;  // of activations: what the caches of a core or two hold
constexpr std::int64_t kFewestSamples = 16;                   // full tiles of the kernels
constexpr std::int64_t kBytesPerGradientByte = 4;             // of a piece's activations, or adding up costs more than it brings
constexpr std::int64_t kMultiplyAddsPerByte = 64;             // of a batch's activations: more of them hide what memory takes

bool isOneOfBatch(const Plan& plan, const Op& op) {
    if (rowOf(op.kind).needs_whole_batch || lossHangsOnBatches(op)) return true;
    const auto* loss = std::get_if<LossAttributes>(&op.attributes);
    const bool reads_all_labels = loss != nullptr && (loss->kind == LossKind::kHinge || loss->kind == LossKind::kSquaredHinge);
    const bool makes_statistic = std::ranges::any_of(
        op.outputs, [&plan](TensorId id) { return plan.tensors[static_cast<std::size_t>(id)].role == TensorRole::kStatistic; });
    return reads_all_labels || makes_statistic;
}

struct Bytes {
    std::int64_t gradients = 0;  // what pieces add up
    std::int64_t tables = 0;     // what they look up in products of tables, and sum in their gradients
};

Bytes bytesOf(const Plan& plan) {
    std::vector<bool> is_added(plan.tensors.size(), true);
    Bytes bytes;
    for (const Op& op : plan.ops) {
        if (!takesTable(plan, op)) continue;
        for (const TensorId id : op.outputs) is_added[static_cast<std::size_t>(id)] = false;
        for (const TensorId id : op.inputs) {
            const TensorDesc& tensor = plan.tensors[static_cast<std::size_t>(id)];
            if (tensor.role == TensorRole::kProduct || tensor.role == TensorRole::kGradient) bytes.tables += byteCount(tensor);
            is_added[static_cast<std::size_t>(id)] = false;
        }
    }
    for (std::size_t id = 0; id < plan.tensors.size(); ++id) {
        if (is_added[id] && plan.tensors[id].role == TensorRole::kGradient) bytes.gradients += byteCount(plan.tensors[id]);
    }
    return bytes;
}

// The update of each parameter whose gradient `op` applies at once.
std::vector<Op> updatesOf(const Plan& plan, const Op& op, const SlotIndex& slots) {
    std::vector<Op> updates;
    for (const TensorId gradient : op.outputs) {
        if (plan.tensors[static_cast<std::size_t>(gradient)].role != TensorRole::kGradient) continue;
        updates.push_back(updateOp(plan, gradient, *op.fused_update, slots));
        updates.back().device = op.device;
    }
    return updates;
}

}  // namespace

bool comesInPieces(const Plan& plan) {
    return plan.training && plan.header != kNoTensor &&
           std::ranges::none_of(plan.ops, [&plan](const Op& op) { return isOneOfBatch(plan, op); });
}

std::int64_t bestPiece(const Plan& plan) {
    const Bytes lasting = bytesOf(plan);
    const std::int64_t bytes = plan.private_bytes - lasting.tables;
    if (bytes <= kCachedBytes || plan.batch <= kFewestSamples || !comesInPieces(plan)) return plan.batch;
    if (cost(plan).multiply_adds > bytes * kMultiplyAddsPerByte) return plan.batch;
    const std::int64_t room = std::max<std::int64_t>(1, std::max(kCachedBytes, lasting.gradients * kBytesPerGradientByte) - lasting.tables);
    const std::int64_t pieces = (bytes + room - 1) / room;
    const std::int64_t samples = (plan.batch + pieces - 1) / pieces;
    return std::min(plan.batch, (samples + kFewestSamples - 1) / kFewestSamples * kFewestSamples);
}

void splitUpdates(Plan& plan, const std::function<bool(const Op&)>& which) {
    const SlotIndex slots(plan);
    std::vector<Op> updates;
    for (Op& op : plan.ops) {
        if (!op.fused_update || !which(op)) continue;
        std::ranges::move(updatesOf(plan, op, slots), std::back_inserter(updates));
        op.fused_update.reset();
    }
    // Constraints look at updated weights.
    const auto constraints = std::ranges::find_if(plan.ops, [](const Op& op) { return op.kind == OpKind::kConstrain; });
    plan.ops.insert(constraints, std::make_move_iterator(updates.begin()), std::make_move_iterator(updates.end()));
}

Plan pieceOf(Plan plan, std::int64_t samples) {
    splitUpdates(plan, [](const Op&) { return true; });
    for (TensorDesc& tensor : plan.tensors) {
        if (hasBatchAxis(tensor)) tensor.shape.front() = tensor.shape.front() / plan.batch * samples;
    }
    plan.batch = samples;
    return planMemory(std::move(plan));
}

Turn turnOf(const Plan& plan, const Op& op) {
    if (takesTable(plan, op)) return op.phase == Phase::kForward ? Turn::kFirstPiece : Turn::kLastPiece;
    const auto* penalty = std::get_if<PenaltyAttributes>(&op.attributes);
    const bool is_of_weights = op.kind == OpKind::kPenaltyBack && penalty != nullptr && !penalty->penalties.front().of_activity;
    const bool takes_sums = op.phase == Phase::kUpdate || op.kind == OpKind::kAllReduce || op.kind == OpKind::kPrepareGradients ||
                            op.kind == OpKind::kScaleGradient || is_of_weights;
    return takes_sums ? Turn::kLastPiece : Turn::kEveryPiece;
}

}  // namespace engine::plan
