// Runs the ops of a plan one by one over memory laid out by planMemory. The reference executor is made of it; tests use it to look at every
// tensor and to drive plans of layers alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/backend/dropout_mask.h"
#include "engine/backend/executor.h"
#include "engine/backend/flat_update.h"
#include "engine/backend/loss_weights.h"
#include "engine/plan/op_table.h"
#include "engine/plan/optimizer.h"
#include "engine/plan/plan.h"
#include "engine/tensor/tensor_memory.h"

namespace engine::backend::reference {

// One thread. `variables` and `shared` must outlive it.
class Interpreter {
public:
    // Plans the memory when the plan has none yet. `shared`: plan.shared_bytes at least; allocated here when empty.
    Interpreter(plan::Plan plan, Variables& variables, std::span<std::byte> shared);

    const plan::Plan& plan() const { return plan_; }

    struct Step {
        const tensor::BatchView* batch = nullptr;  // may be null for plans without a gather
        StepControl control{};
        std::int64_t samples = 0;
    };
    // Any op but kAllReduce, kReadVariables and kCustomLoss. Throws Error: kInvalidArgument or kOutOfRange for a batch that the plan cannot
    // take.
    void run(const plan::Op& op, const Step& step);
    // All ops of a phase, in order.
    void runPhase(plan::Phase phase, const Step& step);

    // The tensor's values for `samples` samples; all of it where there is no batch axis. A bfloat16 tensor appears as floats, with the
    // values that it held after the last op that made or read it.
    std::span<float> floats(plan::TensorId id, std::int64_t samples);
    std::span<float> floats(plan::TensorId id) { return floats(id, plan_.batch); }
    // All of a tensor's memory, in its own type.
    std::byte* bytes(plan::TensorId id) { return address(id); }
    // A reduced bucket's memory.
    std::span<float> bucketMemory(const plan::Bucket& bucket);

private:
    void compute(const plan::Op& op, const Step& step);
    void passClosedGate(const plan::Op& op, const Step& step);
    void widen(plan::TensorId id, std::int64_t samples);
    void narrow(plan::TensorId id, std::int64_t samples);
    void cast(const plan::Op& op, const Step& step);
    spec::Shape shapeOf(plan::TensorId id, std::int64_t samples) const;
    const plan::TensorDesc& tensorOf(plan::TensorId id) const { return plan_.tensors[static_cast<std::size_t>(id)]; }
    std::byte* address(plan::TensorId id);
    std::span<std::int32_t> classLabels(std::int64_t samples);
    std::span<std::uint8_t> mask(plan::TensorId id, std::int64_t samples);
    // The number of items that an op works on.
    std::int64_t itemsOf(const plan::Op& op, const Step& step) const { return step.samples * plan::itemsPerSample(plan_, op); }
    RandomItem randomItemOf(const plan::Op& op, std::int64_t seed, const Step& step, std::int64_t item) const;
    std::vector<std::int32_t> readArgmax(plan::TensorId id, std::int64_t samples);
    void writeArgmax(plan::TensorId id, std::span<const std::int32_t> cells);

    void gather(const plan::Op& op, const Step& step);
    void convolution(const plan::Op& op, const Step& step);
    void matrixProduct(const plan::Op& op, const Step& step);
    void pooling(const plan::Op& op, const Step& step);
    void elementwise(const plan::Op& op, const Step& step);
    void image(const plan::Op& op, const Step& step);
    void dropout(const plan::Op& op, const Step& step);
    void rowMask(const plan::Op& op, const Step& step);
    void makeMask(const plan::Op& op, const Step& step);
    void applyRowMask(const plan::Op& op, const Step& step);
    void maskedMean(const plan::Op& op, const Step& step);
    void activation(const plan::Op& op, const Step& step);
    void prelu(const plan::Op& op, const Step& step);
    void batchNormalization(const plan::Op& op, const Step& step);
    void batchNorm(const plan::Op& op, const Step& step);
    void batchNormBack(const plan::Op& op, const Step& step);
    void batchSums(const plan::Op& op, const Step& step);
    void movingAverage(const plan::Op& op, const Step& step);
    void standardize(const plan::Op& op, const Step& step);
    void groupNormalization(const plan::Op& op, const Step& step);
    void spectralNormalization(const plan::Op& op);
    void groupNorm(const plan::Op& op, const Step& step);
    void unitNorm(const plan::Op& op, const Step& step);
    void index(const plan::Op& op, const Step& step);
    void hash(const plan::Op& op, const Step& step);
    void encode(const plan::Op& op, const Step& step);
    void embedding(const plan::Op& op, const Step& step);
    void recurrent(const plan::Op& op, const Step& step);
    void recurrentBack(const plan::Op& op, const Step& step);
    void attention(const plan::Op& op, const Step& step);
    void attentionWeights(const plan::Op& op, const Step& step);
    void attentionValues(const plan::Op& op, const Step& step);
    void recurrentConvolution(const plan::Op& op, const Step& step);  // RecurrentAttributes::window
    void recurrentConvolutionBack(const plan::Op& op, const Step& step);
    void merge(const plan::Op& op, const Step& step);
    void constrain(const plan::Op& op);
    void gaussianNoise(const plan::Op& op, const Step& step);
    void randomImage(const plan::Op& op, const Step& step);
    void randomColors(const plan::Op& op, const Step& step);
    void randomErasing(const plan::Op& op, const Step& step);
    void randomBlur(const plan::Op& op, const Step& step);
    void randomElastic(const plan::Op& op, const Step& step);
    void imageLevels(const plan::Op& op, const Step& step);
    void randomMix(const plan::Op& op, const Step& step);
    void signal(const plan::Op& op, const Step& step);
    void loss(const plan::Op& op, const Step& step);
    void generalLoss(const plan::Op& op, const Step& step);
    void circleLoss(const plan::LossAttributes& loss, const LossBatch& batch, const float* scores, std::int64_t columns, float* gradient);
    void ctcLoss(const plan::LossAttributes& loss, const LossBatch& batch, const spec::Shape& shape, const float* scores, float* gradient);
    void writeLoss(double loss, std::int64_t samples);
    void metric(const plan::Op& op, const Step& step);
    void penalty(const plan::Op& op, const Step& step);
    void penaltyBack(const plan::Op& op, const Step& step);
    void prepareGradients(const plan::Op& op, const Step& step);
    void fusedConvBlock(const plan::Op& op, const Step& step);
    void fusedConvBlockBack(const plan::Op& op, const Step& step);
    void fusedDense(const plan::Op& op, const Step& step);
    void fusedDenseBack(const plan::Op& op, const Step& step);
    void update(const plan::Op& op, const Step& step);
    void scaleGradient(const plan::Op& op, const Step& step);
    void unscaleGradients(const plan::Op& op);
    plan::StepFactors factorsOf(const plan::UpdateRule& rule, const Step& step) const;

    plan::Plan plan_;
    tensor::TensorMemory private_;
    tensor::TensorMemory own_shared_;
    std::span<std::byte> shared_;
    std::vector<std::vector<float>> wide_;     // by tensor: values of bfloat16 ones
    std::vector<std::span<float>> variables_;  // by tensor; empty for other roles
    bool leaves_out_ = false;                  // this step's updates: see kUnscaleGradients
    std::int64_t steps_left_out_ = 0;
};

}  // namespace engine::backend::reference
