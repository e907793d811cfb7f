// Samples in another order, before anything is split off.
#pragma once

#include <cstdint>

#include "engine/data/dataset.h"

namespace engine::data {

// An order of its own for each seed. What is decoded on request stays so; what lies in memory is copied. The borders of files are gone
// then.
void mixSamples(Samples& samples, std::uint64_t seed);

}  // namespace engine::data
