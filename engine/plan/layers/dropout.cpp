// Dropout: training keeps a unit with probability 1 - rate and scales it by 1 / (1 - rate); otherwise the identity, without an op.
#include "engine/plan/layers/layer_table.h"
#include "engine/spec/error.h"

namespace engine::plan {

TensorId lowerDropout(LayerBuilder& builder, TensorId x) {
    const spec::LayerSpec& layer = builder.layer();
    const double rate = layer.config.getDouble("rate", 0);
    if (!layer.config.getInts("noise_shape", {}).empty()) {
        throw Error(ErrorCode::kUnimplemented, layer.name + ": expected no noise_shape (not supported), got one");
    }
    if (!builder.training() || rate == 0) return x;
    // Layers of a model differ by position unless the user gave a seed.
    const std::int64_t seed = layer.config.getInt("seed", builder.position());
    const TensorId y = builder.activation("dropout", builder.shape(x));
    const TensorId mask = builder.scratch("mask", builder.shape(x), tensor::DType::kUInt8);
    builder.emit({.kind = OpKind::kDropout, .inputs = {x}, .outputs = {y, mask}, .rate = rate, .dropout_seed = seed});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kDropoutBack, .inputs = {dy, mask}, .outputs = {dx}, .rate = rate});
        return dx;
    });
    return y;
}

}  // namespace engine::plan
