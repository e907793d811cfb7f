// Packs the points of all steps and hands them to the observer every 50 ms, from a thread of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "engine/thread/mutex.h"
#include "engine/train/observer.h"
#include "engine/train/point_buffer.h"

namespace engine::train {

struct StepReporterOptions {
    std::chrono::milliseconds interval{50};
    std::size_t capacity = 1U << 15U;  // points
    std::int32_t examples_per_step = 0;
    bool aggregated = true;                   // StepPoints::aggregated
    std::vector<std::string> metric_names{};  // of StepPoint::metrics; kMaximumMetrics at most
};

// Owned by the trainer. push() and flush() from the training thread. `observer` must outlive it.
class StepReporter {
public:
    StepReporter(TrainingObserver& observer, StepReporterOptions options);
    // Delivers what is left.
    ~StepReporter();
    StepReporter(const StepReporter&) = delete;
    StepReporter& operator=(const StepReporter&) = delete;

    // Blocks while the buffer is full (and reports that once in a while): no point is lost.
    void push(const StepPoint& point);
    // Returns when every point pushed before has been reported, in order with what the caller reports next.
    void flush();

private:
    void run(const std::stop_token& stop);
    void deliver();

    TrainingObserver& observer_;
    const StepReporterOptions options_;
    PointBuffer buffer_;
    std::chrono::steady_clock::time_point last_warning_{};  // training thread

    Mutex mutex_;
    std::condition_variable_any wake_;
    std::condition_variable_any flushed_;
    std::uint64_t flushes_wanted_ TANDEM_GUARDED_BY(mutex_) = 0;
    std::uint64_t flushes_done_ TANDEM_GUARDED_BY(mutex_) = 0;
    std::vector<StepPoint> points_;  // reporter thread
    std::jthread thread_;            // last: it uses the others
};

}  // namespace engine::train
