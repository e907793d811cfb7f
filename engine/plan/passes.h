// The passes between lower() and an executor, each Plan -> Plan. A pass leaves a plan that every executor can run.
#pragma once

#include <cstdint>
#include <string>

#include "engine/plan/plan.h"
#include "engine/spec/cluster_spec.h"

namespace engine::plan {

// Replaces chains of ops by fused ones, with their backward ops: convolution + bias (+ linear, relu) (+ max pooling 2x2 by 2), dense + bias
// (+ linear, relu). A chain fuses only where no one else reads the tensors in between. Softmax with cross-entropy and accuracy is one op
// from lower() on.
Plan fuseLayers(Plan plan);

// One multi-tensor update per bucket (one for all without buckets), after the backward pass, in memory order.
Plan fuseUpdates(Plan plan);

// Lets weight gradients apply their update at once and removes the updates of those parameters. Leaves plans with buckets as they are, and
// parameters that a later op reads.
Plan fuseUpdatesIntoGradients(Plan plan);

// Groups gradients, last layer first: a new bucket starts when the current one has reached bytes_per_pack (0: kDefaultBytesPerPack). The
// step header goes to the start of bucket 0; gradients and header to the shared region.
inline constexpr std::int64_t kDefaultBytesPerPack = 1 << 20;
Plan bucketGradients(Plan plan, std::int64_t bytes_per_pack = 0);

// Names the device of each op and variable: "/job:worker/replica:0/task:0/device:CPU:0".
Plan place(Plan plan, const std::string& device);
std::string cpuDeviceName(const spec::TaskId* task);  // null: "/job:localhost/replica:0/task:0/device:CPU:0"
// "conv2d/Conv2D: (Conv2D): /job:…" a line: variables, then ops.
std::string placementLog(const Plan& plan);

}  // namespace engine::plan
