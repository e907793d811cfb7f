// A bash script by which Open MPI's mpirun starts each task of a project: for people, who change it to what their cluster needs.
#pragma once

#include <string>

#include "engine/launch/launch_job.h"

namespace engine::launch {

// Text that ends in a newline. The tasks are ranks on the job's hosts, or, without any, where mpirun puts them. Throws
// Error(kInvalidArgument) as checkLaunchJob().
std::string mpirunScript(const LaunchJob& job, const spec::RunSpec& run);

}  // namespace engine::launch
