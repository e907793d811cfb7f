// How the tasks of a run add up their gradients: RING through the hosts' memory, NCCL from GPU to GPU, or MPI between the ranks of an
// mpirun. Every task decides by itself, from what all of them told, so all decide the same.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/cluster/gpu.h"
#include "engine/spec/diagnostic.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// What one task trains on.
struct TaskGpus {
    TaskId task;
    std::string host;                // GPUs of several hosts never are the same
    std::vector<std::string> uuids;  // of its GPUs, by replica; empty: it trains on the CPU
    std::string no_gpu_reason;       // why; empty when there are some
    std::string nccl_version;        // "2.28.3"; empty: there is none
    std::string no_nccl_reason;
    friend bool operator==(const TaskGpus&, const TaskGpus&) = default;
};

struct CommunicationChoice {
    bool nccl = false;
    std::string why;  // "AUTO takes NCCL 2.28.3: every task has a GPU of its own"
    friend bool operator==(const CommunicationChoice&, const CommunicationChoice&) = default;
};

// What stands against NCCL among these tasks: "worker 1 has no GPU: no NVIDIA driver", "worker 0 and worker 2 share a GPU". Empty: nothing.
std::string ncclObstacle(std::span<const TaskGpus> tasks);
// `asked` is strategy.communication, `tasks` those that train together in rank order. NCCL that can't be is an Error(kFailedPrecondition)
// that names task and reason.
CommunicationChoice chooseCommunication(std::string_view asked, std::span<const TaskGpus> tasks);

// True when several tasks are to sum through MPI.
bool sumsByMpi(const StrategySpec& strategy);
// An error where the run asks for MPI between its training tasks: for whoever starts them without an mpirun.
Diagnostics errorsWithoutMpirun(const RunSpec& run);

// The GPUs of a host, dealt to its `tasks` in order: each gets as many, one after the other; with fewer GPUs than tasks they take turns,
// and some share one. One list a task of indices below `gpus`; empty lists when there is no GPU.
std::vector<std::vector<int>> dealGpus(int gpus, int tasks);

// What the run's training tasks would have if all were on `host`, in rank order.
std::vector<TaskGpus> gpusOfTasks(const RunSpec& run, const GpuInventory& host);

}  // namespace engine::spec
