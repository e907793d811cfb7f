// What the agent answers, as the client's values.
#pragma once

#include "agent/client/agent_client.h"

namespace agent::proto {
class DoctorReply;
class HostInfo;
class HostLoad;
class RunInfo;
class SubmitRequest;
}  // namespace agent::proto

namespace agent::client {

// Throws Error(kInvalidArgument) for a state that this client does not know.
RunInfo fromMessage(const proto::RunInfo& message);
HostInfo fromMessage(const proto::HostInfo& message);
// Throws Error(kInvalidArgument) for a row's state that this client does not know.
engine::spec::DoctorReport fromMessage(const proto::DoctorReply& message);
engine::spec::HostLoad fromMessage(const proto::HostLoad& message);
proto::SubmitRequest toMessage(const SubmitRequest& request);

}  // namespace agent::client
