// Points of steps from the training thread to the reporter thread.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/backend/executor.h"
#include "engine/spec/catalog/object_schema.h"

namespace engine::train {

struct StepPoint {
    std::int64_t step = 0;
    std::int32_t epoch = 0;
    std::int64_t time_unix_ns = 0;
    float loss = 0;
    std::array<float, spec::kMaximumMetrics> metrics{};  // in the plan's order
    float learning_rate = 0;
    backend::StepTiming timing;
};

// Bounded ring for one writer and one reader; both ends lock-free but for the waits of a full ring.
class PointBuffer {
public:
    explicit PointBuffer(std::size_t capacity) : ring_(capacity) {}

    // Writer. False when the ring is full.
    bool tryPush(const StepPoint& point) {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        if (head - tail_.load(std::memory_order_acquire) == ring_.size()) {
            return false;
        }
        ring_[head % ring_.size()] = point;
        head_.store(head + 1, std::memory_order_release);
        return true;
    }
    // Writer. Blocks until the reader took something; returns at once when there is room.
    void waitForRoom() const {
        const std::size_t tail = tail_.load(std::memory_order_acquire);
        if (head_.load(std::memory_order_relaxed) - tail == ring_.size()) {
            tail_.wait(tail, std::memory_order_acquire);
        }
    }

    // Reader. Appends all points that are there.
    void popAll(std::vector<StepPoint>& into) {
        const std::size_t tail = tail_.load(std::memory_order_relaxed);
        const std::size_t head = head_.load(std::memory_order_acquire);
        for (std::size_t i = tail; i != head; ++i) {
            into.push_back(ring_[i % ring_.size()]);
        }
        if (head != tail) {
            tail_.store(head, std::memory_order_release);
            tail_.notify_one();
        }
    }

private:
    std::vector<StepPoint> ring_;
    alignas(64) std::atomic<std::size_t> head_{0};
    alignas(64) std::atomic<std::size_t> tail_{0};
};

}  // namespace engine::train
