#include "engine/spec/catalog/keras_path.h"

#include <algorithm>
#include <array>

#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/nested_layers.h"

namespace engine::spec {
namespace {

// What Keras calls a layer within `outer`: the directions of Bidirectional by their direction, others by their class.
std::string innerName(const LayerSpec& outer, const LayerSpec& inner) {
    const std::string name = automaticLayerName(inner.class_name, {});
    if (outer.class_name != "Bidirectional") return name;
    return (inner.name.ends_with("/forward_layer") ? "forward_" : "backward_") + name;
}

// The rest of the path behind the layer's own name.
std::string pathWithin(const LayerSpec& layer, std::string_view variable) {
    for (const LayerSpec& inner : nestedLayers(layer)) {
        if (variable.starts_with(inner.name + "/")) return innerName(layer, inner) + "/" + pathWithin(inner, variable);
    }
    constexpr std::array<std::string_view, 3> kWithCell{"SimpleRNN", "LSTM", "GRU"};
    const bool has_cell = std::find(kWithCell.begin(), kWithCell.end(), layer.class_name) != kWithCell.end();
    const std::string cell = has_cell ? automaticLayerName(layer.class_name, {}) + "_cell/" : "";
    return cell + std::string(variable.substr(layer.name.size() + 1));
}

}  // namespace

std::string kerasPath(const ModelSpec& model, std::string_view variable) {
    for (const LayerSpec& layer : model.layers) {
        if (variable.starts_with(layer.name + "/")) return model.name + "/" + layer.name + "/" + pathWithin(layer, variable);
    }
    return model.name + "/" + std::string(variable);
}

}  // namespace engine::spec
