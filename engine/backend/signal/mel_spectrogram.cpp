#include "engine/backend/signal/mel_spectrogram.h"

#include <algorithm>

namespace engine::backend {

MelFrames::MelFrames(const plan::MelSpectrogram& mel, std::int64_t samples) : mel_(mel), sizes_(melSizes(mel, samples)) {
    for (std::int64_t i = 0; i < sizes_.length; ++i) {
        window_.push_back(melWindow(mel, i));
        turns_.push_back(melTurn(sizes_, i));
    }
    for (std::int64_t k = 0; k < sizes_.frequencies; ++k) parts_.push_back(melPart(mel, k));
    for (std::int64_t corner = 0; corner < sizes_.bands + 2; ++corner) corners_.push_back(melCorner(mel, corner));
    for (std::int64_t i = 0; sizes_.halves && i < sizes_.length / 2; ++i) reversed_.push_back(bitReversed(i, sizes_.bits));
}

std::int64_t MelFrames::scratchBytes() const {
    const std::int64_t numbers = 2 * sizes_.length + 3 * sizes_.frequencies + sizes_.bands + sizes_.samples;
    return numbers * static_cast<std::int64_t>(sizeof(double));
}

MelFrames::Scratch MelFrames::laidOut(std::byte* scratch) const {
    Scratch laid{};
    laid.z = reinterpret_cast<Complex*>(scratch);
    laid.spectrum = laid.z + sizes_.length;
    laid.powers = reinterpret_cast<double*>(laid.spectrum + sizes_.frequencies);
    laid.bands = laid.powers + sizes_.frequencies;
    laid.dx = laid.bands + sizes_.bands;
    return laid;
}

void MelFrames::transform(Complex* z) const {
    const std::int64_t half = sizes_.length / 2;
    for (std::int64_t stage = 1; stage < half; stage *= 2) {
        for (std::int64_t i = 0; i < half / 2; ++i) butterfly(sizes_, turns_.data(), stage, i, z);
    }
}

void MelFrames::measure(const float* x, std::int64_t frame, const Scratch& scratch) const {
    const auto at = [&](std::int64_t place) {
        return window_[static_cast<std::size_t>(place)] * static_cast<double>(x[melSample(sizes_, frame, place)]);
    };
    if (sizes_.halves) {
        for (std::int64_t i = 0; i < sizes_.length / 2; ++i) {
            scratch.z[reversed_[static_cast<std::size_t>(i)]] = {at(2 * i), at(2 * i + 1)};
        }
        transform(scratch.z);
    } else {
        for (std::int64_t i = 0; i < sizes_.length; ++i) scratch.z[i] = {at(i), 0};
    }
    for (std::int64_t k = 0; k < sizes_.frequencies; ++k) {
        Complex value{};
        if (sizes_.halves) {
            value = fromHalf(sizes_, turns_.data(), scratch.z, k);
        } else {
            for (std::int64_t i = 0; i < sizes_.length; ++i) {
                const Complex turn = turns_[static_cast<std::size_t>(i * k % sizes_.length)];
                value = sum(value, {scratch.z[i].re * turn.re, scratch.z[i].re * turn.im});
            }
        }
        scratch.spectrum[k] = value;
        scratch.powers[k] = melPower(mel_, value);
    }
}

void MelFrames::forward(const float* x, float* y, std::byte* scratch) const {
    const Scratch laid = laidOut(scratch);
    for (std::int64_t frame = 0; frame < sizes_.frames; ++frame) {
        measure(x, frame, laid);
        for (std::int64_t band = 0; band < sizes_.bands; ++band) {
            const double value = melBand(corners_.data(), parts_.data(), laid.powers, band);
            y[band * sizes_.frames + frame] = static_cast<float>(mel_.decibels ? melDecibels(mel_, value) : value);
        }
    }
}

void MelFrames::spread(std::int64_t frame, const Scratch& scratch) const {
    const std::int64_t half = sizes_.length / 2;
    const auto add = [&](std::int64_t place, double value) {
        scratch.dx[melSample(sizes_, frame, place)] += window_[static_cast<std::size_t>(place)] * value;
    };
    if (sizes_.halves) {
        for (std::int64_t i = 0; i < half; ++i) {
            scratch.z[reversed_[static_cast<std::size_t>(i)]] = toHalf(sizes_, turns_.data(), scratch.spectrum, i);
        }
        transform(scratch.z);
        for (std::int64_t i = 0; i < half; ++i) {
            add(2 * i, scratch.z[i].re);
            add(2 * i + 1, -scratch.z[i].im);
        }
        return;
    }
    for (std::int64_t i = 0; i < sizes_.length; ++i) {
        double value = 0;
        for (std::int64_t k = 0; k < sizes_.frequencies; ++k) {
            const Complex turn = turns_[static_cast<std::size_t>(i * k % sizes_.length)], gradient = scratch.spectrum[k];
            value += gradient.re * turn.re + gradient.im * turn.im;
        }
        add(i, value);
    }
}

void MelFrames::back(const float* x, const float* dy, float* dx, std::byte* scratch) const {
    const Scratch laid = laidOut(scratch);
    std::fill_n(laid.dx, sizes_.samples, 0.0);
    for (std::int64_t frame = 0; frame < sizes_.frames; ++frame) {
        measure(x, frame, laid);
        for (std::int64_t band = 0; band < sizes_.bands; ++band) {
            const double gradient = static_cast<double>(dy[band * sizes_.frames + frame]);
            const double value = melBand(corners_.data(), parts_.data(), laid.powers, band);
            laid.bands[band] = mel_.decibels ? melDecibelsBack(mel_, value, gradient) : gradient;
        }
        for (std::int64_t k = 0; k < sizes_.frequencies; ++k) {
            laid.spectrum[k] = melPowerBack(mel_, laid.spectrum[k], melBandBack(mel_, parts_.data(), laid.bands, 1, k));
        }
        spread(frame, laid);
    }
    for (std::int64_t i = 0; i < sizes_.samples; ++i) dx[i] = static_cast<float>(laid.dx[i]);
}

}  // namespace engine::backend
