// What a scheduler is asked for, as options of a verb.
#pragma once

#include <CLI/App.hpp>

#include "engine/launch/launch_options.h"

namespace app::cli {

// --nodes, --tasks-per-node, --cpus-per-task, --gpus-per-task, --memory, --time, --partition, --seeds and --set. `options` outlives the
// parsing.
void addLaunchOptions(CLI::App& verb, engine::launch::LaunchOptions& options);

}  // namespace app::cli
