// Sizes that a layer leaves to its input, where Keras has to be told them.
#pragma once

#include "engine/spec/model_spec.h"

namespace engine::spec {

// The model with the sizes of its input in place of those that an EinsumDense leaves open in output_shape, also of one inside another
// layer. Keras takes an open size for one that nobody knows, so that a Flatten or a convolution behind it cannot be built there. What does
// not fit stays as it is.
ModelSpec withKnownSizes(ModelSpec model);

}  // namespace engine::spec
