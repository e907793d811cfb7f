// The command that trains a trial of a sweep again, alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/sweep/sweep.h"

namespace app::cli {

// What a sweep's trials begin with, in the words of the command line.
struct SweepOrigin {
    std::string project;                    // as the user named it, or a file that holds it
    std::vector<std::string> settings;      // PATH=VALUE, which the project in that file does not have yet
    std::optional<std::string> programs{};  // of Slurm: the folder of Tandem's programs on the nodes
};

// A line for a shell of POSIX. Its run trains what the trial has trained by the end of its last rung: with the origin's settings, the
// trial's values, as many epochs, and in the same place. Of several seeds it is the first.
std::string commandOf(const engine::sweep::Sweep& sweep, int trial, const SweepOrigin& origin);

}  // namespace app::cli
