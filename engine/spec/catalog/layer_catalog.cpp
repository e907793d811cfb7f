#include "engine/spec/catalog/layer_catalog.h"

#include <algorithm>
#include <vector>

#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec {

std::span<const LayerSchema> layerSchemas() {
    static const std::vector<LayerSchema> schemas = [] {
        std::vector<LayerSchema> list;
        for (const layers::LayerDefinition& definition : layers::layerCatalog()) {
            list.push_back(definition.schema);
        }
        return list;
    }();
    return schemas;
}

const LayerSchema* findLayerSchema(std::string_view class_name) {
    const auto schemas = layerSchemas();
    const auto found = std::find_if(schemas.begin(), schemas.end(), [&](const LayerSchema& s) { return s.class_name == class_name; });
    return found == schemas.end() ? nullptr : &*found;
}

}  // namespace engine::spec
