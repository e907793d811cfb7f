#include "engine/spec/catalog/layer_catalog.h"

#include <vector>

#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec {

std::span<const LayerSchema> layerSchemas() {
    static const std::vector<LayerSchema> schemas = [] {
        std::vector<LayerSchema> list;
        for (const layers::LayerDefinition& definition : layers::layerCatalog()) {
            if (!definition.is_cell) list.push_back(definition.schema);
        }
        return list;
    }();
    return schemas;
}

const LayerSchema* findLayerSchema(std::string_view class_name) {
    const layers::LayerDefinition* definition = layers::findLayerDefinition(class_name);
    return definition == nullptr ? nullptr : &definition->schema;
}

}  // namespace engine::spec
