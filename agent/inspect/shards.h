// Which sample goes to which task: the preview of `tandem-cli shards`, made from the project's data by the engine's own sharder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "agent/worker/task_runner.h"

namespace agent::worker {

struct ShardsOptions {
    std::filesystem::path project;
    std::vector<std::string> settings;
    std::filesystem::path base;  // where relative files lie; empty: beside the project
    int workers = 0;             // on this computer, in place of the project's cluster; 0 = as the project says
    std::int64_t steps = 3;
    bool json = false;
    std::vector<std::filesystem::path> dataset_folders;
    std::filesystem::path download_folder;
};

// Advice on batch and learning rate, the steps of the pipeline with what an unusual order of them means, then a line
// "step 1 epoch 0 worker 0: 17 4 23" for each step and task: what the tasks log with data.log_shards. Or one JSON object: dataset,
// training_samples, policy, pipeline, pipeline_meaning, global_batch_size, steps_per_epoch, tasks, advice, reason, steps [{step, epoch,
// samples: a list a task; with several devices a task parts, a list a task too: how many samples each has}]. Returns the exit code.
int runShards(const ShardsOptions& options, const TaskSurroundings& surroundings);

}  // namespace agent::worker
