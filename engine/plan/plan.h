// A training step as a flat list of ops over tensors of known shape. Made once by lower(), rewritten by passes and strategies, compiled by
// an executor, printed as text. Plain values: copy, compare, print.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/spec/run_spec.h"
#include "engine/tensor/dtype.h"

namespace engine::plan {

using TensorId = std::int32_t;
inline constexpr TensorId kNoTensor = -1;

enum class TensorRole {
    kParameter,   // trainable weight
    kGradient,    // of `of`
    kSlot,        // optimizer state of `of`
    kInput,       // the gathered batch
    kLabel,
    kActivation,
    kScratch,     // dropout masks, pooling arg-max, probabilities kept for the backward pass
    kStepHeader,  // float32[kStepHeaderSize], see StepHeader below
};

// Where the memory planner puts a tensor: the private arena, or the region that the collective allocates.
enum class Region { kPrivate, kShared };

struct TensorDesc {
    std::string name;                    // "conv2d/kernel", "conv2d/kernel:grad", "conv2d/kernel:m", "dense:out"
    TensorRole role = TensorRole::kActivation;
    tensor::DType dtype = tensor::DType::kFloat32;
    spec::Shape shape;                   // with the batch axis where there is one: (64, 26, 26, 32)
    TensorId of = kNoTensor;             // parameter of a gradient or slot
    std::string slot_name;               // kSlot: "momentum", "m", "v"; Keras' names live in the exporter
    std::string layer;                   // name of the layer it belongs to
    Region region = Region::kPrivate;
    std::int64_t offset_bytes = -1;      // into its region; -1 until planMemory, or when fusion removed the tensor
    friend bool operator==(const TensorDesc&, const TensorDesc&) = default;
};

enum class Phase { kForward, kBackward, kUpdate };

// Attributes by kind. All sizes of a valid or same padding are resolved: pads are explicit.
struct Window2D {  // convolution or pooling over (N, H, W, C)
    int kernel_h = 1, kernel_w = 1, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
    int pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
    friend bool operator==(const Window2D&, const Window2D&) = default;
};
enum class Activation { kLinear, kRelu, kSoftmax };
struct OptimizerAttributes {
    spec::ObjectSpec optimizer;          // class and settings; the rate comes with each step
    friend bool operator==(const OptimizerAttributes&, const OptimizerAttributes&) = default;
};

enum class OpKind {
    // Forward and backward ops as the layers contribute them. Inputs -> outputs in the order given.
    kGather,              // batch view -> input, label
    kConv2D,              // x, kernel -> y                            (Window2D)
    kConv2DBackInput,     // dy, kernel -> dx
    kConv2DBackKernel,    // x, dy -> dkernel
    kMatMul,              // x (B, K), w (K, N) -> y (B, N)
    kMatMulBackInput,     // dy, w -> dx
    kMatMulBackWeight,    // x, dy -> dw
    kBiasAdd,             // x, bias -> y
    kBiasAddBack,         // dy -> dbias
    kActivation,          // x -> y                                    (Activation)
    kActivationBack,      // y, dy -> dx
    kMaxPool2D,           // x -> y, argmax                            (Window2D)
    kMaxPool2DBack,       // dy, argmax -> dx
    kReshape,             // x -> y: the same bytes, aliased by the memory planner
    kDropout,             // x -> y, mask                              (rate)
    kDropoutBack,         // dy, mask -> dx
    kSoftmaxCrossEntropy, // logits, label -> dlogits, header: loss sum, correct, count; with gradient scale (from Softmax too)
    kUpdate,              // parameter, gradient, slots... -> parameter, slots...   (OptimizerAttributes)
    kAllReduce,           // bucket index in `bucket`
    // Made by fuse().
    kFusedConvBlock,      // conv + bias + activation (+ pooling): x, kernel, bias -> y (, argmax)
    kFusedConvBlockBack,  // x, kernel, y, argmax, dy -> dkernel, dbias (, dx)
    kFusedDense,          // x, w, bias -> y
    kFusedDenseBack,      // x, w, y, dy -> dw, dbias (, dx)
    kFusedUpdate,         // every parameter, gradient, slot of a bucket in one pass
};

struct Op {
    OpKind kind = OpKind::kReshape;
    Phase phase = Phase::kForward;
    std::string name;                    // "conv2d/Conv2D": for the placement log and the printed plan
    std::string layer;
    std::vector<TensorId> inputs;
    std::vector<TensorId> outputs;
    Window2D window;                     // convolution part
    Window2D pool;                       // pooling part of a fused block
    bool has_pool = false;
    Activation activation = Activation::kLinear;
    double rate = 0;                     // dropout
    std::int64_t dropout_seed = 0;
    int bucket = -1;                     // kAllReduce, kFusedUpdate
    bool apply_update = false;           // a weight gradient that applies the optimizer at once (nothing is reduced)
    OptimizerAttributes optimizer;
    std::string device;                  // "/job:worker/replica:0/task:0/device:CPU:0"
    friend bool operator==(const Op&, const Op&) = default;
};

// Gradients reduced together: adjacent in the shared region, last layer first.
struct Bucket {
    std::vector<TensorId> gradients;     // the step header is in bucket 0, at its start
    std::int64_t offset_bytes = 0;       // into the shared region
    std::int64_t bytes = 0;              // a multiple of 64
    int ready_after_op = -1;             // index of the op that completes it
    friend bool operator==(const Bucket&, const Bucket&) = default;
};

// Travels with the first bucket of each step, summed over the replicas like a gradient. The chief alone fills the control words.
struct StepHeader {
    static constexpr int kLossSum = 0;      // sum of per-example losses
    static constexpr int kCorrect = 1;      // right answers
    static constexpr int kCount = 2;        // examples
    static constexpr int kControl = 3;      // chief: spec::ControlVerb + 1 to apply after this step; 0 = none
    static constexpr int kControlValue = 4; // chief: its value
    static constexpr int kSize = 16;        // floats, a cache line
};

struct Plan {
    std::vector<TensorDesc> tensors;
    std::vector<Op> ops;
    std::vector<Bucket> buckets;         // empty when nothing is reduced
    TensorId input = kNoTensor, label = kNoTensor, output = kNoTensor, header = kNoTensor;  // output = what predict returns
    std::int64_t batch = 0;              // of this replica
    int replicas = 1;                    // the loss gradient is divided by batch * replicas
    bool training = true;                // false: forward only (evaluate, predict), no dropout
    std::int64_t private_bytes = 0, shared_bytes = 0;  // set by planMemory
    friend bool operator==(const Plan&, const Plan&) = default;
};

// Parameters in model order (Keras' weight order within a layer).
std::vector<TensorId> parametersOf(const Plan& plan);
// Slots of a parameter in the optimizer's order.
std::vector<TensorId> slotsOf(const Plan& plan, TensorId parameter);

// The plan as text: a line a tensor, a line an op, a line a bucket, memory at the foot.
std::string toString(const Plan& plan);

}  // namespace engine::plan
