// Checks that weights and data of a submitted run fit its model: what a task would find seconds later is refused before one starts.
#pragma once

#include <filesystem>
#include <string>

#include "agent/server/process/process.h"
#include "engine/spec/project/run_spec.h"

namespace agent::server {

// Returns the errors, one a line; empty when there are none or nobody could tell in time. For a valid `run` that uses files of its own it
// asks a `worker` (program, environment and working folder of a task), which reads them in a process of its own; `run_dir` is the run's
// folder. An absolute fit.save_weights is the user's own word, not the project's. Blocks for at most a second.
std::string inputErrors(const engine::spec::RunSpec& run, ProcessLauncher& launcher, ProcessSpec worker,
                        const std::filesystem::path& run_dir);

}  // namespace agent::server
