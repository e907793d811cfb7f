#include "engine/distribute/exchange_progress.h"

#include <algorithm>
#include <utility>

namespace engine::distribute {

using std::chrono::nanoseconds;

void ExchangeProgress::nameBuckets(const std::byte* region, std::vector<Bucket> buckets) {
    region_ = region;
    buckets_ = std::move(buckets);
    setBucketCount(static_cast<int>(buckets_.size()));
}

void ExchangeProgress::begin(std::uint64_t sequence, std::span<const std::byte> data) {
    const auto found = std::find_if(buckets_.begin(), buckets_.end(), [&](const Bucket& bucket) {
        return data.data() == region_ + bucket.offset_bytes && data.size() == bucket.bytes;
    });
    const bool first = found != buckets_.end() && found == buckets_.begin();
    // An operation that is awaited after later ones have begun is no new step.
    if (first && sequence > last_first_bucket_) {
        last_first_bucket_ = sequence;
        steps_.fetch_add(1, std::memory_order_relaxed);
    }
    sequence_.store(sequence, std::memory_order_relaxed);
    set(found == buckets_.end() ? -1 : static_cast<int>(found - buckets_.begin()), data.size());
}

void ExchangeProgress::beginStep(std::uint64_t sequence, std::size_t bytes) {
    sequence_.store(sequence, std::memory_order_relaxed);
    steps_.fetch_add(1, std::memory_order_relaxed);
    set(-1, bytes);
}

void ExchangeProgress::waitsFor(int peer, Clock::time_point since) {
    awaited_.store(peer, std::memory_order_relaxed);
    waits_since_ns_.store(nanoseconds(since.time_since_epoch()).count(), std::memory_order_release);
}

void ExchangeProgress::goesOn() {
    waits_since_ns_.store(0, std::memory_order_release);
}

ExchangeProgress::Reading ExchangeProgress::read(Clock::time_point now) const {
    const std::int64_t since_ns = waits_since_ns_.load(std::memory_order_acquire);
    Reading reading{.sequence = sequence_.load(std::memory_order_relaxed),
                    .bucket = bucket_.load(std::memory_order_relaxed),
                    .buckets = bucket_count_.load(std::memory_order_relaxed),
                    .bytes = bytes_.load(std::memory_order_relaxed),
                    .waits = since_ns != 0,
                    .steps = steps_.load(std::memory_order_relaxed),
                    .waited = nanoseconds(waited_ns_.load(std::memory_order_relaxed))};
    if (reading.waits) {
        reading.awaited = awaited_.load(std::memory_order_relaxed);
        reading.wait = std::max<Clock::duration>(Clock::duration::zero(), now - Clock::time_point(nanoseconds(since_ns)));
    }
    return reading;
}

ExchangeWait::ExchangeWait(ExchangeProgress* progress, int peer) : progress_(progress) {
    if (progress_ == nullptr) return;
    since_ = ExchangeProgress::Clock::now();
    progress_->waitsFor(peer, since_);
}

ExchangeWait::~ExchangeWait() {
    if (progress_ == nullptr) return;
    progress_->goesOn();
    progress_->addWait(ExchangeProgress::Clock::now() - since_);
}

}  // namespace engine::distribute
