// Models whose training steps are timed, the same as in tests/bench/peers/models.py.
#pragma once

#include <string>
#include <vector>

#include "engine/spec/project/run_spec.h"

namespace tests::bench {

// Model, loss and Adam. Throws engine::Error(kNotFound) for a name that benchModels() lacks.
engine::spec::RunSpec benchRun(const std::string& name);
std::vector<std::string> benchModels();

}  // namespace tests::bench
