// The update of a rule that needs whole variables.
#pragma once

#include <memory>
#include <vector>

#include "engine/backend/whole/whole_update.h"

namespace engine::backend {

// Made once, of runs that are a variable each (flatRuns() of such a rule); their memory must outlive it, and so must the multiplier's.
std::unique_ptr<WholeUpdate> makeWholeUpdate(const plan::UpdateRule& rule, std::vector<FlatRun> runs, Multiplier multiply);

}  // namespace engine::backend
