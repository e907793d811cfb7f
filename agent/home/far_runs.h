// Runs that agents of the computers of the user's list follow (far_run.h).
#pragma once

#include "agent/home/ssh_part.h"
#include "agent/server/runs/far_runs.h"

namespace agent::home {

server::FarRunsMaker farRunsOverSsh(HomeOptions options);

}  // namespace agent::home
