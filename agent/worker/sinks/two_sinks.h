// A task's events in two places: on the terminal and in the run's folder.
#pragma once

#include <memory>
#include <utility>

#include "agent/worker/sinks/event_sink.h"

namespace agent::worker {

// Safe from any thread, as both are.
class TwoSinks final : public EventSink {
public:
    TwoSinks(std::unique_ptr<EventSink> shown, std::unique_ptr<EventSink> kept) : shown_(std::move(shown)), kept_(std::move(kept)) {}

    void send(const engine::spec::TaskEvent& event) override {
        kept_->send(event);
        shown_->send(event);
    }
    void sendLive(const engine::spec::TaskEvent& heartbeat, const LiveState& live) override {
        kept_->sendLive(heartbeat, live);
        shown_->sendLive(heartbeat, live);
    }
    bool confirmKept(std::chrono::milliseconds deadline) override { return kept_->confirmKept(deadline) && shown_->confirmKept(deadline); }

private:
    const std::unique_ptr<EventSink> shown_, kept_;
};

}  // namespace agent::worker
