#include "agent/worker/task_mpi.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "engine/distribute/mpi/mpi_collective.h"
#include "engine/spec/cluster/communication.h"
#include "engine/spec/error.h"

namespace agent::worker {

namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;

void TaskMpi::find(spec::RunSpec run, const spec::ClusterSpec& cluster, std::size_t ranks, const FindMpi& find_mpi) {
    run.cluster.spec = cluster;
    if (const spec::Diagnostics errors = spec::errorsWithoutMpirun(run); !find_mpi && !errors.empty()) {
        throw Error(ErrorCode::kInvalidArgument, errors.front().path + ": " + errors.front().message + " [" + errors.front().fix + "]");
    }
    // MPI begins when every process that mpirun started does.
    const std::size_t trainers = cluster.trainingTasks().size();
    if (ranks != trainers) {
        throw Error(ErrorCode::kInvalidArgument, "strategy.communication: expected ranks that all train for MPI, got " +
                                                     std::to_string(ranks) + " ranks for " + std::to_string(trainers) +
                                                     " training tasks; use AUTO, or leave the other tasks out of the cluster");
    }
    functions_ = &find_mpi();
}

std::unique_ptr<engine::distribute::Collective> TaskMpi::join(engine::distribute::Collective* links, double start_timeout_s,
                                                              std::function<bool()> is_cancelled) const {
    if (links == nullptr || functions_ == nullptr) return nullptr;
    engine::distribute::mpi::MpiOptions options;
    options.join_deadline = std::chrono::milliseconds(static_cast<std::int64_t>(start_timeout_s * 1000));
    options.is_cancelled = std::move(is_cancelled);
    return engine::distribute::mpi::joinMembers(*links, *functions_, options);
}

}  // namespace agent::worker
