// Dropout: training keeps a unit with probability 1 - rate and scales it by 1 / (1 - rate); otherwise the identity, without an op. With
// noise_shape, and in SpatialDropout for every channel, units along an axis share one draw: the mask has size 1 there.
// AlphaDropout: what is dropped becomes d = -scale alpha of selu, and y = a (x or d) + b with a = 1 / sqrt((1 - rate) (1 + rate d^2)) and
// b = -a d rate. By ops: d is taken away first, so that dropping makes it 0, and comes back with b.
#include <cmath>
#include <vector>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerDropped(LayerBuilder& builder, TensorId x, const spec::Shape& mask_shape, double rate, std::int64_t purpose) {
    if (!builder.training() || rate == 0) return x;
    const TensorId y = builder.activation("dropout", builder.shape(x));
    const TensorId mask = builder.scratch("mask", mask_shape, tensor::DType::kUInt8);
    builder.emit({.kind = OpKind::kDropout,
                  .inputs = {x},
                  .outputs = {y, mask},
                  .attributes = DropoutAttributes{.rate = rate, .seed = randomSeed(builder) + purpose}});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kDropoutBack, .inputs = {dy, mask}, .outputs = {dx}, .attributes = DropoutAttributes{.rate = rate}});
        return dx;
    });
    return y;
}

std::int64_t randomSeed(const LayerBuilder& builder) {
    constexpr int kMemberBit = 24;  // above every position, below what tells the draws of one layer apart (recurrent.cpp)
    return builder.settings().findInt("seed").value_or(builder.position() + (builder.member() << kMemberBit));
}

namespace {

// The shape of x, with 1 where values share their fate.
spec::Shape maskShape(const LayerBuilder& builder, TensorId x) {
    spec::Shape shape = builder.shape(x);
    const std::vector<std::int64_t> noise = builder.settings().getInts("noise_shape");
    for (std::size_t i = 1; i < noise.size(); ++i) {
        if (noise[i] == 1) shape[i] = 1;
    }
    return shape;
}

TensorId lowerDropout(LayerBuilder& builder, TensorId x) {
    return lowerDropped(builder, x, maskShape(builder, x), builder.settings().getDouble("rate"));
}

TensorId lowerMoved(LayerBuilder& builder, TensorId x, const Affine& affine, std::string_view suffix) {
    return lowerReversible(builder, x,
                           {.forward = OpKind::kAffine,
                            .back = OpKind::kAffine,
                            .forward_attributes = affine,
                            .back_attributes = Affine{.scale = affine.scale},
                            .output = builder.shape(x),
                            .suffix = suffix});
}

TensorId lowerAlphaDropout(LayerBuilder& builder, TensorId x) {
    constexpr double kDropped = -1.0507009873554804934193349852946 * 1.6732632423543772848170429916717;
    const double rate = builder.settings().getDouble("rate");
    if (!builder.training() || rate == 0) return x;
    const double a = 1 / std::sqrt((1 - rate) * (1 + rate * kDropped * kDropped)), b = -a * kDropped * rate;
    const TensorId moved = lowerMoved(builder, x, {.offset = -kDropped}, "moved");
    const TensorId dropped = lowerDropped(builder, moved, maskShape(builder, x), rate);
    return lowerMoved(builder, dropped, {.scale = a * (1 - rate), .offset = a * kDropped + b}, "out");
}

TensorId lowerSpatialDropout(LayerBuilder& builder, TensorId x) {
    spec::Shape mask_shape = builder.shape(x);
    for (std::size_t i = 1; i + 1 < mask_shape.size(); ++i) mask_shape[i] = 1;
    return lowerDropped(builder, x, mask_shape, builder.settings().getDouble("rate"));
}

}  // namespace

std::span<const LayerRow> dropoutRows() {
    static constexpr LayerRow kRows[] = {
        {"Dropout", lowerDropout, Times::kTogether}, {"AlphaDropout", lowerAlphaDropout, Times::kTogether},
        {"SpatialDropout1D", lowerSpatialDropout},   {"SpatialDropout2D", lowerSpatialDropout},
        {"SpatialDropout3D", lowerSpatialDropout},
    };
    return kRows;
}

}  // namespace engine::plan
