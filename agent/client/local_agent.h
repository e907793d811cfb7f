// The agent of this computer: found by its lock and address file in the runs folder, started when there is none.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "agent/client/agent_channel.h"

namespace agent::client {

// A channel to an agent that answered. Throws Error(kUnavailable) with the reason when there is none by the deadline.
std::shared_ptr<AgentChannel> reachLocalAgent(const std::string& agent_program, std::chrono::milliseconds deadline);

// Where that agent listens, its token included; it has answered. Started where there is none, it outlives the login session that asks: as a
// service of the user's systemd, where that outlives the session, too. Throws as reachLocalAgent.
convert::AgentAddress locateLocalAgent(const std::string& agent_program, std::chrono::milliseconds deadline);

}  // namespace agent::client
