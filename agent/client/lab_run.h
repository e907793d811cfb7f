// The equivalence lab at work: every row's project is trained by the agent, as any run is, and the weights of each are held against those
// of the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "agent/client/agent_client.h"
#include "engine/lab/lab_result.h"

namespace agent::client {

struct LabOrder {
    engine::spec::RunSpec project;  // its files absolute: resolveFiles()
    engine::lab::LabSettings settings;
    std::string data_dir{};  // dataFolder() for an agent of this computer
};

// The functions that hear how the lab goes on. Each may be empty; all but is_cancelled are called on the thread that called runLab().
struct LabListener {
    std::function<void(std::size_t row)> begun{};
    std::function<void(std::size_t row, std::int64_t steps)> stepped{};  // done of settings.steps, a few times a second
    std::function<void(std::size_t row, const engine::lab::LabResult& result)> ended{};
    std::function<bool()> is_cancelled{};  // asked a few times a second
};

// Trains one row after the other, in the order of `settings.rows`; the first row must be the reference. When the reference has no result,
// nothing else is trained, and every other row counts as one that could not run. Blocks until all are over. Throws Error: kUnavailable when
// the agent is lost, kCancelled after the run in progress was stopped.
std::vector<engine::lab::LabResult> runLab(AgentClient& client, const LabOrder& order, const LabListener& listener);

}  // namespace agent::client
