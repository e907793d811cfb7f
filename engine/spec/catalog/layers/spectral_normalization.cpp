// SpectralNormalization: a layer whose kernel training divides by its largest singular value, step by step; vector_u (1, N) comes near to
// the singular vector of the kernel's last axis, N. Input, output and mask are the layer's own.
#include <algorithm>
#include <array>
#include <iterator>

#include "engine/spec/catalog/layers/nested_layer.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/error.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/names.h"

namespace engine::spec::layers {
namespace {

// Keras' layers that call a variable their kernel. It takes an Embedding, too, but makes whole numbers of its rows where ids are.
constexpr std::array<std::string_view, 10> kWithKernel{"Dense",           "EinsumDense",     "Conv1D",          "Conv2D",
                                                       "Conv3D",          "Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose",
                                                       "DepthwiseConv1D", "DepthwiseConv2D"};

std::vector<std::string> choices() {
    return {kWithKernel.begin(), kWithKernel.end()};
}

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    const std::vector<LayerSpec> nested = nestedLayers(layer);
    if (nested.empty()) {
        return ShapeFault{"layer", "expected a layer with class_name and config, got its name alone"};
    }
    const LayerSpec& inner = nested.front();
    if (std::find(kWithKernel.begin(), kWithKernel.end(), inner.class_name) == kWithKernel.end()) {
        return ShapeFault{"layer",
                          "expected a layer of class " + oneOf(choices()) + " (others are not supported), got " + inner.class_name};
    }
    if (auto fault = inferNested(inner, "layer", info)) {
        return fault;
    }
    // Keras lists its own variables first, and the kernel is one of them.
    ENGINE_CHECK(info.variables.front().name.ends_with("kernel"));
    info.variables.insert(info.variables.begin() + 1,
                          {.name = layer.name + "/vector_u", .shape = {1, info.variables.front().shape.back()}, .trainable = false});
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> spectralNormalizationLayers() {
    return {{.schema = {"SpectralNormalization",
                        LayerCategory::kNormalization,
                        {{.name = "layer",
                          .kind = FieldKind::kObject,
                          .required = true,
                          .choices = choices(),
                          .hint = "The layer whose kernel training divides by its largest singular value"},
                         {.name = "power_iterations",
                          .kind = FieldKind::kInt,
                          .fallback = std::int64_t{1},
                          .minimum = 1,
                          .maximum = 100,
                          .hint = "Rounds a step in which that value is come near to"}}},
             .infer = infer,
             .mask = MaskRule::kOwn,
             .place = 377}};
}

}  // namespace engine::spec::layers
