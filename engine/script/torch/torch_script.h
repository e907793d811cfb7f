// The program in PyTorch. Only files below engine/script include it.
#pragma once

#include "engine/script/written_script.h"
#include "engine/spec/project/run_spec.h"

namespace engine::script::torch {

Script writeTorchScript(const spec::RunSpec& run);

}  // namespace engine::script::torch
