// One question to the engine on the agent's channel.
#pragma once

#include "agent/client/agent_channel.h"
#include "agent/client/watch.h"
#include "engine/spec/events/engine_question.h"

namespace agent::client {

// Asks as AgentClient::ask says.
engine::spec::EngineAnswer ask(AgentChannel& channel, const engine::spec::EngineQuestion& question, const AskOptions& options);

}  // namespace agent::client
