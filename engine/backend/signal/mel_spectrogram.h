// MelSpectrogram's sums: one definition for every back-end. Frames and bands are as engine/plan/signal/signal_numbers.h has them. All is
// done in double, since decibels tell a small error of a small number.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <vector>

#include "engine/plan/op_attributes.h"
#include "engine/plan/signal/signal_numbers.h"
#include "engine/tensor/device_function.h"

namespace engine::backend {

using plan::Complex;
using plan::MelSizes;

TANDEM_DEVICE inline Complex product(Complex a, Complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
TANDEM_DEVICE inline Complex sum(Complex a, Complex b) {
    return {a.re + b.re, a.im + b.im};
}
TANDEM_DEVICE inline Complex difference(Complex a, Complex b) {
    return {a.re - b.re, a.im - b.im};
}
TANDEM_DEVICE inline Complex conjugate(Complex a) {
    return {a.re, -a.im};
}

// A fast transform of length / 2 complex numbers, places 2 i and 2 i + 1 of a frame each, in place and by radix 2: numbers are put at
// bitReversed(), and stages of 1, 2, 4, ... follow, each with length / 4 butterflies in any order.
TANDEM_DEVICE inline std::int64_t bitReversed(std::int64_t i, int bits) {
    std::int64_t reversed = 0;
    for (int bit = 0; bit < bits; ++bit) reversed |= ((i >> bit) & 1) << (bits - 1 - bit);
    return reversed;
}
TANDEM_DEVICE inline void butterfly(const MelSizes& sizes, const Complex* turns, std::int64_t stage, std::int64_t i, Complex* z) {
    const std::int64_t within = i & (stage - 1), at = 2 * (i - within) + within;
    const Complex other = product(z[at + stage], turns[within * (sizes.length / 2 / stage)]);
    z[at + stage] = difference(z[at], other);
    z[at] = sum(z[at], other);
}
// Frequency k of the frame, of the transform z.
TANDEM_DEVICE inline Complex fromHalf(const MelSizes& sizes, const Complex* turns, const Complex* z, std::int64_t k) {
    const std::int64_t half = sizes.length / 2;
    const Complex a = z[k & (half - 1)], b = conjugate(z[(half - k) & (half - 1)]);
    const Complex even = sum(a, b), odd = difference(a, b);
    const Complex turned = product({odd.im, -odd.re}, k == half ? Complex{-1, 0} : turns[k]);
    return {(even.re + turned.re) / 2, (even.im + turned.im) / 2};
}
// What the same transform makes the frame's gradient of: places 2 i and 2 i + 1 are then re and -im of result i. `gradients` are those of
// the frequencies' real and imaginary parts.
TANDEM_DEVICE inline Complex toHalf(const MelSizes& sizes, const Complex* turns, const Complex* gradients, std::int64_t k) {
    const std::int64_t half = sizes.length / 2;
    // A wave's frequency and its twin share the gradient; the first and the last frequency have no twin and no imaginary part.
    const auto share = [&](std::int64_t i) {
        const Complex g = gradients[i];
        return i == 0 || i == half ? Complex{g.re, 0} : Complex{g.re / 2, g.im / 2};
    };
    const Complex a = share(k), b = conjugate(share(half - k));
    const Complex turned = product(conjugate(turns[k]), difference(a, b));
    return conjugate(sum(sum(a, b), {-turned.im, turned.re}));
}

TANDEM_DEVICE inline double melPower(const plan::MelSpectrogram& mel, Complex x) {
    const double square = x.re * x.re + x.im * x.im;
    if (mel.exponent == 2) return square;
    return mel.exponent == 1 ? std::sqrt(square) : std::pow(square, mel.exponent / 2);
}
// The gradient of its parts; zero has none.
TANDEM_DEVICE inline Complex melPowerBack(const plan::MelSpectrogram& mel, Complex x, double dpower) {
    const double square = x.re * x.re + x.im * x.im;
    if (square == 0) return {};
    const double part = dpower * mel.exponent * (mel.exponent == 2 ? 1 : std::pow(square, mel.exponent / 2 - 1));
    return {part * x.re, part * x.im};
}

// `corners` are melCorner() of 0 .. bands + 1, `parts` the parts of melPosition() by frequency.
TANDEM_DEVICE inline double melBand(const std::int64_t* corners, const double* parts, const double* powers, std::int64_t band) {
    double total = 0;
    for (std::int64_t k = corners[band]; k < corners[band + 1]; ++k) total += parts[k] * powers[k];
    for (std::int64_t k = corners[band + 1]; k < corners[band + 2]; ++k) total += (1 - parts[k]) * powers[k];
    return total;
}
// The gradient of a frequency's power, of those of the bands, `step` apart.
TANDEM_DEVICE inline double melBandBack(const plan::MelSpectrogram& mel, const double* parts, const double* dbands, std::int64_t step,
                                        std::int64_t frequency) {
    const double position = melPosition(mel, frequency);
    if (frequency == 0 || position < 0 || position >= mel.bands + 1) return 0;
    const auto corner = static_cast<std::int64_t>(position);
    double total = corner < mel.bands ? parts[frequency] * dbands[corner * step] : 0;
    if (corner > 0) total += (1 - parts[frequency]) * dbands[(corner - 1) * step];
    return total;
}
// Decibels before the batch's largest is known.
TANDEM_DEVICE inline double melDecibels(const plan::MelSpectrogram& mel, double band) {
    const double reference = mel.reference < 0 ? -mel.reference : mel.reference;
    const double least = mel.least;
    return 10 * (std::log10(band > least ? band : least) - std::log10(reference > least ? reference : least));
}
TANDEM_DEVICE inline double melDecibelsBack(const plan::MelSpectrogram& mel, double band, double dy) {
    return band < mel.least ? 0 : dy * 10 / (std::numbers::ln10 * band);
}
// What the decibels of a batch are held above, by the largest of them.
TANDEM_DEVICE inline float melFloor(const plan::MelSpectrogram& mel, float largest) {
    return largest - static_cast<float>(mel.range);
}

// One sample on a processor. Made once; any number of threads may use it, each with a scratch of scratchBytes() of its own, aligned for
// doubles.
class MelFrames {
public:
    MelFrames(const plan::MelSpectrogram& mel, std::int64_t samples);

    const MelSizes& sizes() const { return sizes_; }
    std::int64_t scratchBytes() const;

    // Bands (bands, frames) of a signal; in decibels, as melDecibels() has them.
    void forward(const float* x, float* y, std::byte* scratch) const;
    // dx (samples) of dy (bands, frames), the gradient of what forward() gives.
    void back(const float* x, const float* dy, float* dx, std::byte* scratch) const;

private:
    struct Scratch {
        Complex* z;         // the transform; back: the frame's gradient
        Complex* spectrum;  // by frequency
        double* powers;     // by frequency
        double* bands;
        double* dx;  // by sample
    };
    Scratch laidOut(std::byte* scratch) const;
    void transform(Complex* z) const;
    // Fills spectrum and powers.
    void measure(const float* x, std::int64_t frame, const Scratch& scratch) const;
    // Adds the frame's part to scratch.dx, of the gradients of the frequencies in scratch.spectrum.
    void spread(std::int64_t frame, const Scratch& scratch) const;

    plan::MelSpectrogram mel_;
    MelSizes sizes_;
    std::vector<double> window_, parts_;
    std::vector<Complex> turns_;
    std::vector<std::int64_t> corners_, reversed_;
};

}  // namespace engine::backend
