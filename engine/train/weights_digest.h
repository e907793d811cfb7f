// One number for all weights of a run.
#pragma once

#include <string>

#include "engine/backend/executor.h"

namespace engine::train {

// SHA-256 in lower-case hexadecimal over the weights in model order, optimizer slots left out. Each weight enters as the line
// "conv2d/kernel float32 (3, 3, 1, 32)
// " and then its values, little-endian, C order.
std::string weightsSha256(const backend::Variables& variables);

}  // namespace engine::train
