// A Sequential model as the user wrote it: Keras' class names and fields, nothing inferred.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/fields.h"

namespace engine::spec {

// Sizes without the batch axis, channels last. Empty = scalar.
using Shape = std::vector<std::int64_t>;

struct LayerSpec {
    std::string class_name;  // "Conv2D"
    std::string name;        // unique in the model; Keras' automatic names when the user gave none ("conv2d_1")
    Fields config;           // only what differs from the default needs to be present
    friend bool operator==(const LayerSpec&, const LayerSpec&) = default;
};

struct ModelSpec {
    std::string name = "sequential";
    Shape input_shape;  // (28, 28, 1)
    std::string input_dtype = "float32";
    std::string dtype_policy = "float32";  // Keras' name of it, see engine/spec/dtype_policy.h; a layer's own is its field "dtype"
    std::vector<LayerSpec> layers;         // InputLayer is not listed
    friend bool operator==(const ModelSpec&, const ModelSpec&) = default;
};

// Keras' field `trainable`, which every layer has beside those of its schema: false freezes its weights.
bool isTrainable(const LayerSpec& layer);

// How a field is edited and checked. The studio's property panel is built from these rows; so are validate's type checks.
enum class FieldKind { kBool, kInt, kDouble, kString, kChoice, kIntPair, kIntList, kObject, kDoubleList };

struct FieldSchema {
    std::string name;
    FieldKind kind;
    FieldValue fallback{};  // Keras' default; std::monostate when null or required
    bool required = false;
    std::vector<std::string> choices{};  // kChoice; of kObject the classes, empty = any; of a number: texts or classes it may be instead
    double minimum = -1e300;             // numbers, included (or excluded, see below)
    double maximum = 1e300;
    bool minimum_excluded = false;
    std::string hint{};  // one short English sentence; the studio translates it
};

enum class LayerCategory { kLayer, kPool, kShape, kActivation, kNormalization, kDropout, kRecurrent };

struct LayerSchema {
    std::string class_name;
    LayerCategory category;
    std::vector<FieldSchema> fields;  // in Keras' order, without name, trainable and dtype
};

// Every layer the engine knows, in palette order. Static data, safe from any thread.
std::span<const LayerSchema> layerSchemas();
// nullptr for an unknown class.
const LayerSchema* findLayerSchema(std::string_view class_name);

// Keras' automatic name: snake case of the class, with _1, _2, ... when `taken` holds it already.
std::string automaticLayerName(std::string_view class_name, std::span<const std::string> taken);
// A name that Keras could have given a layer of this class: "dense", "dense_2".
bool isAutomaticLayerName(std::string_view class_name, std::string_view name);

}  // namespace engine::spec
