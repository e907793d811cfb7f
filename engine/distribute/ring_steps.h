// The movement of bytes round a ring: every collective operation is a list of steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/distribute/transport.h"
#include "engine/distribute/waiter.h"

namespace engine::distribute {

// One turn: give `send` to the right neighbour and take `receive` from the left one. From the second step on, `send` is the memory that the
// step before received into (or empty), and each piece goes on as soon as it has arrived.
struct RingStep {
    std::span<const std::byte> send;
    std::span<std::byte> receive;
    // kAddSent: added to what `send` gives away, each float after it was sent.
    enum class Arrival { kCopy, kAddFloats, kAddSent } arrival = Arrival::kCopy;
};

// Returns when everything was received and all that was sent has left this process. `operation` numbers the operations of a run; a member
// that is at another one is noticed: Error(kFailedPrecondition).
void runRingSteps(Transport& transport, std::span<const RingStep> steps, std::uint64_t operation, Waiter& waiter);

// The following replace what `steps` holds; its memory is used again, so that operations take none.

// Reduce-scatter, then all-gather: 2 (n-1) steps, each member sends 2 (n-1)/n of the bytes. segmentOf tells the division and the order of
// sums. Two members exchange everything instead, up to a size: as many bytes, one hop, and the same sums.
void allReduceSteps(std::span<float> data, int rank, int n, std::vector<RingStep>& steps);
// `all` holds n blocks; block `rank` is ours and already there. n-1 steps.
void allGatherSteps(std::span<std::byte> all, std::size_t block_bytes, int rank, int n, std::vector<RingStep>& steps);
void broadcastSteps(std::span<std::byte> data, int root, int rank, int n, std::vector<RingStep>& steps);

}  // namespace engine::distribute
