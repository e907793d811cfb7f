// All-reduce between members that see each other's gradients: each adds up its segment where it lies and writes the sum to everyone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/distribute/peer_health.h"
#include "engine/distribute/waiter.h"

namespace engine::distribute {

// The regions' first kHeadBytes belong to this class (zeroed at the start), the rest to the gradients. Two meetings an operation: all have
// posted, all have reduced. One thread. The work is done by whoever calls start or wait: it is a few loops over memory that the caller has
// in its cache, and a thread of its own would only take a core away.
//
// Head of a region, written by its owner alone:
//   0     u64 reduced: operations whose segment of ours is summed and delivered
//   128   kPosts posts of { u64 sequence, u64 offset, u64 floats }, 128 bytes each; operation k (from 1) uses post k % kPosts
class DirectReduce {
public:
    static constexpr std::size_t kPosts = 64;
    static constexpr std::size_t kHeadBytes = 128 + kPosts * 128;

    // regions[r] is rank r's region, head included; all outlive this object, as does `health`.
    DirectReduce(int rank, std::vector<std::span<std::byte>> regions, PeerHealth& health);

    bool contains(std::span<const float> data) const;
    // `data` lies in our region. `waiter` serves when too many operations are under way.
    std::uint64_t start(std::span<float> data, Waiter& waiter);
    // Throws Error(kFailedPrecondition) when a member reduces another number of floats.
    void wait(std::uint64_t ticket, Waiter& waiter);

private:
    // Sums our segment of the next operation. False when a member has not posted it yet; late_ then names it.
    bool tryReduceNext();
    void reduce(std::uint64_t sequence);
    bool allReduced(std::uint64_t sequence);

    const int rank_;
    const std::vector<std::span<std::byte>> regions_;
    PeerHealth& health_;
    std::uint64_t posted_ = 0;
    std::uint64_t reduced_ = 0;
    int late_ = 0;
    std::vector<std::uint64_t> reduced_by_;  // [rank], as last read
    std::vector<float*> parts_;              // in the order of the sum
};

}  // namespace engine::distribute
