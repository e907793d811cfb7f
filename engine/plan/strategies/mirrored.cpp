#include <algorithm>
#include <string>
#include <utility>

#include "engine/plan/passes/passes.h"
#include "engine/plan/strategies/strategy.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"

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

// The device of ReductionToOneDevice: the first one unless the project names another.
int reductionDevice(const StrategyTarget& target) {
    const std::string text =
        spec::settingsOf(spec::crossDeviceOpsSchemas(), target.settings.cross_device_ops).getString("reduce_to_device");
    if (text.empty()) return 0;
    const auto device = spec::parseDeviceName(text);
    const auto found = device ? std::find(target.devices.begin(), target.devices.end(), spec::toString(*device)) : target.devices.end();
    if (found == target.devices.end()) {
        throw Error(ErrorCode::kInvalidArgument,
                    "strategy.cross_device_ops.reduce_to_device: expected one of the strategy's devices, got " + text);
    }
    return static_cast<int>(found - target.devices.begin());
}

class Mirrored final : public Strategy {
public:
    Plan distribute(Plan plan, const StrategyTarget& target) const override {
        const spec::ObjectSpec& ops = target.settings.cross_device_ops;
        const bool to_one = ops.class_name == "ReductionToOneDevice";
        const bool hierarchical = ops.class_name == "HierarchicalCopyAllReduce";
        if (!to_one && !hierarchical && ops.class_name != "NcclAllReduce") {
            throw Error(ErrorCode::kUnimplemented,
                        "strategy.cross_device_ops: expected NcclAllReduce, HierarchicalCopyAllReduce or "
                        "ReductionToOneDevice, got " +
                            ops.class_name);
        }
        const std::int64_t packs = to_one ? 0 : spec::settingsOf(spec::crossDeviceOpsSchemas(), ops).getInt("num_packs");
        plan = insertAllReduce(packGradients(std::move(plan), packs));
        for (Op& op : plan.ops) {
            if (op.kind != OpKind::kAllReduce) continue;
            op.attributes = to_one         ? ReduceRoute{.way = ReduceRoute::Way::kOneDevice, .main = reductionDevice(target)}
                            : hierarchical ? halvesOf(op.bucket, static_cast<int>(target.devices.size()))
                                           : ReduceRoute{.way = ReduceRoute::Way::kRing};
        }
        return plan;
    }
};

}  // namespace

const Strategy& mirrored() {
    static const Mirrored strategy;
    return strategy;
}

}  // namespace engine::plan
