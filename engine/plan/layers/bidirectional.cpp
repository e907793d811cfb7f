// Bidirectional: two recurrent layers over one input, merged. Each has its own tape; the gradients of the input are added.
#include <utility>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

MergeMode mergeMode(const std::string& name) {
    if (name == "sum") return MergeMode::kSum;
    if (name == "ave") return MergeMode::kAverage;
    return name == "mul" ? MergeMode::kMultiply : MergeMode::kConcat;
}

// (units), or (time, units) of a layer that returns sequences.
spec::Shape statesOf(const LayerBuilder& builder, const spec::LayerSpec& inner, TensorId x) {
    const std::int64_t units = inner.config.getInt("units", 1);
    return inner.config.getBool("return_sequences", false) ? spec::Shape{builder.shape(x)[1], units} : spec::Shape{units};
}

}  // namespace

TensorId lowerBidirectional(LayerBuilder& builder, TensorId x) {
    const std::vector<spec::LayerSpec> both = spec::nestedLayers(builder.layer());
    ENGINE_CHECK(both.size() == 2);
    const auto lower_one = [&](const spec::LayerSpec& inner, std::string_view name) {
        // The same bytes under a name of its own: so is its gradient a tensor of its own.
        const TensorId same = builder.activation(name, builder.shape(x));
        builder.emit({.kind = OpKind::kReshape, .inputs = {x}, .outputs = {same}});
        return builder.lowerNested(inner, statesOf(builder, inner, x), same, findLayerLowering(inner.class_name));
    };
    const LayerBuilder::Part forward = lower_one(both[0], "forward"), backward = lower_one(both[1], "backward");

    const MergeAttributes merge{.mode = mergeMode(builder.layer().config.getString("merge_mode", "concat")),
                                .turned = both[0].config.getBool("return_sequences", false)};
    const TensorId y = builder.activation("merged", builder.outputShape());
    builder.emit({.kind = OpKind::kMerge, .inputs = {forward.y, backward.y}, .outputs = {y}, .attributes = merge});
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        const TensorId dforward = b.gradientOf(forward.y), dbackward = b.gradientOf(backward.y);
        b.emit({.kind = OpKind::kMergeBack, .inputs = {forward.y, backward.y, dy}, .outputs = {dforward, dbackward}, .attributes = merge});
        const TensorId first = b.differentiatePart(forward, dforward, needed);
        const TensorId second = b.differentiatePart(backward, dbackward, needed);
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kMerge, .inputs = {first, second}, .outputs = {dx}, .attributes = MergeAttributes{MergeMode::kSum}});
        return dx;
    });
    return y;
}

}  // namespace engine::plan
