// TimeDistributed: the inner layer on every time of a sequence. What works on rows, elements or the last axes takes the sequence as a
// whole. For every other layer the times are folded into the batch: (N, time, ...) is (N * time, ...), and each of these items goes through
// the layer as a sample would. No layer here has statistics over the batch, which Keras takes of each time alone.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

bool takesSequences(const spec::LayerSpec& inner) {
    constexpr auto kRowWise =
        std::to_array<std::string_view>({"Dense", "Activation", "ReLU", "LeakyReLU", "ELU", "Softmax", "Dropout", "Flatten", "Reshape",
                                         "LayerNormalization", "UnitNormalization", "Rescaling", "GaussianNoise", "Embedding"});
    const bool is_row_wise = std::find(kRowWise.begin(), kRowWise.end(), inner.class_name) != kRowWise.end();
    return is_row_wise && inner.config.getInts("noise_shape", {}).empty();
}

// What Keras gives the inner layer of each time: the mask's further axes. One value for a time alone is nothing that a layer here takes.
TensorId foldedMask(LayerBuilder& builder, TensorId mask) {
    if (mask == kNoTensor || builder.shape(mask).size() < 3) return kNoTensor;
    const spec::Shape whole = builder.shape(mask);
    spec::Shape items{whole[0] * whole[1]};
    items.insert(items.end(), whole.begin() + 2, whole.end());
    const TensorId folded = builder.scratch("mask", items, tensor::DType::kUInt8);
    builder.emit({.kind = OpKind::kReshape, .inputs = {mask}, .outputs = {folded}});
    return folded;
}

}  // namespace

TensorId lowerTimeDistributed(LayerBuilder& builder, TensorId x) {
    const std::vector<spec::LayerSpec> nested = spec::nestedLayers(builder.layer());
    ENGINE_CHECK(nested.size() == 1);
    const LayerLowering lowering = findLayerLowering(nested.front().class_name);
    const spec::Shape input = builder.shape(x), output = builder.outputShape();
    if (takesSequences(nested.front())) {
        const TensorId mask = builder.mask();
        LayerBuilder::Part part = builder.lowerNested(nested.front(), {output.begin() + 1, output.end()}, x, lowering);
        builder.setMask(mask);  // also where an Embedding has made one: Keras takes none of an inner layer
        const TensorId y = part.y;
        builder.append(std::move(part));
        return y;
    }
    spec::Shape items{input[0] * input[1]};
    items.insert(items.end(), input.begin() + 2, input.end());
    const TensorId folded = lowerSameBytes(builder, x, items, "folded"), mask = builder.mask();
    builder.setMask(foldedMask(builder, mask));
    LayerBuilder::Part part = builder.lowerNested(nested.front(), {output.begin() + 2, output.end()}, folded, lowering, input[1]);
    builder.setMask(mask);
    const TensorId y = part.y;
    builder.append(std::move(part));
    return lowerSameBytes(builder, y, output, "unfolded");
}

}  // namespace engine::plan
