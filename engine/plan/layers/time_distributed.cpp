// TimeDistributed: the inner layer works on rows, elements or the last axes, so the sequence goes through it as a whole.
#include <utility>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/error.h"
#include "engine/spec/nested_layers.h"

namespace engine::plan {

TensorId lowerTimeDistributed(LayerBuilder& builder, TensorId x) {
    const std::vector<spec::LayerSpec> nested = spec::nestedLayers(builder.layer());
    ENGINE_CHECK(nested.size() == 1);
    const spec::Shape output = builder.outputShape();
    LayerBuilder::Part part =
        builder.lowerNested(nested.front(), {output.begin() + 1, output.end()}, x, findLayerLowering(nested.front().class_name));
    const TensorId y = part.y;
    builder.append(std::move(part));
    return y;
}

}  // namespace engine::plan
