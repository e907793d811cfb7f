// MelSpectrogram: one op, from signals to frames of mel bands.
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

MelSpectrogram readMelSpectrogram(const spec::Settings& settings) {
    using Window = MelSpectrogram::Window;
    const std::string window = settings.getString("window");
    const std::int64_t length = settings.getInt("fft_length"), rate = settings.getInt("sampling_rate");
    return {.window = window == "hann"      ? Window::kHann
                      : window == "hamming" ? Window::kHamming
                                            : Window::kNone,
            .fft_length = static_cast<int>(length),
            .length = static_cast<int>(settings.findInt("sequence_length").value_or(length)),
            .stride = static_cast<int>(settings.getInt("sequence_stride")),
            .bands = static_cast<int>(settings.getInt("num_mel_bins")),
            .rate = static_cast<double>(rate),
            .from = settings.getDouble("min_freq"),
            .to = settings.findDouble("max_freq").value_or(static_cast<double>(rate / 2)),
            .exponent = settings.getDouble("mag_exp"),
            .least = settings.getDouble("min_power"),
            .reference = settings.getDouble("ref_power"),
            .range = settings.getDouble("top_db"),
            .decibels = settings.getBool("power_to_db")};
}

TensorId lowerMelSpectrogram(LayerBuilder& builder, TensorId x) {
    const MelSpectrogram mel = readMelSpectrogram(builder.settings());
    const TensorId y = builder.activation("bands", builder.outputShape());
    builder.emit({.kind = OpKind::kMelSpectrogram, .inputs = {x}, .outputs = {y}, .attributes = mel});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kMelSpectrogramBack, .inputs = {dy, x}, .outputs = {dx}, .attributes = mel});
        return dx;
    });
    return y;
}

}  // namespace

std::span<const LayerRow> melSpectrogramRows() {
    static constexpr LayerRow kRows[] = {
        {"MelSpectrogram", lowerMelSpectrogram},
    };
    return kRows;
}

}  // namespace engine::plan
