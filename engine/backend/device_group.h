// The replicas of one task, a logical device and a thread each, as one executor.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/backend/executor.h"

namespace engine::backend {

using MakeExecutor = std::function<std::unique_ptr<Executor>(const plan::Plan&, Variables&, const ExecutorOptions&)>;

struct DeviceGroupOptions {
    std::vector<std::string> devices;  // "CPU:0", one a plan
    int threads = 1;                   // of the task: shared by the devices, each has one at least
    // The task's member among the tasks that train together; null when there are no others. Must outlive the group. `region` is what it
    // allocated, of plan.shared_bytes at least. Called on the caller's thread alone.
    distribute::Collective* between = nullptr;
    std::span<std::byte> region{};
    // What a device's executor sums with: a collective on top of the group's `member`, which lives longer; null: the member itself. Called
    // for all devices at once, each on a thread of its own, before their executors are made.
    std::function<std::unique_ptr<distribute::Collective>(int device, distribute::Collective& member)> connect{};
    // The program's own loss, for plans with kCustomLoss; called on every device at once.
    std::function<double(int device, const CustomLossCall&)> loss{};
};

// plans[d] is device d's (CompileTarget::device). Each device has an executor of its own with its own memory.
//   training   `variables` are device 0's; the others have copies, made by reloadVariables(). A step's batch is dealt out in order: in
//              its parts, or a plan's batch to each device, so that only the last ones get less or nothing (tf.distribute's rule for a
//              batch whose size is known); the result is that of the whole step.
//   otherwise  all devices read `variables`; a batch is dealt out evenly, results and outputs are those of the whole batch
// `variables` must outlive the group. An error of one device ends the group: every further call throws it again.
std::unique_ptr<Executor> makeDeviceGroup(const MakeExecutor& make_executor, const std::vector<plan::Plan>& plans, Variables& variables,
                                          const DeviceGroupOptions& options);

}  // namespace engine::backend
