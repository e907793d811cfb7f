#include "engine/spec/model_spec.h"

#include <algorithm>
#include <cctype>

#include "engine/spec/layers/layer_definition.h"
#include "engine/spec/names.h"

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

std::string automaticLayerName(std::string_view class_name, std::span<const std::string> taken) {
    const std::string base = snakeCase(class_name);
    std::string name = base;
    for (int i = 1; std::find(taken.begin(), taken.end(), name) != taken.end(); ++i) {
        name = base + "_" + std::to_string(i);
    }
    return name;
}

}  // namespace engine::spec
