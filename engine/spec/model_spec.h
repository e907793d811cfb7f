// A Sequential model as the user wrote it: Keras' class names and fields, nothing inferred.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/fields.h"
#include "engine/spec/shape.h"

namespace engine::spec {

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
    std::string dtype_policy = "float32";  // Keras' name of it, see engine/spec/catalog/dtype_policy.h; a layer's own is its field "dtype"
    std::vector<LayerSpec> layers;         // InputLayer is not listed
    friend bool operator==(const ModelSpec&, const ModelSpec&) = default;
};

}  // namespace engine::spec
