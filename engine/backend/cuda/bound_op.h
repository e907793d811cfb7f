// An op of a plan bound to device memory: work that is put on a stream, once, while the step's graph is captured.
//
// Every op does all plan.batch samples, whatever the step brings: a graph has one shape. For samples beyond StepParameters::samples:
//   forward    their values are finite, and nobody looks at them
//   backward   their gradients are zero: what sums over samples needs no bound
//   statistics, losses, metrics and penalties count the samples present alone
// Every sum has an order that depends on shapes alone (no floating-point atomics): the same run gives the same bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "engine/backend/cuda/step_parameters.h"
#include "engine/plan/plan.h"

namespace engine::backend::cuda {

struct BoundOp {
    std::string kernel{};            // for the printed plan: "direct 3x3, fused pooling"; empty: no work (a reshape)
    std::int64_t scratch_bytes = 0;  // device memory of the op's own while it runs, 256-byte aligned; others use it before and after
    // Only enqueues: no allocation, no synchronisation, no host memory that the graph would read later. Called in capture mode.
    std::function<void(cudaStream_t stream, std::byte* scratch)> enqueue{};
};

class Libraries;  // engine/backend/cuda/libraries.h

// Knows where the tensors of a plan lie on the device, and the step's parameters.
class Context {
public:
    Context(const plan::Plan& plan, std::vector<std::byte*> addresses, const StepParameters* step, Libraries* libraries = nullptr)
        : plan_(&plan), addresses_(std::move(addresses)), step_(step), libraries_(libraries) {}

    const plan::Plan& plan() const { return *plan_; }
    const StepParameters* step() const { return step_; }  // device memory
    Libraries* libraries() const { return libraries_; }   // or null
    const plan::TensorDesc& tensor(plan::TensorId id) const { return plan_->tensors[static_cast<std::size_t>(id)]; }
    const spec::Shape& shape(plan::TensorId id) const { return tensor(id).shape; }
    std::int64_t elements(plan::TensorId id) const { return plan::elementCount(tensor(id)); }
    std::byte* bytes(plan::TensorId id) const { return addresses_[static_cast<std::size_t>(id)]; }
    template <typename T>
    T* as(plan::TensorId id) const {
        return reinterpret_cast<T*>(bytes(id));
    }
    float* floats(plan::TensorId id) const { return as<float>(id); }
    std::uint8_t* cells(plan::TensorId id) const { return as<std::uint8_t>(id); }

private:
    const plan::Plan* plan_;
    std::vector<std::byte*> addresses_;
    const StepParameters* step_;
    Libraries* libraries_;
};

// Each returns what it has for the op, or throws Error(kUnimplemented). Tensors that an op reads as float32, bfloat16 or float16 are told
// apart by TensorDesc::dtype.
BoundOp bindGather(const Context& context, const plan::Op& op);
BoundOp bindDense(const Context& context, const plan::Op& op);        // MatMul..., FusedDense...
BoundOp bindConvolution(const Context& context, const plan::Op& op);  // Conv2D..., FusedConvBlock...
BoundOp bindBias(const Context& context, const plan::Op& op);         // BiasAdd, BiasAddBack
BoundOp bindActivation(const Context& context, const plan::Op& op);   // Activation, Prelu and back
BoundOp bindPooling(const Context& context, const plan::Op& op);      // MaxPool2D, AveragePool2D and back
BoundOp bindBatchNorm(const Context& context, const plan::Op& op);    // BatchNorm, BatchSums, back, MovingAverage
// The first binds all moving averages that follow each other in the plan when it is given the last of them, since nobody reads their
// results earlier. The second binds `ops` in one launch.
BoundOp bindMovingAverage(const Context& context, const plan::Op& op);
BoundOp bindMovingAverages(const Context& context, std::span<const plan::Op> ops);
BoundOp bindGroupNorm(const Context& context, const plan::Op& op);  // GroupNorm, UnitNorm and back
BoundOp bindSpectralNorm(const Context& context, const plan::Op& op);
BoundOp bindEmbedding(const Context& context, const plan::Op& op);  // Index, Hash, Encode, Embedding and back
BoundOp bindRecurrent(const Context& context, const plan::Op& op);
BoundOp bindAttention(const Context& context, const plan::Op& op);             // AttentionWeights, AttentionValues and back
BoundOp bindRecurrentConvolution(const Context& context, const plan::Op& op);  // Recurrent with a window
BoundOp bindMerge(const Context& context, const plan::Op& op);
BoundOp bindMask(const Context& context, const plan::Op& op);         // Mask, ApplyMask, MaskedMean and back
BoundOp bindElementwise(const Context& context, const plan::Op& op);  // Cast, Affine, Standardize
BoundOp bindImage(const Context& context, const plan::Op& op);    // Transpose, Pad2D, Upsample2D, Resample2D, Patches, RandomImage and back
BoundOp bindColor(const Context& context, const plan::Op& op);    // RandomColors and back
BoundOp bindErasing(const Context& context, const plan::Op& op);  // RandomErasing and back
BoundOp bindBlur(const Context& context, const plan::Op& op);     // RandomBlur and back
BoundOp bindElastic(const Context& context, const plan::Op& op);  // RandomElastic and back
BoundOp bindLevels(const Context& context, const plan::Op& op);   // ImageLevels and back
BoundOp bindMix(const Context& context, const plan::Op& op);      // RandomMix and back
BoundOp bindSignal(const Context& context, const plan::Op& op);   // Spectrum, MelSpectrogram and back
BoundOp bindNoise(const Context& context, const plan::Op& op);    // Dropout, DropoutBack, GaussianNoise
BoundOp bindCrossEntropy(const Context& context, const plan::Op& op);  // SoftmaxCrossEntropy
BoundOp bindLoss(const Context& context, const plan::Op& op);          // Loss
BoundOp bindCircleLoss(const Context& context, const plan::Op& op);    // Loss
BoundOp bindCtcLoss(const Context& context, const plan::Op& op);       // Loss
BoundOp bindPenalty(const Context& context, const plan::Op& op);       // Penalty, PenaltyBack
BoundOp bindMetric(const Context& context, const plan::Op& op);
BoundOp bindScaleGradient(const Context& context, const plan::Op& op);
BoundOp bindUnscaleGradients(const Context& context, const plan::Op& op, std::size_t rule);
BoundOp bindPrepareGradients(const Context& context, const plan::Op& op, std::size_t rule);
BoundOp bindUpdate(const Context& context, const plan::Op& op, std::size_t rule);  // Update, FusedUpdate
BoundOp bindConstrain(const Context& context, const plan::Op& op);

// Puts what was bound for an op with a gate behind it. The graph of a step is the same whatever is drawn, so the op runs in any case, and
// where its gate is closed its first input takes the place of what it made.
BoundOp withGate(BoundOp bound, const Context& context, const plan::Op& op);

}  // namespace engine::backend::cuda
