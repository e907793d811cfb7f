// Identity: y = x, without an op. ActivityRegularization: y = x, as a tensor of its own, whose size the loss counts.
#include "engine/plan/layers/layer_table.h"
#include "engine/plan/penalty.h"

namespace engine::plan {
namespace {

TensorId lowerIdentity(LayerBuilder&, TensorId x) {
    return x;
}

TensorId lowerActivityRegularization(LayerBuilder& builder, TensorId x) {
    const TensorId y = lowerSameBytes(builder, x, builder.shape(x), "out");
    const Penalty penalty{.l1 = static_cast<float>(builder.settings().getDouble("l1")),
                          .l2 = static_cast<float>(builder.settings().getDouble("l2")),
                          .of_activity = true};
    if (penalty.l1 != 0 || penalty.l2 != 0) builder.penaliseOutput(y, penalty);
    return y;
}

}  // namespace

std::span<const LayerRow> identityRows() {
    static constexpr LayerRow kRows[] = {
        {"Identity", lowerIdentity, Times::kTogether},
        {"ActivityRegularization", lowerActivityRegularization},
    };
    return kRows;
}

}  // namespace engine::plan
