// What the agent answers, as the client's values.
#pragma once

#include "agent/client/agent_client.h"

namespace agent::proto {
class HostInfo;
class RunInfo;
class SubmitRequest;
}  // namespace agent::proto

namespace agent::client {

// Throws Error(kInvalidArgument) for a state that this client does not know.
RunInfo fromMessage(const proto::RunInfo& message);
HostInfo fromMessage(const proto::HostInfo& message);
proto::SubmitRequest toMessage(const SubmitRequest& request);

}  // namespace agent::client
