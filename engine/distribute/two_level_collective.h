// Sums between the devices of several workers, as MultiWorkerMirroredStrategy has them: the devices of a worker add up in their memory,
// one sum a worker goes between the workers, and each worker's devices copy the result.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/distribute/collective.h"
#include "engine/distribute/device_collective.h"

namespace engine::distribute {

struct TwoLevelOptions {
    // The memory that allocateRegion() gives to device 0: memory of `between` that was allocated already, where there is some.
    std::span<std::byte> region{};
    DeviceCollectiveOptions devices{};
};

// One member a device of this worker, in order, each for a thread of its own; `between` is the worker's member among the workers. It is
// called on the thread of device 0's member alone, must outlive the members, and is free for others while no operation is under way.
// Ranks count the devices of all workers, worker by worker. Each worker has as many devices.
// The order of a sum: ((x[0] + x[1]) + x[2]) + ... of each worker's devices, then that of `between` over the workers.
std::vector<std::unique_ptr<Collective>> makeTwoLevelCollectives(const std::vector<std::string>& devices, Collective& between,
                                                                 const TwoLevelOptions& options = {});

}  // namespace engine::distribute
