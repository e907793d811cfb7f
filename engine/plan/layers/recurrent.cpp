// SimpleRNN, LSTM, GRU: the product of the whole input with the kernel (and the bias) first, then one op for the steps in time.
#include <utility>
#include <vector>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

Activation activationOf(const LayerBuilder& builder, std::string_view field) {
    const NamedActivation* found = findActivation(builder.settings().getString(field));
    if (found == nullptr || derivesFromInput(found->activation) || runsAlongRows(found->activation) ||
        found->settings != ActivationSettings{}) {
        throw Error(ErrorCode::kUnimplemented, builder.layer().name + ": expected " + std::string(field) +
                                                   " to be a function whose derivative follows from its value, got " +
                                                   builder.settings().getString(field));
    }
    return found->activation;
}

// y = x W, as Dense has it.
TensorId lowerInputProduct(LayerBuilder& builder, TensorId x, std::int64_t columns) {
    const TensorId kernel = builder.parameter("kernel");
    spec::Shape shape = builder.shape(x);
    shape.back() = columns;
    const TensorId y = builder.activation("matmul", shape);
    builder.emit({.kind = OpKind::kMatMul, .inputs = {x, kernel}, .outputs = {y}});
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        TensorId dx = kNoTensor;
        if (needed == InputGradient::kNeeded) {
            dx = b.gradientOf(x);
            b.emit({.kind = OpKind::kMatMulBackInput, .inputs = {dy, kernel}, .outputs = {dx}});
        }
        b.emit({.kind = OpKind::kMatMulBackWeight, .inputs = {x, dy}, .outputs = {b.gradientOf(kernel)}});
        return dx;
    });
    return y;
}

// Tell the masks of one layer from each other and from those of layers at other positions.
constexpr std::int64_t kInputPurpose = std::int64_t{1} << 40, kStatePurpose = std::int64_t{1} << 41,
                       kBackwardsPurpose = std::int64_t{1} << 42;

TensorId lowerRecurrent(LayerBuilder& builder, TensorId x, RecurrentAttributes attributes) {
    const spec::Settings settings = builder.settings();
    attributes.units = settings.getInt("units");
    attributes.activation = activationOf(builder, "activation");
    if (attributes.cell != RecurrentCell::kSimple) attributes.recurrent_activation = activationOf(builder, "recurrent_activation");
    attributes.return_sequences = settings.getBool("return_sequences");
    attributes.go_backwards = settings.getBool("go_backwards");
    const bool use_bias = settings.getBool("use_bias");
    attributes.two_biases = attributes.reset_after && use_bias;
    const TensorId times = builder.mask();
    attributes.masked = times != kNoTensor;
    attributes.zero_output_for_mask = attributes.masked && settings.getBool("zero_output_for_mask");
    const std::int64_t gates = gatesOf(attributes.cell);

    const double input_rate = settings.getDouble("dropout"), state_rate = settings.getDouble("recurrent_dropout");
    const std::int64_t direction = attributes.go_backwards ? kBackwardsPurpose : 0;
    spec::Shape input_mask = builder.shape(x);
    input_mask[1] = 1;
    x = lowerDropped(builder, x, input_mask, input_rate, direction + kInputPurpose);
    TensorId product = lowerInputProduct(builder, x, gates * attributes.units);
    if (use_bias && !attributes.two_biases) product = lowerBiasAdd(builder, product);

    const TensorId kernel = builder.parameter("recurrent_kernel");
    spec::Shape states = builder.shape(x);
    states.back() = attributes.units;
    const spec::Shape products = builder.shape(product);
    std::vector<TensorId> saved{builder.scratch("gates", products, tensor::DType::kFloat32),
                                builder.scratch("previous", states, tensor::DType::kFloat32)};
    if (attributes.cell != RecurrentCell::kSimple) saved.push_back(builder.scratch("inner", states, tensor::DType::kFloat32));
    attributes.recurrent_dropout = builder.training() ? state_rate : 0;
    attributes.seed = randomSeed(builder) + direction + kStatePurpose;
    if (attributes.recurrent_dropout > 0)
        saved.push_back(builder.scratch("mask", {states[0], gates, attributes.units}, tensor::DType::kUInt8));
    const TensorId y = builder.activation("states", builder.outputShape());
    Op forward{.kind = OpKind::kRecurrent, .inputs = {product, kernel}, .outputs = {y}, .attributes = attributes};
    if (attributes.two_biases) forward.inputs.push_back(builder.parameter("bias"));
    if (attributes.masked) forward.inputs.push_back(times);
    forward.outputs.insert(forward.outputs.end(), saved.begin(), saved.end());
    builder.emit(std::move(forward));

    const bool trains = builder.isTrainable();
    const bool is_gru = attributes.cell == RecurrentCell::kGru;
    const TensorId hidden = is_gru && builder.training() ? builder.scratch("hidden:grad", states, tensor::DType::kFloat32) : kNoTensor;
    const TensorId bias = attributes.two_biases ? builder.parameter("bias") : kNoTensor;
    builder.onBackward(product, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient) {
        const TensorId dproduct = b.gradientOf(product);
        Op op{.kind = OpKind::kRecurrentBack, .inputs = {kernel}, .outputs = {dproduct}, .attributes = attributes};
        op.inputs.insert(op.inputs.end(), saved.begin(), saved.end());
        op.inputs.push_back(dy);
        if (attributes.masked) op.inputs.push_back(times);
        if (is_gru) op.outputs.push_back(hidden);
        if (trains) op.outputs.push_back(b.gradientOf(kernel));
        if (trains && bias != kNoTensor) op.outputs.push_back(b.gradientOf(bias));
        b.emit(std::move(op));
        return dproduct;
    });
    return y;
}

TensorId lowerSimpleRnn(LayerBuilder& builder, TensorId x) {
    return lowerRecurrent(builder, x, {.cell = RecurrentCell::kSimple});
}

TensorId lowerLstm(LayerBuilder& builder, TensorId x) {
    return lowerRecurrent(builder, x, {.cell = RecurrentCell::kLstm});
}

TensorId lowerGru(LayerBuilder& builder, TensorId x) {
    return lowerRecurrent(builder, x, {.cell = RecurrentCell::kGru, .reset_after = builder.settings().getBool("reset_after")});
}

}  // namespace

std::span<const LayerRow> recurrentRows() {
    static constexpr LayerRow kRows[] = {
        {"SimpleRNN", lowerSimpleRnn},
        {"LSTM", lowerLstm},
        {"GRU", lowerGru},
    };
    return kRows;
}

}  // namespace engine::plan
