// A training step as a flat list of ops over tensors of known shape. Made once by lower(), rewritten by passes and strategies, compiled by
// an executor, printed as text. Plain values: copy, compare, print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/spec/run_spec.h"
#include "engine/tensor/dtype.h"

namespace engine::plan {

using TensorId = std::int32_t;
inline constexpr TensorId kNoTensor = -1;

enum class TensorRole {
    kParameter,   // trainable weight
    kState,       // a variable that no optimizer changes: moving statistics, weights of a frozen layer. No gradient, no slots
    kGradient,    // of `of`; of a state only where an op makes it together with gradients that are wanted: nobody reads it then
    kSlot,        // optimizer state of `of`
    kInput,       // the gathered batch
    kLabel,
    kActivation,
    kScratch,     // dropout masks, pooling arg-max, probabilities kept for the backward pass
    kStepHeader,  // float32[kStepHeaderSize], see StepHeader below
};

// Where the memory planner puts a tensor: the executor's private arena, the region that the collective allocates, or the run's Variables
// (parameters, states and slots; the layout is layoutVariables() of engine/plan/memory.h).
enum class Region { kPrivate, kShared, kVariables };

struct TensorDesc {
    std::string name{};                    // "conv2d/kernel", "conv2d/kernel:grad", "conv2d/kernel:m", "dense:out"
    TensorRole role = TensorRole::kActivation;
    tensor::DType dtype = tensor::DType::kFloat32;
    spec::Shape shape{};                   // with the batch axis where there is one: (64, 26, 26, 32)
    TensorId of = kNoTensor;             // parameter of a gradient or slot
    std::string slot_name{};               // kSlot: "momentum", "m", "v"; Keras' names live in the exporter
    std::string layer{};                   // name of the layer it belongs to
    Region region = Region::kPrivate;
    std::int64_t offset_bytes = -1;      // into its region; -1 until planMemory, or when no op uses the tensor (fusion removed it)
    std::string device{};                  // variables: where they live; set by place()
    friend bool operator==(const TensorDesc&, const TensorDesc&) = default;
};

enum class Phase { kForward, kBackward, kUpdate };

// Attributes by kind. All sizes of a valid or same padding are resolved: pads are explicit.
struct Window2D {  // convolution or pooling over (N, H, W, C), see imageShape()
    int kernel_h = 1, kernel_w = 1, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
    int pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
    int groups = 1;  // convolution: the kernel holds (kh, kw, C / groups, filters) in C order, whatever the shape of its variable
    friend bool operator==(const Window2D&, const Window2D&) = default;
};
enum class Activation { kLinear, kRelu, kSoftmax };
struct OptimizerAttributes {
    spec::ObjectSpec optimizer{};          // class and settings; the rate comes with each step
    friend bool operator==(const OptimizerAttributes&, const OptimizerAttributes&) = default;
};

// What else an op of one kind needs: one plain struct a family of ops, named where the kind is explained. Ops without such needs have
// std::monostate.
using OpAttributes = std::variant<std::monostate>;

enum class OpKind {
    // Forward and backward ops as the layers contribute them. Inputs -> outputs in the order given. Shapes have the batch axis first; a
    // step with fewer samples works on the first ones. Plans with training = false hold no backward ops, no argmax and no masks.
    kGather,              // batch view -> input (float32), label (int32)
    kConv2D,              // x, kernel -> y                            (Window2D)
    kConv2DBackInput,     // dy, kernel -> dx
    kConv2DBackKernel,    // x, dy -> dkernel
    kMatMul,              // x (B, ..., K), w (K, N) -> y (B, ..., N): every axis but the last counts rows
    kMatMulBackInput,     // dy, w -> dx
    kMatMulBackWeight,    // x, dy -> dw
    kBiasAdd,             // x, bias -> y                              (bias along the last axis)
    kBiasAddBack,         // dy -> dbias
    kActivation,          // x -> y                                    (Activation; softmax along the last axis)
    kActivationBack,      // y, dy -> dx
    kMaxPool2D,           // x -> y, argmax                            (Window2D in `window`). argmax: row * kernel_w + column of the first
                          // maximum within its window; uint8, or int32 for windows above 256 cells
    kMaxPool2DBack,       // dy, argmax -> dx
    kAveragePool2D,       // x -> y: the mean of the window's cells that lie in the image    (Window2D in `window`)
    kAveragePool2DBack,   // dy -> dx
    kReshape,             // x -> y: the same bytes, aliased by the memory planner
    kDropout,             // x -> y, mask                              (rate; mask uint8: 1 = kept. engine/backend/dropout_mask.h)
    kDropoutBack,         // dy, mask -> dx
    kSoftmaxCrossEntropy, // logits, label -> dlogits, header: loss sum, correct, count. Not training: -> header alone (always the last).
                          // dlogits is divided by (samples in the batch * replicas). from_logits = false: the input holds probabilities
    kUpdate,              // parameter, gradient, slots... -> parameter, slots...   (OptimizerAttributes)
    kAllReduce,           // gradients of `bucket` (bucket 0: header first) -> the same. Starts the reduction; the first op that reads one
                          // of them, and the end of the step, wait for it
    // Made by fuse().
    kFusedConvBlock,      // conv + bias + activation (linear, relu) (+ pooling): x, kernel, bias -> y (, argmax when it pools and trains)
    kFusedConvBlockBack,  // x, kernel, y (, argmax), dy -> dkernel, dbias (, dx)
    kFusedDense,          // x, w, bias -> y                            (linear, relu)
    kFusedDenseBack,      // x, w, y, dy -> dw, dbias (, dx)
    kFusedUpdate,         // (parameter, gradient, slots...) of each parameter of `bucket` (-1: all) -> (parameter, slots...) of each, in
                          // memory order: see engine/backend/flat_update.h
};
std::string_view toString(OpKind kind);  // "Conv2D", "FusedDenseBack"
std::string_view toString(Phase phase);  // "forward"
std::string_view toString(Activation activation);  // Keras' names: "linear"
std::string_view toString(TensorRole role);  // "parameter"

struct Op {
    OpKind kind = OpKind::kReshape;
    Phase phase = Phase::kForward;
    std::string name{};                    // "conv2d/Conv2D": for the placement log and the printed plan
    std::string layer{};
    std::vector<TensorId> inputs{};
    std::vector<TensorId> outputs{};
    Window2D window{};                     // convolution part
    Window2D pool{};                       // pooling part of a fused block
    bool has_pool = false;
    Activation activation = Activation::kLinear;
    double rate = 0;                     // dropout
    std::int64_t dropout_seed = 0;       // of this layer; combined with the step's seed, epoch and iteration
    bool from_logits = true;             // kSoftmaxCrossEntropy
    int bucket = -1;                     // kAllReduce, kUpdate, kFusedUpdate
    // A weight gradient that applies `optimizer` at once to the parameter (`of`) of each gradient among its outputs, after its own dx is
    // done. Nobody reads these gradients afterwards: they are scratch of the op's.
    bool apply_update = false;
    OptimizerAttributes optimizer{};
    OpAttributes attributes{};
    std::string device{};                  // "/job:worker/replica:0/task:0/device:CPU:0"
    friend bool operator==(const Op&, const Op&) = default;
};

// Gradients reduced together: adjacent in the shared region, last layer first (64-byte aligned each, the gaps are zero).
struct Bucket {
    std::vector<TensorId> gradients{};     // in memory order; the step header lies before them in bucket 0, at its start
    std::int64_t offset_bytes = 0;       // into the shared region
    std::int64_t bytes = 0;              // a multiple of 64
    int ready_after_op = -1;             // index of the op that completes it
    friend bool operator==(const Bucket&, const Bucket&) = default;
};

// Travels with the first bucket of each step, summed over the replicas like a gradient. The chief fills the control words; another replica
// only adds its wish to stop (engine/train/control_word.h).
struct StepHeader {
    static constexpr int kLossSum = 0;      // sum of per-example losses
    static constexpr int kCorrect = 1;      // right answers
    static constexpr int kCount = 2;        // examples
    static constexpr int kControl = 3;      // what to apply after this step; 0 = none
    static constexpr int kControlValue = 4; // chief: its value
    static constexpr int kSize = 16;        // floats, a cache line
};

struct Plan {
    std::vector<TensorDesc> tensors{};
    std::vector<Op> ops{};
    std::vector<Bucket> buckets{};         // empty when nothing is reduced
    // output = what predict returns; of a training plan the loss op's input. label and header are missing when there is no loss.
    TensorId input = kNoTensor, label = kNoTensor, output = kNoTensor, header = kNoTensor;
    std::int64_t batch = 0;              // of this replica
    int replicas = 1;                    // the loss gradient is divided by samples in the batch * replicas
    bool training = true;                // false: forward only (evaluate, predict), no dropout
    std::int64_t private_bytes = 0, shared_bytes = 0, variable_bytes = 0;  // set by planMemory
    friend bool operator==(const Plan&, const Plan&) = default;
};

std::int64_t elementCount(const TensorDesc& tensor);
std::int64_t byteCount(const TensorDesc& tensor);
// kNoTensor when there is none of that name.
TensorId findTensor(const Plan& plan, std::string_view name);

// Convolution, pooling and what resizes images take (N, H, W, C); (N, W, C) counts as images of one row, (N, C) as images of one cell.
spec::Shape imageShape(const spec::Shape& shape);
// (kh, kw, channels / groups, filters).
spec::Shape kernelShape(const Window2D& window, std::int64_t channels, std::int64_t filters);
// (N, OH, OW, channels) of a window moved over (N, H, W, C): a convolution's or pooling's output, also inside a fused block.
spec::Shape windowOutput(const spec::Shape& input, const Window2D& window, std::int64_t channels);

// Parameters in model order (Keras' weight order within a layer).
std::vector<TensorId> parametersOf(const Plan& plan);
// States in the same order.
std::vector<TensorId> statesOf(const Plan& plan);
// A gradient that an optimizer waits for.
bool isTrainedGradient(const Plan& plan, TensorId id);
// Slots of a parameter in the optimizer's order.
std::vector<TensorId> slotsOf(const Plan& plan, TensorId parameter);

// The plan as text: a line a tensor, a line an op, a line a bucket, memory at the foot.
std::string toString(const Plan& plan);

}  // namespace engine::plan
