// What a file of events begins with.
#pragma once

#include "agent/proto/task_event.pb.h"
#include "engine/spec/project/run_spec.h"

namespace agent::worker {

// Says of which run in which cluster this process is a task. `is_independent`: it counts steps of its own, beside parameter servers.
proto::TaskStart taskStart(engine::spec::RunSpec run, const engine::spec::ClusterSpec& cluster, bool is_independent);

}  // namespace agent::worker
