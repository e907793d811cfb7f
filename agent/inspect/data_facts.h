// What a project's data set is, for people: `tandem-cli data` and the studio's Data page.
#pragma once

#include "agent/inspect/engine_surroundings.h"

namespace agent::worker {

// Returns the facts; why a set can't be looked at is part of them. Throws Error(kInvalidArgument) for settings of `data` that are not
// valid.
engine::spec::DataFacts dataFacts(const engine::spec::EngineQuestion& question, const engine::spec::DataQuestion& asked,
                                  const EngineSurroundings& surroundings);

engine::spec::Datasets datasets(const EngineSurroundings& surroundings);

}  // namespace agent::worker
