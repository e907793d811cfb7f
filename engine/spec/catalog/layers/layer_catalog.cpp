#include <algorithm>
#include <vector>

#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {

std::span<const LayerDefinition> layerCatalog() {
    static const std::vector<LayerDefinition> catalog{defineConv2D(),
                                                      defineDense(),
                                                      defineConv1D(),
                                                      defineDepthwiseConv2D(),
                                                      defineSeparableConv2D(),
                                                      defineConv2DTranspose(),
                                                      defineMaxPooling2D(),
                                                      defineAveragePooling2D(),
                                                      defineMaxPooling1D(),
                                                      defineAveragePooling1D(),
                                                      defineGlobalMaxPooling2D(),
                                                      defineGlobalAveragePooling2D(),
                                                      defineGlobalMaxPooling1D(),
                                                      defineGlobalAveragePooling1D(),
                                                      defineFlatten(),
                                                      defineReshape(),
                                                      definePermute(),
                                                      defineRepeatVector(),
                                                      defineZeroPadding2D(),
                                                      defineCropping2D(),
                                                      defineUpSampling2D(),
                                                      defineZeroPadding1D(),
                                                      defineCropping1D(),
                                                      defineUpSampling1D(),
                                                      defineRescaling(),
                                                      defineDropout(),
                                                      defineSpatialDropout2D(),
                                                      defineSpatialDropout1D(),
                                                      defineGaussianNoise(),
                                                      defineRandomFlip(),
                                                      defineRandomRotation(),
                                                      defineRandomZoom(),
                                                      defineRandomTranslation(),
                                                      defineBatchNormalization(),
                                                      defineLayerNormalization(),
                                                      defineGroupNormalization(),
                                                      defineUnitNormalization(),
                                                      defineActivation(),
                                                      defineRelu(),
                                                      defineLeakyRelu(),
                                                      defineElu(),
                                                      definePrelu(),
                                                      defineSoftmax(),
                                                      defineEmbedding(),
                                                      defineMasking(),
                                                      defineSimpleRnn(),
                                                      defineLstm(),
                                                      defineGru(),
                                                      defineBidirectional(),
                                                      defineTimeDistributed()};
    return catalog;
}

const LayerDefinition* findLayerDefinition(std::string_view class_name) {
    const auto catalog = layerCatalog();
    const auto found =
        std::find_if(catalog.begin(), catalog.end(), [&](const LayerDefinition& d) { return d.schema.class_name == class_name; });
    return found == catalog.end() ? nullptr : &*found;
}

}  // namespace engine::spec::layers
