// The trainer's observer in a task: events out with time and name, controls in from agent and signals.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>

#include "agent/worker/sinks/event_sink.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/thread/mutex.h"
#include "engine/train/observer.h"

namespace agent::worker {

enum class SharedEvents { kReport, kLeaveToTheChief };

// Owned by the task runner, outlives the trainer. Every function from any thread.
class TaskObserver final : public engine::train::TrainingObserver {
public:
    // `sink` must outlive it. `stop_requested` is asked in every step: a signal handler's flag. `shared`: what becomes of events that say
    // the same on every replica (RunStarted, EpochEnd, ControlApplied). `first`: sees every event before the sink does, on the thread that
    // reports it.
    TaskObserver(engine::spec::TaskId task, EventSink& sink, std::function<bool()> stop_requested,
                 SharedEvents shared = SharedEvents::kReport, std::function<void(const engine::spec::EventBody&)> first = {});

    void report(engine::spec::EventBody body) override;
    // A heartbeat with what goes along with it.
    void reportAlive(const engine::spec::Heartbeat& heartbeat, const LiveState& live);
    // A requested stop comes once, before everything that waits in the queue.
    std::optional<engine::spec::Control> takeControl(std::chrono::milliseconds wait) override;
    bool confirmKept() override;

    void post(const engine::spec::Control& control);
    // Puts the times of what is told `by` ahead of this computer's clock, for `lasting`.
    void skewClock(std::chrono::nanoseconds by, std::chrono::nanoseconds lasting);
    // Returns the step of the last reported points.
    std::int64_t step() const { return step_.load(std::memory_order_relaxed); }

private:
    engine::spec::TaskEvent eventOf(engine::spec::EventBody body) const;
    std::int64_t skewNs() const;
    std::optional<engine::spec::Control> requestedStop();

    const engine::spec::TaskId task_;
    EventSink& sink_;
    const std::function<bool()> stop_requested_;
    const SharedEvents shared_;
    const std::function<void(const engine::spec::EventBody&)> first_;
    std::atomic<std::int64_t> step_{0};
    std::atomic<std::int64_t> skew_ns_{0}, skewed_until_ns_{0};  // of the steady clock
    std::atomic<bool> waiting_{false};                           // controls_ holds something
    std::atomic<bool> stop_taken_{false};
    engine::Mutex mutex_;
    std::condition_variable_any posted_;
    std::deque<engine::spec::Control> controls_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace agent::worker
