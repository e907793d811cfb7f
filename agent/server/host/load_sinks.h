// Where readings go that this agent does not make itself, and tasks that it measures though it did not start them: to the host sampler, for
// all who watch this computer.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "agent/load/live_task.h"
#include "engine/spec/events/host_load.h"

namespace agent::server {

// Takes what other computers used, in order of time for each of them. Called from any thread.
using LoadSink = std::function<void(std::vector<engine::spec::HostLoad> loads)>;
// Takes the tasks of a run that run on this computer now, in place of those of before. Called from any thread.
using FollowedTasks = std::function<void(const std::string& run_id, std::vector<load::LiveTask> tasks)>;

// Either may be empty: nobody wants it.
struct LoadSinks {
    LoadSink elsewhere{};
    FollowedTasks here{};
};

}  // namespace agent::server
