// What people ask of a scheduler, as a command line or a form takes it, and the job that it makes of a project. What the studio and the
// command line write of the same options is therefore the same.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/launch/launch_job.h"
#include "engine/spec/project/run_spec.h"

namespace engine::launch {

struct LaunchOptions {
    std::optional<int> nodes{};           // none: usualNodes()
    std::optional<std::string> hosts{};   // "node1,node2:2", as parseHostShares() reads it
    LaunchJob job{};                      // its nodes and hosts are those of jobOf()
    std::vector<std::string> settings{};  // PATH=VALUE; whoever hands them on to the tasks puts them into the job
};

// One for each task of the cluster, two where it has one task or none.
int usualNodes(const spec::ClusterSpec& cluster);

// Throws Error(kInvalidArgument) as parseHostShares(), and for a setting of fit.seed beside several seeds, which say another one.
LaunchJob jobOf(const LaunchOptions& options, const spec::RunSpec& run);

// The project as those settings make it. Throws Error(kInvalidArgument) that names the first field that can't be as it was set, and why.
spec::RunSpec withSettings(spec::RunSpec run, const std::vector<std::string>& settings);

// The job trains the project in this file: at its absolute path, named as the file without its ending.
void takeProjectFile(LaunchJob& job, const std::filesystem::path& file);

}  // namespace engine::launch
