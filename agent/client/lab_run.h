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

// What is told on the way. Each may be empty; all but is_cancelled come from the thread that called runLab().
struct LabListener {
    std::function<void(std::size_t row)> begun{};
    std::function<void(std::size_t row, std::int64_t steps)> stepped{};  // done of settings.steps, a few times a second
    std::function<void(std::size_t row, const engine::lab::LabResult& result)> ended{};
    std::function<bool()> is_cancelled{};  // asked a few times a second
};

// One row after the other, in the order of `settings.rows`; the first must be the reference. Without it nothing else is trained: then
// every other row could not run. Blocks until all are over. Throws Error: kUnavailable when the agent is lost, kCancelled after the run in
// progress was stopped.
std::vector<engine::lab::LabResult> runLab(AgentClient& client, const LabOrder& order, const LabListener& listener);

}  // namespace agent::client
