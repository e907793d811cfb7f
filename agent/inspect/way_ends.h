// The two ends of a measured way between computers (engine/spec/events/host_way.h): one listens where a task of the run will, the other
// calls. Both prove to each other that they belong to the measurement, as tasks of a run do (agent/transport/connection_gate.h).
#pragma once

#include <functional>

#include "agent/transport/way_meter.h"
#include "engine/spec/events/host_way.h"

namespace agent::worker {

struct WaySurroundings {
    WayLimits limits{};
    std::chrono::milliseconds call_within{3000};  // until the other end is connected, and again until it has proven what it is
    std::function<bool()> is_cancelled{};         // asked some 20 times a second; empty: never
    std::function<void()> listens{};              // every port is open; from the thread that serves; may be empty
};

// Throws Error as openGate() and resolveTasks() do, and kInvalidArgument for credentials that can't be used. Takes until it is cancelled or
// the question's time is over.
engine::spec::ServedWays serveWays(const engine::spec::ServeWaysQuestion& asked, const WaySurroundings& surroundings);

// Throws Error(kCancelled), and as resolveTasks() does; what becomes of each call is in the answer.
engine::spec::CalledWays callWays(const engine::spec::CallWaysQuestion& asked, const WaySurroundings& surroundings);

}  // namespace agent::worker
