// Residual: the output of a chain of layers plus the input, or plus what a second chain, the shortcut, makes of the input where the shapes
// differ. Keras has no such class: code and files name it tandem>Residual, and exported code defines it.
#include <algorithm>
#include <iterator>

#include "engine/spec/catalog/layers/nested_layer.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

// Goes through the chain from the layer's input: adds its variables and work to `info`; `last` becomes what its last layer makes of the
// input, or the input itself.
std::optional<ShapeFault> followChain(const LayerSpec& layer, const char* field, LayerInfo& info, LayerInfo& last) {
    last.output_shape = info.input_shape;
    last.output_mask = info.input_mask;
    for (const LayerSpec& member : chainOf(layer, field)) {
        LayerInfo one;
        one.input_shape = last.output_shape;
        one.input_mask = last.output_mask;
        const std::string word = member.name.substr(member.name.rfind('/') + 1);  // tells two of one class apart
        if (auto fault = inferNested(member, field, word, one)) {
            return fault;
        }
        if (info.input_mask && !one.output_mask && std::string_view(field) == "layers") {
            return ShapeFault{field, "expected layers that pass the mask of the input on, got " + word + ", which drops it"};
        }
        if (hasTooManyValues(one.output_shape)) {
            return ShapeFault{
                field, "expected at most 1e12 values behind each layer, got " + batchShapeText(one.output_shape) + " behind " + word};
        }
        info.variables.insert(info.variables.end(), one.variables.begin(), one.variables.end());
        info.multiply_adds += one.multiply_adds;
        last = std::move(one);
    }
    return std::nullopt;
}

// A layer that makes another shape of the input, as people write it.
std::string usualShortcut(const Shape& input) {
    if (input.size() == 3) return "Conv2D with kernel_size 1";
    return input.size() == 2 ? "Conv1D with kernel_size 1" : "Dense";
}

std::optional<ShapeFault> inferResidual(const LayerSpec& layer, LayerInfo& info) {
    if (layer.config.getObjects("layers").empty()) {
        return ShapeFault{"layers", "expected at least one layer, got none"};
    }
    for (const LayerSpec& owner : owningLayers(layer)) {
        if (owner.class_name == "Embedding" || owner.class_name == "ReversibleEmbedding") {
            return ShapeFault{"layers", "expected layers that take numbers, got an Embedding, which takes ids"};
        }
    }
    LayerInfo main, side;
    if (auto fault = followChain(layer, "layers", info, main)) {
        return fault;
    }
    if (auto fault = followChain(layer, "shortcut", info, side)) {
        return fault;
    }
    if (main.output_shape != side.output_shape) {
        const std::string output = batchShapeText(main.output_shape), other = batchShapeText(side.output_shape);
        if (layer.config.getObjects("shortcut").empty()) {
            return ShapeFault{"shortcut", "expected layers that make the output " + output + " of the input " + other + ", such as a " +
                                              usualShortcut(info.input_shape) + ", got none"};
        }
        return ShapeFault{"shortcut", "expected an output as that of the layers, " + output + ", got " + other};
    }
    info.output_shape = main.output_shape;
    return std::nullopt;
}

// Their classes: all but those that make a mask, which is none of the shortcut, or take ids or texts, to which nothing can be added.
// BatchNormalization comes first: a new Residual begins with it, and fits behind every layer.
std::vector<std::string> members(std::span<const LayerDefinition> all) {
    std::vector<std::string> names;
    for (const LayerDefinition& definition : all) {
        const std::string& name = definition.schema.class_name;
        const bool takes_numbers = !definition.takes_ids && !definition.takes_texts;
        if (takes_numbers && !definition.is_cell && name != "Masking") names.push_back(name);
    }
    const auto normalization = std::find(names.begin(), names.end(), "BatchNormalization");
    if (normalization != names.end()) std::rotate(names.begin(), normalization, normalization + 1);
    return names;
}

}  // namespace

std::vector<LayerDefinition> residualLayers() {
    return {
        {.schema =
             {"Residual",
              LayerCategory::kLayer,
              {{.name = "layers", .kind = FieldKind::kLayerList, .required = true, .hint = "The chain whose output the input is added to"},
               {.name = "shortcut",
                .kind = FieldKind::kLayerList,
                .hint = "Layers that give the input the shape of the output; none: the input itself"}}},
         .infer = inferResidual,
         .mask = MaskRule::kPassesOn,
         .place = 65,
         .complete = [](LayerDefinition& self, std::span<const LayerDefinition> all) {
             for (FieldSchema& field : self.schema.fields) field.choices = members(all);
         }}};
}

}  // namespace engine::spec::layers
