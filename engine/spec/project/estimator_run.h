// What an estimator's run asks of the parts that fit() has, too.
#pragma once

#include <cstdint>

#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// The project as its tasks train with it: of an estimator, one pass that ends with its last step, no validation at its end, no callbacks
// but BackupAndRestore, by which a run that was lost goes on from its last checkpoint. How many steps there are depends on the data, too:
// estimatorSteps() says it. Any other project as it is. Of what it returns it makes the same again.
RunSpec trainedRun(const RunSpec& run);

// Gives a project of fit() an estimator. Steps that were counted over all workers (fit.steps) become its max_steps, over an input without
// end, since a project counts them in one place. Does nothing where there is one.
void useEstimator(RunSpec& run);

// Global steps of an estimator's run whose input has `steps_per_pass` of them in a pass: what max_steps and input_repeats leave. Requires
// run.estimator, and one of both to bound it.
std::int64_t estimatorSteps(const RunSpec& run, std::int64_t steps_per_pass);

}  // namespace engine::spec
