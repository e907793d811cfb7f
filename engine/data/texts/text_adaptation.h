// The vocabulary that a text layer takes from the training texts: Keras' adapt().
#pragma once

#include <span>
#include <string>

#include "engine/spec/model_spec.h"

namespace engine::data {

// Returns the layer with a vocabulary of `texts`, the most frequent tokens first, of equally frequent ones the greater by its bytes, and
// with tf_idf what each is multiplied by: log(1 + texts / (1 + texts that have it)). At most max_tokens places are given out. Neither the
// mask nor the token for unknown texts is counted. Throws Error(kDataLoss) where no token was there.
spec::LayerSpec adaptedToTexts(spec::LayerSpec layer, std::span<const std::string> texts);

}  // namespace engine::data
