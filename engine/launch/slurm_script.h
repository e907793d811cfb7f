// A batch script by which Slurm trains a project: for sbatch, and for people, who change it to what their cluster needs.
#pragma once

#include <string>

#include "engine/launch/launch_job.h"

namespace engine::launch {

// Text that ends in a newline. The job goes on from its backup when it is queued again: by Slurm, after a node was lost, and by itself,
// when its time is over before the run is. Throws Error(kInvalidArgument) as checkLaunchJob(), and for a time that is hardly longer than
// the notice of its end.
std::string slurmScript(const LaunchJob& job, const spec::RunSpec& run);

}  // namespace engine::launch
