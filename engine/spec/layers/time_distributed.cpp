// TimeDistributed: a layer on every time of a sequence: (time, input) -> (time, output).
#include <algorithm>
#include <array>

#include "engine/spec/layers/nested_layer.h"
#include "engine/spec/names.h"
#include "engine/spec/nested_layers.h"

namespace engine::spec::layers {
namespace {

// Layers that do with (time, ...) as a whole what they do with each time: they work on rows, elements or the last axes.
const std::vector<std::string>& rowWise() {
    static const std::vector<std::string> names{"Dense",
                                                "Activation",
                                                "ReLU",
                                                "LeakyReLU",
                                                "ELU",
                                                "Softmax",
                                                "Dropout",
                                                "Flatten",
                                                "Reshape",
                                                "LayerNormalization",
                                                "UnitNormalization",
                                                "Rescaling"};
    return names;
}

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    const std::vector<LayerSpec> nested = nestedLayers(layer);
    if (nested.empty()) {
        return ShapeFault{"layer", "expected a layer with class_name and config, got its name alone"};
    }
    const LayerSpec& inner = nested.front();
    if (std::find(rowWise().begin(), rowWise().end(), inner.class_name) == rowWise().end()) {
        return ShapeFault{"layer",
                          "expected a layer of class " + oneOf(rowWise()) + " (others are not supported), got " + inner.class_name};
    }
    if (info.input_shape.size() < 2) {
        return ShapeFault{
            "", "expected input rank 3 or more (batch, time and values), got rank " + std::to_string(info.input_shape.size() + 1)};
    }
    if (!inner.config.getInts("noise_shape", {}).empty()) {
        return ShapeFault{"layer", "Dropout.noise_shape: expected none inside TimeDistributed (not supported), got one"};
    }
    LayerInfo one;
    one.input_shape.assign(info.input_shape.begin() + 1, info.input_shape.end());
    if (auto fault = inferNested(inner, "layer", one)) {
        return fault;
    }
    const std::int64_t time = info.input_shape.front();
    info.output_shape = {time};
    info.output_shape.insert(info.output_shape.end(), one.output_shape.begin(), one.output_shape.end());
    info.variables = one.variables;
    info.multiply_adds = time * one.multiply_adds;
    return std::nullopt;
}

}  // namespace

LayerDefinition defineTimeDistributed() {
    return {.schema = {"TimeDistributed",
                       LayerCategory::kRecurrent,
                       {{.name = "layer",
                         .kind = FieldKind::kObject,
                         .required = true,
                         .choices = rowWise(),
                         .hint = "What is done with every time of the sequence"}}},
            .infer = infer};
}

}  // namespace engine::spec::layers
