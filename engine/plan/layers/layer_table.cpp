#include "engine/plan/layers/layer_table.h"

#include <array>
#include <utility>

namespace engine::plan {
namespace {

constexpr std::array<std::pair<std::string_view, LayerLowering>, 19> kLowerings{{
    {"Activation", lowerActivationLayer},
    {"BatchNormalization", lowerBatchNormalization},
    {"Conv2D", lowerConv2D},
    {"Dense", lowerDense},
    {"Dropout", lowerDropout},
    {"ELU", lowerElu},
    {"Embedding", lowerEmbedding},
    {"Flatten", lowerFlatten},
    {"GRU", lowerGru},
    {"GroupNormalization", lowerGroupNormalization},
    {"LSTM", lowerLstm},
    {"LayerNormalization", lowerLayerNormalization},
    {"LeakyReLU", lowerLeakyRelu},
    {"MaxPooling2D", lowerMaxPooling2D},
    {"PReLU", lowerPrelu},
    {"ReLU", lowerRelu},
    {"SimpleRNN", lowerSimpleRnn},
    {"Softmax", lowerSoftmax},
    {"UnitNormalization", lowerUnitNormalization},
}};

}  // namespace

LayerLowering findLayerLowering(std::string_view class_name) {
    for (const auto& [name, lowering] : kLowerings) {
        if (name == class_name) return lowering;
    }
    return nullptr;
}

}  // namespace engine::plan
