// Rescaling: y = scale x + offset.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

namespace {

TensorId lowerRescaling(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const double scale = settings.getDouble("scale");
    return lowerReversible(builder, x, OpKind::kAffine, Affine{scale, settings.getDouble("offset")}, Affine{scale, 0});
}

}  // namespace

std::span<const LayerRow> rescalingRows() {
    static constexpr LayerRow kRows[] = {
        {"Rescaling", lowerRescaling, Times::kTogether},
    };
    return kRows;
}

}  // namespace engine::plan
