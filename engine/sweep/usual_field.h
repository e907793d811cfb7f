// The values that a field is usually swept over, as a beginning for whoever edits them. Pure functions, any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/sweep/sweep_field.h"

namespace engine::sweep {

// By the name of the field and its value in the project (as `--set` takes it): rates around it by powers of ten, sizes halved and doubled,
// parts of one in even steps, true and false, the usual activations. Always a field without problems that a grid can have; of a value of
// another kind the value alone.
SweepField usualField(const std::string& path, const std::string& value);

// Of a project's values by their paths those that are worth a sweep, the likeliest first: rates, then the optimizer's and the layers'
// values, then batch size and the rest. Names, files, computers and what is only looked at are left out.
std::vector<std::pair<std::string, std::string>> sweptFields(const std::vector<std::pair<std::string, std::string>>& settings);

}  // namespace engine::sweep
