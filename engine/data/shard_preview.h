// Which sample goes to which task in the first steps of a run, from the batches that the tasks themselves draw.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/events/shard_preview.h"
#include "engine/spec/project/run_spec.h"

namespace engine::data {

using spec::shardLine;
using spec::ShardStep;

// Steps of an epoch: fit.steps_per_epoch, or as many as the task with the most batches has. Throws as previewShards().
std::int64_t epochSteps(const spec::RunSpec& run, const Samples& training, const std::vector<spec::TaskPlan>& tasks);

// Steps initial_epoch * steps + 1 to that many more, as long as the epochs last. `tasks` are all of the run. Throws what trainingBatches()
// throws, and Error(kInvalidArgument) when the samples make no batch.
std::vector<ShardStep> previewShards(const spec::RunSpec& run, const Samples& training, const std::vector<spec::TaskPlan>& tasks,
                                     std::int64_t steps);

}  // namespace engine::data
