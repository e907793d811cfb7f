// Activation: y = f(x), element by element (relu) or along the last axis (softmax).
#include "engine/plan/layers/layer_table.h"
#include "engine/spec/error.h"

namespace engine::plan {

TensorId lowerActivation(LayerBuilder& builder, TensorId x, std::string_view name) {
    if (name == "linear") return x;
    Activation activation = Activation::kRelu;
    if (name == "softmax") {
        activation = Activation::kSoftmax;
    } else if (name != "relu") {
        throw Error(ErrorCode::kUnimplemented,
                    builder.layer().name + ": expected activation linear, relu or softmax, got " + std::string(name));
    }
    const TensorId y = builder.activation(name, builder.shape(x));
    builder.emit({.kind = OpKind::kActivation, .inputs = {x}, .outputs = {y}, .activation = activation});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kActivationBack, .inputs = {y, dy}, .outputs = {dx}, .activation = activation});
        return dx;
    });
    return y;
}

TensorId lowerActivationLayer(LayerBuilder& builder, TensorId x) {
    return lowerActivation(builder, x, builder.layer().config.getString("activation", "linear"));
}

}  // namespace engine::plan
