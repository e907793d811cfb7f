// Layers around one other. TimeDistributed: the inner layer on every time of a sequence. What works on rows, elements or the last axes
// takes the sequence as a whole. For every other layer the times are folded into the batch: (N, time, ...) is (N * time, ...), and each of
// these items goes through the layer as a sample would. No layer here has statistics over the batch, which Keras takes of each time alone.
#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/axis_order.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

// `rank` and `output_rank`: of what the inner layer gets and gives at each time.
bool takesSequences(const spec::LayerSpec& inner, std::size_t rank, std::size_t output_rank) {
    const LayerRow* row = findLayerRow(inner.class_name);
    std::vector<std::int64_t> noise_shape;
    spec::settingsOf(inner).read("noise_shape", noise_shape);
    const spec::AxisOrder order = spec::axisOrderOf(inner, rank, output_rank);
    return row != nullptr && row->times == Times::kTogether && noise_shape.empty() && order.input.empty() && order.output.empty();
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

TensorId lowerTimeDistributed(LayerBuilder& builder, TensorId x) {
    const std::vector<spec::LayerSpec> nested = spec::nestedLayers(builder.layer());
    ENGINE_CHECK(nested.size() == 1);
    const spec::Shape input = builder.shape(x), output = builder.outputShape();
    if (takesSequences(nested.front(), input.size() - 2, output.size() - 2)) {
        const TensorId mask = builder.mask();
        // The row's own lowering: axes that the inner layer's fields name count without the times.
        const LayerLowering on_all_times = findLayerRow(nested.front().class_name)->lowering;
        LayerBuilder::Part part = builder.lowerNested(nested.front(), {output.begin() + 1, output.end()}, x, on_all_times);
        builder.setMask(mask);  // also where an Embedding has made one: Keras takes none of an inner layer
        const TensorId y = part.y;
        builder.append(std::move(part));
        return y;
    }
    spec::Shape items{input[0] * input[1]};
    items.insert(items.end(), input.begin() + 2, input.end());
    const TensorId folded = lowerSameBytes(builder, x, items, "folded"), mask = builder.mask();
    builder.setMask(foldedMask(builder, mask));
    LayerBuilder::Part part = builder.lowerNested(nested.front(), {output.begin() + 2, output.end()}, folded,
                                                  findLayerLowering(nested.front().class_name), {.items_per_sample = input[1]});
    builder.setMask(mask);
    const TensorId y = part.y;
    builder.append(std::move(part));
    return lowerSameBytes(builder, y, output, "unfolded");
}

// In training an op changes the kernel and vector_u before the layer reads them; the gradient is that of the kernel as it is then.
TensorId lowerSpectralNormalization(LayerBuilder& builder, TensorId x) {
    const std::vector<spec::LayerSpec> nested = spec::nestedLayers(builder.layer());
    ENGINE_CHECK(nested.size() == 1);
    const spec::LayerSpec& inner = nested.front();
    if (builder.training()) {
        const bool is_depthwise = inner.class_name.starts_with("Depthwise");
        const TensorId kernel = builder.parameter(is_depthwise ? "layer/depthwise_kernel" : "layer/kernel");
        const TensorId u = builder.parameter("vector_u");
        const auto iterations = static_cast<int>(builder.settings().getInt("power_iterations"));
        builder.emit({.kind = OpKind::kSpectralNorm,
                      .inputs = {kernel, u},
                      .outputs = {kernel, u},
                      .attributes = SpectralNormAttributes{iterations}});
    }
    const spec::Shape output = builder.outputShape();
    LayerBuilder::Part part = builder.lowerNested(inner, {output.begin() + 1, output.end()}, x, findLayerLowering(inner.class_name));
    const TensorId y = part.y;
    builder.append(std::move(part));
    return y;
}

}  // namespace

std::span<const LayerRow> wrapperRows() {
    static constexpr LayerRow kRows[] = {
        {"TimeDistributed", lowerTimeDistributed},
        {"SpectralNormalization", lowerSpectralNormalization},
    };
    return kRows;
}

}  // namespace engine::plan
