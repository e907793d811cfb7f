// The programs in Keras: fit(), a loop of its own, an estimator. Only files below engine/script include it.
#pragma once

#include "engine/script/written_script.h"
#include "engine/spec/project/run_spec.h"

namespace engine::script::keras {

Script writeFitScript(const spec::RunSpec& run);
Script writeLoopScript(const spec::RunSpec& run);
Script writeEstimatorScript(const spec::RunSpec& run);

}  // namespace engine::script::keras
