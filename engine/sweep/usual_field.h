// The values that a field is usually swept over, as a beginning for whoever edits them. Pure functions, any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/sweep/sweep_field.h"

namespace engine::sweep {

// Makes a field from the name of the field and its value in the project (as `--set` takes it): rates around it by powers of ten, sizes
// halved and doubled, parts of one in even steps, true and false, the usual activations. The result has no problems and a grid can have it;
// for a value of another kind it has the value alone.
SweepField usualField(const std::string& path, const std::string& value);

// Returns those of a project's values, given by their paths, that are worth a sweep, the likeliest first: rates, then the optimizer's and
// the layers' values, then batch size and the rest. Names, files, computers and what is only looked at are left out.
std::vector<std::pair<std::string, std::string>> sweptFields(const std::vector<std::pair<std::string, std::string>>& settings);

}  // namespace engine::sweep
