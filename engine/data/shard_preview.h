// Which sample goes to which task in the first steps of a run, from the batches that the tasks themselves draw.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/project/run_spec.h"

namespace engine::data {

struct ShardStep {
    std::int64_t step = 0;                             // from 1, over the whole run
    std::int64_t epoch = 0;                            // from 0
    std::vector<std::vector<std::uint32_t>> elements;  // positions in the training set, one list a task
    std::vector<std::vector<std::uint32_t>> parts{};   // one list a task: how many each of its devices has. Empty with one device
    friend bool operator==(const ShardStep&, const ShardStep&) = default;
};

// Steps of an epoch: fit.steps_per_epoch, or as many as the task with the most batches has. Throws as previewShards().
std::int64_t epochSteps(const spec::RunSpec& run, const Samples& training, const std::vector<spec::TaskPlan>& tasks);

// Steps initial_epoch * steps + 1 to that many more, as long as the epochs last. `tasks` are all of the run. Throws what trainingBatches()
// throws, and Error(kInvalidArgument) when the samples make no batch.
std::vector<ShardStep> previewShards(const spec::RunSpec& run, const Samples& training, const std::vector<spec::TaskPlan>& tasks,
                                     std::int64_t steps);

// "step 1 epoch 0 worker 0: 17 4 23": what a task logs with data.log_shards, and a line of the preview. With `parts` of several devices a
// bar between them: "17 4 | 23".
std::string shardLine(std::int64_t step, std::int64_t epoch, const spec::TaskId& task, std::span<const std::uint32_t> elements,
                      std::span<const std::uint32_t> parts = {});

}  // namespace engine::data
