// How long an estimator's run is, once its data are known.
#pragma once

#include "engine/data/dataset.h"
#include "engine/spec/project/run_spec.h"

namespace engine::train::estimator {

// `run` is spec::trainedRun() of an estimator's project whose cluster is the task's, `training` its samples. Sets fit.steps_per_epoch, or
// fit.steps of workers with parameter servers, each of which goes through all samples, to the global steps of the run. Throws Error as
// data::epochSteps().
void setSteps(spec::RunSpec& run, const data::Samples& training);

}  // namespace engine::train::estimator
