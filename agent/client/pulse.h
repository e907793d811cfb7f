// Tells whether the agent lives and answers. It is asked once a second, beside every call and stream, whose silence alone says nothing.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <optional>
#include <thread>

#include "agent/client/agent_channel.h"
#include "agent/client/watch.h"
#include "engine/thread/mutex.h"

namespace agent::client {

struct PulseOptions {
    std::chrono::milliseconds interval{1000};  // from an answer to the next question, and between two words on a silence
    std::chrono::milliseconds silent_after{5000};
};

// The handler is called from a thread of its own.
class Pulse final : public Watch {
public:
    Pulse(std::shared_ptr<AgentChannel> channel, PulseHandler handler, PulseOptions options = {});
    ~Pulse() override;
    // Joins, unless called from the handler: then the thread ends right after it.
    void end() override;

private:
    using Clock = std::chrono::steady_clock;
    struct Question;

    void loop();
    std::unique_ptr<Question> ask();
    bool sleep(std::chrono::milliseconds duration);
    void tell(std::optional<std::chrono::milliseconds> silent_for);

    const std::shared_ptr<AgentChannel> channel_;
    const PulseHandler handler_;
    const PulseOptions options_;
    std::optional<Clock::time_point> told_at_;  // the thread's: the last word on the silence that goes on
    engine::Mutex mutex_;
    std::condition_variable_any ended_changed_;
    bool ended_ TANDEM_GUARDED_BY(mutex_) = false;
    std::thread thread_;  // last: begins with all of the above made
};

}  // namespace agent::client
