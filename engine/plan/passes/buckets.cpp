#include <algorithm>
#include <utility>

#include "engine/plan/index/plan_index.h"
#include "engine/plan/memory.h"
#include "engine/plan/op_table.h"
#include "engine/plan/passes/passes.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

// Gradients that some op makes, last parameter first, and then the steps of states: gradients lie as their parameters do.
std::vector<TensorId> gradientsInMemoryOrder(const Plan& plan) {
    std::vector<TensorId> gradients;
    std::vector<bool> is_known(plan.tensors.size());  // a penalty adds to a gradient that another op made
    for (const Op& op : plan.ops) {
        for (TensorId id : op.outputs) {
            const TensorDesc& tensor = plan.tensors[static_cast<std::size_t>(id)];
            const bool is_step = tensor.role == TensorRole::kStatistic && tensor.of != kNoTensor;
            if ((!is_step && !isTrainedGradient(plan, id)) || is_known[static_cast<std::size_t>(id)]) continue;
            is_known[static_cast<std::size_t>(id)] = true;
            gradients.push_back(id);
        }
    }
    const auto key = [&plan](TensorId id) {
        const TensorDesc& tensor = plan.tensors[static_cast<std::size_t>(id)];
        return std::pair(tensor.role == TensorRole::kStatistic, -tensor.of);
    };
    std::sort(gradients.begin(), gradients.end(), [&key](TensorId a, TensorId b) { return key(a) < key(b); });
    return gradients;
}

// Sets of each bucket the last op that makes one of its gradients.
void findCompletingOps(Plan& plan) {
    const BucketIndex index(plan);
    for (std::size_t i = 0; i < plan.ops.size(); ++i) {
        for (TensorId id : plan.ops[i].outputs) {
            const int bucket = index.of(id);
            if (bucket >= 0) plan.buckets[static_cast<std::size_t>(bucket)].ready_after_op = static_cast<int>(i);
        }
    }
}

// A new bucket starts where is_full(index of the last one, its bytes, bytes of all).
template <typename IsFull>
Plan bucketGradientsBy(Plan plan, IsFull is_full) {
    ENGINE_CHECK(plan.buckets.empty());
    std::int64_t end = 0;
    if (plan.header != kNoTensor) {
        plan.tensors[static_cast<std::size_t>(plan.header)].region = Region::kShared;
        end = alignUp(byteCount(plan.tensors[static_cast<std::size_t>(plan.header)]));
    }
    for (TensorId id : gradientsInMemoryOrder(plan)) {
        if (plan.buckets.empty()) {
            plan.buckets.push_back({.bytes = end});
        } else if (is_full(plan.buckets.size() - 1, plan.buckets.back().bytes, end)) {
            plan.buckets.push_back({.offset_bytes = end});
        }
        TensorDesc& gradient = plan.tensors[static_cast<std::size_t>(id)];
        gradient.region = Region::kShared;
        Bucket& bucket = plan.buckets.back();
        bucket.gradients.push_back(id);
        bucket.bytes += alignUp(byteCount(gradient));
        end += alignUp(byteCount(gradient));
    }
    // Sums that are read within the step have a bucket each.
    for (const Op& op : plan.ops) {
        if (!rowOf(op.kind).sums_within_step) continue;
        TensorDesc& sums = plan.tensors[static_cast<std::size_t>(op.outputs.front())];
        sums.region = Region::kShared;
        plan.buckets.push_back({.gradients = {op.outputs.front()}, .offset_bytes = end, .bytes = alignUp(byteCount(sums))});
        end += alignUp(byteCount(sums));
    }
    findCompletingOps(plan);
    return plan;
}

}  // namespace

Plan bucketGradients(Plan plan, std::int64_t bytes_per_pack) {
    if (bytes_per_pack < 0) {
        throw Error(ErrorCode::kInvalidArgument, "strategy.bytes_per_pack: expected 0 or more, got " + std::to_string(bytes_per_pack));
    }
    if (bytes_per_pack == 0) bytes_per_pack = kDefaultBytesPerPack;
    return bucketGradientsBy(std::move(plan), [=](std::size_t, std::int64_t bytes, std::int64_t) { return bytes >= bytes_per_pack; });
}

Plan packGradients(Plan plan, std::int64_t packs) {
    if (packs < 0) {
        throw Error(ErrorCode::kInvalidArgument, "strategy.cross_device_ops.num_packs: expected 0 or more, got " + std::to_string(packs));
    }
    if (packs == 0) return bucketGradientsBy(std::move(plan), [](std::size_t, std::int64_t, std::int64_t) { return true; });
    std::int64_t all = 0;
    for (TensorId id : gradientsInMemoryOrder(plan)) all += alignUp(byteCount(plan.tensors[static_cast<std::size_t>(id)]));
    return bucketGradientsBy(std::move(plan), [=](std::size_t last, std::int64_t, std::int64_t end) {
        const std::int64_t ends_at = all * static_cast<std::int64_t>(last + 1) / packs;
        return static_cast<std::int64_t>(last) + 1 < packs && end >= ends_at;
    });
}

}  // namespace engine::plan
