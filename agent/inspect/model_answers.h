// What the engine does with a model that it does not train: opens Keras' files, writes them, predicts. All throw Error for files that can't
// be used.
#pragma once

#include "agent/inspect/engine_surroundings.h"

namespace agent::worker {

// Returns the model and its findings: what can't be taken over is a warning for compile settings, an error for the model.
engine::spec::ImportedModel importModel(const engine::spec::ImportQuestion& asked);

// A vocabulary that neither the project nor the checkpoint has is taken from the project's training texts.
engine::spec::WrittenFile exportModel(const engine::spec::EngineQuestion& question, const engine::spec::ExportQuestion& asked,
                                      const EngineSurroundings& surroundings);

engine::spec::Prediction predict(const engine::spec::EngineQuestion& question, const engine::spec::PredictQuestion& asked,
                                 const EngineSurroundings& surroundings);

}  // namespace agent::worker
