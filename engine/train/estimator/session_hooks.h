// What an estimator's session does beside its steps: checkpoints by steps or seconds, lines in the log, summaries for TensorBoard, and
// evaluations between the steps. Each is a callback, since all they need is to be called.
#pragma once

#include "engine/spec/project/run_spec.h"
#include "engine/train/callbacks/callback.h"

namespace engine::train::estimator {

// Tells where a task's session evaluates.
enum class Evaluation {
    kHere,       // a task alone: after a checkpoint, when eval_spec.throttle_secs have passed, and after the last one
    kElsewhere,  // an evaluator looks for the checkpoints, or nobody does
};

// The hooks of a task that trains. Requires run.estimator. Checkpoints are "checkpoints/model.ckpt-<global step>" below the run's folder.
Callbacks sessionHooks(const spec::RunSpec& run, Evaluation evaluation);

}  // namespace engine::train::estimator
