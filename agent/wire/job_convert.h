// Jobs of a scheduler between the wire (agent/proto/agent.proto) and engine/launch/launch_job.h. Pure functions, safe from any thread.
#pragma once

#include "engine/launch/launch_job.h"

namespace agent::proto {
class LaunchJob;
}

namespace agent::convert {

// Writes the part of a job that a scheduler needs: name, numbers, times, settings, folders.
void toProto(const engine::launch::LaunchJob& job, proto::LaunchJob& message);
// Throws Error(kInvalidArgument) for texts that are too long, and for more settings than a project has use for.
engine::launch::LaunchJob fromProto(const proto::LaunchJob& message);

}  // namespace agent::convert
