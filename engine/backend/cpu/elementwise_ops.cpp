// Bias, reshape, scale, given means and updates: passes over values.
#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/parameter_update.h"
#include "engine/spec/error.h"

namespace engine::backend::cpu {
namespace {

// y = f(x) for the samples of a thread; all inputs and outputs are by sample but a bias.
class Elementwise final : public BoundOp {
public:
    Elementwise(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory), op_(op), kernels_(kernels), columns_(memory.shape(op.inputs[0]).back()) {}

    std::string kernel() const override { return "a pass over rows"; }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}};
        if (op_.inputs.size() > 1) stage.accesses.push_back(memory_.reads(op_.inputs[1]));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t size = memory_.sampleElements(op_.inputs[0]), begin = mine.begin * size, count = mine.size() * size;
        const float* x = memory_.floats(op_.inputs[0]) + begin;
        float* y = memory_.floats(op_.outputs[0]) + begin;
        if (op_.kind == plan::OpKind::kBiasAdd) {
            return kernels_.addParts(x, 0, 1, memory_.floats(op_.inputs[1]), false, count / columns_, columns_, y);
        }
        if (op_.kind == plan::OpKind::kAffine) {
            const auto& affine = std::get<plan::Affine>(op_.attributes);
            return kernels_.scaleFloats(x, count, static_cast<float>(affine.scale), static_cast<float>(affine.offset), y);
        }
        if (x != y) std::copy_n(x, count, y);
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    std::int64_t columns_;
};

// The values of a channel that lie side by side share its mean and deviation; where that is one value, those of all channels do.
class Standardize final : public BoundOp {
public:
    Standardize(const Memory& memory, const plan::Op& op)
        : memory_(memory), op_(op), attributes_(std::get<plan::Standardization>(op.attributes)) {}

    std::string kernel() const override { return "a pass over channels"; }
    ScratchBytes scratch() const override { return {.per_thread = 2 * attributes_.channels * static_cast<std::int64_t>(sizeof(float))}; }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.writesSamples(op_.outputs[0])}};
        for (std::size_t i = 1; i < op_.inputs.size(); ++i) stage.accesses.push_back(memory_.reads(op_.inputs[i]));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t size = memory_.sampleElements(op_.inputs[0]), channels = attributes_.channels, inner = attributes_.inner;
        float *means = step.scratchOf(thread), *deviations = means + channels;
        const bool has_inputs = op_.inputs.size() > 1;
        const float* mean = has_inputs ? memory_.floats(op_.inputs[1]) : attributes_.mean.data();
        const float* variance = has_inputs ? memory_.floats(op_.inputs[2]) : attributes_.variance.data();
        for (std::int64_t c = 0; c < channels; ++c) {
            means[c] = attributes_.keeps_origin ? 0 : mean[c];
            deviations[c] = std::max(std::sqrt(variance[c]), plan::kLeastDeviation);
        }
        const float* x = memory_.floats(op_.inputs[0]) + mine.begin * size;
        float* y = memory_.floats(op_.outputs[0]) + mine.begin * size;
        for (std::int64_t row = 0; row < mine.size() * size / (channels * inner); ++row) {
            for (std::int64_t c = 0; c < channels; ++c, x += inner, y += inner) {
                if (attributes_.inverts) {
                    for (std::int64_t i = 0; i < inner; ++i) y[i] = x[i] * deviations[c] + means[c];
                } else {
                    for (std::int64_t i = 0; i < inner; ++i) y[i] = (x[i] - means[c]) / deviations[c];
                }
            }
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    const plan::Standardization& attributes_;
};

// Each thread its columns. Fused ops have their own.
class BiasGradient final : public BoundOp {
public:
    BiasGradient(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory), op_(op), kernels_(kernels), columns_(memory.elements(op.outputs[0])) {}

    std::string kernel() const override { return "sums of columns"; }
    std::vector<Stage> stages(std::byte*) override {
        return {{.accesses = {memory_.reads(op_.inputs[0]), memory_.writes(op_.outputs[0])}}};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = shareLines(columns_, thread, step.threads);
        float* sums = memory_.floats(op_.outputs[0]) + mine.begin;
        std::fill_n(sums, mine.size(), 0.0F);
        kernels_.addColumns(memory_.floats(op_.inputs[0]) + mine.begin, columns_,
                            step.samples * memory_.sampleElements(op_.inputs[0]) / columns_, mine.size(), sums);
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    std::int64_t columns_;
};

// Flat runs of memory.
class Update final : public BoundOp {
public:
    Update(const Memory& memory, const plan::Op& op, const KernelTable& kernels) : memory_(memory), op_(op), kernels_(kernels) {
        for (const FlatRun& run : flatRuns(memory.plan(), op, [&memory](plan::TensorId id) { return memory.floats(id); })) {
            runs_.emplace_back(op, run);
        }
    }

    std::string kernel() const override { return std::to_string(runs_.size()) + (runs_.size() == 1 ? " flat run" : " flat runs"); }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage;
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.reads(id));
        for (const ParameterUpdate& run : runs_) run.addAccesses(stage.accesses);
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const plan::StepFactors factors = runs_.empty() ? plan::StepFactors{} : runs_.front().factors(step.control);
        for (const ParameterUpdate& run : runs_) {
            const Range mine = shareLines(run.count(), thread, step.threads);
            if (mine.size() > 0) run.apply(kernels_, factors, mine, run.gradient() + mine.begin);
        }
    }

private:
    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    std::vector<ParameterUpdate> runs_;
};

}  // namespace

std::unique_ptr<BoundOp> bindElementwise(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (op.kind == plan::OpKind::kBiasAddBack) return std::make_unique<BiasGradient>(memory, op, kernels);
    if (op.kind == plan::OpKind::kStandardize) return std::make_unique<Standardize>(memory, op);
    if (op.kind == plan::OpKind::kReshape && memory.bytes(op.inputs[0]) == memory.bytes(op.outputs[0])) return nullptr;
    return std::make_unique<Elementwise>(memory, op, kernels);
}

std::unique_ptr<BoundOp> bindUpdate(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    if (spec::takesWholeVariables(plan::updateRule(*plan::optimizerOf(op)).kind)) return bindWholeUpdate(memory, op, kernels);
    return std::make_unique<Update>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
