// The task that srun gave a process, in place of TF_CONFIG: what Slurm's variables say of the step and of the process's rank in it.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/project/cluster_spec.h"

namespace engine::spec {

struct SlurmTask {
    std::vector<std::string> variables{};  // NAME=VALUE of the environment; empty: nobody asked for Slurm
    int first_port = 0;                    // of each host's first task, the next ones count up; 0: 8888, as TensorFlow has it
    friend bool operator==(const SlurmTask&, const SlurmTask&) = default;
};

// The TF_CONFIG that says the same: rank 0 on the step's first host, as srun deals ranks in blocks. Where the project's own cluster has as
// many tasks as the step, ranks take its jobs in their order, else all are workers. Throws Error(kInvalidArgument) that names the variable:
// a process that srun did not start, a list of hosts that can't be read, a rank that lies on another host than the variables say, a
// project of parameter servers whose cluster has another number of tasks.
std::string tfConfigOf(const SlurmTask& slurm, const ClusterSpec& projects);

}  // namespace engine::spec
