// Layers around one other. TimeDistributed: on every time of a sequence: (time, input) -> (time, output). SpectralNormalization: a layer
// whose kernel training divides by its largest singular value, step by step; vector_u (1, N) comes near to the singular vector of the
// kernel's last axis, N. Input, output and mask are the layer's own.
#include <algorithm>
#include <array>
#include <string_view>

#include "engine/spec/catalog/layers/nested_layer.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/error.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/names.h"

namespace engine::spec::layers {
namespace {

// Their classes, as LayerDefinition::is_distributable has it: no layers that hold others, and no BatchNormalization, whose statistics Keras
// takes of each time alone, one after the other. Dense comes first: a new TimeDistributed begins with it.
std::vector<std::string> distributable(std::span<const LayerDefinition> all) {
    std::vector<std::string> names;
    for (const LayerDefinition& definition : all) {
        if (definition.is_distributable) names.push_back(definition.schema.class_name);
    }
    const auto dense = std::find(names.begin(), names.end(), "Dense");
    if (dense != names.end()) std::rotate(names.begin(), dense, dense + 1);
    return names;
}

std::optional<ShapeFault> inferTimeDistributed(const LayerSpec& layer, LayerInfo& info) {
    const std::vector<LayerSpec> nested = nestedLayers(layer);
    if (nested.empty()) {
        return ShapeFault{"layer", "expected a layer with class_name and config, got its name alone"};
    }
    const LayerSpec& inner = nested.front();
    if (const LayerDefinition* definition = findLayerDefinition(inner.class_name); definition == nullptr || !definition->is_distributable) {
        return ShapeFault{"layer", "expected a layer of class " + oneOf(distributable(layerCatalog())) +
                                       " (others are not supported), got " + inner.class_name};
    }
    if (info.input_shape.size() < 2) {
        return ShapeFault{
            "", "expected input rank 3 or more (batch, time and values), got rank " + std::to_string(info.input_shape.size() + 1)};
    }
    LayerInfo one;
    one.input_shape.assign(info.input_shape.begin() + 1, info.input_shape.end());
    if (info.input_mask) {
        if (info.input_mask->empty()) {
            return ShapeFault{"", "expected a mask with a value for each time, got one for each sample"};
        }
        one.input_mask.emplace(info.input_mask->begin() + 1, info.input_mask->end());
    }
    if (auto fault = inferNested(inner, "layer", one)) {
        return fault;
    }
    const std::int64_t time = info.input_shape.front();
    info.output_shape = {time};
    info.output_shape.insert(info.output_shape.end(), one.output_shape.begin(), one.output_shape.end());
    info.variables = one.variables;
    info.multiply_adds = time * one.multiply_adds;
    return std::nullopt;
}

// Keras' layers that call a variable their kernel. It takes an Embedding, too, but makes whole numbers of its rows where ids are.
constexpr std::array<std::string_view, 10> kWithKernel{"Dense",           "EinsumDense",     "Conv1D",          "Conv2D",
                                                       "Conv3D",          "Conv1DTranspose", "Conv2DTranspose", "Conv3DTranspose",
                                                       "DepthwiseConv1D", "DepthwiseConv2D"};

std::vector<std::string> layersWithKernel() {
    return {kWithKernel.begin(), kWithKernel.end()};
}

std::optional<ShapeFault> inferSpectral(const LayerSpec& layer, LayerInfo& info) {
    const std::vector<LayerSpec> nested = nestedLayers(layer);
    if (nested.empty()) {
        return ShapeFault{"layer", "expected a layer with class_name and config, got its name alone"};
    }
    const LayerSpec& inner = nested.front();
    if (std::find(kWithKernel.begin(), kWithKernel.end(), inner.class_name) == kWithKernel.end()) {
        return ShapeFault{
            "layer", "expected a layer of class " + oneOf(layersWithKernel()) + " (others are not supported), got " + inner.class_name};
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

LayerDefinition defineSpectralNormalization() {
    return {.schema = {"SpectralNormalization",
                       LayerCategory::kNormalization,
                       {{.name = "layer",
                         .kind = FieldKind::kObject,
                         .required = true,
                         .choices = layersWithKernel(),
                         .hint = "The layer whose kernel training divides by its largest singular value"},
                        {.name = "power_iterations",
                         .kind = FieldKind::kInt,
                         .fallback = std::int64_t{1},
                         .minimum = 1,
                         .maximum = 100,
                         .hint = "Rounds a step in which that value is come near to"}}},
            .infer = inferSpectral,
            .mask = MaskRule::kOwn,
            .place = 377};
}

}  // namespace

std::vector<LayerDefinition> wrapperLayers() {
    return {
        {.schema =
             {"TimeDistributed",
              LayerCategory::kRecurrent,
              {{.name = "layer", .kind = FieldKind::kObject, .required = true, .hint = "What is done with every time of the sequence"}}},
         .infer = inferTimeDistributed,
         .mask = MaskRule::kPassesOn,
         .place = 500,
         .complete = [](LayerDefinition& self,
                        std::span<const LayerDefinition> all) { self.schema.fields.front().choices = distributable(all); }},
        defineSpectralNormalization()};
}

}  // namespace engine::spec::layers
