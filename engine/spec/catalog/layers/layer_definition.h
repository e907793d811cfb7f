// One layer's contribution to the engine's values: its fields and the rule from input shape to output, variables and work.
// A layer is added by one file beside this one: gaussian_noise.cpp defines `std::vector<LayerDefinition> gaussianNoiseLayers()`, its rows,
// and CMake lists the function by the file's name (tandem_rows).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/spec/catalog/layer_info.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/model_spec.h"

namespace engine::spec {
class Settings;
}

namespace engine::spec::layers {

// What a rule finds wrong: the field to blame (empty: the input) and expectation with fact.
struct ShapeFault {
    std::string field;
    std::string message;
};

// Fills output_shape, variables and multiply_adds of `info`, and output_mask where the layer makes or uses a mask (MaskRule::kOwn);
// input_shape and input_mask are set, the rest is counted by the caller. The config passed checkFields before. nullopt on success.
using ShapeRule = std::optional<ShapeFault> (*)(const LayerSpec& layer, LayerInfo& info);

// The limit of any size that a user writes: products of a few of them stay within 64 bits.
inline constexpr double kMaximumSize = 1 << 20;
// Stands in noise_shape and output_shape for the size that the input has there. It is Keras' None, read from JSON's null.
inline constexpr std::int64_t kInputsSize = -1;

// What becomes of a mask that comes with the input: Keras' supports_masking and compute_mask.
enum class MaskRule {
    kDrops,     // the output has none
    kPassesOn,  // the output has the same
    kOwn,       // the shape rule says
};

struct LayerDefinition {
    LayerSchema schema;
    ShapeRule infer = nullptr;
    MaskRule mask = MaskRule::kDrops;
    int place = 0;                  // in the palette, in ascending order; those of a group lie together
    bool is_distributable = false;  // TimeDistributed may hold it: it takes each time by itself
    bool is_cell = false;           // an RNN takes it: no layer by itself, and not in the palette
    // Tells if a layer with these fields takes variables from the training samples before training: Keras' adapt(). Null: none does.
    bool (*takes_samples)(const LayerSpec& layer) = nullptr;
    // True where the rule takes the last axes for those that the field axis names, see axis_order.h.
    bool takes_named_axes = false;
    // Of the axes that lie in front of the channels with data_format channels_first: the times of a ConvLSTM.
    int axes_before_channels = 0;
    bool takes_ids = false;  // whole numbers of the model's input
    // Tells if a layer with these fields gives ids where it gets ids, or numbers that come into the model. Null: none does.
    bool (*keeps_ids)(const LayerSpec& layer) = nullptr;
    bool takes_texts = false;  // of the model's input, where samples are read: see texts/text_layer.h
    // Called once with all layers, for a field whose choices are other layers.
    void (*complete)(LayerDefinition& self, std::span<const LayerDefinition> all) = nullptr;
};

// The row with its column set: of a class that Keras 2.15 lacks.
inline LayerDefinition sinceKeras3(LayerDefinition definition) {
    definition.schema.since_keras_3 = kSinceKeras3;
    return definition;
}

// All layers in palette order, then the cells; built once.
std::span<const LayerDefinition> layerCatalog();
const LayerDefinition* findLayerDefinition(std::string_view class_name);

// Rows that many layers have.
FieldSchema activationField();  // activation: the names of engine/plan/activation.h
FieldSchema axisField();        // axis: one or several, -1 by default
FieldSchema initializerField(std::string name, std::string_view class_name);
FieldSchema regularizerField(std::string name);  // null by default
FieldSchema constraintField(std::string name);   // null by default
FieldSchema useBiasField();
FieldSchema paddingField();
FieldSchema dataFormatField();
FieldSchema seedField();
FieldSchema filtersField();
FieldSchema sizeField(std::string name, std::int64_t fallback, std::string hint);  // an integer of at least 1

// `fields`, then the rows of every layer that multiplies by kernels and adds a bias, in Keras' order: activation, use_bias, what the
// kernels and the bias begin with, their regularizers and constraints. `kernels` are Keras' prefixes: "kernel", or "depthwise" and
// "pointwise".
std::vector<FieldSchema> withWeightFields(std::vector<FieldSchema> fields, const std::vector<std::string>& kernels = {"kernel"});

// Checks the mask that a layer takes: returns a fault unless it has one value for each place of these sizes; nullopt without a mask.
std::optional<ShapeFault> expectMask(const LayerInfo& info, const Shape& sizes);

// `axis` of a layer that takes named axes: their sizes, which are the last ones of what the layer sees, or a fault where they can't be.
enum class AxisCount { kOne, kAny };
std::optional<ShapeFault> readNamedAxes(const Settings& settings, const Shape& input, Shape& sizes, AxisCount count);

}  // namespace engine::spec::layers
