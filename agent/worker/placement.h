// What `tandem-cli placement` prints: the device of every variable and op, from the plans that the tasks would run.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

namespace agent::worker {

struct PlacementOptions {
    std::filesystem::path project;
    std::vector<std::string> settings;  // PATH=VALUE
    bool json = false;
};

// TensorFlow's lines, "conv2d/Conv2D: (Conv2D): /job:worker/replica:0/task:0/device:CPU:0", replica by replica of every training task; with
// json an object a line: {"device", "kind", "name", "replica", "task"}. Returns an ExitCode; errors go to `errors`.
int runPlacement(const PlacementOptions& options, std::ostream& out, std::ostream& errors);

}  // namespace agent::worker
