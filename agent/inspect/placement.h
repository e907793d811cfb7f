// The places of the variables and ops of a run.
#pragma once

#include "engine/spec/events/engine_question.h"

namespace agent::worker {

// Returns the places by the plans that the training tasks of the run's whole cluster would run; needs no TF_CONFIG. Throws engine::Error
// for a project with errors and a plan that can't be made.
engine::spec::Placement placement(const engine::spec::RunSpec& run);

}  // namespace agent::worker
