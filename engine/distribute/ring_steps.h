// The movement of bytes round a ring: every collective operation is a list of steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/distribute/transport.h"
#include "engine/distribute/waiter.h"
#include "engine/spec/error.h"

namespace engine::distribute {

// How far sending may be before receiving within a step. Enough for a small model's gradients to be on their way while both ends compute;
// more would only lie in the sockets until the caches have lost it.
inline constexpr std::size_t kLeadBytes = 1536 * 1024;

// One turn: give `send` to the right neighbour and take `receive` from the left one. From the second step on, `send` is the memory that the
// step before received into (or empty), and each piece goes on as soon as it has arrived.
struct RingStep {
    std::span<const std::byte> send;
    std::span<std::byte> receive;
    // kAddSent: added to what `send` gives away, each float after it was sent.
    enum class Arrival { kCopy, kAddFloats, kAddSent } arrival = Arrival::kCopy;
};

// Adds a stream of bytes to floats; the pieces may end within a float.
class FloatAdder {
public:
    void restart(std::span<std::byte> own);
    void feed(std::span<const std::byte> piece);

private:
    float* own_ = nullptr;
    std::byte carry_[sizeof(float)]{};
    std::size_t carried_ = 0;
};

// One run of a list of steps, which moves only when it is told to. Positions are (step, bytes within it); the sender's follows the
// receiver's by one step. `operation` numbers the operations of a run.
class RingRun {
public:
    // `steps` and their memory outlive it.
    RingRun(Transport& transport, std::span<const RingStep> steps, std::uint64_t operation);

    // Takes what has come and sends what it can; false: nothing moved. Never waits, and does not poll the transport. Throws
    // Error(kFailedPrecondition) when the left neighbour is at another operation.
    bool advance();
    // Everything was received and all that was sent has left this process.
    bool done() const { return !receiving() && !sending() && transport_.drained(right_); }
    // The one whose turn it is.
    int awaited() const { return receiving() ? left_ : right_; }
    // Returns when it is done. Throws as advance and Waiter::idle do.
    void finish(Waiter& waiter);

private:
    bool receiving() const { return receive_step_ < steps_.size(); }
    bool sending() const { return send_step_ < steps_.size(); }
    bool tryReceive();
    bool trySend();
    // Sixteen bits tell the steps of a ring of 32,768 members apart.
    std::uint64_t tag(std::size_t step) const { return operation_ << 16 | (step & 0xffff); }
    void startReceiving();
    void skipSent();
    engine::Error unexpected(const Message& message) const;

    Transport& transport_;
    const std::span<const RingStep> steps_;
    const std::uint64_t operation_;
    const int left_;
    const int right_;
    const std::size_t chunk_bytes_;
    std::size_t receive_step_ = 0;
    std::size_t received_ = 0;
    std::size_t send_step_ = 0;
    std::size_t sent_ = 0;
    FloatAdder adder_;
};

// The following replace what `steps` holds; its memory is used again, so that operations take none.

// Reduce-scatter, then all-gather: 2 (n-1) steps, each member sends 2 (n-1)/n of the bytes. segmentOf tells the division and the order of
// sums. Two members exchange everything instead, up to a size: as many bytes, one hop, and the same sums.
void allReduceSteps(std::span<float> data, int rank, int n, std::vector<RingStep>& steps);
// `all` holds n blocks; block `rank` is ours and already there. n-1 steps.
void allGatherSteps(std::span<std::byte> all, std::size_t block_bytes, int rank, int n, std::vector<RingStep>& steps);
void broadcastSteps(std::span<std::byte> data, int root, int rank, int n, std::vector<RingStep>& steps);

}  // namespace engine::distribute
