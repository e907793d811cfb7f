// Ones to be learnt from ones: Keras' guide to distribution trains a Dense(1) with from_tensors(([1.], [1.])).repeat(100).
#pragma once

#include "engine/data/dataset.h"

namespace engine::data {

// float32 samples and labels of shape (1).
Samples ones(std::int64_t count);

}  // namespace engine::data
