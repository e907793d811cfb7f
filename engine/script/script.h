// A whole Python program of a project, which trains without Tandem: data from the same files, model, compile, strategy, callbacks,
// evaluation. One for each API that people write such programs in:
//
//   keras         keras.Sequential, compile(), fit()
//   custom-loop   the same model, its steps written out: GradientTape, strategy.run()
//   estimator     tf.estimator, or model_to_estimator(): TensorFlow 2.15 or older with Keras 2
//   torch         the same training in PyTorch, several processes by DistributedDataParallel
//
// Every program takes --weights FILE (the values to begin with), --no-shuffle and --steps N, and says the loss of every step: so that what
// it does can be compared with what Tandem does.
#pragma once

#include "engine/script/script_api.h"
#include "engine/script/written_script.h"
#include "engine/spec/project/run_spec.h"

namespace engine::script {

// Writes the program of a project without errors of its own (validate()). Never throws.
Script writeScript(const spec::RunSpec& run, Api api);

}  // namespace engine::script
