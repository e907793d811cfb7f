#include "engine/plan/layers/layer_table.h"

#include <array>
#include <utility>

namespace engine::plan {
namespace {

constexpr std::array<std::pair<std::string_view, LayerLowering>, 6> kLowerings{{
    {"Activation", lowerActivationLayer},
    {"Conv2D", lowerConv2D},
    {"Dense", lowerDense},
    {"Dropout", lowerDropout},
    {"Flatten", lowerFlatten},
    {"MaxPooling2D", lowerMaxPooling2D},
}};

}  // namespace

LayerLowering findLayerLowering(std::string_view class_name) {
    for (const auto& [name, lowering] : kLowerings) {
        if (name == class_name) return lowering;
    }
    return nullptr;
}

}  // namespace engine::plan
