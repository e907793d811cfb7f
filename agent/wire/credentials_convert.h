// What a task of a run on several computers is given, between the wire (agent/proto/task_event.proto) and its values.
#pragma once

#include "agent/trust/run_credentials.h"

namespace agent::proto {
class TaskCredentials;
}

namespace agent::convert {

void toProto(const trust::RunCredentials& credentials, proto::TaskCredentials& message);
// Throws Error(kInvalidArgument) for a secret that is not 32 bytes. The certificates are checked where they are used.
trust::RunCredentials fromProto(const proto::TaskCredentials& message);

}  // namespace agent::convert
