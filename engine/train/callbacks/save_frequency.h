// "epoch" or a number of steps: how often callbacks save and log.
#pragma once

#include <cstdint>
#include <string>

#include "engine/spec/fields.h"

namespace engine::train {

// Steps between two times, 0 for "epoch" and for nothing. `path` names the field in messages. Throws Error(kInvalidArgument) for anything
// else.
std::int64_t saveFrequency(const spec::Fields& config, const std::string& field, const std::string& path);

}  // namespace engine::train
