// Spectra: numbers of complex ones, and frames of mel bands, whose transform is a convolution with waves.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "engine/export/onnx/op_emitters.h"
#include "engine/plan/signal/signal_numbers.h"

namespace engine::exporter::onnx {
namespace {

using plan::Op;
using plan::TensorId;

// atan2: the arc tangent of the quotient, half a turn on or back where the real part is below zero; 0 of zero.
std::string addAngle(NodeList& nodes, const std::string& real, const std::string& imag) {
    const std::string zero = nodes.constant(0.0F), pi = nodes.constant(std::numbers::pi_v<float>);
    const std::string right_angle = nodes.constant(std::numbers::pi_v<float> / 2);
    const std::string is_upright = nodes.add("Equal", {real, zero});
    const std::string divisor = nodes.add("Where", {is_upright, nodes.constant(1.0F), real});
    const std::string arc = nodes.add("Atan", {nodes.add("Div", {imag, divisor})});
    const std::string half_turn = nodes.add("Where", {nodes.add("Less", {imag, zero}), nodes.add("Neg", {pi}), pi});
    const std::string turned = nodes.add("Where", {nodes.add("Less", {real, zero}), nodes.add("Add", {arc, half_turn}), arc});
    return nodes.add("Where", {is_upright, nodes.add("Mul", {nodes.add("Sign", {imag}), right_angle}), turned});
}

// Waves times the window, real parts before imaginary ones: (2 frequencies, 1, length).
std::vector<float> wavesOf(const plan::MelSpectrogram& mel, const plan::MelSizes& sizes) {
    std::vector<float> waves(static_cast<std::size_t>(2 * sizes.frequencies * sizes.length));
    for (std::int64_t k = 0; k < sizes.frequencies; ++k) {
        for (std::int64_t i = 0; i < sizes.length; ++i) {
            const plan::Complex turn = plan::melTurn(sizes, i * k % sizes.length);
            const double window = plan::melWindow(mel, i);
            waves[static_cast<std::size_t>(k * sizes.length + i)] = static_cast<float>(window * turn.re);
            waves[static_cast<std::size_t>((sizes.frequencies + k) * sizes.length + i)] = static_cast<float>(window * turn.im);
        }
    }
    return waves;
}

// What each frequency has in each band: (bands, frequencies).
std::vector<float> bandsOf(const plan::MelSpectrogram& mel, const plan::MelSizes& sizes) {
    std::vector<float> matrix(static_cast<std::size_t>(sizes.bands * sizes.frequencies), 0.0F);
    const auto add = [&](std::int64_t band, std::int64_t frequency, double weight) {
        if (band >= 0 && band < sizes.bands)
            matrix[static_cast<std::size_t>(band * sizes.frequencies + frequency)] = static_cast<float>(weight);
    };
    for (std::int64_t k = 1; k < sizes.frequencies; ++k) {
        const auto corner = static_cast<std::int64_t>(std::floor(plan::melPosition(mel, k)));
        add(corner, k, plan::melPart(mel, k));
        add(corner - 1, k, 1 - plan::melPart(mel, k));
    }
    return matrix;
}

}  // namespace

void emitSpectrum(GraphWriter& writer, const Op& op) {
    using Number = plan::Spectrum::Number;
    const Number number = std::get<plan::Spectrum>(op.attributes).number;
    NodeList& nodes = writer.nodes();
    const TensorId y = op.outputs[0];
    const std::string real = writer.value(op.inputs[0]), imag = writer.value(op.inputs[1]);
    if (number == Number::kAngle) return writer.define(y, addAngle(nodes, real, imag));
    const std::string power = nodes.add("Add", {nodes.add("Mul", {real, real}), nodes.add("Mul", {imag, imag})});
    if (number == Number::kPower) {
        std::vector<float> times(static_cast<std::size_t>(writer.shape(y).back()), 2.0F);
        times.front() = times.back() = 1;
        return writer.define(y, nodes.add("Mul", {power, nodes.constant({writer.shape(y).back()}, times)}));
    }
    const std::string magnitude = nodes.add("Sqrt", {nodes.add("Max", {power, nodes.constant(plan::kLeastPower)})});
    writer.define(y, number == Number::kMagnitude ? magnitude : nodes.add("Log", {magnitude}));
}

void emitMelSpectrogram(GraphWriter& writer, const Op& op) {
    const auto& mel = std::get<plan::MelSpectrogram>(op.attributes);
    const TensorId x = op.inputs[0], y = op.outputs[0];
    const plan::MelSizes sizes = plan::melSizes(mel, writer.shape(x).back());
    const std::int64_t half = sizes.length / 2;
    NodeList& nodes = writer.nodes();
    std::string value = nodes.add("Unsqueeze", {writer.value(x), nodes.integers({1})});
    value = nodes.add("Pad", {value, nodes.integers({0, 0, half, 0, 0, half})}, {{"mode", std::string("reflect")}});
    const std::string waves = nodes.constant({2 * sizes.frequencies, 1, sizes.length}, wavesOf(mel, sizes));
    value = nodes.add("Conv", {value, waves},
                      {{"kernel_shape", std::vector<std::int64_t>{sizes.length}}, {"strides", std::vector<std::int64_t>{sizes.stride}}});
    const auto part = [&](std::int64_t from) {
        const std::string one =
            nodes.add("Slice", {value, nodes.integers({from}), nodes.integers({from + sizes.frequencies}), nodes.integers({1})});
        return nodes.add("Mul", {one, one});
    };
    std::string power = nodes.add("Add", {part(0), part(sizes.frequencies)});
    if (mel.exponent != 2) power = nodes.add("Pow", {power, nodes.constant(static_cast<float>(mel.exponent / 2))});
    value = nodes.add("MatMul", {nodes.constant({sizes.bands, sizes.frequencies}, bandsOf(mel, sizes)), power});
    if (mel.decibels) {
        constexpr double kDecibels = 10 / std::numbers::ln10;
        value = nodes.add("Log", {nodes.add("Max", {value, nodes.constant(static_cast<float>(mel.least))})});
        value = nodes.add("Mul", {value, nodes.constant(static_cast<float>(kDecibels))});
        const double reference = std::max(std::abs(mel.reference), mel.least);
        if (reference != 1) value = nodes.add("Sub", {value, nodes.constant(static_cast<float>(10 * std::log10(reference)))});
        const std::string largest = nodes.add("ReduceMax", {value}, {{"keepdims", std::int64_t{0}}});
        value = nodes.add("Max", {value, nodes.add("Sub", {largest, nodes.constant(static_cast<float>(mel.range))})});
    }
    writer.define(y, value);
}

}  // namespace engine::exporter::onnx
