// Sums between the logical devices of one process: threads that see each other's gradients, so that nothing is sent. The cross-device
// operations of tf.distribute differ in who adds and who copies: engine/spec/cluster/reduce_route.h.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "engine/distribute/collective.h"

namespace engine::distribute {

// A member: broadcasts like a sum, without waiting.
class DeviceCollective : public Collective {
public:
    // Broadcasts without waiting: as with startReduceSum, `data` must not be touched until wait(ticket) returns.
    virtual std::uint64_t startBroadcast(std::span<std::byte> data, int root) = 0;
    // Does what can be done without waiting. True when wait(ticket) would return at once.
    virtual bool isDone(std::uint64_t ticket) = 0;
};

struct DeviceCollectiveOptions {
    // The deadline of each operation. A device whose collective is destroyed is noticed long before.
    std::chrono::milliseconds deadline = std::chrono::hours(1);
};

// One member a device, in order, each for a thread of its own; what they share lives as long as any of them. Operations take what they
// reduce where it lies: the memory must stay until the operation has ended on every member. A sum along a route is the same bytes at any
// time and for any number of threads; its order is
//   ring       for the segment of device s: ((x[s+1] + x[s+2]) + ...) + x[s], devices modulo n (engine/distribute/segments.h)
//   halves     (first half in order) + (second half in order); the first half of n devices has n / 2
//   sum on     ((x[0] + x[1]) + x[2]) + ...
// For a route "then between workers" they do the first part: the sum on its main device alone, a segment a device.
std::vector<std::unique_ptr<DeviceCollective>> makeDeviceCollectives(const std::vector<std::string>& devices,
                                                                     DeviceCollectiveOptions options = {});

}  // namespace engine::distribute
