// The paths that Keras gives variables, by the names of all that holds them: rules of optimizers look for words in them.
#pragma once

#include <string>
#include <string_view>

#include "engine/spec/model_spec.h"

namespace engine::spec {

// The path of a variable of the model: "sequential/lstm/lstm_cell/kernel" of "lstm/kernel". Layers inside others have their automatic
// names.
std::string kerasPath(const ModelSpec& model, std::string_view variable);

}  // namespace engine::spec
