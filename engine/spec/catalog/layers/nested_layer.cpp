#include "engine/spec/catalog/layers/nested_layer.h"

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/axis_order.h"

namespace engine::spec::layers {

std::optional<ShapeFault> inferNested(const LayerSpec& inner, const char* field, LayerInfo& info) {
    return inferNested(inner, field, inner.class_name, info);
}

std::optional<ShapeFault> inferNested(const LayerSpec& inner, const char* field, const std::string& word, LayerInfo& info) {
    const LayerDefinition* definition = findLayerDefinition(inner.class_name);
    if (definition == nullptr) {
        return ShapeFault{field, unknownLayerText(inner.class_name)};
    }
    if (const auto faults = checkFields(inner.config, definition->schema.fields); !faults.empty()) {
        return ShapeFault{field, word + "." + faults.front().field + ": " + faults.front().message};
    }
    if (auto fault = inferInOrder(*definition, inner, info)) {
        return ShapeFault{field, word + (fault->field.empty() ? "" : "." + fault->field) + ": " + fault->message};
    }
    if (const FieldValue* penalty = inner.config.find("activity_regularizer");
        penalty != nullptr && !std::holds_alternative<std::monostate>(*penalty)) {
        return ShapeFault{field, word + ".activity_regularizer: expected none of a layer inside another (not supported), got one"};
    }
    if (definition->mask == MaskRule::kPassesOn) {
        info.output_mask = info.input_mask;
    }
    if (!isTrainable(inner)) {
        for (VariableInfo& variable : info.variables) {
            variable.trainable = false;
        }
    }
    return std::nullopt;
}

}  // namespace engine::spec::layers
