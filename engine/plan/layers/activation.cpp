// Activation and the layers that are one function: y = f(x), element by element or along the last axis.
#include "engine/plan/activation.h"

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/error.h"

namespace engine::plan {
TensorId lowerActivationFunction(LayerBuilder& builder, TensorId x, Activation activation, const ActivationSettings& settings) {
    if (activation == Activation::kLinear) return x;
    const ActivationAttributes attributes{activation, settings};
    const TensorId y = builder.activation(toString(activation), builder.shape(x));
    builder.emit({.kind = OpKind::kActivation, .inputs = {x}, .outputs = {y}, .attributes = attributes});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kActivationBack,
                .inputs = {derivesFromInput(activation) ? x : y, dy},
                .outputs = {dx},
                .attributes = attributes});
        return dx;
    });
    return y;
}

TensorId lowerActivation(LayerBuilder& builder, TensorId x, std::string_view name) {
    const NamedActivation* found = findActivation(name);
    if (found == nullptr) {
        throw Error(ErrorCode::kUnimplemented, builder.layer().name + ": expected the name of an activation, got " + std::string(name));
    }
    return lowerActivationFunction(builder, x, found->activation, found->settings);
}

TensorId lowerActivationLayer(LayerBuilder& builder, TensorId x) {
    return lowerActivation(builder, x, builder.layer().config.getString("activation", "linear"));
}

// max_value null: no limit. Without any setting it is the relu that fuses with what is before it.
TensorId lowerRelu(LayerBuilder& builder, TensorId x) {
    const spec::Fields& config = builder.layer().config;
    const ActivationSettings none;
    const ActivationSettings settings{.slope = static_cast<float>(config.getDouble("negative_slope", 0)),
                                      .threshold = static_cast<float>(config.getDouble("threshold", 0)),
                                      .limit = static_cast<float>(config.getDouble("max_value", static_cast<double>(none.limit)))};
    return lowerActivationFunction(builder, x, settings == none ? Activation::kRelu : Activation::kRampRelu, settings);
}

TensorId lowerLeakyRelu(LayerBuilder& builder, TensorId x) {
    constexpr double kSlope = 0.3;
    const auto slope = static_cast<float>(builder.layer().config.getDouble("negative_slope", kSlope));
    return lowerActivationFunction(builder, x, Activation::kRampRelu, {.slope = slope});
}

TensorId lowerElu(LayerBuilder& builder, TensorId x) {
    const auto alpha = static_cast<float>(builder.layer().config.getDouble("alpha", 1));
    return lowerActivationFunction(builder, x, Activation::kElu, {.alpha = alpha});
}

TensorId lowerSoftmax(LayerBuilder& builder, TensorId x) {
    return lowerActivationFunction(builder, x, Activation::kSoftmax, {});
}

}  // namespace engine::plan
