#include <utility>

#include "engine/plan/passes/passes.h"
#include "engine/plan/strategies/strategy.h"

namespace engine::plan {
namespace {

class MultiWorkerMirrored final : public Strategy {
public:
    Plan distribute(Plan plan, const StrategyTarget& target) const override {
        using Way = spec::ReduceRoute::Way;
        const auto devices = static_cast<int>(target.devices.size());
        plan = insertAllReduce(bucketGradients(std::move(plan), target.settings.bytes_per_pack));
        if (devices == 1) return plan;
        const Way way = plan.replicas == devices ? Way::kRing : Way::kWorkers;
        for (Op& op : plan.ops) {
            if (op.kind == OpKind::kAllReduce) op.attributes = spec::ReduceRoute{.way = way};
        }
        return plan;
    }
};

}  // namespace

const Strategy& multiWorkerMirrored() {
    static const MultiWorkerMirrored strategy;
    return strategy;
}

}  // namespace engine::plan
