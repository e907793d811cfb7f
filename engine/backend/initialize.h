#pragma once

#include <cstdint>

#include "engine/backend/executor.h"
#include "engine/spec/model_spec.h"

namespace engine::backend {

// Fills every parameter by its layer's initializer (Keras' defaults where the model names none) and every slot with its own beginning.
// Random values are keyed by seed and the variable's position in the model: equal on any number of workers. Call
// Executor::reloadVariables() afterwards. Throws Error: kUnimplemented for an unknown initializer, kInvalidArgument when the store is not
// of this model.
void initializeVariables(Variables& variables, const spec::ModelSpec& model, std::uint64_t seed);

}  // namespace engine::backend
