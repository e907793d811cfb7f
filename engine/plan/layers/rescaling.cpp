// Rescaling: y = scale x + offset.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerRescaling(LayerBuilder& builder, TensorId x) {
    const spec::Fields& config = builder.layer().config;
    const double scale = config.getDouble("scale", 1);
    return lowerReversible(builder, x, OpKind::kAffine, Affine{scale, config.getDouble("offset", 0)}, Affine{scale, 0});
}

}  // namespace engine::plan
