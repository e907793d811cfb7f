// A batch script by which Slurm trains a project: for sbatch, and for people, who change it to what their cluster needs.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/project/run_spec.h"

namespace engine::launch {

struct SlurmJob {
    std::string project;  // as tandem-worker takes it there: a path that every node sees, or the name of a starter project
    std::string name;     // of the job, and of the run's folder beside the place of sbatch
    int nodes = 2, tasks_per_node = 1;
    int cpus_per_task = 0;  // 0: as the cluster has it; the same of what follows, where it is empty
    int gpus_per_task = 0;
    int seeds = 1;       // above 1: an array of jobs, each with a seed and a folder of its own
    std::string memory;  // of a node, as --mem takes it: "4G"
    std::string time;    // as --time takes it: "30", "02:00:00", "1-12"
    std::string partition;
    std::vector<std::string> settings{};  // PATH=VALUE, as --set takes them
};

// Text that ends in a newline. The job goes on from its backup when it is queued again: by Slurm, after a node was lost, and by itself,
// when its time is over before the run is. Throws Error(kInvalidArgument) that names the option: a number below 1, a text that is no time,
// no memory, no partition, or a line break, which would end a directive.
std::string slurmScript(const SlurmJob& job, const spec::RunSpec& run);

}  // namespace engine::launch
