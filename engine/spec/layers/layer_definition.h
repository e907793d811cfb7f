// One layer's contribution to the engine's values: its fields and the rule from input shape to output, variables and work.
// A layer is added by one file beside this one and its line in layer_catalog.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/spec/model_spec.h"
#include "engine/spec/shape_inference.h"

namespace engine::spec::layers {

// What a rule finds wrong: the field to blame (empty: the input) and expectation with fact.
struct ShapeFault {
    std::string field;
    std::string message;
};

// Fills output_shape, variables and multiply_adds of `info`; input_shape is set, the rest is counted by the caller. The config passed
// checkFields before. nullopt on success.
using ShapeRule = std::optional<ShapeFault> (*)(const LayerSpec& layer, LayerInfo& info);

// Of any size that a user writes: products of a few of them stay within 64 bits.
inline constexpr double kMaximumSize = 1 << 20;

struct LayerDefinition {
    LayerSchema schema;
    ShapeRule infer = nullptr;
};

LayerDefinition defineActivation();
LayerDefinition defineConv2D();
LayerDefinition defineDense();
LayerDefinition defineDropout();
LayerDefinition defineFlatten();
LayerDefinition defineMaxPooling2D();

// In palette order; built once.
std::span<const LayerDefinition> layerCatalog();
const LayerDefinition* findLayerDefinition(std::string_view class_name);

// Rows that many layers have.
FieldSchema activationField();  // activation: linear, relu or softmax
FieldSchema initializerField(std::string name, std::string_view class_name);
FieldSchema regularizerField(std::string name);  // null by default
FieldSchema useBiasField();
FieldSchema paddingField();

}  // namespace engine::spec::layers
