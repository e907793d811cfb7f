// TimeDistributed: a layer on every time of a sequence: (time, input) -> (time, output).
#include <algorithm>

#include "engine/spec/catalog/layers/nested_layer.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/names.h"

namespace engine::spec::layers {
namespace {

// All but layers that hold others, and BatchNormalization: Keras takes its statistics of each time alone, one after the other.
const std::vector<std::string>& distributable() {
    static const std::vector<std::string> names{"Dense",
                                                "Conv1D",
                                                "Conv2D",
                                                "DepthwiseConv2D",
                                                "SeparableConv2D",
                                                "Conv2DTranspose",
                                                "MaxPooling1D",
                                                "MaxPooling2D",
                                                "AveragePooling1D",
                                                "AveragePooling2D",
                                                "GlobalMaxPooling1D",
                                                "GlobalMaxPooling2D",
                                                "GlobalAveragePooling1D",
                                                "GlobalAveragePooling2D",
                                                "Flatten",
                                                "Reshape",
                                                "Permute",
                                                "RepeatVector",
                                                "ZeroPadding1D",
                                                "ZeroPadding2D",
                                                "Cropping1D",
                                                "Cropping2D",
                                                "UpSampling1D",
                                                "UpSampling2D",
                                                "Rescaling",
                                                "Dropout",
                                                "SpatialDropout1D",
                                                "SpatialDropout2D",
                                                "GaussianNoise",
                                                "RandomFlip",
                                                "RandomRotation",
                                                "RandomZoom",
                                                "RandomTranslation",
                                                "LayerNormalization",
                                                "GroupNormalization",
                                                "UnitNormalization",
                                                "Activation",
                                                "ReLU",
                                                "LeakyReLU",
                                                "ELU",
                                                "PReLU",
                                                "Softmax",
                                                "Embedding",
                                                "SimpleRNN",
                                                "LSTM",
                                                "GRU"};
    return names;
}

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    const std::vector<LayerSpec> nested = nestedLayers(layer);
    if (nested.empty()) {
        return ShapeFault{"layer", "expected a layer with class_name and config, got its name alone"};
    }
    const LayerSpec& inner = nested.front();
    if (std::find(distributable().begin(), distributable().end(), inner.class_name) == distributable().end()) {
        return ShapeFault{"layer",
                          "expected a layer of class " + oneOf(distributable()) + " (others are not supported), got " + inner.class_name};
    }
    if (info.input_shape.size() < 2) {
        return ShapeFault{
            "", "expected input rank 3 or more (batch, time and values), got rank " + std::to_string(info.input_shape.size() + 1)};
    }
    LayerInfo one;
    one.input_shape.assign(info.input_shape.begin() + 1, info.input_shape.end());
    if (info.input_mask) {
        if (info.input_mask->empty()) {
            return ShapeFault{"", "expected a mask with a value for each time, got one for each sample"};
        }
        one.input_mask.emplace(info.input_mask->begin() + 1, info.input_mask->end());
    }
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
                         .choices = distributable(),
                         .hint = "What is done with every time of the sequence"}}},
            .infer = infer,
            .mask = MaskRule::kPassesOn};
}

}  // namespace engine::spec::layers
