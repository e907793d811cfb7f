// What a program of Keras 2 can't have of a project. Only files of engine/script include it.
#pragma once

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::script::keras {

// An error for each class and each function by name that came with Keras 3, at the setting that names it: layers and those within them,
// optimizer, loss, metrics, callbacks. Which did, the catalogue's rows say (since_keras_3, choices_since_keras_3).
spec::Diagnostics sinceKeras3Faults(const spec::RunSpec& run);

}  // namespace engine::script::keras
