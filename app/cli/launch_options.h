// What a scheduler is asked for, as options of a verb.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/launch/launch_job.h"
#include "engine/spec/project/run_spec.h"

namespace app::cli {

struct LaunchOptions {
    std::optional<int> nodes;
    engine::launch::LaunchJob job;      // its nodes are those of jobOf()
    std::vector<std::string> settings;  // of --set
};

// --nodes, --tasks-per-node, --cpus-per-task, --gpus-per-task, --memory, --time, --partition, --seeds and --set. `options` outlives the
// parsing.
void addLaunchOptions(CLI::App& verb, LaunchOptions& options);

// With the nodes that are usual for the run where none are given: one for each task of its cluster, two where it has none.
engine::launch::LaunchJob jobOf(const LaunchOptions& options, const engine::spec::RunSpec& run);

}  // namespace app::cli
