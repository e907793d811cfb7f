// What begins and ends the forward pass: samples gathered by index, and the loss.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <string>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/label_reader.h"
#include "engine/spec/error.h"
#include "engine/tensor/element.h"

namespace engine::backend::cpu {
namespace {

class Gather final : public BoundOp {
public:
    Gather(const Memory& memory, const plan::Op& op, const KernelTable& kernels)
        : memory_(memory),
          kernels_(kernels),
          input_(memory.plan().input),
          label_(memory.plan().label),
          weight_(memory.plan().sample_weight) {
        const auto* attributes = std::get_if<plan::GatherAttributes>(&op.attributes);
        whole_numbers_ = attributes != nullptr && attributes->whole_numbers;
        if (label_ != plan::kNoTensor) reader_.emplace(memory.plan(), op);
    }

    std::string kernel() const override { return "gather"; }

    std::vector<Stage> stages(std::byte*) override {
        Stage stage{.accesses = {memory_.writesSamples(input_)}};
        if (label_ != plan::kNoTensor) stage.accesses.push_back(memory_.writesSamples(label_));
        if (weight_ != plan::kNoTensor) stage.accesses.push_back(memory_.writesSamples(weight_));
        return {stage};
    }

    void check(const StepState& step) const override {
        const tensor::BatchView& batch = *step.batch;
        const std::int64_t elements = memory_.sampleElements(input_);
        if (batch.sample_elements != elements) {
            throw Error(ErrorCode::kInvalidArgument, "batch: expected samples of " + std::to_string(elements) + " elements, got " +
                                                         std::to_string(batch.sample_elements));
        }
        if (reader_ && batch.labels != nullptr) reader_->check(batch);  // prediction needs no labels
    }

    void run(int, const StepState& step, int thread) override {
        const tensor::BatchView& batch = *step.batch;
        const std::int64_t elements = memory_.sampleElements(input_);
        const std::int64_t bytes = elements * static_cast<std::int64_t>(tensor::sizeOf(batch.sample_dtype));
        const bool wants_label = reader_ && batch.labels != nullptr;
        const Range mine = step.samplesOf(thread);
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const std::int64_t sample = batch.indices[static_cast<std::size_t>(i)];
            if (i + kAhead < mine.end) prefetch(batch.samples + batch.indices[static_cast<std::size_t>(i + kAhead)] * bytes, bytes);
            gatherSample(batch, batch.samples + sample * bytes, elements, memory_.floats(input_) + i * elements);
            if (!wants_label) continue;
            reader_->read(batch, sample, memory_.bytes(label_) + i * reader_->labelBytes());
            if (weight_ != plan::kNoTensor) memory_.floats(weight_)[i] = reader_->weight(batch, sample);
        }
    }

private:
    // Samples lie anywhere in memory; the first lines of one are asked for while some before it are worked on.
    static constexpr std::int64_t kAhead = 4;
    static void prefetch(const std::byte* sample, std::int64_t bytes) {
        constexpr std::int64_t kLine = 64, kMost = 4096;
        for (std::int64_t at = 0; at < std::min(bytes, kMost); at += kLine) __builtin_prefetch(sample + at);
    }

    void gatherSample(const tensor::BatchView& batch, const std::byte* from, std::int64_t elements, float* to) const {
        const float scale = whole_numbers_ ? 1.0F : batch.scale, offset = whole_numbers_ ? 0.0F : batch.offset;
        if (batch.scales != nullptr && !whole_numbers_) {
            scaleEach(batch, from, elements, to);
        } else if (batch.sample_dtype == tensor::DType::kUInt8) {
            kernels_.bytesToFloats(reinterpret_cast<const std::uint8_t*>(from), elements, scale, offset, to);
        } else if (batch.sample_dtype == tensor::DType::kFloat32) {
            kernels_.scaleFloats(reinterpret_cast<const float*>(from), elements, scale, offset, to);
        } else {
            for (std::int64_t k = 0; k < elements; ++k) to[k] = tensor::elementValue(from, batch.sample_dtype, k) * scale + offset;
        }
    }

    static void scaleEach(const tensor::BatchView& batch, const std::byte* from, std::int64_t elements, float* to) {
        if (batch.sample_dtype == tensor::DType::kUInt8) {
            const auto* bytes = reinterpret_cast<const std::uint8_t*>(from);
            for (std::int64_t k = 0; k < elements; ++k) to[k] = static_cast<float>(bytes[k]) * batch.scales[k] + batch.offsets[k];
        } else if (batch.sample_dtype == tensor::DType::kFloat32) {
            const auto* floats = reinterpret_cast<const float*>(from);
            for (std::int64_t k = 0; k < elements; ++k) to[k] = floats[k] * batch.scales[k] + batch.offsets[k];
        } else {
            for (std::int64_t k = 0; k < elements; ++k)
                to[k] = tensor::elementValue(from, batch.sample_dtype, k) * batch.scales[k] + batch.offsets[k];
        }
    }

    const Memory& memory_;
    const KernelTable& kernels_;
    plan::TensorId input_, label_, weight_;
    std::optional<LabelReader> reader_;
    bool whole_numbers_ = false;
};

// Softmax (or Keras' clipped probabilities), sparse cross-entropy, accuracy and the gradient of the scores; formulas in
// engine/backend/reference/kernels.h. Each sample's loss is kept and summed in order by one thread.
class Loss final : public BoundOp {
public:
    Loss(const Memory& memory, const plan::Op& op)
        : memory_(memory),
          op_(op),
          from_logits_(std::get<plan::CrossEntropyAttributes>(op.attributes).from_logits),
          classes_(memory.shape(op.inputs[0]).back()) {
        if (op.outputs.size() > 1) dscores_ = memory.floats(op.outputs[0]);
    }

    std::string kernel() const override { return "one row at a time"; }
    ScratchBytes scratch() const override { return {.shared = 0, .per_thread = classes_ * static_cast<std::int64_t>(sizeof(float))}; }

    std::vector<Stage> stages(std::byte*) override {
        results_.assign(static_cast<std::size_t>(memory_.batch()), Result{});
        const Access kept{results_.data(), static_cast<std::int64_t>(results_.size() * sizeof(Result)), sizeof(Result), true};
        Stage rows{.accesses = {memory_.readsSamples(op_.inputs[0]), memory_.readsSamples(op_.inputs[1]), kept}};
        if (dscores_ != nullptr) rows.accesses.push_back(memory_.writesSamples(op_.outputs[0]));
        return {rows, {.accesses = {}, .when = When::kSolo}};
    }

    void run(int stage, const StepState& step, int thread) override {
        if (stage == 1) return sum(step.samples);
        const Range mine = step.samplesOf(thread);
        const auto count =
            static_cast<float>(step.of_step / (static_cast<double>(std::max<std::int64_t>(step.samples, 1)) * memory_.plan().replicas));
        for (std::int64_t i = mine.begin; i < mine.end; ++i) {
            const float* scores = memory_.floats(op_.inputs[0]) + i * classes_;
            std::int32_t label = 0;
            std::memcpy(&label, memory_.bytes(op_.inputs[1]) + i * static_cast<std::int64_t>(sizeof label), sizeof label);
            float* gradient = dscores_ == nullptr ? nullptr : dscores_ + i * classes_;
            Result& result = results_[static_cast<std::size_t>(i)];
            result.loss = from_logits_ ? logits(scores, label, count, gradient, step.scratchOf(thread))
                                       : probabilities(scores, label, count, gradient);
            result.is_correct = std::max_element(scores, scores + classes_) - scores == label;
        }
    }

private:
    struct Result {
        float loss = 0;
        bool is_correct = false;
    };

    float logits(const float* z, std::int32_t label, float scale, float* gradient, float* powers) const {
        const float largest = *std::max_element(z, z + classes_);
        double total = 0;
        for (std::int64_t c = 0; c < classes_; ++c) {
            powers[c] = std::exp(z[c] - largest);
            total += powers[c];
        }
        if (gradient != nullptr) {
            const auto factor = static_cast<float>(scale / total);
            for (std::int64_t c = 0; c < classes_; ++c) gradient[c] = powers[c] * factor;
            gradient[label] -= scale;
        }
        return static_cast<float>(std::log(total) + largest - z[label]);
    }

    float probabilities(const float* p, std::int32_t label, float scale, float* gradient) const {
        static constexpr float kEpsilon = 1e-7F;
        const auto clip = [](float value) { return std::clamp(value, kEpsilon, 1 - kEpsilon); };
        double total = 0;
        for (std::int64_t c = 0; c < classes_; ++c) total += clip(p[c]);
        const double target = clip(p[label]);
        for (std::int64_t c = 0; gradient != nullptr && c < classes_; ++c) {
            const bool is_inside = p[c] >= kEpsilon && p[c] <= 1 - kEpsilon;
            gradient[c] = is_inside ? scale * static_cast<float>(1 / total - (c == label ? 1 / target : 0)) : 0.0F;
        }
        return static_cast<float>(std::log(total / target));
    }

    void sum(std::int64_t samples) const {
        double loss = 0, correct = 0;
        for (std::int64_t i = 0; i < samples; ++i) {
            loss += results_[static_cast<std::size_t>(i)].loss;
            correct += results_[static_cast<std::size_t>(i)].is_correct ? 1 : 0;
        }
        float* header = memory_.floats(memory_.plan().header);
        header[plan::StepHeader::kLossSum] = static_cast<float>(loss);
        header[plan::StepHeader::kCorrect] = static_cast<float>(correct);
        header[plan::StepHeader::kCount] = static_cast<float>(samples);
    }

    const Memory& memory_;
    const plan::Op& op_;
    bool from_logits_;
    std::int64_t classes_;
    float* dscores_ = nullptr;
    std::vector<Result> results_;
};

}  // namespace

std::unique_ptr<BoundOp> bindGather(const Memory& memory, const plan::Op& op, const KernelTable& kernels) {
    return std::make_unique<Gather>(memory, op, kernels);
}

std::unique_ptr<BoundOp> bindLoss(const Memory& memory, const plan::Op& op, const KernelTable&) {
    return std::make_unique<Loss>(memory, op);
}

}  // namespace engine::backend::cpu
