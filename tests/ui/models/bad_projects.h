// Projects, addresses and texts of TF_CONFIG with a mistake each, so that every rule has something to say.
#pragma once

#include "engine/spec/diagnostic.h"

namespace ui::models {

// Returns what the rules find in the bad projects, each sentence once.
engine::spec::Diagnostics findingsOfBadProjects();

}  // namespace ui::models
