// The state of a task's exchange with the others of its run: written by the threads that exchange, read by one that tells it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace engine::distribute {

// Owned by the task; outlives the collective or the parameter client that writes it. A handful of atomics that no operation waits for: a
// writer stores and goes on, and looks at the clock only where it has to wait anyway. Its fields are read one by one, so that a reading may
// have the number of one operation and the bytes of the next.
class ExchangeProgress {
public:
    using Clock = std::chrono::steady_clock;

    struct Bucket {
        std::size_t offset_bytes = 0;  // into the region
        std::size_t bytes = 0;
    };
    // The buckets of a step, in the order of their offsets; `region` is where they lie, and only its address is used. Once, before the
    // first operation on them.
    void nameBuckets(const std::byte* region, std::vector<Bucket> buckets);
    // The number of them alone: of a writer that knows which bucket it exchanges.
    void setBucketCount(int count) { bucket_count_.store(count, std::memory_order_relaxed); }

    // Operation `sequence`, counted from 1 and alike on every member, begins, or is awaited again. `data` tells which bucket it is.
    void begin(std::uint64_t sequence, std::span<const std::byte> data);
    // A step of a worker with parameter servers begins, whose pull has so many bytes; then a push of it is awaited.
    void beginStep(std::uint64_t sequence, std::size_t bytes);
    void awaitBucket(int bucket, std::size_t bytes) { set(bucket, bytes); }
    // A server has applied so many updates.
    void applied(std::uint64_t updates) { sequence_.store(updates, std::memory_order_relaxed); }

    // Nothing has moved since `since`; it is the turn of member `peer`, or of nobody in particular (-1).
    void waitsFor(int peer, Clock::time_point since);
    // Something moved.
    void goesOn();
    // The computation stood still for that long because of the exchange.
    void addWait(Clock::duration time) {
        waited_ns_.fetch_add(std::chrono::duration_cast<std::chrono::nanoseconds>(time).count(), std::memory_order_relaxed);
    }

    struct Reading {
        std::uint64_t sequence = 0;  // of the operation that goes on or ended last; 0: there was none
        int bucket = -1, buckets = 0;
        std::size_t bytes = 0;
        bool waits = false;
        int awaited = -1;          // where it waits; a member's rank
        Clock::duration wait{};    // how long it has by now
        std::int64_t steps = 0;    // that have begun to exchange
        Clock::duration waited{};  // in all of them
    };
    // Any thread may call it.
    Reading read(Clock::time_point now) const;

private:
    void set(int bucket, std::size_t bytes) {
        bucket_.store(bucket, std::memory_order_relaxed);
        bytes_.store(bytes, std::memory_order_relaxed);
    }

    const std::byte* region_ = nullptr;  // constant once the first operation begins, as is the next
    std::vector<Bucket> buckets_;
    std::uint64_t last_first_bucket_ = 0;  // of whoever begins operations
    std::atomic<std::uint64_t> sequence_{0};
    std::atomic<int> bucket_{-1}, bucket_count_{0};
    std::atomic<std::size_t> bytes_{0};
    std::atomic<std::int64_t> waits_since_ns_{0};  // of the clock; 0: it does not wait
    std::atomic<int> awaited_{-1};
    std::atomic<std::int64_t> steps_{0};
    std::atomic<std::int64_t> waited_ns_{0};
};

// A wait from its construction to its end, of a call that waits by itself.
class ExchangeWait {
public:
    // `progress` outlives it; null: nobody asks.
    ExchangeWait(ExchangeProgress* progress, int peer);
    ~ExchangeWait();
    ExchangeWait(const ExchangeWait&) = delete;
    ExchangeWait& operator=(const ExchangeWait&) = delete;

private:
    ExchangeProgress* const progress_;
    ExchangeProgress::Clock::time_point since_{};
};

}  // namespace engine::distribute
