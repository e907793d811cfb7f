// The agent of this computer: found by its lock and address file in the runs folder, started when there is none.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "agent/client/agent_channel.h"

namespace agent::client {

// A channel to an agent that answered. Throws Error(kUnavailable) with the reason when there is none by the deadline.
std::shared_ptr<AgentChannel> reachLocalAgent(const std::string& agent_program, std::chrono::milliseconds deadline);

// Returns where the agent of this computer listens, its token included, once it has answered. Starts one where there is none; that agent
// outlives the login session that asks, as a service of the user's systemd where such a service outlives the session too. Throws as
// reachLocalAgent.
convert::AgentAddress locateLocalAgent(const std::string& agent_program, std::chrono::milliseconds deadline);

}  // namespace agent::client
