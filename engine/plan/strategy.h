// What a distribution strategy makes of a plan.
#pragma once

#include "engine/plan/plan.h"

namespace engine::plan {

// MirroredStrategy and MultiWorkerMirroredStrategy: every replica holds all variables. Gradients are summed over the replicas, bucket by
// bucket, each reduction started right after the op that completes its bucket; updates follow the backward pass, in the order of the
// buckets. Needs bucketGradients().
Plan insertAllReduce(Plan plan);

}  // namespace engine::plan
