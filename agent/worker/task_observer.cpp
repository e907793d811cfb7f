#include "agent/worker/task_observer.h"

#include <utility>

#include "engine/thread/mutex.h"

namespace agent::worker {

namespace spec = engine::spec;

TaskObserver::TaskObserver(spec::TaskId task, EventSink& sink, std::function<bool()> stop_requested, SharedEvents shared,
                           std::function<void(const spec::EventBody&)> first)
    : task_(std::move(task)), sink_(sink), stop_requested_(std::move(stop_requested)), shared_(shared), first_(std::move(first)) {}

void TaskObserver::report(spec::EventBody body) {
    const bool of_all = std::holds_alternative<spec::RunStarted>(body) || std::holds_alternative<spec::EpochEnd>(body) ||
                        std::holds_alternative<spec::ControlApplied>(body);
    if (of_all && shared_ == SharedEvents::kLeaveToTheChief) {
        return;
    }
    if (const auto* points = std::get_if<spec::StepPoints>(&body); points != nullptr && !points->step.empty()) {
        step_.store(points->step.back(), std::memory_order_relaxed);
    }
    if (first_) {
        first_(body);
    }
    sink_.send(eventOf(std::move(body)));
}

void TaskObserver::reportAlive(const spec::Heartbeat& heartbeat, const LiveState& live) {
    if (!live.exchange && !live.host) {
        return report(heartbeat);
    }
    if (first_) {
        first_(heartbeat);
    }
    sink_.sendLive(eventOf(heartbeat), live);
}

spec::TaskEvent TaskObserver::eventOf(spec::EventBody body) const {
    spec::TaskEvent event;
    event.time_unix_ns = std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
    event.task = task_;
    event.body = std::move(body);
    if (const std::int64_t skew = skewNs(); skew != 0) {
        event.time_unix_ns += skew;
        if (auto* points = std::get_if<spec::StepPoints>(&event.body)) {
            for (std::int64_t& time : points->time_unix_ns) time += skew;
        }
    }
    return event;
}

void TaskObserver::skewClock(std::chrono::nanoseconds by, std::chrono::nanoseconds lasting) {
    skewed_until_ns_ = (std::chrono::steady_clock::now().time_since_epoch() + lasting).count();
    skew_ns_ = by.count();
}

std::int64_t TaskObserver::skewNs() const {
    const std::int64_t skew = skew_ns_.load(std::memory_order_relaxed);
    return skew == 0 || std::chrono::steady_clock::now().time_since_epoch().count() >= skewed_until_ns_ ? 0 : skew;
}

bool TaskObserver::confirmKept() {
    constexpr std::chrono::seconds kPatience{5};  // with an agent that hangs, or a disk that takes long
    return sink_.confirmKept(kPatience);
}

std::optional<spec::Control> TaskObserver::requestedStop() {
    if (stop_requested_ && stop_requested_() && !stop_taken_.exchange(true)) {
        return spec::Control{spec::ControlVerb::kStop, 0};
    }
    return std::nullopt;
}

std::optional<spec::Control> TaskObserver::takeControl(std::chrono::milliseconds wait) {
    if (auto stop = requestedStop()) {
        return stop;
    }
    if (wait.count() == 0 && !waiting_.load(std::memory_order_acquire)) {
        return std::nullopt;
    }
    engine::MutexLock lock(mutex_);
    posted_.wait_for(lock, wait, [&]() TANDEM_REQUIRES(mutex_) { return !controls_.empty(); });
    if (controls_.empty()) {
        return std::nullopt;
    }
    const spec::Control control = controls_.front();
    controls_.pop_front();
    waiting_.store(!controls_.empty(), std::memory_order_release);
    return control;
}

void TaskObserver::post(const spec::Control& control) {
    {
        const engine::MutexLock lock(mutex_);
        controls_.push_back(control);
        waiting_.store(true, std::memory_order_release);
    }
    posted_.notify_all();
}

}  // namespace agent::worker
