// What a MelSpectrogram's frames and bands are: for executors, and for files that have the layer as constants. Of a signal of n samples,
// with a transform of L samples and h = floor(L / 2):
//   frame f, place i: x[f stride + i - h], mirrored where that is before 0 or behind n - 1; times the window
//   frames = floor((n + 2 h - L) / stride) + 1; frequencies k = 0 .. h, of k rate / (2 h) hertz
//   magnitudes to the power `exponent`; a band sums those within its triangle, whose three corners are three neighbours of bands + 2
//   places at equal distances on the mel scale, 1127 log(1 + hertz / 700). Frequency 0 is in no band.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>

#include "engine/plan/op_attributes.h"
#include "engine/tensor/device_function.h"

namespace engine::plan {

inline constexpr float kLeastPower = 1e-7F;  // of which a Spectrum's magnitudes and their logarithms are taken: Keras' epsilon

struct Complex {
    double re = 0, im = 0;
};
struct MelSizes {
    std::int64_t samples = 0, length = 0, frequencies = 0, frames = 0, stride = 1, bands = 1;
    bool halves = false;  // the length is a power of two
    int bits = 0;         // of length / 2 then
};
inline MelSizes melSizes(const MelSpectrogram& mel, std::int64_t samples) {
    MelSizes sizes{.samples = samples, .length = mel.fft_length, .stride = mel.stride, .bands = mel.bands};
    const std::int64_t half = sizes.length / 2;
    sizes.frequencies = half + 1;
    sizes.frames = (samples + 2 * half - sizes.length) / sizes.stride + 1;
    sizes.halves = (sizes.length & (sizes.length - 1)) == 0;
    while (sizes.halves && (std::int64_t{1} << sizes.bits) < half) ++sizes.bits;
    return sizes;
}

// The sample at a place of a frame.
TANDEM_DEVICE inline std::int64_t melSample(const MelSizes& sizes, std::int64_t frame, std::int64_t place) {
    const std::int64_t at = frame * sizes.stride + place - sizes.length / 2;
    return at < 0 ? -at : at < sizes.samples ? at : 2 * (sizes.samples - 1) - at;
}

// The window stands in the middle of a frame. One of an odd length ends as it begins, one of an even length would go on so.
TANDEM_DEVICE inline double melWindow(const MelSpectrogram& mel, std::int64_t place) {
    using Window = MelSpectrogram::Window;
    if (mel.window == Window::kNone) return 1;
    const std::int64_t at = place - (mel.fft_length - mel.length) / 2;
    if (at < 0 || at >= mel.length) return 0;
    if (mel.length == 1) return 1;
    const double mean = mel.window == Window::kHann ? 0.5 : 0.54;
    const auto period = static_cast<double>(mel.length - mel.length % 2);
    return mean - (1 - mean) * std::cos(2 * std::numbers::pi * static_cast<double>(at) / period);
}

// exp(-2 pi i turn / length)
TANDEM_DEVICE inline Complex melTurn(const MelSizes& sizes, std::int64_t turn) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(turn) / static_cast<double>(sizes.length);
    return {std::cos(angle), -std::sin(angle)};
}

// Where a frequency lies among the corners of the bands: j + part is behind corner j, in band j by `part`, in band j - 1 by 1 - part.
TANDEM_DEVICE inline double melPosition(const MelSpectrogram& mel, std::int64_t frequency) {
    constexpr double kBreak = 700, kScale = 1127;
    const auto mels = [](double hertz) { return kScale * std::log(1 + hertz / kBreak); };
    const double hertz = static_cast<double>(frequency) * mel.rate / 2 / static_cast<double>(mel.fft_length / 2);
    const double low = mels(mel.from), high = mels(mel.to);
    return (mels(hertz) - low) * (mel.bands + 1) / (high - low);
}
// The first frequency from 1 on at that corner or behind it.
TANDEM_DEVICE inline std::int64_t melCorner(const MelSpectrogram& mel, std::int64_t corner) {
    std::int64_t first = 1, end = mel.fft_length / 2 + 1;
    while (first < end) {
        const std::int64_t middle = (first + end) / 2;
        if (melPosition(mel, middle) < static_cast<double>(corner)) {
            first = middle + 1;
        } else {
            end = middle;
        }
    }
    return first;
}

TANDEM_DEVICE inline double melPart(const MelSpectrogram& mel, std::int64_t frequency) {
    const double position = melPosition(mel, frequency);
    return position - std::floor(position);
}

}  // namespace engine::plan
