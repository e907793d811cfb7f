// The GPUs of a task: which it trains on, what it tells the others of them, and how its gradients meet theirs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend/cuda_backend.h"
#include "engine/distribute/collective.h"
#include "engine/spec/cluster/communication.h"
#include "engine/spec/cluster/task_plan.h"
#include "engine/spec/events/task_event.h"
#include "engine/spec/project/run_spec.h"

namespace agent::worker {

// Returns null, with the reason in `reason`, where there is no back-end: engine::backend::gpuBackend().
using FindGpus = std::function<engine::backend::GpuBackend*(std::string* reason)>;
using GpuLog = std::function<void(engine::spec::LogLevel level, const std::string& text)>;

// The collectives that a trainer sums with.
struct Summing {
    // A collective on top of the one that connected the tasks; null: that one alone.
    std::unique_ptr<engine::distribute::Collective> collective;
    // TrainerOptions::connect_devices, called on several threads at once; empty: the devices sum in the host's memory.
    std::function<std::unique_ptr<engine::distribute::Collective>(int device, engine::distribute::Collective& member)> connect_devices;
};

class TaskGpus {
public:
    // Loads the back-end where the project's devices are GPUs or left open. Throws Error(kUnavailable) for GPUs that are not there, naming
    // project's field and reason.
    TaskGpus(const engine::spec::StrategySpec& strategy, FindGpus find);

    // Returns the number of GPUs of the task: all that it sees. 0: it trains on the CPU.
    int count() const { return static_cast<int>(devices_.size()); }

    // Decides how executors are made from now on: with the project's options, and algorithms that another run has measured.
    void configure(const engine::spec::RunSpec& run) const;
    // Returns those algorithms, and the ones that were measured since. Empty without GPUs.
    std::map<std::string, std::string> algorithms() const;

    // Tells the other tasks and decides with them; `between` connects them, or is null for a task alone, and outlives the result. The
    // choice and its reason go to `log`. Every task calls it at the same point. Throws Error: kFailedPrecondition for NCCL that can't be,
    // kUnavailable when it was asked for and could not connect.
    Summing connect(const engine::spec::RunSpec& run, const engine::spec::TaskPlan& plan, const engine::spec::TfConfig& config,
                    engine::distribute::Collective* between, GpuLog log) const;

private:
    engine::spec::TaskGpus facts(const engine::spec::StrategySpec& strategy, const engine::spec::TaskPlan& plan) const;

    engine::backend::GpuBackend* backend_ = nullptr;
    std::vector<engine::backend::GpuDevice> devices_;  // empty: it trains on the CPU
    std::string no_gpu_reason_;
};

}  // namespace agent::worker
