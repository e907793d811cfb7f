#include "engine/plan/layers/layer_table.h"

#include <array>
#include <utility>

namespace engine::plan {
namespace {

constexpr auto kLowerings = std::to_array<std::pair<std::string_view, LayerLowering>>({
    {"Activation", lowerActivationLayer},
    {"AveragePooling1D", lowerAveragePooling},
    {"AveragePooling2D", lowerAveragePooling},
    {"Conv1D", lowerConv},
    {"Conv2D", lowerConv},
    {"Conv2DTranspose", lowerConv2DTranspose},
    {"Dense", lowerDense},
    {"DepthwiseConv2D", lowerDepthwiseConv2D},
    {"Dropout", lowerDropout},
    {"Flatten", lowerReshape},
    {"GlobalAveragePooling1D", lowerGlobalAveragePooling},
    {"GlobalAveragePooling2D", lowerGlobalAveragePooling},
    {"GlobalMaxPooling1D", lowerGlobalMaxPooling},
    {"GlobalMaxPooling2D", lowerGlobalMaxPooling},
    {"MaxPooling1D", lowerMaxPooling},
    {"MaxPooling2D", lowerMaxPooling},
    {"Reshape", lowerReshape},
    {"SeparableConv2D", lowerSeparableConv2D},
});

}  // namespace

LayerLowering findLayerLowering(std::string_view class_name) {
    for (const auto& [name, lowering] : kLowerings) {
        if (name == class_name) return lowering;
    }
    return nullptr;
}

}  // namespace engine::plan
