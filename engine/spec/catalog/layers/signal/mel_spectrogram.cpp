// MelSpectrogram: (samples) -> (num_mel_bins, frames). The signal is mirrored at both ends, half an fft_length long; frames are as
// engine/backend/signal/mel_spectrogram.h has them: floor((samples + 2 floor(fft_length / 2) - fft_length) / sequence_stride) + 1.
// Multiply-adds of a sample: frames * (fft_length log2(fft_length) + 2 frequencies), or fft_length^2 where that is no power of two.
#include <string>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferMelSpectrogram(const LayerSpec& layer, LayerInfo& info) {
    if (info.input_shape.size() != 1) {
        return ShapeFault{"", "expected input rank 2 (batch and samples), got " + batchShapeText(info.input_shape)};
    }
    const Settings settings = settingsOf(layer);
    const std::int64_t length = settings.getInt("fft_length"), samples = info.input_shape[0], half = length / 2;
    const std::int64_t window = settings.findInt("sequence_length").value_or(length), stride = settings.getInt("sequence_stride");
    const auto fault = [](const char* field, const std::string& expected, const auto& most, const auto& got) {
        return ShapeFault{field, "expected " + expected + ", " + valueText(most) + ", got " + valueText(got)};
    };
    if (window > length) return fault("sequence_length", "at most the fft_length", length, window);
    if (samples <= half) return fault("fft_length", "at most twice the samples less one", 2 * samples - 1, length);
    const std::int64_t rate = settings.getInt("sampling_rate");
    const double from = settings.getDouble("min_freq"), to = settings.findDouble("max_freq").value_or(static_cast<double>(rate / 2));
    if (from >= to) return fault("min_freq", "less than max_freq", to, from);
    // Keras' compute_output_shape() differs where the stride divides the samples and one more; later layers would not fit there.
    const std::int64_t frames = (samples + 2 * half - length) / stride + 1, in_keras = (samples + stride + 1) / stride;
    if (frames != in_keras) return fault("sequence_stride", "as many frames as Keras' shape has", in_keras, frames);
    info.output_shape = {settings.getInt("num_mel_bins"), frames};
    std::int64_t steps = 0;
    while ((std::int64_t{1} << steps) < length) ++steps;
    const bool is_power_of_two = (std::int64_t{1} << steps) == length;
    info.multiply_adds = frames * (length * (is_power_of_two ? steps : length) + 2 * (half + 1));
    return std::nullopt;
}

FieldSchema numberField(const char* name, double fallback, double minimum, const char* hint) {
    return {.name = name, .kind = FieldKind::kDouble, .fallback = fallback, .minimum = minimum, .maximum = 1e30, .hint = hint};
}

FieldSchema positiveField(const char* name, double fallback, const char* hint) {
    FieldSchema field = numberField(name, fallback, 0, hint);
    field.minimum_excluded = true;
    return field;
}

}  // namespace

std::vector<LayerDefinition> melSpectrogramLayers() {
    FieldSchema fft_length = sizeField("fft_length", 2048, "Samples of a Fourier transform");
    fft_length.minimum = 2;
    FieldSchema rate = sizeField("sampling_rate", 16000, "Samples of the signal in a second");
    rate.minimum = 2;
    rate.maximum = 1e9;
    FieldSchema sequence_length{.name = "sequence_length",
                                .kind = FieldKind::kInt,
                                .minimum = 1,
                                .maximum = kMaximumSize,
                                .hint = "Samples that the window takes; empty: all of a Fourier transform"};
    FieldSchema highest{.name = "max_freq",
                        .kind = FieldKind::kDouble,
                        .minimum = 0,
                        .maximum = 1e9,
                        .minimum_excluded = true,
                        .hint = "Where the last band ends, in hertz; empty: half the sampling rate"};
    return {{.schema = {"MelSpectrogram",
                        LayerCategory::kLayer,
                        {told(fft_length),
                         sizeField("sequence_stride", 512, "Samples from one frame to the next"),
                         sequence_length,
                         {.name = "window",
                          .kind = FieldKind::kChoice,
                          .fallback = "hann",
                          .choices = {"hann", "hamming", "none"},
                          .hint = "What the samples of a frame are multiplied by"},
                         rate,
                         told(sizeField("num_mel_bins", 128, "Bands of the mel scale")),
                         numberField("min_freq", 20.0, 0, "Where the first band begins, in hertz"),
                         highest,
                         {.name = "power_to_db", .kind = FieldKind::kBool, .fallback = true, .hint = "Decibels in place of powers"},
                         numberField("top_db", 80.0, 0, "Decibels below a batch's largest value at which the others end"),
                         positiveField("mag_exp", 2.0, "Exponent of magnitudes; 2: powers"),
                         positiveField("min_power", 1e-10, "The least power that decibels are taken of"),
                         numberField("ref_power", 1.0, -1e30, "The power that is 0 decibels")},
                        kSinceKeras3},
             .infer = inferMelSpectrogram,
             .place = 69}};
}

}  // namespace engine::spec::layers
