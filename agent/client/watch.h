// What goes on beside a client's calls: streams of an agent that are followed on a thread of their own, and how a question is waited for.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/events/engine_question.h"
#include "engine/spec/events/host_load.h"
#include "engine/spec/events/task_event.h"

namespace agent::client {

struct AskOptions {
    std::chrono::milliseconds deadline{std::chrono::hours(24)};  // of the whole answer
    std::chrono::milliseconds longest_silence{0};                // between two signs of life of the worker; 0: the deadline alone counts
    std::string data_dir{};                                      // dataFolder() for an agent of this computer; empty: its own
    // Asked a few times a second, on a thread of the client: true ends the call and the worker. This and the next two may be empty.
    std::function<bool()> is_cancelled{};
    // Each line and each progress is handed over as it comes, on the thread that asks.
    std::function<void(const std::string& line)> note{};
    std::function<void(const engine::spec::EngineProgress& progress)> progress{};
};

// A running watch; ending it (or destroying it) joins the client's thread. No handler call after that.
class Watch {
public:
    virtual ~Watch() = default;
    virtual void end() = 0;
};

struct WatchHandler {
    // Called from a thread of the client, in order of sequence. Return false to end the watch.
    std::function<bool(std::vector<engine::spec::TaskEvent>)> events;
    // The subscriber was too slow: this many intermediate points were left out (never the newest).
    std::function<void(std::int64_t)> dropped;
    // The stream ended: nullopt when the run is over and everything was delivered, else why.
    std::function<void(std::optional<std::string> error)> finished;
};

struct HostHandler {
    // Called from a thread of the client, in order of time. Return false to end the watch.
    std::function<bool(std::vector<engine::spec::HostLoad>)> loads;
    // The stream ended: nullopt when the agent ended it, else why.
    std::function<void(std::optional<std::string> error)> finished;
};

struct PulseHandler {
    // The agent lives and has not answered for so long, 5 s or more; again every second while that goes on.
    std::function<void(std::chrono::milliseconds)> silent;
    // It answers again.
    std::function<void()> answers;
};

}  // namespace agent::client
