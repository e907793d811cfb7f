// The program in PyTorch. For .cpp files of engine/script only.
#pragma once

#include "engine/script/written_script.h"
#include "engine/spec/project/run_spec.h"

namespace engine::script::torch {

Script writeTorchScript(const spec::RunSpec& run);

}  // namespace engine::script::torch
