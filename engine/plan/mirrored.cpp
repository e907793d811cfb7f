#include <algorithm>
#include <utility>

#include "engine/plan/passes.h"
#include "engine/plan/strategy.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

using spec::ReduceRoute;

// TensorFlow's choice for pack i: device i modulo the number of devices, and its counterpart in the other half.
ReduceRoute halvesOf(int pack, int devices) {
    const int half = devices / 2;
    const int main = pack % devices;
    const int second = half == 0 ? 0 : main < half ? main + half : (main - half) % half;
    return {.way = ReduceRoute::Way::kHalves, .main = main, .second = second};
}

}  // namespace

Plan mirrored(Plan plan, const spec::ObjectSpec& cross_device_ops, int devices, int reduce_to) {
    const bool to_one = cross_device_ops.class_name == "ReductionToOneDevice";
    const bool hierarchical = cross_device_ops.class_name == "HierarchicalCopyAllReduce";
    if (!to_one && !hierarchical && cross_device_ops.class_name != "NcclAllReduce") {
        throw Error(ErrorCode::kUnimplemented,
                    "strategy.cross_device_ops: expected NcclAllReduce, HierarchicalCopyAllReduce or "
                    "ReductionToOneDevice, got " +
                        cross_device_ops.class_name);
    }
    const std::int64_t packs = to_one ? 0 : cross_device_ops.config.getInt("num_packs", 1);
    plan = insertAllReduce(packGradients(std::move(plan), packs));
    for (Op& op : plan.ops) {
        if (op.kind != OpKind::kAllReduce) continue;
        op.attributes = to_one         ? ReduceRoute{.way = ReduceRoute::Way::kOneDevice, .main = reduce_to}
                        : hierarchical ? halvesOf(op.bucket, devices)
                                       : ReduceRoute{.way = ReduceRoute::Way::kRing};
    }
    return plan;
}

}  // namespace engine::plan
