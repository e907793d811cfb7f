// The socket between a task and its agent: events out, controls in. Encoding: agent/convert/delimited.h.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "agent/worker/event_sink.h"
#include "engine/spec/task_event.h"

namespace agent::convert {
class DelimitedWriter;
}

namespace agent::worker {

// Owned by the worker's main; does not own the descriptor, a connected stream socket. A thread of its own reads.
class AgentPipe final : public EventSink {
public:
    struct Handlers {
        std::function<void(const engine::spec::Control&)> control;  // from the reading thread
        // The agent is gone, or takes nothing any more: once, from the reading thread or from one that sends.
        std::function<void()> ended;
    };
    AgentPipe(int descriptor, Handlers handlers);
    // No handler is called any more once this returns.
    ~AgentPipe() override;

    // Waits while the agent is slow or stopped: no event is lost. When the agent is gone, events are dropped: `ended` says so.
    void send(const engine::spec::TaskEvent& event) override;

private:
    void read(const std::stop_token& stop);
    void end();

    const int descriptor_;
    const Handlers handlers_;
    std::unique_ptr<convert::DelimitedWriter> writer_;
    std::atomic<bool> ended_{false};
    std::jthread reader_;  // last: it uses the others
};

}  // namespace agent::worker
