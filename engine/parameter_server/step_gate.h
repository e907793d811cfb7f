// Counts the steps of all workers, and holds a worker back that would make another one's gradients too old.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <optional>

#include "engine/thread/mutex.h"

namespace engine::parameter_server {

// Stands on server 0. Thread-safe.
//
// With a bound of K, at most K steps of other workers are applied between the pull of a step and its own application. So a step begins when
// at most K others are under way, and when for each of those the steps that were under way as it began and those that have begun since are
// fewer than K. With K = 0 one step follows the other.
class StepGate {
public:
    // nullopt: nobody waits.
    explicit StepGate(std::optional<std::int64_t> max_staleness) : bound_(max_staleness) {}

    // Waits until the worker may pull; false when it may not by then. A worker that has a step under way begins it anew.
    bool begin(int worker, std::chrono::steady_clock::time_point deadline);
    // The step was applied, or given up.
    void end(int worker);

private:
    bool mayBegin() const TANDEM_REQUIRES(mutex_);

    const std::optional<std::int64_t> bound_;
    Mutex mutex_;
    std::condition_variable_any changed_;
    // By worker, for its step under way: how many steps of others may be applied between its pull and its own application.
    std::map<int, std::int64_t> under_way_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace engine::parameter_server
