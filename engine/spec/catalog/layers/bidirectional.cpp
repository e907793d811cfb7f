// Bidirectional: a recurrent layer and its copy that reads the sequence from the end. Outputs (units) or (time, units) of each, the second
// one's times turned back, become one: concat (2 units), sum, ave or mul (units).
#include <algorithm>

#include "engine/spec/catalog/layers/nested_layer.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/field_schema.h"

namespace engine::spec::layers {
namespace {

bool isRecurrent(const std::string& class_name) {
    return class_name == "SimpleRNN" || class_name == "LSTM" || class_name == "GRU";
}

std::optional<ShapeFault> inferBidirectional(const LayerSpec& layer, LayerInfo& info) {
    const std::vector<LayerSpec> both = nestedLayers(layer);
    if (both.empty()) {
        return ShapeFault{"layer", "expected a layer with class_name and config, got its name alone"};
    }
    std::vector<Shape> outputs;
    for (const LayerSpec& inner : both) {
        const char* field = outputs.empty() ? "layer" : "backward_layer";
        if (!isRecurrent(inner.class_name)) {
            return ShapeFault{field, "expected a layer of class LSTM, GRU or SimpleRNN, got " + inner.class_name};
        }
        LayerInfo one;
        one.input_shape = info.input_shape;
        one.input_mask = info.input_mask;
        if (auto fault = inferNested(inner, field, one)) {
            return fault;
        }
        info.variables.insert(info.variables.end(), one.variables.begin(), one.variables.end());
        info.multiply_adds += one.multiply_adds;
        outputs.push_back(one.output_shape);
    }
    if (settingsOf(both[0]).getBool("go_backwards") == settingsOf(both[1]).getBool("go_backwards")) {
        return ShapeFault{layer.config.getObject("backward_layer") == nullptr ? "layer" : "backward_layer",
                          "expected one of the two layers with go_backwards, got it in " +
                              std::string(settingsOf(both[0]).getBool("go_backwards") ? "both" : "none")};
    }
    const bool concatenates = settingsOf(layer).getString("merge_mode") == "concat";
    const bool alike = outputs[0].size() == outputs[1].size() && (concatenates || outputs[0].back() == outputs[1].back());
    if (!alike) {
        return ShapeFault{"backward_layer", outputs[0].size() != outputs[1].size()
                                                ? "expected the return_sequences of the forward layer, got another"
                                                : "expected the " + std::to_string(outputs[0].back()) +
                                                      " units of the forward layer, got " + std::to_string(outputs[1].back())};
    }
    info.output_shape = outputs[0];
    if (outputs[0].size() > 1) {
        info.output_mask = info.input_mask;  // both return sequences
    }
    if (concatenates) {
        info.output_shape.back() += outputs[1].back();
    }
    return std::nullopt;
}

FieldSchema layerField(std::string name, bool required, std::string hint) {
    return {.name = std::move(name),
            .kind = FieldKind::kObject,
            .required = required,
            .choices = {"LSTM", "GRU", "SimpleRNN"},
            .hint = std::move(hint)};
}

}  // namespace

std::vector<LayerDefinition> bidirectionalLayers() {
    return {{.schema = {"Bidirectional",
                        LayerCategory::kRecurrent,
                        {layerField("layer", true, "Reads the sequence from its beginning"),
                         {.name = "merge_mode",
                          .kind = FieldKind::kChoice,
                          .fallback = "concat",
                          .choices = {"concat", "sum", "ave", "mul"},
                          .hint = "How the two directions become one"},
                         layerField("backward_layer", false, "Reads it from the end; without one a copy of the first")}},
             .infer = inferBidirectional,
             .mask = MaskRule::kOwn,
             .place = 490}};
}

}  // namespace engine::spec::layers
