#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {

// A line for each file of this folder that defines layers, made by CMake.
#define TANDEM_ROWS(name) std::vector<LayerDefinition> name##Layers();
#include "layer_files.inc"
#undef TANDEM_ROWS

namespace {

std::vector<LayerDefinition> allLayers() {
    std::vector<LayerDefinition> all;
    const auto add = [&all](std::vector<LayerDefinition> rows) {
        all.insert(all.end(), std::make_move_iterator(rows.begin()), std::make_move_iterator(rows.end()));
    };
#define TANDEM_ROWS(name) add(name##Layers());
#include "layer_files.inc"
#undef TANDEM_ROWS
    std::stable_sort(all.begin(), all.end(), [](const LayerDefinition& a, const LayerDefinition& b) { return a.place < b.place; });
    for (LayerDefinition& definition : all) {
        if (definition.complete != nullptr) definition.complete(definition, all);
    }
    return all;
}

}  // namespace

std::span<const LayerDefinition> layerCatalog() {
    static const std::vector<LayerDefinition> catalog = allLayers();
    return catalog;
}

const LayerDefinition* findLayerDefinition(std::string_view class_name) {
    const auto catalog = layerCatalog();
    const auto found =
        std::find_if(catalog.begin(), catalog.end(), [&](const LayerDefinition& d) { return d.schema.class_name == class_name; });
    return found == catalog.end() ? nullptr : &*found;
}

}  // namespace engine::spec::layers
