// What of a project's files could be known before its run starts: asked by the agent when a run is submitted.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace agent::worker {

struct ProjectCheckOptions {
    std::filesystem::path project;
    std::vector<std::string> settings;
    std::filesystem::path base;            // where relative files lie; empty: beside the project
    std::filesystem::path weights_file{};  // the user's own, in place of fit.save_weights
    std::vector<std::filesystem::path> dataset_folders;
};

// Every error of engine::train::checkInputs to `out`, one a line: "fit.initial_weights: FILE: ...". Those of the project itself go to
// `errors`. Returns the exit code: kExitFailed with errors in `out`, kExitUsage with errors in the project.
int runProjectCheck(const ProjectCheckOptions& options, std::ostream& out, std::ostream& errors);

}  // namespace agent::worker
