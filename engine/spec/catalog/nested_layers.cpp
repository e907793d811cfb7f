#include "engine/spec/catalog/nested_layers.h"

#include <utility>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/field_schema.h"

namespace engine::spec {
namespace {

LayerSpec inside(const LayerSpec& outer, const char* role, const ObjectSpec& object) {
    LayerSpec layer{object.class_name, outer.name + "/" + role, object.config};
    layer.config.erase("name");
    if (!isTrainable(outer)) {
        layer.config.set("trainable", false);
    }
    return layer;
}

}  // namespace

std::vector<LayerSpec> nestedLayers(const LayerSpec& layer) {
    const ObjectSpec* inner = layer.config.getObject("layer");
    if (inner == nullptr) {
        return {};
    }
    if (layer.class_name == "TimeDistributed") {
        return {inside(layer, "layer", *inner)};
    }
    if (layer.class_name != "Bidirectional") {
        return {};
    }
    const ObjectSpec* backward = layer.config.getObject("backward_layer");
    std::vector<LayerSpec> both{inside(layer, "forward_layer", *inner),
                                inside(layer, "backward_layer", backward == nullptr ? *inner : *backward)};
    for (LayerSpec& one : both) {
        one.config.set("zero_output_for_mask", one.config.getBool("return_sequences", false));  // as Keras does, whatever they say
    }
    if (backward == nullptr) {
        both.back().config.set("go_backwards", true);  // as Keras does, whatever the forward layer says
    }
    return both;
}

Fields startingFields(std::string_view class_name) {
    Fields config;
    const LayerSchema* schema = findLayerSchema(class_name);
    for (const FieldSchema& field : schema == nullptr ? std::vector<FieldSchema>{} : schema->fields) {
        if (!field.required) {
            continue;
        }
        if (field.kind == FieldKind::kInt) config.set(field.name, std::int64_t{32});
        if (numbersIn(field.kind) > 1) config.set(field.name, std::vector<std::int64_t>(numbersIn(field.kind), 3));
        if (field.kind == FieldKind::kDouble) config.set(field.name, 0.5);
        if (field.kind == FieldKind::kChoice && !field.choices.empty()) config.set(field.name, field.choices.back());
        if (field.kind == FieldKind::kObject && !field.choices.empty()) {
            config.set(field.name, ObjectBox({field.choices.front(), startingFields(field.choices.front())}));
        }
    }
    return config;
}

std::vector<LayerSpec> owningLayers(const LayerSpec& layer) {
    std::vector<LayerSpec> nested = nestedLayers(layer);
    if (nested.empty()) {
        nested.push_back(layer);
    }
    return nested;
}

}  // namespace engine::spec
