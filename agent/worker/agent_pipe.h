// The socket between a task and its agent: events out, controls in. Encoding: agent/wire/delimited.h.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

#include "agent/local/secret.h"
#include "agent/trust/cluster_key.h"
#include "agent/worker/sinks/event_sink.h"
#include "engine/chaos/fault.h"
#include "engine/spec/events/task_event.h"
#include "engine/thread/mutex.h"

namespace agent::convert {
class DelimitedWriter;
}
namespace agent::proto {
class TaskEvent;
class TaskOrder;
}  // namespace agent::proto

namespace agent::worker {

// Owned by the worker's main; does not own the descriptor, a connected stream socket. A thread of its own reads.
class AgentPipe final : public EventSink {
public:
    struct Handlers {
        std::function<void(const engine::spec::Control&)> control;  // from the reading thread
        // Called once, on the reading thread or on one that sends, when the agent is gone or takes nothing any more.
        std::function<void()> ended;
        // Called once, on the reading thread, with the run's secret, and, where the run has several computers, with what shows this task to
        // those of others. May be empty.
        std::function<void(const convert::Secret&, const std::optional<trust::TaskCredentials>&)> secret{};
        std::function<void(const engine::chaos::Fault&)> fault{};  // as `control`; may be empty
    };
    AgentPipe(int descriptor, Handlers handlers);
    // No handler is called any more once this returns.
    ~AgentPipe() override;

    // Sends an event. Waits while the agent is slow or stopped: no event is lost. When the agent is gone, events are dropped, and `ended`
    // says so.
    void send(const engine::spec::TaskEvent& event) override;
    // The agent measures its computer itself: what the task says of it is left out.
    void sendLive(const engine::spec::TaskEvent& heartbeat, const LiveState& live) override;
    // Asks the agent for a receipt and waits for it.
    bool confirmKept(std::chrono::milliseconds deadline) override;

private:
    void read(const std::stop_token& stop);
    void write(const proto::TaskEvent& message);
    void obey(const proto::TaskOrder& order);
    void end();
    void takeSecret(const std::optional<convert::Secret>& secret, const std::optional<trust::TaskCredentials>& credentials);
    void takeReceipt(std::uint64_t number, bool kept);

    const int descriptor_;
    const Handlers handlers_;
    std::unique_ptr<convert::DelimitedWriter> writer_;
    std::atomic<bool> ended_{false};
    engine::Mutex receipts_mutex_;
    std::condition_variable_any receipt_came_;
    std::uint64_t receipts_wanted_ TANDEM_GUARDED_BY(receipts_mutex_) = 0;
    std::uint64_t newest_receipt_ TANDEM_GUARDED_BY(receipts_mutex_) = 0;
    bool newest_was_kept_ TANDEM_GUARDED_BY(receipts_mutex_) = false;
    bool has_secret_ = false;  // the reading thread's own
    std::jthread reader_;      // last: it uses the others
};

}  // namespace agent::worker
