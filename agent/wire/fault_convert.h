// Faults that a user puts into a run between the wire (agent/proto/task_event.proto) and engine/chaos. Pure functions, safe from any
// thread.
#pragma once

#include "engine/chaos/fault.h"

namespace agent::proto {
class TaskFault;
}

namespace agent::convert {

proto::TaskFault toProto(const engine::chaos::Fault& fault);
// Throws Error(kInvalidArgument) for a kind that this program does not know, for a task of no known job and for numbers that
// engine::chaos::faultProblem() refuses.
engine::chaos::Fault fromProto(const proto::TaskFault& message);

}  // namespace agent::convert
