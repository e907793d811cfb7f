#include "engine/spec/model_spec.h"

#include <algorithm>

#include "engine/spec/layer_names.h"
#include "engine/spec/layers/layer_definition.h"

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

bool isTrainable(const LayerSpec& layer) {
    return layer.config.getBool("trainable", true);
}

std::string automaticLayerName(std::string_view class_name, std::span<const std::string> taken) {
    return LayerNames(taken).next(class_name);
}

bool isAutomaticLayerName(std::string_view class_name, std::string_view name) {
    const std::string first = automaticLayerName(class_name, {});
    if (!name.starts_with(first)) return false;
    const std::string_view rest = name.substr(first.size());
    const std::string_view digits = rest.substr(rest.starts_with('_') ? 1 : 0);
    const bool is_number =
        !digits.empty() && digits.front() != '0' && std::all_of(digits.begin(), digits.end(), [](char c) { return c >= '0' && c <= '9'; });
    return rest.empty() || (rest.front() == '_' && is_number);
}

}  // namespace engine::spec
