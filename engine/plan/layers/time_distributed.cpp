// TimeDistributed: the inner layer on every time of a sequence. What works on rows, elements or the last axes takes the sequence as a whole.
// For every other layer the times are folded into the batch: (N, time, ...) is (N * time, ...), and each of these items goes through the
// layer as a sample would. No layer here has statistics over the batch, which Keras takes of each time alone.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/error.h"
#include "engine/spec/nested_layers.h"

namespace engine::plan {
namespace {

bool takesSequences(const spec::LayerSpec& inner) {
    constexpr auto kRowWise = std::to_array<std::string_view>({"Dense", "Activation", "ReLU", "LeakyReLU", "ELU", "Softmax", "Dropout",
                                                               "Flatten", "Reshape", "LayerNormalization", "UnitNormalization", "Rescaling",
                                                               "GaussianNoise", "Embedding"});
    const bool is_row_wise = std::find(kRowWise.begin(), kRowWise.end(), inner.class_name) != kRowWise.end();
    return is_row_wise && inner.config.getInts("noise_shape", {}).empty();
}

}  // namespace

TensorId lowerTimeDistributed(LayerBuilder& builder, TensorId x) {
    const std::vector<spec::LayerSpec> nested = spec::nestedLayers(builder.layer());
    ENGINE_CHECK(nested.size() == 1);
    const LayerLowering lowering = findLayerLowering(nested.front().class_name);
    const spec::Shape input = builder.shape(x), output = builder.outputShape();
    if (takesSequences(nested.front())) {
        LayerBuilder::Part part = builder.lowerNested(nested.front(), {output.begin() + 1, output.end()}, x, lowering);
        const TensorId y = part.y;
        builder.append(std::move(part));
        return y;
    }
    spec::Shape items{input[0] * input[1]};
    items.insert(items.end(), input.begin() + 2, input.end());
    const TensorId folded = lowerSameBytes(builder, x, items, "folded");
    LayerBuilder::Part part = builder.lowerNested(nested.front(), {output.begin() + 2, output.end()}, folded, lowering, input[1]);
    const TensorId y = part.y;
    builder.append(std::move(part));
    return lowerSameBytes(builder, y, output, "unfolded");
}

}  // namespace engine::plan
