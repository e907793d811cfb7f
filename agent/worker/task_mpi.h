// MPI of a task whose sums it carries (strategy.communication).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "engine/distribute/collective.h"
#include "engine/distribute/mpi/mpi_functions.h"
#include "engine/spec/project/run_spec.h"

namespace agent::worker {

// Opens the module; empty in a task that no mpirun started.
using FindMpi = std::function<const engine::distribute::mpi::Functions&()>;

class TaskMpi {
public:
    // For a project that asks for it, by `ranks` processes of one mpirun. Throws Error: kInvalidArgument where this can't be MPI's task,
    // kUnavailable without the module.
    void find(engine::spec::RunSpec run, const engine::spec::ClusterSpec& cluster, std::size_t ranks, const FindMpi& find_mpi);

    // Above `links`, which tell who is lost; null where there are none, or where find() was not called.
    std::unique_ptr<engine::distribute::Collective> join(engine::distribute::Collective* links, double start_timeout_s,
                                                         std::function<bool()> is_cancelled) const;

private:
    const engine::distribute::mpi::Functions* functions_ = nullptr;
};

}  // namespace agent::worker
