// A bash script that starts each task of a project over ssh, without an agent: for people, who change it to what their computers need.
#pragma once

#include <string>

#include "engine/launch/launch_job.h"

namespace engine::launch {

inline constexpr int kSshPort = 2222;  // of each computer's first task, the next ones count up

// Text that ends in a newline. The tasks are those of the job's hosts, or, without any, of the project's cluster at its own addresses. The
// script copies project and key, ends all tasks when one fails, on Ctrl+C and when it is killed itself. Throws Error(kInvalidArgument) as
// checkLaunchJob(), and where neither says on which computers the tasks are to run.
std::string sshScript(const LaunchJob& job, const spec::RunSpec& run);

}  // namespace engine::launch
