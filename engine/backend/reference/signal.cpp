// Spectra: numbers of complex ones, and frames of mel bands by transforms and a matrix that are written out.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "engine/backend/reference/interpreter.h"
#include "engine/backend/signal/spectrum.h"

namespace engine::backend::reference {
namespace {

using Signal = std::vector<double>;

// One signal's frames, as Keras' layer makes them step by step.
class Frames {
public:
    Frames(const plan::MelSpectrogram& mel, std::int64_t samples)
        : mel_(mel), samples_(samples), frequencies_(mel.fft_length / 2 + 1), window_(windowOf(mel)), matrix_(matrixOf(mel)) {}

    // Where place i of the mirrored signal comes from.
    std::int64_t source(std::int64_t frame, std::int64_t i) const {
        std::int64_t at = std::abs(frame * mel_.stride + i - mel_.fft_length / 2);
        return at < samples_ ? at : 2 * (samples_ - 1) - at;
    }

    struct Parts {
        Signal real, imag;
    };
    Parts transformed(std::span<const float> x, std::int64_t frame) const {
        Parts parts{Signal(size(frequencies_), 0.0), Signal(size(frequencies_), 0.0)};
        for (std::int64_t k = 0; k < frequencies_; ++k) {
            for (std::int64_t i = 0; i < mel_.fft_length; ++i) {
                const double value = window_[size(i)] * static_cast<double>(x[size(source(frame, i))]);
                parts.real[size(k)] += value * std::cos(angle(k, i));
                parts.imag[size(k)] -= value * std::sin(angle(k, i));
            }
        }
        return parts;
    }
    Signal bands(const Parts& parts) const {
        Signal sums(size(mel_.bands), 0.0);
        for (std::int64_t k = 0; k < frequencies_; ++k) {
            const double power = std::pow(std::hypot(parts.real[size(k)], parts.imag[size(k)]), mel_.exponent);
            for (std::int64_t band = 0; band < mel_.bands; ++band) sums[size(band)] += weight(k, band) * power;
        }
        return sums;
    }
    // Adds what the gradient of the frame's bands makes of the signal's.
    void addGradient(const Parts& parts, const Signal& dbands, std::int64_t frame, Signal& dx) const {
        for (std::int64_t k = 0; k < frequencies_; ++k) {
            double dpower = 0;
            for (std::int64_t band = 0; band < mel_.bands; ++band) dpower += weight(k, band) * dbands[size(band)];
            const double real = parts.real[size(k)], imag = parts.imag[size(k)], magnitude = std::hypot(real, imag);
            if (magnitude == 0) continue;
            const double part = dpower * mel_.exponent * std::pow(magnitude, mel_.exponent - 2);
            for (std::int64_t i = 0; i < mel_.fft_length; ++i) {
                const double wave = real * std::cos(angle(k, i)) - imag * std::sin(angle(k, i));
                dx[size(source(frame, i))] += window_[size(i)] * part * wave;
            }
        }
    }

private:
    static std::size_t size(std::int64_t count) { return static_cast<std::size_t>(count); }
    double angle(std::int64_t k, std::int64_t i) const {
        return 2 * std::numbers::pi * static_cast<double>(k * i % mel_.fft_length) / mel_.fft_length;
    }
    double weight(std::int64_t k, std::int64_t band) const { return matrix_[size(k * mel_.bands + band)]; }

    static Signal windowOf(const plan::MelSpectrogram& mel) {
        using Window = plan::MelSpectrogram::Window;
        if (mel.window == Window::kNone) return Signal(size(mel.fft_length), 1.0);
        Signal window(size(mel.fft_length), 0.0);
        const double mean = mel.window == Window::kHann ? 0.5 : 0.54;
        const int period = mel.length % 2 == 0 ? mel.length : mel.length - 1, before = (mel.fft_length - mel.length) / 2;
        for (int i = 0; i < mel.length; ++i) {
            window[size(before + i)] = mel.length == 1 ? 1 : mean - (1 - mean) * std::cos(2 * std::numbers::pi * i / period);
        }
        return window;
    }
    // (frequencies, bands)
    static Signal matrixOf(const plan::MelSpectrogram& mel) {
        const auto mels = [](double hertz) { return 1127 * std::log(1 + hertz / 700); };
        const std::int64_t frequencies = mel.fft_length / 2 + 1;
        const double low = mels(mel.from), step = (mels(mel.to) - low) / (mel.bands + 1);
        Signal matrix(size(frequencies * mel.bands), 0.0);
        for (std::int64_t k = 1; k < frequencies; ++k) {
            const double at = mels(mel.rate / 2 * static_cast<double>(k) / static_cast<double>(frequencies - 1));
            for (std::int64_t band = 0; band < mel.bands; ++band) {
                const double lower = low + step * static_cast<double>(band), upper = lower + 2 * step;
                matrix[size(k * mel.bands + band)] = std::max(0.0, std::min((at - lower) / step, (upper - at) / step));
            }
        }
        return matrix;
    }

    const plan::MelSpectrogram& mel_;
    std::int64_t samples_, frequencies_;
    Signal window_, matrix_;
};

double decibels(const plan::MelSpectrogram& mel, double power) {
    return 10 * (std::log10(std::max(power, mel.least)) - std::log10(std::max(std::abs(mel.reference), mel.least)));
}

// The batch's decibels before they are held, and what they are held above.
struct Decibels {
    std::vector<float> values;
    float largest = -std::numeric_limits<float>::infinity();
};
Decibels decibelsOf(const plan::MelSpectrogram& mel, const Frames& frames, std::span<const float> x, std::int64_t samples,
                    std::int64_t frame_count, std::size_t signal) {
    Decibels all;
    const auto bands = static_cast<std::size_t>(mel.bands), count = static_cast<std::size_t>(frame_count);
    all.values.resize(static_cast<std::size_t>(samples) * bands * count);
    for (std::size_t i = 0; i < static_cast<std::size_t>(samples); ++i) {
        for (std::size_t frame = 0; frame < count; ++frame) {
            const Signal sums = frames.bands(frames.transformed(x.subspan(i * signal, signal), static_cast<std::int64_t>(frame)));
            for (std::size_t band = 0; band < bands; ++band) {
                const double value = mel.decibels ? decibels(mel, sums[band]) : sums[band];
                all.values[(i * bands + band) * count + frame] = static_cast<float>(value);
            }
        }
    }
    for (const float value : all.values) all.largest = std::max(all.largest, value);
    return all;
}

void spectrum(const plan::Spectrum& of, std::size_t frequencies, std::span<const float> real, std::span<const float> imag,
              std::span<float> y) {
    for (std::size_t i = 0; i < y.size(); ++i) {
        const std::size_t k = i % frequencies;
        y[i] = spectrumValue(of.number, {real[i], imag[i]}, k == 0 || k + 1 == frequencies);
    }
}

}  // namespace

void Interpreter::signal(const plan::Op& op, const Step& step) {
    const std::int64_t n = step.samples;
    if (const auto* of = std::get_if<plan::Spectrum>(&op.attributes)) {
        const auto frequencies = static_cast<std::size_t>(tensorOf(op.inputs[0]).shape.back());
        if (op.kind == plan::OpKind::kSpectrum) {
            return spectrum(*of, frequencies, floats(op.inputs[0], n), floats(op.inputs[1], n), floats(op.outputs[0], n));
        }
        const std::span<const float> dy = floats(op.inputs[0], n), real = floats(op.inputs[1], n), imag = floats(op.inputs[2], n);
        const std::span<float> dreal = floats(op.outputs[0], n), dimag = floats(op.outputs[1], n);
        for (std::size_t i = 0; i < dy.size(); ++i) {
            const std::size_t k = i % frequencies;
            const ComplexNumber gradient = spectrumGradient(of->number, {real[i], imag[i]}, k == 0 || k + 1 == frequencies, dy[i]);
            dreal[i] = gradient.real;
            dimag[i] = gradient.imag;
        }
        return;
    }
    const auto& mel = std::get<plan::MelSpectrogram>(op.attributes);
    const bool is_forward = op.kind == plan::OpKind::kMelSpectrogram;
    const plan::TensorId x_id = is_forward ? op.inputs[0] : op.inputs[1], y_id = is_forward ? op.outputs[0] : op.inputs[0];
    const std::int64_t signal_size = tensorOf(x_id).shape.back(), frame_count = tensorOf(y_id).shape.back();
    const auto signal = static_cast<std::size_t>(signal_size), count = static_cast<std::size_t>(frame_count),
               bands = static_cast<std::size_t>(mel.bands);
    const std::span<const float> x = floats(x_id, n);
    const Frames frames(mel, signal_size);
    const Decibels all = decibelsOf(mel, frames, x, n, frame_count, signal);
    const float least = mel.decibels ? all.largest - static_cast<float>(mel.range) : -std::numeric_limits<float>::infinity();
    if (is_forward) {
        const std::span<float> y = floats(y_id, n);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = std::max(all.values[i], least);
        return;
    }
    // What is held has the gradient of the largest, which equal ones share.
    const std::span<const float> dy = floats(y_id, n);
    double held = 0;
    for (std::size_t i = 0; i < dy.size(); ++i) held += all.values[i] < least ? static_cast<double>(dy[i]) : 0;
    held /= std::max<double>(1, static_cast<double>(std::count(all.values.begin(), all.values.end(), all.largest)));
    const std::span<float> dx = floats(op.outputs[0], n);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        Signal gradient(signal, 0.0);
        for (std::size_t frame = 0; frame < count; ++frame) {
            const Frames::Parts parts = frames.transformed(x.subspan(i * signal, signal), static_cast<std::int64_t>(frame));
            Signal dbands = frames.bands(parts);
            for (std::size_t band = 0; band < bands; ++band) {
                const std::size_t at = (i * bands + band) * count + frame;
                double slope = all.values[at] < least ? 0 : static_cast<double>(dy[at]);
                if (mel.decibels && all.values[at] == all.largest) slope += held;
                const double power = dbands[band];
                if (mel.decibels) slope *= power < mel.least ? 0 : 10 / (std::numbers::ln10 * power);
                dbands[band] = slope;
            }
            frames.addGradient(parts, dbands, static_cast<std::int64_t>(frame), gradient);
        }
        for (std::size_t s = 0; s < signal; ++s) dx[i * signal + s] = static_cast<float>(gradient[s]);
    }
}

}  // namespace engine::backend::reference
