#include "engine/spec/cluster/communication.h"

#include <map>
#include <utility>

#include "engine/spec/error.h"
#include "engine/spec/project/device_name.h"
#include "engine/spec/project/strategy_table.h"

namespace engine::spec {

std::string ncclObstacle(std::span<const TaskGpus> tasks) {
    for (const TaskGpus& one : tasks) {
        if (one.uuids.empty()) {
            return toString(one.task) + " has no GPU" + (one.no_gpu_reason.empty() ? "" : ": " + one.no_gpu_reason);
        }
    }
    for (const TaskGpus& one : tasks) {
        if (one.nccl_version.empty()) {
            return toString(one.task) + " has no NCCL" + (one.no_nccl_reason.empty() ? "" : ": " + one.no_nccl_reason);
        }
    }
    std::map<std::pair<std::string, std::string>, const TaskGpus*> owners;
    for (const TaskGpus& one : tasks) {
        for (const std::string& uuid : one.uuids) {
            const auto [owner, is_new] = owners.emplace(std::pair(one.host, uuid), &one);
            if (!is_new) {
                return owner->second == &one ? toString(one.task) + " has several replicas on one GPU"
                                             : toString(owner->second->task) + " and " + toString(one.task) + " share a GPU";
            }
        }
    }
    for (const TaskGpus& one : tasks) {
        if (one.nccl_version != tasks.front().nccl_version) {
            return toString(tasks.front().task) + " has NCCL " + tasks.front().nccl_version + ", " + toString(one.task) + " " +
                   one.nccl_version;
        }
    }
    return "";
}

CommunicationChoice chooseCommunication(std::string_view asked, std::span<const TaskGpus> tasks) {
    if (asked == "RING" || asked == "MPI") {
        return {false, std::string(asked) + ", as asked for"};
    }
    const std::string obstacle = ncclObstacle(tasks);
    if (asked == "NCCL") {
        if (!obstacle.empty()) {
            throw Error(ErrorCode::kFailedPrecondition,
                        "strategy.communication: expected a GPU of its own and NCCL in every task for NCCL, but " + obstacle);
        }
        return {true, "NCCL " + tasks.front().nccl_version + ", as asked for"};
    }
    if (!obstacle.empty()) {
        return {false, "AUTO takes RING: " + obstacle};
    }
    return {true, "AUTO takes NCCL " + tasks.front().nccl_version + ": every task has a GPU of its own"};
}

bool sumsByMpi(const StrategySpec& strategy) {
    return strategyKind(strategy.name) == StrategyKind::kMultiWorkerMirrored && strategy.communication == "MPI";
}

Diagnostics errorsWithoutMpirun(const RunSpec& run) {
    if (!sumsByMpi(run.strategy) || run.cluster.spec.trainingTasks().size() < 2) {
        return {};
    }
    return {{Severity::kError, "strategy.communication", "expected AUTO, RING or NCCL where no mpirun starts the tasks, got MPI",
             "Start them by mpirun -np N tandem-worker --from-mpi PROJECT; tandem-cli export launch --kind mpirun writes a script."}};
}

std::vector<std::vector<int>> dealGpus(int gpus, int tasks) {
    std::vector<std::vector<int>> dealt(static_cast<std::size_t>(tasks));
    if (gpus <= 0) {
        return dealt;
    }
    const int each = gpus < tasks ? 1 : gpus / tasks;
    for (int task = 0; task < tasks; ++task) {
        for (int i = 0; i < each; ++i) {
            dealt[static_cast<std::size_t>(task)].push_back((task * each + i) % gpus);
        }
    }
    return dealt;
}

std::vector<TaskGpus> gpusOfTasks(const RunSpec& run, const GpuInventory& host) {
    const std::vector<TaskId> tasks = run.cluster.spec.trainingTasks();
    const std::string obstacle = gpuObstacle(host);
    const std::vector<Gpu> gpus = usable(host);
    const auto dealt = dealGpus(static_cast<int>(gpus.size()), static_cast<int>(tasks.size()));
    std::vector<TaskGpus> out;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        TaskGpus one;
        one.task = tasks[i];
        StrategySpec strategy = run.strategy;
        chooseDevices(strategy, static_cast<int>(dealt[i].size()));
        const bool asks = usesGpus(strategy);
        const int own = static_cast<int>(dealt[i].size());
        for (const DeviceName& device : devicesOf(strategy)) {
            if (asks && gpusNeeded(strategy) <= own) {
                one.uuids.push_back(gpus[static_cast<std::size_t>(dealt[i][static_cast<std::size_t>(physicalGpu(device, own))])].uuid);
            }
        }
        one.no_gpu_reason = !one.uuids.empty() ? "" : !obstacle.empty() ? obstacle : "the project's devices are CPUs";
        one.nccl_version = host.nccl_version;
        one.no_nccl_reason = host.no_nccl_reason;
        out.push_back(std::move(one));
    }
    return out;
}

}  // namespace engine::spec
