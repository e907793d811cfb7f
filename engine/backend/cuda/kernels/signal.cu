// Spectra: numbers of complex ones (engine/backend/signal/spectrum.h), and frames of mel bands (mel_spectrogram.h). Of the second, some
// samples at a time go through frames, transforms, powers and bands, each step a launch over all their frames.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <variant>

#include "engine/backend/cuda/bound_op.h"
#include "engine/backend/cuda/kernels/division.h"
#include "engine/backend/cuda/kernels/pointwise.h"
#include "engine/backend/signal/mel_spectrogram.h"
#include "engine/backend/signal/spectrum.h"

namespace engine::backend::cuda {
namespace {

struct SpectrumValues {
    plan::Spectrum::Number number;
    Division frequencies;
    const float *real, *imag, *dy;  // dy: of the way back alone
    float *y, *dreal, *dimag;

    template <int width>
    __device__ void run(std::int64_t at) const {
        const std::int64_t k = frequencies(at).rest;
        const bool is_single = k == 0 || k + 1 == frequencies.divisor();
        const ComplexNumber value{real[at], imag[at]};
        if (dy == nullptr) {
            y[at] = spectrumValue(number, value, is_single);
            return;
        }
        const ComplexNumber gradient = spectrumGradient(number, value, is_single, dy[at]);
        dreal[at] = gradient.real;
        dimag[at] = gradient.imag;
    }
};

BoundOp bindSpectrum(const Context& context, const plan::Op& op) {
    const bool is_forward = op.kind == plan::OpKind::kSpectrum;
    const char* what = is_forward ? "Spectrum" : "SpectrumBack";
    SpectrumValues work{};
    work.number = std::get<plan::Spectrum>(op.attributes).number;
    work.frequencies = Division(context.shape(op.inputs[0]).back());
    const std::size_t first = is_forward ? 0 : 1;
    work.real = context.floats(op.inputs[first]);
    work.imag = context.floats(op.inputs[first + 1]);
    if (is_forward) {
        work.y = context.floats(op.outputs[0]);
    } else {
        work.dy = context.floats(op.inputs[0]);
        work.dreal = context.floats(op.outputs[0]);
        work.dimag = context.floats(op.outputs[1]);
    }
    const std::int64_t count = context.elements(op.inputs[0]);
    return {.kernel = "value by value",
            .enqueue = [=](cudaStream_t stream, std::byte*) { launchPointwise<1>(what, work, count, false, stream); }};
}

// Memory that an op lays out in its scratch, each part aligned to 256 bytes; counts alone where there is none.
class Layout {
public:
    explicit Layout(std::byte* memory) : memory_(memory) {}
    template <typename T>
    T* take(std::int64_t count) {
        constexpr std::int64_t kAlignment = 256;
        const std::int64_t begin = bytes_;
        bytes_ += (count * static_cast<std::int64_t>(sizeof(T)) + kAlignment - 1) / kAlignment * kAlignment;
        return memory_ == nullptr ? nullptr : reinterpret_cast<T*>(memory_ + begin);
    }
    std::int64_t bytes() const { return bytes_; }

private:
    std::byte* memory_;
    std::int64_t bytes_ = 0;
};

// What is held of decibels: the gradient of values below the floor, and how many are the largest.
struct Held {
    double gradient, count;
};

// The frames of some samples, from x on: an item is a frame.
struct MelWork {
    plan::MelSpectrogram mel;
    MelSizes sizes;
    Complex* turns;         // (length)
    double* window;         // (length)
    double* parts;          // (frequencies)
    std::int64_t* corners;  // (bands + 2)
    const float* x;
    Complex* z;         // (items, room)
    std::int64_t room;  // complex numbers of an item: half a length, rounded up
    double* powers;     // (items, frequencies)
    Complex* spectrum;  // (items, frequencies); the way back alone
    double* dbands;     // (items, bands); the way back alone
    Division frames;    // of a sample

    __device__ double placed(std::int64_t item, std::int64_t place) const {
        const Division::Parts frame = frames(item);
        return window[place] * static_cast<double>(x[frame.quotient * sizes.samples + melSample(sizes, frame.rest, place)]);
    }
};

struct MelTables {
    MelWork work;
    template <int width>
    __device__ void run(std::int64_t at) const {
        if (at < work.sizes.length) {
            work.turns[at] = melTurn(work.sizes, at);
            work.window[at] = melWindow(work.mel, at);
        }
        if (at < work.sizes.frequencies) work.parts[at] = melPart(work.mel, at);
        if (at < work.sizes.bands + 2) work.corners[at] = melCorner(work.mel, at);
    }
};
struct MelPlaces {
    MelWork work;
    Division half;
    template <int width>
    __device__ void run(std::int64_t at) const {
        const Division::Parts place = half(at);
        work.z[place.quotient * work.room + bitReversed(place.rest, work.sizes.bits)] = {work.placed(place.quotient, 2 * place.rest),
                                                                                         work.placed(place.quotient, 2 * place.rest + 1)};
    }
};
struct MelButterflies {
    MelWork work;
    Division quarter;
    std::int64_t stage;
    template <int width>
    __device__ void run(std::int64_t at) const {
        const Division::Parts place = quarter(at);
        butterfly(work.sizes, work.turns, stage, place.rest, work.z + place.quotient * work.room);
    }
};
struct MelPowers {
    MelWork work;
    Division frequencies;
    template <int width>
    __device__ void run(std::int64_t at) const {
        const Division::Parts place = frequencies(at);
        Complex value{};
        if (work.sizes.halves) {
            value = fromHalf(work.sizes, work.turns, work.z + place.quotient * work.room, place.rest);
        } else {
            for (std::int64_t i = 0; i < work.sizes.length; ++i) {
                const Complex turn = work.turns[i * place.rest % work.sizes.length];
                const double sample = work.placed(place.quotient, i);
                value = sum(value, {sample * turn.re, sample * turn.im});
            }
        }
        work.powers[at] = melPower(work.mel, value);
        if (work.spectrum != nullptr) work.spectrum[at] = value;
    }
};
// y (samples, bands, frames); decibels before they are held.
struct MelBands {
    MelWork work;
    Division bands;
    float* y;
    template <int width>
    __device__ void run(std::int64_t at) const {
        const Division::Parts row = work.frames(at), place = bands(row.quotient);
        const std::int64_t item = place.quotient * work.sizes.frames + row.rest;
        const double value = melBand(work.corners, work.parts, work.powers + item * work.sizes.frequencies, place.rest);
        y[at] = static_cast<float>(work.mel.decibels ? melDecibels(work.mel, value) : value);
    }
};

// The largest of each row; of one row with a number for each sample, of those that there are.
struct LargestOfRows {
    const float* values;
    std::int64_t columns;
    const StepParameters* step;  // null: all columns
    float* largest;
    template <typename Threads>
    __device__ void run(std::int64_t row, bool is_row, Threads threads) const {
        const std::int64_t count = step == nullptr ? columns : step->samples;
        float mine = -INFINITY;
        for (std::int64_t i = threads.first(); i < count; i += threads.step()) mine = Maximum{}(mine, values[row * columns + i]);
        mine = threads.reduce(mine, Maximum{});
        if (is_row && threads.first() == 0) largest[row] = mine;
    }
};
struct HoldDecibels {
    plan::MelSpectrogram mel;
    const float* largest;
    float* y;
    template <int width>
    __device__ void run(std::int64_t at) const {
        const float least = melFloor(mel, *largest);
        if (y[at] < least) y[at] = least;
    }
};
struct HeldOfRows {
    plan::MelSpectrogram mel;
    const float *values, *dy, *largest;
    std::int64_t columns;
    Held* held;
    template <typename Threads>
    __device__ void run(std::int64_t row, bool is_row, Threads threads) const {
        const float least = melFloor(mel, *largest);
        double gradient = 0, count = 0;
        for (std::int64_t i = threads.first(); i < columns; i += threads.step()) {
            const std::int64_t at = row * columns + i;
            if (values[at] < least) gradient += static_cast<double>(dy[at]);
            if (values[at] == *largest) ++count;
        }
        gradient = threads.reduce(gradient, Sum{});
        count = threads.reduce(count, Sum{});
        if (is_row && threads.first() == 0) held[row] = {gradient, count};
    }
};
struct SumOfHeld {
    const StepParameters* step;
    const Held* held;
    Held* all;
    template <typename Threads>
    __device__ void run(std::int64_t, bool is_row, Threads threads) const {
        double gradient = 0, count = 0;
        for (std::int64_t i = threads.first(); i < step->samples; i += threads.step()) {
            gradient += held[i].gradient;
            count += held[i].count;
        }
        gradient = threads.reduce(gradient, Sum{});
        count = threads.reduce(count, Sum{});
        if (is_row && threads.first() == 0) *all = {gradient, count};
    }
};

// The gradients of the bands' sums, from the `first` sample of the batch on.
struct MelBandsBack {
    MelWork work;
    Division bands;
    const StepParameters* step;
    std::int64_t first;
    const float *values, *dy;  // from that sample on; values and what follows: of decibels alone
    const float* largest;
    const Held* all;
    template <int width>
    __device__ void run(std::int64_t at) const {
        const Division::Parts row = work.frames(at), place = bands(row.quotient);
        const std::int64_t item = place.quotient * work.sizes.frames + row.rest;
        double gradient = static_cast<double>(dy[at]);
        if (work.mel.decibels) {
            if (values[at] < melFloor(work.mel, *largest)) gradient = 0;
            if (values[at] == *largest && first + place.quotient < step->samples) gradient += all->gradient / all->count;
            const double value = melBand(work.corners, work.parts, work.powers + item * work.sizes.frequencies, place.rest);
            gradient = melDecibelsBack(work.mel, value, static_cast<double>(static_cast<float>(gradient)));
        }
        work.dbands[item * work.sizes.bands + place.rest] = gradient;
    }
};
struct MelPowersBack {
    MelWork work;
    Division frequencies;
    template <int width>
    __device__ void run(std::int64_t at) const {
        const Division::Parts place = frequencies(at);
        const double dpower = melBandBack(work.mel, work.parts, work.dbands + place.quotient * work.sizes.bands, 1, place.rest);
        work.spectrum[at] = melPowerBack(work.mel, work.spectrum[at], dpower);
    }
};
// The gradient of each place of a frame, of powers of two as the beginning of a transform.
struct MelPlacesBack {
    MelWork work;
    Division places;
    template <int width>
    __device__ void run(std::int64_t at) const {
        const Division::Parts place = places(at);
        const Complex* gradients = work.spectrum + place.quotient * work.sizes.frequencies;
        Complex* z = work.z + place.quotient * work.room;
        if (work.sizes.halves) {
            z[bitReversed(place.rest, work.sizes.bits)] = toHalf(work.sizes, work.turns, gradients, place.rest);
            return;
        }
        double value = 0;
        for (std::int64_t k = 0; k < work.sizes.frequencies; ++k) {
            const Complex turn = work.turns[place.rest * k % work.sizes.length];
            value += gradients[k].re * turn.re + gradients[k].im * turn.im;
        }
        (place.rest % 2 == 0 ? z[place.rest / 2].re : z[place.rest / 2].im) = value;
    }
};
// A sample's gradient, of all places of all frames that it stands at: its own, and those that are mirrored.
struct MelSamplesBack {
    MelWork work;
    Division samples;
    float* dx;
    template <int width>
    __device__ void run(std::int64_t at) const {
        const Division::Parts place = samples(at);
        const std::int64_t last = work.sizes.samples - 1;
        double total = atPosition(place.quotient, place.rest);
        if (place.rest > 0) total += atPosition(place.quotient, -place.rest);
        if (place.rest < last) total += atPosition(place.quotient, 2 * last - place.rest);
        dx[at] = static_cast<float>(total);
    }
    __device__ double atPosition(std::int64_t sample, std::int64_t position) const {
        const std::int64_t padded = position + work.sizes.length / 2, before = padded - work.sizes.length + 1;
        if (padded < 0) return 0;
        double total = 0;
        std::int64_t frame = before <= 0 ? 0 : (before + work.sizes.stride - 1) / work.sizes.stride;
        for (; frame < work.sizes.frames && frame * work.sizes.stride <= padded; ++frame) {
            const std::int64_t place = padded - frame * work.sizes.stride;
            const Complex pair = work.z[(sample * work.sizes.frames + frame) * work.room + place / 2];
            const double odd = work.sizes.halves ? -pair.im : pair.im;
            total += work.window[place] * (place % 2 == 0 ? pair.re : odd);
        }
        return total;
    }
};

// The op over the whole batch, some samples at a time.
class MelOp {
public:
    MelOp(const Context& context, const plan::Op& op)
        : is_forward_(op.kind == plan::OpKind::kMelSpectrogram),
          step_(context.step()),
          batch_(context.plan().batch),
          x_(context.floats(op.inputs[is_forward_ ? 0 : 1])),
          y_(is_forward_ ? context.floats(op.outputs[0]) : nullptr),
          dy_(is_forward_ ? nullptr : context.floats(op.inputs[0])),
          dx_(is_forward_ ? nullptr : context.floats(op.outputs[0])) {
        work_.mel = std::get<plan::MelSpectrogram>(op.attributes);
        work_.sizes = melSizes(work_.mel, context.shape(op.inputs[is_forward_ ? 0 : 1]).back());
        work_.room = (work_.sizes.length + 1) / 2;
        work_.frames = Division(work_.sizes.frames);
        values_of_sample_ = work_.sizes.bands * work_.sizes.frames;
        const std::int64_t numbers =
            2 * work_.room + (is_forward_ ? 1 : 3) * work_.sizes.frequencies + (is_forward_ ? 0 : work_.sizes.bands);
        constexpr std::int64_t kMostBytes = std::int64_t{64} << 20;
        const std::int64_t bytes = numbers * work_.sizes.frames * static_cast<std::int64_t>(sizeof(double));
        at_once_ = std::clamp<std::int64_t>(kMostBytes / bytes, 1, std::max<std::int64_t>(batch_, 1));
    }

    std::string kernel() const { return work_.sizes.halves ? "fast transforms by frame" : "transforms by frame"; }
    std::int64_t scratchBytes() const {
        MelOp copy = *this;
        return copy.layOut(nullptr);
    }

    void enqueue(cudaStream_t stream, std::byte* scratch) const {
        MelOp laid = *this;
        laid.layOut(scratch);
        laid.run(stream);
    }

private:
    std::int64_t layOut(std::byte* scratch) {
        const MelSizes& sizes = work_.sizes;
        Layout layout(scratch);
        work_.turns = layout.take<Complex>(sizes.length);
        work_.window = layout.take<double>(sizes.length);
        work_.parts = layout.take<double>(sizes.frequencies);
        work_.corners = layout.take<std::int64_t>(sizes.bands + 2);
        const std::int64_t items = at_once_ * sizes.frames;
        work_.z = layout.take<Complex>(items * work_.room);
        work_.powers = layout.take<double>(items * sizes.frequencies);
        work_.spectrum = is_forward_ ? nullptr : layout.take<Complex>(items * sizes.frequencies);
        work_.dbands = is_forward_ ? nullptr : layout.take<double>(items * sizes.bands);
        if (work_.mel.decibels) {
            largest_ = layout.take<float>(batch_ + 1);  // and that of all
            if (!is_forward_) {
                values_ = layout.take<float>(batch_ * values_of_sample_);
                held_ = layout.take<Held>(batch_ + 1);
            }
        }
        return layout.bytes();
    }

    void run(cudaStream_t stream) const {
        const char* what = is_forward_ ? "MelSpectrogram" : "MelSpectrogramBack";
        const MelSizes& sizes = work_.sizes;
        launchPointwise<1>(what, MelTables{work_}, std::max(sizes.length, sizes.bands + 2), false, stream);
        float* bands = is_forward_ ? y_ : values_;
        for (std::int64_t first = 0; bands != nullptr && first < batch_; first += at_once_) {
            const std::int64_t samples = std::min(at_once_, batch_ - first);
            const MelWork work = measured(what, first, samples, stream);
            launchPointwise<1>(what, MelBands{work, Division(sizes.bands), bands + first * values_of_sample_}, samples * values_of_sample_,
                               false, stream);
        }
        float* largest = largest_ == nullptr ? nullptr : largest_ + batch_;
        if (largest != nullptr) {
            launchRows(what, LargestOfRows{bands, values_of_sample_, nullptr, largest_}, batch_, values_of_sample_, stream);
            launchRows(what, LargestOfRows{largest_, batch_, step_, largest}, 1, batch_, stream);
        }
        if (is_forward_) {
            if (largest == nullptr) return;
            return launchPointwise<1>(what, HoldDecibels{work_.mel, largest, y_}, batch_ * values_of_sample_, false, stream);
        }
        Held* all = held_ == nullptr ? nullptr : held_ + batch_;
        if (all != nullptr) {
            launchRows(what, HeldOfRows{work_.mel, values_, dy_, largest, values_of_sample_, held_}, batch_, values_of_sample_, stream);
            launchRows(what, SumOfHeld{step_, held_, all}, 1, batch_, stream);
        }
        for (std::int64_t first = 0; first < batch_; first += at_once_) {
            const std::int64_t samples = std::min(at_once_, batch_ - first), items = samples * sizes.frames;
            const MelWork work = measured(what, first, samples, stream);
            const float* values = values_ == nullptr ? nullptr : values_ + first * values_of_sample_;
            launchPointwise<1>(
                what, MelBandsBack{work, Division(sizes.bands), step_, first, values, dy_ + first * values_of_sample_, largest, all},
                samples * values_of_sample_, false, stream);
            launchPointwise<1>(what, MelPowersBack{work, Division(sizes.frequencies)}, items * sizes.frequencies, false, stream);
            const std::int64_t places = sizes.halves ? sizes.length / 2 : sizes.length;
            launchPointwise<1>(what, MelPlacesBack{work, Division(places)}, items * places, false, stream);
            if (sizes.halves) transform(what, work, items, stream);
            launchPointwise<1>(what, MelSamplesBack{work, Division(sizes.samples), dx_ + first * sizes.samples}, samples * sizes.samples,
                               false, stream);
        }
    }

    // The spectra and powers of some samples.
    MelWork measured(const char* what, std::int64_t first, std::int64_t samples, cudaStream_t stream) const {
        MelWork work = work_;
        work.x = x_ + first * work.sizes.samples;
        const std::int64_t items = samples * work.sizes.frames, half = work.sizes.length / 2;
        if (work.sizes.halves) {
            launchPointwise<1>(what, MelPlaces{work, Division(half)}, items * half, false, stream);
            transform(what, work, items, stream);
        }
        launchPointwise<1>(what, MelPowers{work, Division(work.sizes.frequencies)}, items * work.sizes.frequencies, false, stream);
        return work;
    }

    static void transform(const char* what, const MelWork& work, std::int64_t items, cudaStream_t stream) {
        const std::int64_t half = work.sizes.length / 2;
        for (std::int64_t stage = 1; stage < half; stage *= 2) {
            launchPointwise<1>(what, MelButterflies{work, Division(half / 2), stage}, items * (half / 2), false, stream);
        }
    }

    bool is_forward_;
    const StepParameters* step_;
    std::int64_t batch_, at_once_ = 1, values_of_sample_ = 0;
    const float* x_;
    float* y_;
    const float* dy_;
    float* dx_;
    MelWork work_{};
    float *largest_ = nullptr, *values_ = nullptr;
    Held* held_ = nullptr;
};

}  // namespace

BoundOp bindSignal(const Context& context, const plan::Op& op) {
    if (std::holds_alternative<plan::Spectrum>(op.attributes)) return bindSpectrum(context, op);
    const MelOp mel(context, op);
    return {.kernel = mel.kernel(), .scratch_bytes = mel.scratchBytes(), .enqueue = [mel](cudaStream_t stream, std::byte* scratch) {
                mel.enqueue(stream, scratch);
            }};
}

}  // namespace engine::backend::cuda
