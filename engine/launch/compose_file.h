// A file for Docker Compose and what reads the same (podman-compose): a service for each task, on one computer.
#pragma once

#include <string>

#include "engine/launch/launch_job.h"

namespace engine::launch {

// The service of each task is called as the task is ("worker-0"), and TF_CONFIG in its environment has these names for hosts. With several
// seeds the name has the seed before it ("seed-0-worker-0"), and a run begins when the one before it is done: they share one computer.
// Throws Error(kInvalidArgument) as checkLaunchJob().
std::string composeFile(const LaunchJob& job, const spec::RunSpec& run);

}  // namespace engine::launch
