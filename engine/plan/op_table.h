// What is known of each kind of op, one row a kind. Passes, the printed plan, costs and back-ends read it here; the meaning of a kind
// stands with it in engine/plan/op_kind.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "engine/plan/plan.h"

namespace engine::plan {

// Ops that a back-end computes in one place: its choice is by family, so a kind that joins a family is found without a line of its own.
enum class OpFamily {
    kGather,
    kConvolution,
    kConvolutionBack,
    kDense,
    kDenseBack,
    kBias,
    kReshape,
    kCast,
    kAffine,
    kStandardize,
    kIds,
    kActivation,
    kPrelu,
    kBatchNorm,
    kGroupNorm,
    kSpectralNorm,
    kEmbedding,
    kRecurrent,
    kAttention,
    kMerge,
    kPooling,
    kMask,
    kImage,
    kSignal,
    kNoise,
    kCrossEntropy,
    kLoss,
    kCustomLoss,
    kPenalty,
    kMetric,
    kLossScale,
    kPrepareGradients,
    kUpdate,
    kConstrain,
    kCollective,  // an executor's own, with the other replicas
};

// What the printed plan names of an op's tensors.
enum class NamedOperands {
    kBoth,
    kInputs,      // a reduction is in place
    kOutputs,     // a copy of what another replica holds
    kParameters,  // of an update: gradients and slots follow from them
};

struct OpRow {
    OpKind kind = OpKind::kReshape;
    std::string_view name;  // "Conv2D", "FusedDenseBack"
    OpFamily family = OpFamily::kReshape;
    std::size_t attributes = 0;                   // what an op of this kind holds: an index of OpAttributes
    bool may_lack_attributes = false;             // or std::monostate
    std::string (*text)(const Op& op) = nullptr;  // its attributes in a printed plan, may be empty; null: nothing
    NamedOperands named = NamedOperands::kBoth;
    // Multiply-adds of a full batch; null: none that count beside the traffic.
    std::int64_t (*work)(const Plan& plan, const Op& op) = nullptr;
    bool is_alias = false;             // its output is its input's memory
    bool belongs_to_loss = false;      // a prediction leaves it out
    bool makes_loss_gradient = false;  // in training, as its first output
    bool sums_within_step = false;     // its first output is summed over the replicas before another op of the step reads it
    bool absorbs_update = false;       // kernels exist that apply the update of its gradients at once: Op::fused_update
    // The next three matter under a dtype policy.
    bool takes_low_variables = false;  // a product or a sum with a variable, which is then copied to the low type
    bool keeps_first_input = false;    // of ids, which a low type cannot hold, or of what a mask is compared with
    bool stays_float32 = false;        // no kernel takes another type, and so the whole layer stays
    // What it makes of a sample hangs on the batch's other samples, or it may run once a step alone.
    bool needs_whole_batch = false;
};

// The rows in the order of OpKind.
std::span<const OpRow> opTable();
const OpRow& rowOf(OpKind kind);
inline std::string_view toString(OpKind kind) {
    return rowOf(kind).name;
}

// Items of the batch axis for each sample that an op works on; 1 of ops without such tensors, and of a reshape, which has none of its own.
std::int64_t itemsPerSample(const Plan& plan, const Op& op);

// ENGINE_CHECK: every op holds the attributes that its row names, and one with a gate can be passed by.
void checkAttributes(const Plan& plan);

}  // namespace engine::plan
