#include <utility>

#include "engine/plan/passes.h"
#include "engine/plan/strategy.h"

namespace engine::plan {

Plan multiWorkerMirrored(Plan plan, std::int64_t bytes_per_pack, int devices) {
    using Way = spec::ReduceRoute::Way;
    plan = insertAllReduce(bucketGradients(std::move(plan), bytes_per_pack));
    if (devices == 1) return plan;
    const Way way = plan.replicas == devices ? Way::kRing : Way::kWorkers;
    for (Op& op : plan.ops) {
        if (op.kind == OpKind::kAllReduce) op.attributes = spec::ReduceRoute{.way = way};
    }
    return plan;
}

}  // namespace engine::plan
