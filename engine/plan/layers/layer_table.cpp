#include "engine/plan/layers/layer_table.h"

#include <array>
#include <utility>

namespace engine::plan {
namespace {

constexpr auto kLowerings = std::to_array<std::pair<std::string_view, LayerLowering>>({
    {"Activation", lowerActivationLayer},
    {"AveragePooling1D", lowerAveragePooling},
    {"AveragePooling2D", lowerAveragePooling},
    {"BatchNormalization", lowerBatchNormalization},
    {"Bidirectional", lowerBidirectional},
    {"Conv1D", lowerConv},
    {"Conv2D", lowerConv},
    {"Conv2DTranspose", lowerConv2DTranspose},
    {"Cropping1D", lowerCropping},
    {"Cropping2D", lowerCropping},
    {"Dense", lowerDense},
    {"DepthwiseConv2D", lowerDepthwiseConv2D},
    {"Dropout", lowerDropout},
    {"ELU", lowerElu},
    {"Embedding", lowerEmbedding},
    {"Flatten", lowerReshape},
    {"GRU", lowerGru},
    {"GaussianNoise", lowerGaussianNoise},
    {"GlobalAveragePooling1D", lowerGlobalAveragePooling1D},
    {"GlobalAveragePooling2D", lowerGlobalAveragePooling},
    {"GlobalMaxPooling1D", lowerGlobalMaxPooling},
    {"GlobalMaxPooling2D", lowerGlobalMaxPooling},
    {"GroupNormalization", lowerGroupNormalization},
    {"LSTM", lowerLstm},
    {"LayerNormalization", lowerLayerNormalization},
    {"LeakyReLU", lowerLeakyRelu},
    {"Masking", lowerMasking},
    {"MaxPooling1D", lowerMaxPooling},
    {"MaxPooling2D", lowerMaxPooling},
    {"PReLU", lowerPrelu},
    {"ReLU", lowerRelu},
    {"Permute", lowerPermute},
    {"RandomFlip", lowerRandomFlip},
    {"RandomRotation", lowerRandomRotation},
    {"RandomTranslation", lowerRandomTranslation},
    {"RandomZoom", lowerRandomZoom},
    {"RepeatVector", lowerRepeatVector},
    {"Rescaling", lowerRescaling},
    {"Reshape", lowerReshape},
    {"SeparableConv2D", lowerSeparableConv2D},
    {"SimpleRNN", lowerSimpleRnn},
    {"Softmax", lowerSoftmax},
    {"UnitNormalization", lowerUnitNormalization},
    {"SpatialDropout1D", lowerSpatialDropout},
    {"SpatialDropout2D", lowerSpatialDropout},
    {"TimeDistributed", lowerTimeDistributed},
    {"UpSampling1D", lowerUpSampling},
    {"UpSampling2D", lowerUpSampling},
    {"ZeroPadding1D", lowerZeroPadding},
    {"ZeroPadding2D", lowerZeroPadding},
});

}  // namespace

LayerLowering findLayerLowering(std::string_view class_name) {
    for (const auto& [name, lowering] : kLowerings) {
        if (name == class_name) return lowering;
    }
    return nullptr;
}

}  // namespace engine::plan
