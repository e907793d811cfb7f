// Spectra: numbers of complex ones, and frames of mel bands. Each thread makes its samples; decibels are held above the batch's largest
// less a range, so that all threads meet in between.
#include <algorithm>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/signal/mel_spectrogram.h"
#include "engine/backend/signal/spectrum.h"

namespace engine::backend::cpu {
namespace {

class Spectrum final : public BoundOp {
public:
    Spectrum(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          number_(std::get<plan::Spectrum>(op.attributes).number),
          is_forward_(op.kind == plan::OpKind::kSpectrum),
          frequencies_(memory.shape(op.inputs[0]).back()) {}

    std::string kernel() const override { return "value by value"; }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage;
        for (const plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.readsSamples(id));
        for (const plan::TensorId id : op_.outputs) stage.accesses.push_back(memory_.writesSamples(id));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t size = memory_.sampleElements(op_.inputs[0]);
        const float* first = memory_.floats(op_.inputs[0]);
        for (std::int64_t row = mine.begin * size; row < mine.end * size; row += frequencies_) {
            for (std::int64_t k = 0; k < frequencies_; ++k) {
                const std::int64_t at = row + k;
                const bool is_single = k == 0 || k + 1 == frequencies_;
                if (is_forward_) {
                    memory_.floats(op_.outputs[0])[at] = spectrumValue(number_, {first[at], memory_.floats(op_.inputs[1])[at]}, is_single);
                    continue;
                }
                const ComplexNumber value{memory_.floats(op_.inputs[1])[at], memory_.floats(op_.inputs[2])[at]};
                const ComplexNumber gradient = spectrumGradient(number_, value, is_single, first[at]);
                memory_.floats(op_.outputs[0])[at] = gradient.real;
                memory_.floats(op_.outputs[1])[at] = gradient.imag;
            }
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    plan::Spectrum::Number number_;
    bool is_forward_;
    std::int64_t frequencies_;
};

// Stages: the bands, and the largest of each sample; then, of decibels, what is held.
class MelSpectrogram final : public BoundOp {
public:
    MelSpectrogram(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), mel_(std::get<plan::MelSpectrogram>(op.attributes)), frames_(mel_, memory.shape(op.inputs[0]).back()) {}

    std::string kernel() const override { return frames_.sizes().halves ? "fast transforms by frame" : "transforms by frame"; }
    ScratchBytes scratch() const override { return {.per_thread = frames_.scratchBytes()}; }

    std::vector<Stage> stages(std::byte*) override {
        Stage bands{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}};
        if (!mel_.decibels) return {bands};
        largest_.resize(static_cast<std::size_t>(memory_.batch()));
        const auto bytes = static_cast<std::int64_t>(sizeof(float));
        const auto batch = memory_.batch();
        bands.accesses.push_back({largest_.data(), batch * bytes, bytes, true});
        return {bands, {.accesses = {{largest_.data(), batch * bytes, 0, false}, memory_.writesSamples(op_.outputs[0])}}};
    }

    void run(int stage, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t signal = memory_.sampleElements(op_.inputs[0]), size = memory_.sampleElements(op_.outputs[0]);
        float* y = memory_.floats(op_.outputs[0]);
        if (stage == 1) {
            const float least = melFloor(mel_, *std::max_element(largest_.begin(), largest_.begin() + step.samples));
            for (std::int64_t i = mine.begin * size; i < mine.end * size; ++i) y[i] = std::max(y[i], least);
            return;
        }
        auto* scratch = reinterpret_cast<std::byte*>(step.scratchOf(thread));
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            frames_.forward(memory_.floats(op_.inputs[0]) + i * signal, y + i * size, scratch);
            if (mel_.decibels) largest_[static_cast<std::size_t>(i)] = *std::max_element(y + i * size, y + (i + 1) * size);
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    plan::MelSpectrogram mel_;
    MelFrames frames_;
    std::vector<float> largest_;  // by sample
};

// Stages of decibels: the bands again, and the largest of each sample; what is held of each sample; the gradients, to which those of the
// largest values add what is held. Otherwise the last one alone.
class MelSpectrogramBack final : public BoundOp {
public:
    MelSpectrogramBack(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), mel_(std::get<plan::MelSpectrogram>(op.attributes)), frames_(mel_, memory.shape(op.inputs[1]).back()) {}

    std::string kernel() const override { return frames_.sizes().halves ? "fast transforms by frame" : "transforms by frame"; }
    ScratchBytes scratch() const override {
        return {.shared = mel_.decibels ? memory_.elements(op_.inputs[0]) * static_cast<std::int64_t>(sizeof(float)) : 0,
                .per_thread = frames_.scratchBytes()};
    }

    std::vector<Stage> stages(std::byte* shared) override {
        const Access dy = memory_.readsSamples(op_.inputs[0]), x = memory_.readsSamples(op_.inputs[1]);
        const Access dx = memory_.writesSamples(op_.outputs[0]);
        if (!mel_.decibels) return {{.accesses = {dy, x, dx}}};
        values_ = reinterpret_cast<float*>(shared);
        const std::int64_t batch = memory_.batch();
        samples_.resize(static_cast<std::size_t>(batch));
        const auto bytes = static_cast<std::int64_t>(sizeof(Held));
        Access values = memory_.bySample({shared, scratch().shared, 0, true}), held{samples_.data(), batch * bytes, bytes, true};
        const Access all{samples_.data(), batch * bytes, 0, false};
        // The second stage reads all largest values and writes what is held elsewhere.
        held_.resize(static_cast<std::size_t>(batch));
        const Access sums{held_.data(), batch * bytes, bytes, true}, all_sums{held_.data(), batch * bytes, 0, false};
        return {{.accesses = {x, values, held}}, {.accesses = {dy, values, all, sums}}, {.accesses = {dy, x, values, all_sums, dx}}};
    }

    void run(int stage, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t signal = memory_.sampleElements(op_.inputs[1]), size = memory_.sampleElements(op_.inputs[0]);
        const float *dy = memory_.floats(op_.inputs[0]), *x = memory_.floats(op_.inputs[1]);
        float* dx = memory_.floats(op_.outputs[0]);
        auto* scratch = reinterpret_cast<std::byte*>(step.scratchOf(thread));
        if (!mel_.decibels) {
            for (std::int64_t i = mine.begin; i < mine.end; ++i) frames_.back(x + i * signal, dy + i * size, dx + i * signal, scratch);
            return;
        }
        if (stage == 0) {
            for (std::int64_t i = mine.begin; i < mine.end; ++i) {
                frames_.forward(x + i * signal, values_ + i * size, scratch);
                samples_[static_cast<std::size_t>(i)].largest = *std::max_element(values_ + i * size, values_ + (i + 1) * size);
            }
            return;
        }
        if (stage == 1) {
            const float largest = largestOf(samples_, step.samples), least = melFloor(mel_, largest);
            for (std::int64_t i = mine.begin; i < mine.end; ++i) {
                Held& own = held_[static_cast<std::size_t>(i)] = {.largest = largest};
                for (std::int64_t at = i * size; at < (i + 1) * size; ++at) {
                    if (values_[at] < least) own.gradient += static_cast<double>(dy[at]);
                    if (values_[at] == largest) ++own.count;
                }
            }
            return;
        }
        Held all{.largest = largestOf(held_, step.samples)};
        for (std::int64_t i = 0; i < step.samples; ++i) {
            all.gradient += held_[static_cast<std::size_t>(i)].gradient;
            all.count += held_[static_cast<std::size_t>(i)].count;
        }
        const float least = melFloor(mel_, all.largest);
        const double part = all.gradient / static_cast<double>(std::max<std::int64_t>(all.count, 1));
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            // The gradients take the places of the values.
            for (std::int64_t at = i * size; at < (i + 1) * size; ++at) {
                const double own = values_[at] < least ? 0 : static_cast<double>(dy[at]);
                values_[at] = static_cast<float>(values_[at] == all.largest ? own + part : own);
            }
            frames_.back(x + i * signal, values_ + i * size, dx + i * signal, scratch);
        }
    }

private:
    struct Held {
        float largest = 0;
        std::int64_t count = 0;  // of values as large
        double gradient = 0;     // of what is held
    };
    static float largestOf(const std::vector<Held>& samples, std::int64_t count) {
        float largest = -std::numeric_limits<float>::infinity();
        for (std::int64_t i = 0; i < count; ++i) largest = std::max(largest, samples[static_cast<std::size_t>(i)].largest);
        return largest;
    }

    const Memory& memory_;
    const plan::Op& op_;
    plan::MelSpectrogram mel_;
    MelFrames frames_;
    float* values_ = nullptr;           // decibels as forward() has them
    std::vector<Held> samples_, held_;  // by sample
};

}  // namespace

std::unique_ptr<BoundOp> bindSignal(const Memory& memory, const plan::Op& op) {
    switch (op.kind) {
        case plan::OpKind::kMelSpectrogram:
            return std::make_unique<MelSpectrogram>(memory, op);
        case plan::OpKind::kMelSpectrogramBack:
            return std::make_unique<MelSpectrogramBack>(memory, op);
        default:
            return std::make_unique<Spectrum>(memory, op);
    }
}

}  // namespace engine::backend::cpu
