// A training step as a flat list of ops over tensors of known shape. Made once by lower(), rewritten by passes and strategies, compiled by
// an executor, printed as text. Plain values: copy, compare, print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/plan/op_attributes.h"
#include "engine/plan/op_kind.h"
#include "engine/spec/project/run_spec.h"
#include "engine/tensor/dtype.h"

namespace engine::plan {

using TensorId = std::int32_t;
inline constexpr TensorId kNoTensor = -1;

enum class TensorRole {
    kParameter,  // trainable weight
    kState,      // a variable that no optimizer changes: moving statistics, weights of a frozen layer. No gradient, no slots
    kGradient,   // of `of`; of a state only where an op makes it together with gradients that are wanted: nobody reads it then
    kSlot,       // optimizer state of `of`
    kStatistic,  // numbers of a whole batch, without a batch axis. With `of`: what a step adds to that state, summed over the replicas
                 // like a gradient
    kInput,      // the gathered batch
    kLabel,      // gathered labels and sample weights
    kActivation,
    kCopy,        // of the variable `of`, in another type. No batch axis
    kProduct,     // of the variable `of` with others, which a step makes once and keeps to its end. No batch axis
    kScratch,     // masks, pooling arg-max, probabilities kept for the backward pass
    kStepHeader,  // float32[StepHeader::kSize + sums of metrics], see StepHeader below
};

// The memory that the planner puts a tensor into: the executor's private arena, the region that the collective allocates, or the run's
// Variables (parameters, states and slots; the layout is layoutVariables() of engine/plan/memory.h).
enum class Region { kPrivate, kShared, kVariables };

struct TensorDesc {
    std::string name{};  // "conv2d/kernel", "conv2d/kernel:grad", "conv2d/kernel:m", "dense:out"
    TensorRole role = TensorRole::kActivation;
    tensor::DType dtype = tensor::DType::kFloat32;
    spec::Shape shape{};      // with the batch axis where there is one: (64, 26, 26, 32)
    TensorId of = kNoTensor;  // variable of a gradient, slot or statistic
    std::string slot_name{};  // kSlot: "momentum", "m", "v"; Keras' names live in the exporter
    float initial = 0;        // kSlot: its values before the first step
    std::string layer{};      // name of the layer it belongs to
    Region region = Region::kPrivate;
    std::int64_t offset_bytes = -1;  // into its region; -1 until planMemory, or when no op uses the tensor (fusion removed it)
    std::string device{};            // variables: where they live; set by place(). Empty for a replica's copy
    friend bool operator==(const TensorDesc&, const TensorDesc&) = default;
};

enum class Phase { kForward, kBackward, kUpdate };

std::string_view toString(Phase phase);      // "forward"
std::string_view toString(TensorRole role);  // "parameter"

struct Op {
    OpKind kind = OpKind::kReshape;
    Phase phase = Phase::kForward;
    std::string name{};  // "conv2d/Conv2D": for the placement log and the printed plan
    std::string layer{};
    std::vector<TensorId> inputs{};
    std::vector<TensorId> outputs{};
    OpAttributes attributes{};
    int bucket = -1;  // of the gradients that it reduces or applies; set by the strategies
    // A weight gradient that applies this optimizer at once to the parameter (`of`) of each gradient among its outputs, after its own dx is
    // done. Nobody reads these gradients afterwards: they are scratch of the op's.
    std::optional<OptimizerAttributes> fused_update{};
    // Of an op whose first output has the shape and the type of its first input: where the choice is another one, the first output is a
    // copy of the first input, and nobody reads the others but an op behind the same gate.
    std::optional<Gate> gate{};
    std::string device{};  // "/job:worker/replica:0/task:0/device:CPU:0"
    friend bool operator==(const Op&, const Op&) = default;
};

// Gradients (and steps of states) reduced together: adjacent in the shared region, last layer first (64-byte aligned each, the gaps are
// zero).
struct Bucket {
    std::vector<TensorId> gradients{};  // in memory order; the step header lies before them in bucket 0, at its start
    std::int64_t offset_bytes = 0;      // into the shared region
    std::int64_t bytes = 0;             // a multiple of 64
    int ready_after_op = -1;            // index of the op that completes it
    friend bool operator==(const Bucket&, const Bucket&) = default;
};

// Travels with the first bucket of each step, summed over the replicas like a gradient. The chief fills the control words; another replica
// only adds its wish to stop (engine/train/control_word.h). The sums of metrics follow after kSize.
struct StepHeader {
    static constexpr int kLossSum = 0;       // sum of per-example losses: the batch's loss times its examples
    static constexpr int kCorrect = 1;       // right answers
    static constexpr int kCount = 2;         // examples
    static constexpr int kControl = 3;       // what to apply after this step; 0 = none
    static constexpr int kControlValue = 4;  // chief: its value
    static constexpr int kSize = 16;         // floats, a cache line
};

struct Plan {
    std::vector<TensorDesc> tensors{};
    std::vector<Op> ops{};
    std::vector<Bucket> buckets{};  // empty when nothing is reduced
    // output = what predict returns; of a training plan the loss op's input. label and header are missing when there is no loss.
    TensorId input = kNoTensor, label = kNoTensor, output = kNoTensor, header = kNoTensor;
    TensorId sample_weight = kNoTensor;         // (batch) float32; only when the loss weighs samples
    std::vector<NamedMetric> metrics{};         // in the order in which the project names them
    std::int64_t batch = 0;                     // of this replica
    int replicas = 1;                           // the loss gradient is divided by samples in the batch * replicas
    bool training = true;                       // false: forward only (evaluate, predict), no dropout
    std::string dtype_policy{};                 // withMixedPrecision(): "mixed_bfloat16", "mixed_float16"; empty: float32
    std::vector<std::string> float32_layers{};  // and the layers that stay in float32 because no kernel of theirs takes bfloat16
    std::int64_t private_bytes = 0, shared_bytes = 0, variable_bytes = 0;  // set by planMemory
    friend bool operator==(const Plan&, const Plan&) = default;
};

std::int64_t elementCount(const TensorDesc& tensor);
// Input, label, activation or scratch: shape begins with the items of all samples.
bool hasBatchAxis(const TensorDesc& tensor);
// A parameter, a state or a slot: it lasts from step to step.
bool isVariable(const TensorDesc& tensor);
// These are of an op whose row in engine/plan/op_table.cpp says that it holds such attributes.
inline const ConvolutionAttributes& convolutionAttributes(const Op& op) {
    return std::get<ConvolutionAttributes>(op.attributes);
}
inline const Window2D& windowOf(const Op& op) {
    return convolutionAttributes(op).window;
}
inline bool hasPool(const Op& op) {
    return convolutionAttributes(op).pool.has_value();
}
inline Activation activationOf(const Op& op) {
    return std::get<ActivationAttributes>(op.attributes).function;
}
// The optimizer whose rule the op follows, alone or beside its own work; null where it follows none.
const spec::ObjectSpec* optimizerOf(const Op& op);
// What a loss or a metric takes beside scores and labels; kNoTensor where it does not. A mask is told by its type.
struct RowWeights {
    TensorId samples = kNoTensor, mask = kNoTensor;
};
RowWeights rowWeights(const Plan& plan, const Op& op);
std::int64_t byteCount(const TensorDesc& tensor);
// kNoTensor when there is none of that name. This and slotsOf() look at all tensors: for one question, not for one a layer
// (engine/plan/index/plan_index.h answers many).
TensorId findTensor(const Plan& plan, std::string_view name);

// Convolution, pooling and what resizes images take (N, H, W, C); (N, W, C) counts as images of one row, (N, C) as images of one cell.
spec::Shape imageShape(const spec::Shape& shape);
// (K, N) of a product's weight, which holds them in C order whatever the shape of its variable; `inner` is K, the last axis of x.
spec::Shape matrixShape(const spec::Shape& weight, std::int64_t inner);
// (kh, kw, channels / groups, filters).
spec::Shape kernelShape(const Window2D& window, std::int64_t channels, std::int64_t filters);
// (N, OH, OW, channels) of a window moved over (N, H, W, C): a convolution's or pooling's output, also inside a fused block.
spec::Shape windowOutput(const spec::Shape& input, const Window2D& window, std::int64_t channels);

// The cells of an axis that a pooling's window has; where it is padded, some lie beyond the axis.
struct CellRange {
    std::int64_t begin = 0, end = 0;
};
// Window `index` of `count` along the rows, of which there are `size`, and along the columns.
inline CellRange adaptiveCells(std::int64_t index, std::int64_t count, std::int64_t size) {
    return {index * size / count, ((index + 1) * size + count - 1) / count};
}
inline CellRange rowsOfWindow(const Window2D& window, std::int64_t index, std::int64_t count, std::int64_t size) {
    if (window.is_adaptive) return adaptiveCells(index, count, size);
    const std::int64_t begin = index * window.stride_h - window.pad_top;
    return {begin, begin + window.kernel_h};
}
inline CellRange columnsOfWindow(const Window2D& window, std::int64_t index, std::int64_t count, std::int64_t size) {
    if (window.is_adaptive) return adaptiveCells(index, count, size);
    const std::int64_t begin = index * window.stride_w - window.pad_left;
    return {begin, begin + window.kernel_w};
}

// Parameters in model order (Keras' weight order within a layer).
std::vector<TensorId> parametersOf(const Plan& plan);
// States in the same order.
std::vector<TensorId> statesOf(const Plan& plan);
// The index into `from` of each element of `shape`, C order; equal ranks, a size of 1 in `from` stands for the whole axis.
std::vector<std::int64_t> broadcastIndices(const spec::Shape& shape, const spec::Shape& from);
// A gradient that an optimizer waits for.
bool isTrainedGradient(const Plan& plan, TensorId id);
// Slots of a parameter in the optimizer's order.
std::vector<TensorId> slotsOf(const Plan& plan, TensorId parameter);
// The index of the bucket that holds the gradient; -1 for one of none.
int bucketOf(const Plan& plan, TensorId gradient);

// The plan as text: a line a tensor, a line an op, a line a bucket, memory at the foot.
std::string toString(const Plan& plan);

}  // namespace engine::plan
