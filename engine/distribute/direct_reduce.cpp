#include "engine/distribute/direct_reduce.h"

#include <atomic>

#include "engine/distribute/segments.h"
#include "engine/distribute/sum.h"
#include "engine/spec/error.h"

namespace engine::distribute {
namespace {

// Two cache lines: processors fetch them in pairs.
struct alignas(128) SumPost {
    std::atomic<std::uint64_t> sequence;
    std::uint64_t offset;  // bytes after the head
    std::uint64_t floats;
};

struct Head {
    alignas(128) std::atomic<std::uint64_t> reduced;
    SumPost posts[DirectReduce::kPosts];
};
static_assert(sizeof(Head) == DirectReduce::kHeadBytes);

Head& headOf(std::span<std::byte> region) {
    return *reinterpret_cast<Head*>(region.data());
}

}  // namespace

DirectReduce::DirectReduce(int rank, std::vector<std::span<std::byte>> regions, PeerHealth& health)
    : rank_(rank), regions_(std::move(regions)), health_(health), reduced_by_(regions_.size()), parts_(regions_.size()) {
    for (const auto& region : regions_) ENGINE_CHECK(region.size() >= kHeadBytes);
}

bool DirectReduce::contains(std::span<const float> data) const {
    const std::span<const std::byte> bytes = std::as_bytes(data);
    const std::span<std::byte> own = regions_[static_cast<std::size_t>(rank_)].subspan(kHeadBytes);
    return bytes.data() >= own.data() && bytes.data() + bytes.size() <= own.data() + own.size();
}

std::uint64_t DirectReduce::start(std::span<float> data, Waiter& waiter) {
    const std::uint64_t sequence = posted_ + 1;
    if (sequence > kPosts) wait(sequence - kPosts, waiter);  // the post that is written over must have been read by all
    const std::span<std::byte> own = regions_[static_cast<std::size_t>(rank_)];
    SumPost& post = headOf(own).posts[sequence % kPosts];
    post.offset = static_cast<std::uint64_t>(reinterpret_cast<std::byte*>(data.data()) - (own.data() + kHeadBytes));
    post.floats = data.size();
    post.sequence.store(sequence, std::memory_order_release);
    posted_ = sequence;
    tryReduceNext();
    return sequence;
}

void DirectReduce::wait(std::uint64_t ticket, Waiter& waiter) {
    while (reduced_ < ticket || !allReduced(ticket)) {
        if (tryReduceNext()) {
            waiter.moved();
        } else {
            waiter.idle(late_);
        }
    }
}

bool DirectReduce::tryReduceNext() {
    if (reduced_ == posted_) return false;
    const std::uint64_t next = reduced_ + 1;
    for (std::size_t rank = 0; rank < regions_.size(); ++rank) {
        if (headOf(regions_[rank]).posts[next % kPosts].sequence.load(std::memory_order_acquire) != next) {
            late_ = static_cast<int>(rank);
            return false;
        }
    }
    reduce(next);
    reduced_ = next;
    headOf(regions_[static_cast<std::size_t>(rank_)]).reduced.store(next, std::memory_order_release);
    return true;
}

void DirectReduce::reduce(std::uint64_t sequence) {
    const int n = static_cast<int>(regions_.size());
    const std::uint64_t floats = headOf(regions_[static_cast<std::size_t>(rank_)]).posts[sequence % kPosts].floats;
    const Segment segment = segmentOf(floats, n, rank_);
    for (int k = 0; k < n; ++k) {
        const int rank = (rank_ + 1 + k) % n;
        const std::span<std::byte> region = regions_[static_cast<std::size_t>(rank)];
        const SumPost& post = headOf(region).posts[sequence % kPosts];
        const std::uint64_t room = region.size() - kHeadBytes;
        if (post.floats != floats || post.offset > room || post.floats * sizeof(float) > room - post.offset) {
            throw Error(ErrorCode::kFailedPrecondition, "all-reduce: expected " + std::to_string(floats) +
                                                            " floats from every member, got " + std::to_string(post.floats) + " from " +
                                                            toString(health_.name(rank)));
        }
        parts_[static_cast<std::size_t>(k)] = reinterpret_cast<float*>(region.data() + kHeadBytes + post.offset) + segment.begin;
    }
    if (segment.count > 0) sumToAll(parts_, segment.count);
}

bool DirectReduce::allReduced(std::uint64_t sequence) {
    for (std::size_t rank = 0; rank < regions_.size(); ++rank) {
        if (reduced_by_[rank] >= sequence) continue;
        reduced_by_[rank] = headOf(regions_[rank]).reduced.load(std::memory_order_acquire);
        if (reduced_by_[rank] < sequence) {
            late_ = static_cast<int>(rank);
            return false;
        }
    }
    return true;
}

}  // namespace engine::distribute
