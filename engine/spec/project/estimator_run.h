// What an estimator's run asks of the parts that fit() has, too.
#pragma once

#include <cstdint>

#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// LinearClassifier or DNNClassifier of two classes: one logit, and what TensorFlow's binary head reports of it.
bool isBinaryClassifier(const RunSpec& run);

// The project as its tasks train with it. For an estimator that is one pass that ends with its last step, no validation at its end, no
// callbacks but BackupAndRestore, by which a run that was lost goes on from its last checkpoint. A binary classifier also measures
// precision, recall and the areas under both curves, which TensorFlow's reports unasked. How many steps there are depends on the data, too:
// estimatorSteps() says it. Any other project is returned as it is. Called with its own result it returns the same again.
RunSpec trainedRun(const RunSpec& run);

// Gives a project of fit() an estimator. Steps that were counted over all workers (fit.steps) become its max_steps, over an input without
// end, since a project counts them in one place. Does nothing where there is one.
void useEstimator(RunSpec& run);

// Seconds that the worker of this index waits before it begins, where parameter servers hold the variables: as tf.estimator's
// train_and_evaluate() has it, 5 (index + 1), at most experimental_max_worker_delay_secs. 0 without that setting, for the chief (a worker 0
// that has no chief beside it is one) and where all step together. TensorFlow waits where the setting is absent, too (60 at most); a worker
// of Tandem waits for the chief's variables in any case.
double startDelaySeconds(const RunSpec& run, std::int64_t worker_index, bool is_chief);

// Global steps of an estimator's run whose input has `steps_per_pass` of them in a pass: what max_steps and input_repeats leave. Requires
// run.estimator, and one of both to bound it.
std::int64_t estimatorSteps(const RunSpec& run, std::int64_t steps_per_pass);

}  // namespace engine::spec
