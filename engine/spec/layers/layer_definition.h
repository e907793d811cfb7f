// One layer's contribution to the engine's values: its fields and the rule from input shape to output, variables and work.
// A layer is added by one file beside this one and its line in layer_catalog.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
LayerDefinition defineAveragePooling1D();
LayerDefinition defineAveragePooling2D();
LayerDefinition defineConv1D();
LayerDefinition defineConv2D();
LayerDefinition defineConv2DTranspose();
LayerDefinition defineDense();
LayerDefinition defineDepthwiseConv2D();
LayerDefinition defineDropout();
LayerDefinition defineFlatten();
LayerDefinition defineGlobalAveragePooling1D();
LayerDefinition defineGlobalAveragePooling2D();
LayerDefinition defineGlobalMaxPooling1D();
LayerDefinition defineGlobalMaxPooling2D();
LayerDefinition defineMaxPooling1D();
LayerDefinition defineMaxPooling2D();
LayerDefinition defineReshape();
LayerDefinition defineSeparableConv2D();

// In palette order; built once.
std::span<const LayerDefinition> layerCatalog();
const LayerDefinition* findLayerDefinition(std::string_view class_name);

// Rows that many layers have.
FieldSchema activationField();  // activation: linear, relu or softmax
FieldSchema initializerField(std::string name, std::string_view class_name);
FieldSchema useBiasField();
FieldSchema paddingField();
FieldSchema filtersField();
FieldSchema sizeField(std::string name, std::int64_t fallback, std::string hint);  // an integer of at least 1

// `fields`, then the rows of every layer that multiplies by kernels and adds a bias, in Keras' order: activation, use_bias, what the
// kernels and the bias begin with. `kernels` are Keras' prefixes: "kernel", or "depthwise" and "pointwise".
std::vector<FieldSchema> withWeightFields(std::vector<FieldSchema> fields, const std::vector<std::string>& kernels = {"kernel"});

}  // namespace engine::spec::layers
