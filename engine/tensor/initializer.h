// Keras' weight initializers. fan_in and fan_out of a kernel (..., in, out): in and out times the product of the leading sizes.
//   variance scaling: s = scale / max(1, fan); uniform within sqrt(3 s); truncated normal with stddev sqrt(s) / 0.87962566103423978
//   Orthogonal: columns (rows, where there are fewer) at right angles, of length `gain`; Identity: `gain` on the diagonal
//   Glorot: scale 1, mean of both fans; He: scale 2, fan_in; Lecun: scale 1, fan_in
#pragma once

#include <cstdint>
#include <span>

#include "engine/spec/fields.h"
#include "engine/spec/model_spec.h"
#include "engine/tensor/random.h"

namespace engine::tensor {

// Fills `values`, C order of `shape`. Names in either of Keras' forms ("GlorotUniform", "glorot_uniform"). A seed of the initializer's own
// takes the place of key.seed. `matrix`: (in, out) of a kernel whose shape does not tell them. Throws Error(kUnimplemented) for a name it
// does not know.
void initialize(const spec::ObjectSpec& initializer, const spec::Shape& shape, RandomKey key, std::span<float> values,
                const spec::Shape& matrix = {});

}  // namespace engine::tensor
