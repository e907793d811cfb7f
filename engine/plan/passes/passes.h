// The passes between lower() and an executor, each Plan -> Plan. A pass leaves a plan that every executor can run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/plan/plan.h"
#include "engine/spec/project/cluster_spec.h"

namespace engine::plan {

// Replaces chains of ops by fused ones, with their backward ops: convolution + bias (+ linear, relu) (+ max pooling 2x2 by 2), dense + bias
// (+ linear, relu). A chain fuses only where no one else reads the tensors in between. Softmax with cross-entropy and accuracy is one op
// from lower() on.
Plan fuseLayers(Plan plan);

// One multi-tensor update per bucket (one for all without buckets), after the backward pass, in memory order.
Plan fuseUpdates(Plan plan);

// Lets weight gradients apply their update at once and removes the updates of those parameters. Leaves plans with buckets as they are,
// parameters that a later op reads, and updates that need norms of whole variables.
Plan fuseUpdatesIntoGradients(Plan plan);

// Puts kCustomLoss in the place of a training plan's loss; labels are then that function's own affair. It takes plans as lower() makes
// them.
Plan withCustomLoss(Plan plan);

// Keras' policies mixed_bfloat16 and mixed_float16, for plans as lower() makes them: activations of the model's layers and their gradients
// become bfloat16 or float16, and so do the copies of kernels and biases that products take. Variables, their gradients, statistics, losses
// and metrics stay float32, as do layers that ask for it (see engine/spec/catalog/dtype_policy.h) and recurrent ones, whose names the plan
// keeps. kCast ops stand where types change. A plan of a model all in float32 comes back as it is.
Plan withMixedPrecision(Plan plan, const spec::ModelSpec& model);

// Keras' LossScaleOptimizer around the optimizer, for training plans before they are fused or distributed: the loss's gradient is scaled,
// and all gradients are unscaled before they are prepared and applied. Its numbers are slots of no parameter: spec::kDynamicScale, ...
Plan withLossScale(Plan plan, const LossScaleAttributes& scaling);

// Groups gradients, last layer first: a new bucket starts when the current one has reached bytes_per_pack (0: kDefaultBytesPerPack). The
// step header goes to the start of bucket 0; gradients and header to the shared region.
inline constexpr std::int64_t kDefaultBytesPerPack = 1 << 20;
Plan bucketGradients(Plan plan, std::int64_t bytes_per_pack = 0);
// The same by number: buckets of about equal size, as many as `packs` or fewer; 0: a bucket for each gradient. TensorFlow cuts at equal
// elements, here a gradient stays whole.
Plan packGradients(Plan plan, std::int64_t packs);

// Gradients are summed over the replicas, bucket by bucket, each reduction started right after the op that completes its bucket; updates
// follow the backward pass, in the order of the buckets. Needs bucketGradients() or packGradients().
Plan insertAllReduce(Plan plan);

// A step in pieces takes some samples of its batch through the forward and the backward pass, then the next ones, and adds up their
// gradients: what lies between the layers is then as large as a piece, and stays in the processor's caches.
// True for a training plan whose gradients, loss and metrics are the sums of those of its pieces.
bool comesInPieces(const Plan& plan);
// How many samples a piece had best have on a processor; plan.batch for a step that is better whole. It depends on the plan alone, which
// must have its memory planned. More of a step's time goes by with memory than with products, or the step stays whole; so it does where a
// piece's activations are not several times as large as the gradients that it adds. Beside a table that is multiplied (multiplyTables())
// pieces are smaller, so that its products and their sums stay in the caches, too.
std::int64_t bestPiece(const Plan& plan);
// The plan of a piece: updates stand at its end, in ops of their own, and its memory is planned. Takes plans that come in pieces.
Plan pieceOf(Plan plan, std::int64_t samples);
// When an op of such a plan runs: what takes the sums of gradients behind the last piece alone, what takes nothing but variables in the
// first one.
enum class Turn { kEveryPiece, kFirstPiece, kLastPiece };
Turn turnOf(const Plan& plan, const Op& op);

// Multiplies the tables of embeddings in place of the rows that are looked up of them: with E the table, E[ids] W = (E W)[ids], and the
// sums of dy by id have the products behind them that all of dy had. It takes plans whose memory is planned, before pieceOf(), in float32,
// and changes an embedding whose rows one product alone takes, where a batch has so many more rows than the table that this pays. Of
// a table that holds a NaN or an infinity all products' gradients are NaN, whether an id names that row or not.
Plan multiplyTables(Plan plan);
// True for such a product or its way back: the rows of its first input are the table's, not samples, and it runs once a step.
bool takesTable(const Plan& plan, const Op& op);

// Gives the updates that ops for which `which` is true apply at once ops of their own, at the end of the plan.
void splitUpdates(Plan& plan, const std::function<bool(const Op&)>& which);

// Numbers the tensors anew without the optimizer's slots, which no op may use any more.
Plan withoutSlots(Plan plan);

// Names the device of each op and variable: "/job:worker/replica:0/task:0/device:CPU:0".
Plan place(Plan plan, const std::string& device);
// "/job:worker/replica:0/task:1/device:CPU:0"; null: the job is localhost. `device` as "CPU:0".
std::string deviceName(const spec::TaskId* task, const std::string& device);

struct Placed {
    std::string name;  // as TensorFlow calls them on replica r > 0: "replica_r/conv2d/Conv2D", "conv2d/kernel/replica_r"
    std::string kind;  // "Conv2D"; "Variable"
    std::string device;
    friend bool operator==(const Placed&, const Placed&) = default;
};
std::string toString(const Placed& placed);  // "conv2d/Conv2D: (Conv2D): /job:…"
// Variables, then ops, of the plan of a task's `replica`, from 0.
std::vector<Placed> placements(const Plan& plan, int replica = 0);
// The same as text, one a line.
std::string placementLog(const Plan& plan, int replica = 0);

}  // namespace engine::plan
