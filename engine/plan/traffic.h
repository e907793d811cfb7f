// What the replicas of a run hand to each other in a step: read off the plan, whoever carries it.
#pragma once

#include <cstdint>

#include "engine/plan/plan.h"

namespace engine::plan {

// The bytes that all replicas together exchange in one step of a training plan; `plan` is the first replica's. A sum over n replicas that
// comes back to all of them moves 2 (n - 1) times its bucket, whichever way it goes: every other replica's part on its way in and the sum
// on its way out, in pieces round the ring or at once. A sum that stays with the variables moves n - 1 times its bucket. Copies of
// variables go to n - 1 replicas. With parameter servers a step is one worker's: the variables that it pulls and the gradients that it
// pushes; a table that goes by rows (strategies/row_tables.h) counts with as many rows as a batch can name.
std::int64_t trafficOfStep(const Plan& plan);

}  // namespace engine::plan
