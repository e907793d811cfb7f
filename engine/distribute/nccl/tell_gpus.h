// What each task trains on, told to all of them, so that all decide alike: engine/spec/cluster/communication.h.
#pragma once

#include <vector>

#include "engine/distribute/collective.h"
#include "engine/spec/cluster/communication.h"

namespace engine::distribute::nccl {

// Tells the others of this task's GPUs and returns those of every member of `tasks`, in rank order. Every member calls it at the same
// point; up to 64 GPUs a task, texts cut to the size of their fields. The task's name is not told: the caller knows who has which rank.
std::vector<spec::TaskGpus> tellGpus(Collective& tasks, const spec::TaskGpus& mine);

}  // namespace engine::distribute::nccl
