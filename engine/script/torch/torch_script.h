// The program in PyTorch. For .cpp files of engine/script only.
#pragma once

#include "engine/script/script.h"

namespace engine::script::torch {

Script writeTorchScript(const spec::RunSpec& run);

}  // namespace engine::script::torch
