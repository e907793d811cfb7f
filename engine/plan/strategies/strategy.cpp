#include "engine/plan/strategies/strategy.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/plan/passes/passes.h"

namespace engine::plan {
namespace {

struct Row {
    spec::StrategyKind kind;
    const Strategy& (*strategy)();
};

constexpr Row kStrategyTable[] = {
    {spec::StrategyKind::kMultiWorkerMirrored, multiWorkerMirrored},
    {spec::StrategyKind::kMirrored, mirrored},
    {spec::StrategyKind::kCentralStorage, centralStorage},
    {spec::StrategyKind::kParameterServer, parameterServer},
};

}  // namespace

Plan Strategy::place(Plan plan, const StrategyTarget& target) const {
    return plan::place(std::move(plan), deviceName(target.task, target.devices[static_cast<std::size_t>(target.device)]));
}

const Strategy& strategyOf(spec::StrategyKind kind) {
    const Row* row =
        std::find_if(std::begin(kStrategyTable), std::end(kStrategyTable), [kind](const Row& known) { return known.kind == kind; });
    return row == std::end(kStrategyTable) ? mirrored() : row->strategy();
}

}  // namespace engine::plan
