// STFTSpectrogram over (samples, channels): each frame of each channel times two kernels, (frame_length, 1, frequencies) each, which begin
// as a windowed Fourier transform; modes real and imag have one of them. Output: (frames, channels * frequencies), channel by channel, or
// (frames, frequencies, channels) with expand_dims; mode stft has twice as many frequencies.
//   frequencies = fft_length / 2 + 1; valid: frames = floor((samples - frame_length) / frame_step) + 1; same: ceil(samples / frame_step).
// Multiply-adds of a sample: channels * frames * frame_length * frequencies, for each kernel.
#include <string>

#include "engine/spec/catalog/layers/window_geometry.h"
#include "engine/spec/catalog/stft_settings.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferStftSpectrogram(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectAxes(info.input_shape, Axes::kSequence)) return fault;
    const StftSettings stft = readStftSettings(layer);
    const std::string length = " the frame_length, " + std::to_string(stft.frame_length) + ", got ";
    if (stft.frame_step > stft.frame_length) {
        return ShapeFault{"frame_step", "expected at most" + length + std::to_string(stft.frame_step)};
    }
    if (stft.fft_length < stft.frame_length) {
        return ShapeFault{"fft_length", "expected at least" + length + std::to_string(stft.fft_length)};
    }
    const Settings settings = settingsOf(layer);
    Extent output{};
    const Window window{.size = {1, 1, stft.frame_length}, .strides = {1, 1, stft.frame_step}, .padding = settings.getString("padding")};
    if (auto fault = slideWindow(info.input_shape, "frame_length", window, output)) return fault;
    const std::int64_t channels = info.input_shape.back(), frames = output[2];
    const std::int64_t numbers = stft.frequencies * (stft.mode == "stft" ? 2 : 1);
    info.output_shape = settings.getBool("expand_dims") ? Shape{frames, numbers, channels} : Shape{frames, channels * numbers};
    const Shape kernel{stft.frame_length, 1, stft.frequencies};
    if (stft.has_real) info.variables.push_back({layer.name + "/real_kernel", kernel});
    if (stft.has_imag) info.variables.push_back({layer.name + "/imag_kernel", kernel});
    const auto kernels = static_cast<std::int64_t>(info.variables.size());
    info.multiply_adds = kernels * channels * frames * stft.frame_length * stft.frequencies;
    return std::nullopt;
}

FieldSchema countField(const char* name, std::int64_t minimum, const char* hint) {
    return {.name = name, .kind = FieldKind::kInt, .minimum = static_cast<double>(minimum), .maximum = kMaximumSize, .hint = hint};
}

}  // namespace

std::vector<LayerDefinition> stftSpectrogramLayers() {
    FieldSchema frame_length = countField("frame_length", 2, "Samples of a frame");
    frame_length.fallback = std::int64_t{256};
    return {{.schema = {"STFTSpectrogram",
                        LayerCategory::kLayer,
                        {{.name = "mode",
                          .kind = FieldKind::kChoice,
                          .fallback = "log",
                          .choices = {"log", "magnitude", "psd", "real", "imag", "angle", "stft"},
                          .hint = "What is made of each frequency's complex number; psd: its power, stft: both its parts",
                          .is_told = true},
                         told(frame_length),
                         countField("frame_step", 1, "Samples from one frame to the next; empty: half a frame"),
                         countField("fft_length", 2, "Samples of a Fourier transform; empty: the power of two that holds a frame"),
                         {.name = "window",
                          .kind = FieldKind::kChoice,
                          .fallback = "hann",
                          .choices = {"hann", "hamming", "blackman", "nuttall", "blackmanharris", "flattop", "bartlett", "triang", "cosine",
                                      "boxcar", "none"},
                          .hint = "What the kernels begin with beside the waves: a weight for each sample of a frame"},
                         {.name = "periodic",
                          .kind = FieldKind::kBool,
                          .fallback = false,
                          .hint = "The window would go on behind its end as it begins"},
                         {.name = "scaling",
                          .kind = FieldKind::kChoice,
                          .fallback = "density",
                          .choices = {"density", "spectrum", "none"},
                          .hint = "What the window is divided by: the root of the sum of its squares, or its sum"},
                         paddingField(),
                         {.name = "expand_dims",
                          .kind = FieldKind::kBool,
                          .fallback = false,
                          .hint = "Frequencies and channels have an axis each, as in an image"},
                         dataFormatField()},
                        kSinceKeras3},
             .infer = inferStftSpectrogram,
             .place = 68,
             .is_distributable = true}};
}

}  // namespace engine::spec::layers
