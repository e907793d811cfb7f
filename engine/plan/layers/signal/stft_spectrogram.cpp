// STFTSpectrogram: the channels are rows of an image of one channel, (N, C, samples, 1), over which windows of one row move; what both
// kernels make of it, (N, C, frames, frequencies), becomes one number a frequency. Axes are put in order at the end.
#include <algorithm>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/stft_settings.h"

namespace engine::plan {
namespace {

Window2D readFrames(const LayerBuilder& builder, const spec::StftSettings& stft, std::int64_t samples, std::int64_t frames) {
    Window2D window{
        .kernel_h = 1, .kernel_w = static_cast<int>(stft.frame_length), .stride_h = 1, .stride_w = static_cast<int>(stft.frame_step)};
    if (builder.settings().getString("padding") != "same") return window;
    const std::int64_t beyond = std::max<std::int64_t>((frames - 1) * stft.frame_step + stft.frame_length - samples, 0);
    window.pad_left = static_cast<int>(beyond / 2);
    window.pad_right = static_cast<int>(beyond - beyond / 2);
    return window;
}

// Both products of x become one value: two parts with a gradient each, whose gradients of x are added.
TensorId lowerBothParts(LayerBuilder& builder, TensorId x, const Window2D& window, const spec::Shape& part, const std::string& mode) {
    const TensorId real_kernel = builder.parameter("real_kernel"), imag_kernel = builder.parameter("imag_kernel");
    const TensorId real = builder.activation("real", part), imag = builder.activation("imag", part);
    const ConvolutionAttributes convolution{window};
    builder.emit({.kind = OpKind::kConv2D, .inputs = {x, real_kernel}, .outputs = {real}, .attributes = convolution});
    builder.emit({.kind = OpKind::kConv2D, .inputs = {x, imag_kernel}, .outputs = {imag}, .attributes = convolution});
    const bool is_pair = mode == "stft";
    spec::Shape whole = part;
    whole.back() *= is_pair ? 2 : 1;
    using Number = Spectrum::Number;
    const Spectrum spectrum{mode == "log"         ? Number::kLogarithm
                            : mode == "magnitude" ? Number::kMagnitude
                            : mode == "psd"       ? Number::kPower
                                                  : Number::kAngle};
    const OpAttributes attributes = is_pair ? OpAttributes(MergeAttributes{MergeMode::kConcat}) : OpAttributes(spectrum);
    const TensorId y = builder.activation("spectrum", whole);
    builder.emit({.kind = is_pair ? OpKind::kMerge : OpKind::kSpectrum, .inputs = {real, imag}, .outputs = {y}, .attributes = attributes});
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        const TensorId dreal = b.gradientOf(real), dimag = b.gradientOf(imag);
        if (is_pair) {
            b.emit({.kind = OpKind::kMergeBack, .inputs = {real, imag, dy}, .outputs = {dreal, dimag}, .attributes = attributes});
        } else {
            b.emit({.kind = OpKind::kSpectrumBack, .inputs = {dy, real, imag}, .outputs = {dreal, dimag}, .attributes = attributes});
        }
        const auto back = [&](OpKind kind, TensorId first, TensorId second, TensorId result) {
            b.emit({.kind = kind, .inputs = {first, second}, .outputs = {result}, .attributes = convolution});
        };
        back(OpKind::kConv2DBackKernel, x, dreal, b.gradientOf(real_kernel));
        back(OpKind::kConv2DBackKernel, x, dimag, b.gradientOf(imag_kernel));
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId of_real = b.scratch("of_real:grad", b.shape(x), tensor::DType::kFloat32);
        const TensorId of_imag = b.scratch("of_imag:grad", b.shape(x), tensor::DType::kFloat32);
        back(OpKind::kConv2DBackInput, dreal, real_kernel, of_real);
        back(OpKind::kConv2DBackInput, dimag, imag_kernel, of_imag);
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kMerge,
                .inputs = {of_real, of_imag},
                .outputs = {dx},
                .attributes = MergeAttributes{.mode = MergeMode::kSum}});
        return dx;
    });
    return y;
}

TensorId lowerAxes(LayerBuilder& builder, TensorId x, const std::vector<int>& axes, const char* suffix) {
    const spec::Shape& from = builder.shape(x);
    spec::Shape to{from[0]};
    Permutation forward{axes}, back{std::vector<int>(axes.size())};
    for (std::size_t i = 0; i < axes.size(); ++i) {
        to.push_back(from[static_cast<std::size_t>(axes[i]) + 1]);
        back.axes[static_cast<std::size_t>(axes[i])] = static_cast<int>(i);
    }
    return lowerReversible(builder, x,
                           {.forward = OpKind::kTranspose,
                            .back = OpKind::kTranspose,
                            .forward_attributes = forward,
                            .back_attributes = back,
                            .output = to,
                            .suffix = suffix});
}

TensorId lowerStftSpectrogram(LayerBuilder& builder, TensorId x) {
    const spec::StftSettings stft = spec::readStftSettings(builder.layer());
    const spec::Shape input = builder.shape(x), output = builder.outputShape();
    const std::int64_t batch = input[0], samples = input[1], channels = input[2], frames = output[1];
    if (channels > 1) x = lowerAxes(builder, x, {1, 0}, "channels");
    x = lowerSameBytes(builder, x, {batch, channels, samples, 1}, "signals");
    const Window2D window = readFrames(builder, stft, samples, frames);
    const spec::Shape part{batch, channels, frames, stft.frequencies};
    if (stft.has_real && stft.has_imag) {
        x = lowerBothParts(builder, x, window, part, stft.mode);
    } else {
        x = lowerConvolution(builder, x,
                             {.kernel = stft.has_real ? "real_kernel" : "imag_kernel", .suffix = "part", .window = window, .output = part});
    }
    const bool is_image = builder.settings().getBool("expand_dims");
    if (channels > 1) x = lowerAxes(builder, x, is_image ? std::vector{1, 2, 0} : std::vector{1, 0, 2}, "frames");
    return lowerSameBytes(builder, x, output, "out");
}

}  // namespace

std::span<const LayerRow> stftSpectrogramRows() {
    static constexpr LayerRow kRows[] = {
        {"STFTSpectrogram", lowerStftSpectrogram},
    };
    return kRows;
}

}  // namespace engine::plan
