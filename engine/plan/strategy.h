// What a distribution strategy makes of a plan: a small file each.
#pragma once

#include <cstdint>
#include <string>

#include "engine/plan/plan.h"
#include "engine/spec/model_spec.h"

namespace engine::plan {

// Gradients are summed over the replicas, bucket by bucket, each reduction started right after the op that completes its bucket; updates
// follow the backward pass, in the order of the buckets. Needs bucketGradients() or packGradients().
Plan insertAllReduce(Plan plan);

// MultiWorkerMirroredStrategy: one replica a device of each task, each with all variables. With one device a task the collective between
// the tasks chooses the way; of several, the first one's sum goes between the tasks.
Plan multiWorkerMirrored(Plan plan, std::int64_t bytes_per_pack, int devices);

// MirroredStrategy over the `devices` of one task, each with all variables. `cross_device_ops` as StrategySpec has them chooses packs and
// route; `reduce_to` is the index of ReductionToOneDevice's device. On CPUs NcclAllReduce is a ring over the devices' memory, as the RING
// that TensorFlow takes there.
Plan mirrored(Plan plan, const spec::ObjectSpec& cross_device_ops, int devices, int reduce_to);

// CentralStorageStrategy: device 0's replica holds variables and slots. Each replica copies the variables in, gradients are summed on
// device 0 and applied there once. The other replicas' plans have no slots and no updates.
Plan centralStorage(Plan plan, int device);

}  // namespace engine::plan
