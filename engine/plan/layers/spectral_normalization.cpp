// SpectralNormalization: the layer within it. In training an op changes the kernel and vector_u before the layer reads them; the gradient
// is that of the kernel as it is then.
#include <algorithm>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

TensorId lowerSpectralNormalization(LayerBuilder& builder, TensorId x) {
    const std::vector<spec::LayerSpec> nested = spec::nestedLayers(builder.layer());
    ENGINE_CHECK(nested.size() == 1);
    const spec::LayerSpec& inner = nested.front();
    if (builder.training()) {
        const bool is_depthwise = inner.class_name.starts_with("Depthwise");
        const TensorId kernel = builder.parameter(is_depthwise ? "layer/depthwise_kernel" : "layer/kernel");
        const TensorId u = builder.parameter("vector_u");
        const auto iterations = static_cast<int>(builder.settings().getInt("power_iterations"));
        builder.emit({.kind = OpKind::kSpectralNorm,
                      .inputs = {kernel, u},
                      .outputs = {kernel, u},
                      .attributes = SpectralNormAttributes{iterations}});
    }
    const spec::Shape output = builder.outputShape();
    LayerBuilder::Part part = builder.lowerNested(inner, {output.begin() + 1, output.end()}, x, findLayerLowering(inner.class_name));
    const TensorId y = part.y;
    builder.append(std::move(part));
    return y;
}

}  // namespace

std::span<const LayerRow> spectralNormalizationRows() {
    static constexpr LayerRow kRows[] = {
        {"SpectralNormalization", lowerSpectralNormalization},
    };
    return kRows;
}

}  // namespace engine::plan
