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

namespace {

TensorId lowerActivationLayer(LayerBuilder& builder, TensorId x) {
    return lowerActivation(builder, x, builder.settings().getString("activation"));
}

// max_value null: no limit. Without any setting it is the relu that fuses with what is before it.
TensorId lowerRelu(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const ActivationSettings none;
    ActivationSettings own{.slope = static_cast<float>(settings.getDouble("negative_slope")),
                           .threshold = static_cast<float>(settings.getDouble("threshold")),
                           .limit = static_cast<float>(settings.findDouble("max_value").value_or(static_cast<double>(none.limit)))};
    // Keras takes the op leaky_relu, or relu6, where one is all that is asked for, and each has its own derivative at its corner.
    if (own.threshold == 0 && own.limit == none.limit) own.at_threshold = own.slope;
    if (own.threshold == 0 && own.limit == 6) own.at_limit = 0;
    return lowerActivationFunction(builder, x, own == none ? Activation::kRelu : Activation::kRampRelu, own);
}

TensorId lowerLeakyRelu(LayerBuilder& builder, TensorId x) {
    const auto slope = static_cast<float>(builder.settings().getDouble("negative_slope"));
    return lowerActivationFunction(builder, x, Activation::kRampRelu, {.slope = slope, .at_threshold = slope});
}

TensorId lowerElu(LayerBuilder& builder, TensorId x) {
    const auto alpha = static_cast<float>(builder.settings().getDouble("alpha"));
    return lowerActivationFunction(builder, x, Activation::kElu, {.alpha = alpha, .at_zero = alpha});
}

TensorId lowerSoftmax(LayerBuilder& builder, TensorId x) {
    return lowerActivationFunction(builder, x, Activation::kSoftmax, {});
}

}  // namespace

std::span<const LayerRow> activationRows() {
    static constexpr LayerRow kRows[] = {
        {"Activation", lowerActivationLayer, Times::kTogether},
        {"ReLU", lowerRelu, Times::kTogether},
        {"LeakyReLU", lowerLeakyRelu, Times::kTogether},
        {"ELU", lowerElu, Times::kTogether},
        {"Softmax", lowerSoftmax, Times::kTogether},
    };
    return kRows;
}

}  // namespace engine::plan
