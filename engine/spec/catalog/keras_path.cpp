#include "engine/spec/catalog/keras_path.h"

#include <algorithm>
#include <array>

#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/nested_layers.h"

namespace engine::spec {
namespace {

// What Keras calls a layer within `outer`: the directions of Bidirectional by their direction, an attention's products by their role,
// cells of a stack by their class and number, others by their class.
std::string innerName(const LayerSpec& outer, const LayerSpec& inner) {
    if (isStack(outer)) return "stacked_rnn_cells" + inner.name.substr(inner.name.rfind('/'));
    if (!isWrapper(outer)) return inner.name.substr(outer.name.size() + 1);
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
    std::string cell = has_cell ? automaticLayerName(layer.class_name, {}) + "_cell/" : "";
    if (layer.class_name.starts_with("ConvLSTM")) cell = "conv_lstm_cell/";
    return cell + std::string(variable.substr(layer.name.size() + 1));
}

}  // namespace

KerasPaths::KerasPaths(const ModelSpec& model) : model_(model) {
    for (const LayerSpec& layer : model.layers) layers_.emplace(layer.name, &layer);
}

std::string KerasPaths::of(std::string_view variable) const {
    for (std::size_t end = variable.find('/'); end != std::string_view::npos; end = variable.find('/', end + 1)) {
        const auto found = layers_.find(variable.substr(0, end));
        if (found != layers_.end()) return model_.name + "/" + found->second->name + "/" + pathWithin(*found->second, variable);
    }
    return model_.name + "/" + std::string(variable);
}

}  // namespace engine::spec
