// The inner loops of a reduction: adds of float32 with the widest vectors that this CPU has. Addition of two floats is the same in every
// width, so the choice does not change a bit of the result.
#pragma once

#include <cstddef>
#include <span>

namespace engine::distribute {

// own[i] = incoming[i] + own[i]. `incoming` needs no alignment.
void addInto(float* own, const std::byte* incoming, std::size_t count);

// sum = ((parts[0] + parts[1]) + parts[2]) + ... for each element, written to every part. The parts do not overlap.
void sumToAll(std::span<float* const> parts, std::size_t count);

// out = ((parts[0] + parts[1]) + parts[2]) + ... for each element. `out` may be one of the parts; otherwise nothing overlaps.
void sumTo(float* out, std::span<float* const> parts, std::size_t count);

}  // namespace engine::distribute
