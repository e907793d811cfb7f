// The project of each run of a sweep. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/sweep/sweep.h"

namespace engine::sweep {

// "optimizer.learning_rate 0.01, layers[1].units 64": the configuration in few words, with the ends of its paths.
std::string labelOf(const std::vector<SweepField>& fields, const Configuration& configuration);
// "compile.optimizer.config.learning_rate": "optimizer.learning_rate": a path's end that tells fields of a project apart to a reader.
std::string shortPath(const std::string& path);

// The project with the trial's values, its seed and the job's epochs. It keeps a backup, so that a run that was stopped goes on, and of
// asha the backup stays behind the end of a rung, from which the run goes on to the next one, bit for bit as if it had not paused. Throws
// Error(kInvalidArgument) naming what is wrong with the combination of values.
spec::RunSpec trialProject(const spec::RunSpec& project, const Sweep& sweep, const Job& job);

// The folder of a run, below the sweep's: "trials/007", "trials/007-seed-1". With Slurm each rung but the first is a run of its own, a
// branch of the one before it, since a job whose run is done takes no folder again: "trials/007-rung-2".
std::string trialFolder(const Sweep& sweep, const Job& job);

}  // namespace engine::sweep
