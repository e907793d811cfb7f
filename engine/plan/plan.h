// A training step as a flat list of ops over tensors of known shape. Made once by lower(), rewritten by passes and strategies, compiled by
// an executor, printed as text. Plain values: copy, compare, print.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/plan/activation.h"
#include "engine/plan/loss_attributes.h"
#include "engine/plan/metric_attributes.h"
#include "engine/spec/reduce_route.h"
#include "engine/spec/run_spec.h"
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
    kScratch,     // masks, pooling arg-max, probabilities kept for the backward pass
    kStepHeader,  // float32[StepHeader::kSize + sums of metrics], see StepHeader below
};

// Where the memory planner puts a tensor: the executor's private arena, the region that the collective allocates, or the run's Variables
// (parameters, states and slots; the layout is layoutVariables() of engine/plan/memory.h).
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

// Attributes by kind. All sizes of a valid or same padding are resolved: pads are explicit.
struct Window2D {  // convolution or pooling over (N, H, W, C), see imageShape()
    int kernel_h = 1, kernel_w = 1, stride_h = 1, stride_w = 1, dilation_h = 1, dilation_w = 1;
    int pad_top = 0, pad_bottom = 0, pad_left = 0, pad_right = 0;
    int groups = 1;  // convolution: the kernel holds (kh, kw, C / groups, filters) in C order, whatever the shape of its variable
    friend bool operator==(const Window2D&, const Window2D&) = default;
};
struct OptimizerAttributes {
    spec::ObjectSpec optimizer{};  // class and settings; the rate comes with each step
    friend bool operator==(const OptimizerAttributes&, const OptimizerAttributes&) = default;
};

// Axis i of y is axis axes[i] of x, from 0 without the batch.
struct Permutation {
    std::vector<int> axes{};
    friend bool operator==(const Permutation&, const Permutation&) = default;
};
// Rows and columns of zeros around an image; of a negative number, so many taken away.
struct Pads2D {
    int top = 0, bottom = 0, left = 0, right = 0;
    friend bool operator==(const Pads2D&, const Pads2D&) = default;
};
enum class Interpolation { kNearest, kBilinear };
// Every row and column so many times. Bilinear: cell o of y lies at (o + 0.5) / times - 0.5 of x, held within it.
struct Resize2D {
    int rows = 1, columns = 1;
    Interpolation interpolation = Interpolation::kNearest;
    friend bool operator==(const Resize2D&, const Resize2D&) = default;
};
struct Affine {
    double scale = 1, offset = 0;
    friend bool operator==(const Affine&, const Affine&) = default;
};
// What a map of each image is drawn from, and how cells between and beyond the image's are read. What is not drawn stays as it is.
struct RandomImage {
    struct Range {
        double from = 0, to = 0;
        friend bool operator==(const Range&, const Range&) = default;
    };
    enum class Fill { kReflect, kConstant, kWrap, kNearest };
    bool flips_columns = false, flips_rows = false;  // half of the images; both at once where both are set
    Range turn{};                                    // parts of a full turn, against the clock
    Range zoom_rows{}, zoom_columns{};               // parts of the size that is seen more
    bool same_zoom = false;                          // of rows for both
    Range shift_rows{}, shift_columns{};             // parts of the size, downwards and to the right
    Interpolation interpolation = Interpolation::kBilinear;
    Fill fill = Fill::kReflect;
    double fill_value = 0;
    friend bool operator==(const RandomImage&, const RandomImage&) = default;
};

// What else an op of one kind needs: one plain struct a family of ops, named where the kind is explained. Ops without such needs have
// std::monostate. (ActivationSettings: engine/plan/activation.h.)
// x as (outer, channels, inner), C order; statistics are over outer and inner.
struct BatchNormAttributes {
    std::int64_t channels = 1, inner = 1;
    double momentum = 0.99, epsilon = 1e-3;
    bool center = true, scale = true;
    bool frozen = false;        // training, with the moving statistics
    bool synchronized = false;  // statistics of all replicas' batches, summed within the step
    bool masked = false;        // statistics of the values that a mask leaves
    friend bool operator==(const BatchNormAttributes&, const BatchNormAttributes&) = default;
};
// x as (items, positions, groups, width), C order; statistics of an item's group are over positions and width. Unit norms: width alone.
struct GroupNormAttributes {
    std::int64_t positions = 1, groups = 1, width = 1;
    double epsilon = 1e-3;
    bool center = true, scale = true;
    friend bool operator==(const GroupNormAttributes&, const GroupNormAttributes&) = default;
};
// Keras' constraints of a weight: its norms along `axes` are over all of them together, for each place along the others.
enum class ConstraintKind {
    kMaxNorm,     // w min(norm, maximum) / (1e-7 + norm)
    kNonNeg,      // max(w, 0)
    kUnitNorm,    // w / (1e-7 + norm)
    kMinMaxNorm,  // w (rate clip(norm, minimum, maximum) + (1 - rate) norm) / (1e-7 + norm)
};
struct ConstraintAttributes {
    ConstraintKind kind = ConstraintKind::kNonNeg;
    double minimum = 0, maximum = 1, rate = 1;
    std::vector<int> axes{};  // from 0
    friend bool operator==(const ConstraintAttributes&, const ConstraintAttributes&) = default;
};
// Two results of one input become one; `turned`: the second is a sequence whose times run backwards.
enum class MergeMode { kConcat, kSum, kAverage, kMultiply };
struct MergeAttributes {
    MergeMode mode = MergeMode::kConcat;
    bool turned = false;
    friend bool operator==(const MergeAttributes&, const MergeAttributes&) = default;
};
enum class RecurrentCell { kSimple, kLstm, kGru };
constexpr std::int64_t gatesOf(RecurrentCell cell) {
    return cell == RecurrentCell::kSimple ? 1 : cell == RecurrentCell::kLstm ? 4 : 3;
}
struct RecurrentAttributes {
    RecurrentCell cell = RecurrentCell::kSimple;
    std::int64_t units = 1;
    Activation activation = Activation::kTanh, recurrent_activation = Activation::kSigmoid;  // their derivatives follow from y
    bool return_sequences = false;
    bool go_backwards = false;  // from the last time to the first; sequences come out in that order
    bool reset_after = false;   // kGru
    bool two_biases = false;    // kGru with reset_after: (2, 3 units), for the input and for the state; else the products have the bias
    bool masked = false;        // a mask (N, T) tells which times change the state; the others put out the state as it is
    bool zero_output_for_mask = false;  // ... or zeros
    friend bool operator==(const RecurrentAttributes&, const RecurrentAttributes&) = default;
};
// Keras' masks are uint8 (N, ...), 1 for what counts, of all axes of their tensor but the last ones, which are a row.
struct MaskAttributes {
    float value = 0;
    friend bool operator==(const MaskAttributes&, const MaskAttributes&) = default;
};
// Keras' LossScaleOptimizer: the loss is scaled so that gradients of float16 do not vanish.
struct LossScaleAttributes {
    double initial_scale = 32768;
    std::int64_t growth_steps = 2000;  // finite ones in a row after which the scale doubles
    friend bool operator==(const LossScaleAttributes&, const LossScaleAttributes&) = default;
};
inline constexpr double kMostUnitFactor = 1e12;  // a unit norm multiplies by 1 / length, by this at most
using OpAttributes = std::variant<std::monostate, ActivationSettings, GatherAttributes, BatchNormAttributes, GroupNormAttributes,
                                  RecurrentAttributes, LossAttributes, MetricAttributes, PenaltyAttributes, Permutation, Pads2D, Resize2D,
                                  Affine, RandomImage, ConstraintAttributes, MergeAttributes, MaskAttributes, LossScaleAttributes, spec::ReduceRoute>;

enum class OpKind {
    // Forward and backward ops as the layers contribute them. Inputs -> outputs in the order given. Shapes have the batch axis first, with
    // one item a sample or, inside TimeDistributed, several (itemsPerSample); a step with fewer samples works on the first ones. Plans with
    // training = false hold no backward ops, no argmax and no masks.
    kGather,               // batch view -> input (float32), label (, sample weight)    (GatherAttributes). Label: int32 classes of the
                           // output's shape without the last axis, or float32 of the output's shape, as the loss wants it
    kConv2D,               // x, kernel -> y                            (Window2D)
    kConv2DBackInput,      // dy, kernel -> dx
    kConv2DBackKernel,     // x, dy -> dkernel
    kMatMul,               // x (B, ..., K), w (K, N) -> y (B, ..., N): every axis but the last counts rows
    kMatMulBackInput,      // dy, w -> dx
    kMatMulBackWeight,     // x, dy -> dw
    kBiasAdd,              // x, bias -> y                              (bias along the last axis)
    kBiasAddBack,          // dy -> dbias
    kActivation,           // x -> y                                    (Activation, ActivationSettings where they are not the default)
    kActivationBack,       // y or x (derivesFromInput), dy -> dx
    kPrelu,                // x, alpha -> y: alpha x below 0            (alpha by broadcastIndices)
    kPreluBack,            // x, alpha, dy -> dx (, dalpha)
    kBatchNorm,            // x (, gamma) (, beta), moving mean, moving variance -> y (, mean, 1 / sqrt(variance + epsilon), step of the
                           // moving mean, of the moving variance)       (BatchNormAttributes)
                           // (x - mean) / sqrt(variance + epsilon) gamma + beta, with statistics of the batch when training, else (and of
                           // an empty batch) the moving ones. A step is statistic * (1 - momentum) / replicas. synchronized: the sums of
                           // kBatchSums are the last input. masked: statistics of what counts, 0 where nothing does; the mask is the last
                           // input, the number of values by channel the last output
    kBatchNormBack,        // x (, gamma), mean, 1 / deviation (frozen: moving mean, moving variance), dy -> dx (, dgamma) (, dbeta)
                           // synchronized: the sums of kBatchBackSums are the last input, dx the only output. masked: the numbers of
                           // values and the mask are the last inputs
    kBatchSums,            // x, moving mean m -> sums: of x - m, of (x - m)^2 by channel, number of values. Reduced before it is read
    kBatchBackSums,        // x, mean, 1 / deviation, dy -> sums: of dy normalized, of dy by channel, number of values (, dgamma) (, dbeta)
    kMovingAverage,        // state, its step -> state: state * momentum + step; phase kUpdate    (BatchNormAttributes)
    kGroupNorm,            // x (, gamma) (, beta) -> y                 (GroupNormAttributes; gamma, beta: (groups * width))
    kGroupNormBack,        // x (, gamma), dy -> dx (, dgamma) (, dbeta)
    kUnitNorm,             // x -> y = x / |x| by rows                  (GroupNormAttributes: width)
    kUnitNormBack,         // x, dy -> dx
    kEmbedding,            // ids (whole numbers as float32), table (V, D) -> y (ids' shape, D)
    kEmbeddingBack,        // ids, dy -> dtable
    kRecurrent,            // products of the input z (N, T, gates * units), kernel U (units, gates * units) (, bias) -> y, gates as they
                           // act (as z), state before each time (N, T, units) (, inner (N, T, units)). h, c: states; a: activation, s:
                           // recurrent one                              (RecurrentAttributes)
                           //   simple  h = a(z + h U)
                           //   LSTM    i, f, g, o: c = f c + i g, h = o a(c); i, f, o by s, g by a; inner: c
                           //   GRU     u, r, g: h = u h + (1 - u) g; u, r by s; g = a(z + r (h U)), inner: h U; without reset_after
                           //           g = a(z + (r h) U), inner: r h
                           // rate > 0: the last output is a mask (N, gates, units), uint8: each gate's product with U takes h with its
                           // own units dropped, the same at all times  (engine/backend/dropout_mask.h)
                           // masked: the times' mask is the last input; c stays, too, and nothing else is kept of such a time
    kRecurrentBack,        // U, gates, states before (, inner) (, mask), dy (, times' mask) -> dz (, scratch (N, T, units) of a GRU) (, dU)
                           // (, dbias)
    kMerge,                // a, b -> y, along the last axis            (MergeAttributes)
    kMergeBack,            // a, b, dy -> da, db
    kMaxPool2D,            // x -> y, argmax                            (Window2D in `window`). argmax: row * kernel_w + column of the first
                           // maximum within its window; uint8, or int32 for windows above 256 cells
    kMaxPool2DBack,        // dy, argmax -> dx
    kAveragePool2D,        // x -> y: the mean of the window's cells that lie in the image    (Window2D in `window`)
    kAveragePool2DBack,    // dy -> dx
    kMask,                 // x -> mask: 1 where a value of the row is not `value`    (MaskAttributes)
    kApplyMask,            // x, mask -> y: the rows that count, else 0. Its own way back
    kMaskedMean,           // x (N, T, C), mask (N, T) -> y (N, C): the mean of the rows that count; 0 / 0 where none does, as in Keras
    kMaskedMeanBack,       // dy, mask -> dx
    kReshape,              // x -> y: the same bytes, aliased by the memory planner
    kCast,                 // x... -> y...: the same values in the types of the ys; to bfloat16 by engine/tensor/bfloat16.h. Made by
                           // withMixedPrecision()
    kTranspose,            // x -> y                                    (Permutation)
    kPad2D,                // x -> y                                    (Pads2D; the way back is the op with the signs turned)
    kUpsample2D,           // x -> y                                    (Resize2D)
    kUpsample2DBack,       // dy -> dx
    kAffine,               // x -> y = scale x + offset                 (Affine)
    kDropout,              // x -> y, mask                              (rate; mask uint8: 1 = kept. engine/backend/dropout_mask.h)
                           // A size 1 in the mask's shape where x has more: one fate for all along that axis
    kDropoutBack,          // dy, mask -> dx
    kGaussianNoise,        // x -> y                                    (rate: the deviation. engine/backend/gaussian_noise.h)
    kRandomImage,          // x -> y, maps                              (RandomImage; maps float32 (N, 6): engine/backend/image_map.h)
    kRandomImageBack,      // dy, maps -> dx
    kSoftmaxCrossEntropy,  // logits, label -> dlogits, header: loss sum, correct, count. Not training: -> header alone (always the last).
                           // dlogits is divided by (samples in the batch * replicas). from_logits = false: the input holds probabilities
    kLoss,                 // scores, label (, sample weight) (, mask) -> dscores, header: loss * samples, count    (LossAttributes). Not
                           // training: -> header alone. What the op above does not cover. Rows that the mask leaves out weigh nothing
    kPenalty,              // variables and outputs of layers -> header: adds their penalties times samples to the loss  (PenaltyAttributes)
    kPenaltyBack,          // x, gradient (, scale) -> the same gradient, with the penalty's slope over the replicas added, times the
                           // loss scale where there is one
    kMetric,               // output, label (, sample weight) (, mask) -> header: what the batch adds to a metric's sums (MetricAttributes)
    kScaleGradient,        // gradient, scale -> gradient: that of the scaled loss
    kUnscaleGradients,     // all gradients, scale, finite steps in a row, steps left out -> these three. The gradients, after their
                           // reduction, are divided by the scale in place. Where one of them is not finite, the scale is halved, the row
                           // is over and the step leaves out every op behind this one that applies them; else the row grows, and at its
                           // end the scale is doubled (LossScaleAttributes). Updates count the steps that were not left out. Made by
                           // withLossScale()
    kPrepareGradients,     // all gradients (, an accumulator slot of each) (-> accumulators): accumulates, clips. The gradients change in
                           // place, after their reduction and before any update reads them    (OptimizerAttributes)
    kCustomLoss,           // scores -> dscores, header: loss sum, count. A function of the program's own: ExecutorOptions::loss
    kUpdate,               // parameter, gradient, slots... -> parameter, slots...   (OptimizerAttributes)
    kConstrain,            // parameter -> parameter: after its update  (ConstraintAttributes)
    kAllReduce,            // gradients of `bucket` (bucket 0: header first) -> the same. Starts the reduction; the first op that reads one
                           // of them, and the end of the step, wait for it. Between the devices of one task it goes a ReduceRoute
    kReadVariables,        // -> parameters, states: this replica's copies of what ReduceRoute::main holds (CentralStorageStrategy)
    // Made by fuse().
    kFusedConvBlock,      // conv + bias + activation (linear, relu) (+ pooling): x, kernel, bias -> y (, argmax when it pools and trains)
    kFusedConvBlockBack,  // x, kernel, y (, argmax), dy -> dkernel, dbias (, dx)
    kFusedDense,          // x, w, bias -> y                            (linear, relu)
    kFusedDenseBack,      // x, w, y, dy -> dw, dbias (, dx)
    kFusedUpdate,         // (parameter, gradient, slots...) of each parameter of `bucket` (-1: all) -> (parameter, slots...) of each, in
                          // memory order: see engine/backend/flat_update.h
};
// A loss, a penalty or a metric: a prediction leaves it out.
bool belongsToLoss(OpKind kind);
std::string_view toString(OpKind kind);      // "Conv2D", "FusedDenseBack"
std::string_view toString(Phase phase);      // "forward"
std::string_view toString(TensorRole role);  // "parameter"

struct Op {
    OpKind kind = OpKind::kReshape;
    Phase phase = Phase::kForward;
    std::string name{};  // "conv2d/Conv2D": for the placement log and the printed plan
    std::string layer{};
    std::vector<TensorId> inputs{};
    std::vector<TensorId> outputs{};
    Window2D window{};  // convolution part
    Window2D pool{};    // pooling part of a fused block
    bool has_pool = false;
    Activation activation = Activation::kLinear;
    double rate = 0;                // dropout; deviation of noise
    std::int64_t dropout_seed = 0;  // of this layer's random numbers; combined with the step's seed, epoch and iteration
    bool from_logits = true;        // kSoftmaxCrossEntropy
    int bucket = -1;                // kAllReduce, kUpdate, kFusedUpdate
    // A weight gradient that applies `optimizer` at once to the parameter (`of`) of each gradient among its outputs, after its own dx is
    // done. Nobody reads these gradients afterwards: they are scratch of the op's.
    bool apply_update = false;
    OptimizerAttributes optimizer{};
    OpAttributes attributes{};
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
// What a loss or a metric takes beside scores and labels; kNoTensor where it does not. A mask is told by its type.
struct RowWeights {
    TensorId samples = kNoTensor, mask = kNoTensor;
};
RowWeights rowWeights(const Plan& plan, const Op& op);
// Items of the batch axis for each sample that an op works on; 1 of ops without such tensors, and of a reshape, which has none of its own.
std::int64_t itemsPerSample(const Plan& plan, const Op& op);
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
// The index into `from` of each element of `shape`, C order; equal ranks, a size of 1 in `from` stands for the whole axis.
std::vector<std::int64_t> broadcastIndices(const spec::Shape& shape, const spec::Shape& from);
// A gradient that an optimizer waits for.
bool isTrainedGradient(const Plan& plan, TensorId id);
// Slots of a parameter in the optimizer's order.
std::vector<TensorId> slotsOf(const Plan& plan, TensorId parameter);

// The plan as text: a line a tensor, a line an op, a line a bucket, memory at the foot.
std::string toString(const Plan& plan);

}  // namespace engine::plan
