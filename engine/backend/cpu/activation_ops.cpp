// Activation functions, PReLU.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {
namespace {

// Places in falling order of a row's values, in memory of the caller's; the first `support` of them make tau.
struct Sparsemax {
    std::int64_t support = 0;
    double tau = 0;

    Sparsemax(const float* x, std::int64_t columns, std::int32_t* order) {
        std::iota(order, order + columns, 0);
        const auto key = [x](std::int32_t i) { return x[i] == x[i] ? x[i] : -std::numeric_limits<float>::infinity(); };
        std::sort(order, order + columns, [key](std::int32_t a, std::int32_t b) { return std::pair(-key(a), a) < std::pair(-key(b), b); });
        double sum = 0, sums = 0;
        for (std::int64_t j = 0; j < columns; ++j) {
            sum += x[order[j]];
            if (x[order[j]] <= (sum - 1) / static_cast<double>(j + 1)) continue;
            sums += sum;
            ++support;
        }
        tau = (sums - 1) / static_cast<double>(support);
    }
};

void sparsemax(const float* x, std::int64_t columns, std::int32_t* order, float* y) {
    const Sparsemax row(x, columns, order);
    for (std::int64_t i = 0; i < columns; ++i) y[i] = static_cast<float>(std::max(x[i] - row.tau, 0.0));
}

// tau grows with the j-th largest value by (support - j) / support, j from 0.
void sparsemaxGradient(const float* x, const float* dy, std::int64_t columns, std::int32_t* order, float* dx) {
    const Sparsemax row(x, columns, order);
    double sum = 0;
    for (std::int64_t i = 0; i < columns; ++i) {
        dx[i] = x[i] >= row.tau ? dy[i] : 0.0F;
        sum += dx[i];
    }
    const auto support = static_cast<double>(row.support);
    for (std::int64_t j = 0; j < row.support; ++j) {
        dx[order[j]] = static_cast<float>(dx[order[j]] - sum * (support - static_cast<double>(j)) / support);
    }
}

// Each thread its own samples, forward and backward.
class Activate final : public BoundOp {
public:
    Activate(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          op_(op),
          kernels_(kernels),
          is_forward_(op.kind == plan::OpKind::kActivation),
          columns_(memory.shape(op.inputs[0]).back()) {
        const auto& [function, settings] = std::get<plan::ActivationAttributes>(op.attributes);
        prototype_ = {.function = function,
                      .slope = settings.slope,
                      .threshold = settings.threshold,
                      .limit = settings.limit,
                      .at_threshold = settings.at_threshold,
                      .at_limit = settings.at_limit,
                      .alpha = settings.alpha,
                      .scale = settings.scale,
                      .at_zero = settings.at_zero};
    }

    std::string kernel() const override { return plan::runsAlongRows(prototype_.function) ? "by rows" : "by vectors"; }
    ScratchBytes scratch() const override {
        return {.shared = 0, .per_thread = prototype_.function == plan::Activation::kSparsemax ? columns_ * kFloat : 0};
    }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {memory_.writesSamples(op_.outputs[0])}};
        for (plan::TensorId id : op_.inputs) stage.accesses.push_back(memory_.readsSamples(id));
        return {stage};
    }

    void run(int, const StepState& step, int thread) override {
        const Range mine = step.samplesOf(thread);
        const std::int64_t size = memory_.sampleElements(op_.inputs[0]), begin = mine.begin * size, count = mine.size() * size;
        const float* x = memory_.floats(op_.inputs[0]) + begin;
        const float* dy = is_forward_ ? nullptr : memory_.floats(op_.inputs[1]) + begin;
        float* y = memory_.floats(op_.outputs[0]) + begin;
        if (plan::runsAlongRows(prototype_.function)) {
            return alongRows(x, dy, count / columns_, y, reinterpret_cast<std::int32_t*>(step.scratchOf(thread)));
        }
        ActivationArgs args = prototype_;
        args.x = x;
        args.dy = dy;
        args.y = y;
        args.count = count;
        is_forward_ ? kernels_.activate(args) : kernels_.activateBack(args);
    }

private:
    // `order`: room for a row.
    void alongRows(const float* x, const float* dy, std::int64_t rows, float* y, std::int32_t* order) const {
        switch (prototype_.function) {
            case plan::Activation::kSoftmax:
                return is_forward_ ? kernels_.softmax(x, rows, columns_, y) : kernels_.softmaxGradient(x, dy, rows, columns_, y);
            case plan::Activation::kLogSoftmax:
                return is_forward_ ? kernels_.logSoftmax(x, rows, columns_, y) : kernels_.logSoftmaxGradient(x, dy, rows, columns_, y);
            default:
                for (std::int64_t at = 0; at < rows * columns_; at += columns_) {
                    if (is_forward_) {
                        sparsemax(x + at, columns_, order, y + at);
                    } else {
                        sparsemaxGradient(x + at, dy + at, columns_, order, y + at);
                    }
                }
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    const KernelTable& kernels_;
    bool is_forward_;
    std::int64_t columns_;
    ActivationArgs prototype_;
};

class Prelu final : public BoundOp {
public:
    Prelu(const Memory& memory, const plan::Op& op) : memory_(memory), op_(op), size_(memory.sampleElements(op.inputs[0])) {
        const spec::Shape& shape = memory.shape(op.inputs[0]);
        slopes_ = plan::broadcastIndices({shape.begin() + 1, shape.end()}, memory.shape(op.inputs[1]));
    }

    std::string kernel() const override { return "by elements"; }
    ScratchBytes scratch() const override { return {.shared = op_.outputs.size() > 1 ? size_ * kFloat : 0, .per_thread = 0}; }

    std::vector<Stage> stages(std::byte* shared) override {
        sums_ = reinterpret_cast<float*>(shared);
        Stage values{
            .accesses = {memory_.readsSamples(op_.inputs[0]), memory_.reads(op_.inputs[1]), memory_.writesSamples(op_.outputs[0])}};
        if (op_.kind == plan::OpKind::kPrelu) return {values};
        values.accesses.push_back(memory_.readsSamples(op_.inputs[2]));
        if (op_.outputs.size() == 1) return {values};
        const Access sums{shared, size_ * kFloat, 0, true};
        return {values,
                {.accesses = {memory_.reads(op_.inputs[0]), memory_.reads(op_.inputs[2]), sums}},
                {.accesses = {sums, memory_.writes(op_.outputs[1])}}};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 0) return values(step.samplesOf(thread));
        if (stage == 1) return sumOverSamples(shareLines(size_, thread, step.threads), step.samples);
        if (thread != 0) return;
        float* dalpha = memory_.floats(op_.outputs[1]);
        std::fill_n(dalpha, memory_.elements(op_.outputs[1]), 0.0F);
        for (std::int64_t i = 0; i < size_; ++i) dalpha[slopes_[static_cast<std::size_t>(i)]] += sums_[i];
    }

private:
    void values(Range samples) const {
        const float *x = memory_.floats(op_.inputs[0]), *alpha = memory_.floats(op_.inputs[1]);
        const float* from = op_.kind == plan::OpKind::kPrelu ? x : memory_.floats(op_.inputs[2]);
        float* to = memory_.floats(op_.outputs[0]);
        for (std::int64_t sample = samples.begin; sample < samples.end; ++sample) {
            for (std::int64_t i = 0, at = sample * size_; i < size_; ++i, ++at) {
                const float slope = alpha[slopes_[static_cast<std::size_t>(i)]];
                to[at] = x[at] > 0 ? from[at] : x[at] == 0 ? 0 : slope * from[at];  // at 0 Keras has no slope of either side
            }
        }
    }

    // What each element of a sample adds to its alpha.
    void sumOverSamples(Range elements, std::int64_t samples) const {
        const float *x = memory_.floats(op_.inputs[0]), *dy = memory_.floats(op_.inputs[2]);
        std::fill(sums_ + elements.begin, sums_ + elements.end, 0.0F);
        for (std::int64_t sample = 0; sample < samples; ++sample) {
            for (std::int64_t i = elements.begin; i < elements.end; ++i) {
                const std::int64_t at = sample * size_ + i;
                sums_[i] += x[at] > 0 ? 0 : dy[at] * x[at];
            }
        }
    }

    const Memory& memory_;
    const plan::Op& op_;
    std::int64_t size_;
    std::vector<std::int64_t> slopes_;  // alpha's index by element of a sample
    float* sums_ = nullptr;
};

}  // namespace

std::unique_ptr<BoundOp> bindActivation(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    const bool is_prelu = op.kind == plan::OpKind::kPrelu || op.kind == plan::OpKind::kPreluBack;
    if (is_prelu) return std::make_unique<Prelu>(memory, op);
    return std::make_unique<Activate>(memory, op, kernels);
}

}  // namespace engine::backend::cpu
