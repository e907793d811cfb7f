// The task that srun gave a process: what Slurm's variables say of the step and of the process's rank in it.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/cluster/ranked_task.h"

namespace engine::spec {

// `variables` are NAME=VALUE of the environment, `first_port` that of each host's first task, the next ones count up; 0: 8888, as
// TensorFlow has it. Rank 0 is on the step's first host, as srun deals ranks in blocks. Throws Error(kInvalidArgument) that names the
// variable: a process that srun did not start, a list of hosts that can't be read, a rank that lies on another host than the variables say.
// Its cores are those of SLURM_CPUS_PER_TASK, which is there where a job asked for a number, else its share of SLURM_CPUS_ON_NODE.
RankedTask slurmTask(const std::vector<std::string>& variables, int first_port);

}  // namespace engine::spec
