// Places of the scratch memory that all threads share: each op's lies beside those of the ops before and after it, so that their stages
// need no barrier between them, and far ones take turns.
#pragma once

#include <cstdint>
#include <vector>

namespace engine::backend::cpu {

struct ScratchPlaces {
    std::vector<std::int64_t> offsets;  // by op
    std::int64_t bytes = 0;             // of all
};

// `needed`: bytes by op. Offsets are aligned as tensors are.
ScratchPlaces placeScratch(const std::vector<std::int64_t>& needed);

}  // namespace engine::backend::cpu
