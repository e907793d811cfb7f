// ModelCheckpoint's filepath in code. Only files below engine/spec/keras include it.
#pragma once

#include <string>

#include "engine/spec/fields.h"

namespace engine::spec::code {

// The path as Keras 3 takes it: a prefix of TensorFlow's checkpoints gets the ending that Keras' own files need, ".weights.h5" for weights
// alone, else ".keras".
std::string kerasFilepath(const Fields& checkpoint);

}  // namespace engine::spec::code
