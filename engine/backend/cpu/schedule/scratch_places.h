// Places of the scratch memory that all threads share.
#pragma once

#include <cstdint>
#include <vector>

namespace engine::backend::cpu {

struct ScratchPlaces {
    std::vector<std::int64_t> offsets;  // by op
    std::int64_t bytes = 0;             // of all
};

// `needed`: bytes by op. Offsets are aligned as tensors are. `side_by_side`: each op's memory lies beside those of the ops before and after
// it, so that their stages need no barrier between them, and far ones take turns; else all ops have the same, which stays in the caches.
ScratchPlaces placeScratch(const std::vector<std::int64_t>& needed, bool side_by_side);

}  // namespace engine::backend::cpu
