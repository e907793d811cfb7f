// The GPUs of a host between the wire (agent/proto/agent.proto) and engine/spec. Pure functions, safe from any thread.
#pragma once

#include "engine/spec/cluster/gpu.h"

namespace agent::proto {
class GpuInventory;
}  // namespace agent::proto

namespace agent::convert {

// Texts as in toProto() of task_event_convert.h.
void toProto(const engine::spec::GpuInventory& inventory, proto::GpuInventory& message);
engine::spec::GpuInventory fromProto(const proto::GpuInventory& message);

}  // namespace agent::convert
