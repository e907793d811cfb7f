// What kernels cannot say themselves.
#pragma once

#include "engine/backend/cuda/step_parameters.h"
#include "engine/plan/plan.h"

namespace engine::backend::cuda {

// Throws Error(kOutOfRange) in the words of the other back-ends where a step left a fault. `plan`: the one whose ops are bound.
void throwIfSet(const plan::Plan& plan, const StepFault& fault);

}  // namespace engine::backend::cuda
