// The rank that an mpirun, or srun in its place, has given a process, by the variables of its environment.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/spec/cluster/ranked_task.h"

namespace engine::spec {

struct MpiRank {
    std::size_t rank = 0, size = 1;
    std::string job{};  // what tells one mpirun from another; empty where the launcher says nothing
    friend bool operator==(const MpiRank&, const MpiRank&) = default;
};

// `variables` are NAME=VALUE of the environment: OMPI_COMM_WORLD_RANK and _SIZE of Open MPI, PMI_RANK and PMI_SIZE of MPICH, Intel MPI and
// others with PMI, PMIX_RANK and SLURM_STEP_NUM_TASKS of srun --mpi=pmix. Throws Error(kInvalidArgument) that names the variable: a process
// that no mpirun started, a rank that is none.
MpiRank mpiRank(const std::vector<std::string>& variables);

// `hosts` are those of all ranks in their order. A host's first task listens on `first_port`, the next ones count up; 0: 8888. All on one
// host are at localhost. Throws Error(kInvalidArgument) where the ports of a host would go beyond 65535.
RankedTask mpiTask(const std::vector<std::string>& hosts, std::size_t rank, int first_port);

}  // namespace engine::spec
