// SimpleRNN, LSTM, GRU: the product of the whole input with the kernel (and the bias) first, then one op for the steps in time. ConvLSTM:
// the convolution of all times, as so many samples, then the same op with a window. RNN: a layer for each of its cells, as a chain of them.
#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

Activation activationOf(const LayerBuilder& builder, std::string_view field) {
    const NamedActivation* found = findActivation(builder.settings().getString(field));
    if (found != nullptr && found->activation == Activation::kHardTanh) return Activation::kHardTanhOfValue;
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

constexpr std::int64_t kLstmGates = gatesOf(RecurrentCell::kLstm);

// (N, T, ...) with all times as samples.
spec::Shape timesAsSamples(const spec::Shape& sequence) {
    spec::Shape shape{sequence[0] * sequence[1]};
    shape.insert(shape.end(), sequence.begin() + 2, sequence.end());
    return shape;
}

// Keras drops nothing at a rate of 1.
double rateOf(const spec::Settings& settings, std::string_view field) {
    const double rate = settings.getDouble(field);
    return rate < 1 ? rate : 0;
}

// The input's channels as often as there are gates, each time with others dropped: (..., gates C). The masks are the same at all times.
TensorId lowerDroppedByGate(LayerBuilder& builder, TensorId x, double rate, std::int64_t purpose) {
    spec::Shape shape = builder.shape(x);
    const std::int64_t channels = shape.back(), times = shape[1];
    const std::int64_t cells = std::accumulate(shape.begin() + 1, shape.end() - 1, std::int64_t{1}, std::multiplies<>());
    x = lowerSameBytes(builder, x, {shape[0], cells, 1, channels}, "cells");
    x = lowerReversible(builder, x,
                        {.forward = OpKind::kUpsample2D,
                         .back = OpKind::kUpsample2DBack,
                         .forward_attributes = Resize2D{.columns = static_cast<int>(kLstmGates)},
                         .back_attributes = Resize2D{.columns = static_cast<int>(kLstmGates)},
                         .output = {shape[0], cells, kLstmGates, channels},
                         .suffix = "by_gate"});
    x = lowerSameBytes(builder, x, {shape[0], times, cells / times * kLstmGates * channels}, "inputs");
    x = lowerDropped(builder, x, {shape[0], 1, builder.shape(x).back()}, rate, purpose);
    shape.back() *= kLstmGates;
    return lowerSameBytes(builder, x, shape, "dropped");
}

// The convolution of all times with its bias: (N, T, axes of the state, gates units).
TensorId lowerInputConvolution(LayerBuilder& builder, TensorId x, const spec::Shape& products, int groups) {
    const spec::Shape items = timesAsSamples(builder.shape(x));
    const VolumeWindow window = readConvolutionVolume(builder.layer(), items);
    x = lowerSameBytes(builder, x, volumeShape(items), "items");
    x = lowerVolumeConvolution(builder, x,
                               {.kernel = "kernel", .window = window, .groups = groups, .output = volumeShape(timesAsSamples(products))});
    if (builder.settings().getBool("use_bias")) x = lowerBiasAdd(builder, x);
    return lowerSameBytes(builder, x, products, "products");
}

TensorId lowerConvLstm(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const TensorId times = builder.mask();
    spec::Shape states = builder.shape(x), output = builder.outputShape();
    const bool returns_sequences = settings.getBool("return_sequences");
    std::copy(output.begin() + (returns_sequences ? 2 : 1), output.end(), states.begin() + 2);
    const spec::Shape state = timesAsSamples(states);
    const std::int64_t units = states.back();
    RecurrentAttributes attributes{.cell = RecurrentCell::kLstm,
                                   .units = units,
                                   .activation = activationOf(builder, "activation"),
                                   .recurrent_activation = activationOf(builder, "recurrent_activation"),
                                   .return_sequences = returns_sequences,
                                   .go_backwards = settings.getBool("go_backwards"),
                                   .masked = times != kNoTensor,
                                   .recurrent_dropout = builder.training() ? rateOf(settings, "recurrent_dropout") : 0,
                                   .window = readStateWindow(builder.layer(), state)};
    attributes.zero_output_for_mask = attributes.masked && settings.getBool("zero_output_for_mask");
    const std::int64_t direction = attributes.go_backwards ? kBackwardsPurpose : 0;
    attributes.seed = randomSeed(builder) + direction + kStatePurpose;

    const double input_rate = builder.training() ? rateOf(settings, "dropout") : 0;
    if (input_rate > 0) x = lowerDroppedByGate(builder, x, input_rate, direction + kInputPurpose);
    spec::Shape products = states;
    products.back() = kLstmGates * units;
    const TensorId product = lowerInputConvolution(builder, x, products, input_rate > 0 ? static_cast<int>(kLstmGates) : 1);

    const bool is_dropped = attributes.recurrent_dropout > 0;
    const spec::Shape& seen_shape = is_dropped ? products : states;
    const TensorId kernel = builder.parameter("recurrent_kernel"), gates = builder.scratch("gates", products, tensor::DType::kFloat32),
                   seen = builder.scratch("seen", seen_shape, tensor::DType::kFloat32),
                   inner = builder.scratch("inner", states, tensor::DType::kFloat32), y = builder.activation("states", output);
    Op forward{.kind = OpKind::kRecurrent, .inputs = {product, kernel}, .outputs = {y, gates, seen, inner}, .attributes = attributes};
    if (attributes.masked) forward.inputs.push_back(times);
    TensorId mask = kNoTensor;
    if (is_dropped) {
        spec::Shape of_sample = products;
        of_sample.erase(of_sample.begin() + 1);
        mask = builder.scratch("state_mask", of_sample, tensor::DType::kUInt8);
        forward.outputs.push_back(mask);
    }
    builder.emit(std::move(forward));

    const bool trains = builder.isTrainable();
    const VolumeConvolutionPart part{.kernel = "recurrent_kernel",
                                     .window = readStateVolume(builder.layer(), state),
                                     .groups = is_dropped ? static_cast<int>(kLstmGates) : 1,
                                     .output = volumeShape(timesAsSamples(products)),
                                     .input = volumeShape(timesAsSamples(seen_shape))};
    builder.onBackward(product, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient) {
        const TensorId dproduct = b.gradientOf(product);
        Op op{.kind = OpKind::kRecurrentBack, .inputs = {kernel, gates, inner}, .outputs = {dproduct}, .attributes = attributes};
        if (is_dropped) op.inputs.push_back(mask);
        op.inputs.push_back(dy);
        if (attributes.masked) op.inputs.push_back(times);
        b.emit(std::move(op));
        if (trains) emitVolumeKernelGradient(b, seen, dproduct, part);
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

// The mask (N, T) with its times turned, for cells behind one that went through the sequence x (N, T, C) from its end: ones where x counts,
// times ones.
TensorId lowerTurnedMask(LayerBuilder& builder, TensorId x) {
    const spec::Shape shape = builder.shape(x);
    const TensorId ones = builder.activation("ones", shape), counts = builder.activation("counts", shape),
                   turned = builder.activation("turned", shape);
    builder.emit({.kind = OpKind::kAffine, .inputs = {x}, .outputs = {ones}, .attributes = Affine{.scale = 0, .offset = 1}});
    builder.emit({.kind = OpKind::kApplyMask, .inputs = {ones, builder.mask()}, .outputs = {counts}});
    builder.emit({.kind = OpKind::kMerge,
                  .inputs = {ones, counts},
                  .outputs = {turned},
                  .attributes = MergeAttributes{.mode = MergeMode::kMultiply, .turned = true}});
    constexpr std::size_t kTimes = 2;
    return builder.makeMask(turned, kTimes, 0.0F);
}

TensorId lowerRnn(LayerBuilder& builder, TensorId x) {
    const std::vector<spec::LayerSpec> layers = spec::layersOfCells(builder.layer());
    const TensorId mask = builder.mask();
    const bool turns = mask != kNoTensor && layers.size() > 1 && builder.settings().getBool("go_backwards");
    const TensorId behind = turns ? lowerTurnedMask(builder, x) : mask;
    builder.setMask(mask);
    for (const spec::LayerSpec& layer : layers) {
        const spec::Settings settings = spec::settingsOf(layer);
        const std::int64_t units = settings.getInt("units");
        const spec::Shape output = settings.getBool("return_sequences") ? spec::Shape{builder.shape(x)[1], units} : spec::Shape{units};
        LayerBuilder::Part part =
            builder.lowerNested(layer, output, x, findLayerLowering(layer.class_name), {.inside = Nesting::Inside::kChain});
        x = part.y;
        builder.append(std::move(part));
        builder.setMask(behind);
    }
    builder.setMask(mask);
    return x;
}

}  // namespace

std::span<const LayerRow> recurrentRows() {
    static constexpr LayerRow kRows[] = {
        {"SimpleRNN", lowerSimpleRnn}, {"LSTM", lowerLstm},           {"GRU", lowerGru}, {"ConvLSTM1D", lowerConvLstm},
        {"ConvLSTM2D", lowerConvLstm}, {"ConvLSTM3D", lowerConvLstm}, {"RNN", lowerRnn},
    };
    return kRows;
}

}  // namespace engine::plan
