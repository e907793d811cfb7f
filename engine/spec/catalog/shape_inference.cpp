#include "engine/spec/catalog/shape_inference.h"

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/axis_order.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/shape.h"

namespace engine::spec {
namespace {

constexpr std::int64_t kFloatBytes = 4;

std::int64_t elementCount(const Shape& shape) {
    std::int64_t count = 1;
    for (std::int64_t size : shape) {
        count *= size;
    }
    return count;
}

int fieldIndex(const LayerSchema& schema, std::string_view field) {
    for (std::size_t i = 0; i < schema.fields.size(); ++i) {
        if (schema.fields[i].name == field) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

void inferLayer(const LayerSpec& layer, LayerInfo& info) {
    const layers::LayerDefinition* definition = layers::findLayerDefinition(layer.class_name);
    if (definition == nullptr) {
        info.error = unknownLayerText(layer.class_name);
        return;
    }
    if (const auto faults = checkFields(layer.config, definition->schema.fields); !faults.empty()) {
        info.error = faults.front().field + ": " + faults.front().message;
        info.error_field = faults.front().index;
        return;
    }
    if (const auto fault = layers::inferInOrder(*definition, layer, info)) {
        info.error = fault->message;
        info.error_field = fieldIndex(definition->schema, fault->field);
        info.output_shape.clear();
        info.variables.clear();
        return;
    }
    if (definition->mask == layers::MaskRule::kPassesOn) {
        info.output_mask = info.input_mask;
    }
    bool large = hasTooManyValues(info.output_shape);
    for (const VariableInfo& variable : info.variables) {
        large = large || hasTooManyValues(variable.shape);
    }
    if (large) {
        info.error = "expected at most 1e12 values in the output and in each variable, got output " + batchShapeText(info.output_shape);
        info.output_shape.clear();
        info.variables.clear();
        info.multiply_adds = 0;
        return;
    }
    const bool frozen = !isTrainable(layer);
    for (VariableInfo& variable : info.variables) {
        variable.trainable = variable.trainable && !frozen;
        info.parameters += elementCount(variable.shape);
    }
    info.activation_bytes = elementCount(info.output_shape) * kFloatBytes;
    info.known = true;
}

}  // namespace

std::vector<LayerInfo> inferShapes(const ModelSpec& model) {
    for (std::int64_t size : model.input_shape) {
        if (size < 1) {
            return std::vector<LayerInfo>(model.layers.size());  // the input is to blame, not a layer
        }
    }
    if (hasTooManyValues(model.input_shape)) {
        return std::vector<LayerInfo>(model.layers.size());
    }
    return inferChain(model.layers, model.input_shape, std::nullopt);
}

std::vector<LayerInfo> inferChain(const std::vector<LayerSpec>& layers, Shape shape, std::optional<Shape> mask) {
    std::vector<LayerInfo> infos(layers.size());
    for (std::size_t i = 0; i < layers.size(); ++i) {
        infos[i].input_shape = shape;
        infos[i].input_mask = mask;
        inferLayer(layers[i], infos[i]);
        if (!infos[i].known) {
            break;
        }
        shape = infos[i].output_shape;
        mask = infos[i].output_mask;
    }
    return infos;
}

}  // namespace engine::spec
