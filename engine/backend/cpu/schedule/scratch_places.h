// Places of the scratch memory that all threads share.
#pragma once

#include <cstdint>
#include <vector>

namespace engine::backend::cpu {

struct ScratchPlaces {
    std::vector<std::int64_t> offsets;  // by op
    std::int64_t bytes = 0;             // of all
};

enum class ScratchLayout {
    kOnePlace,  // all ops have the same memory, which stays in the caches
    // An op's memory lies beside that of its neighbours, so that their stages need no barrier; far ops take turns. Ops that need much have
    // one place before it, which stays in the caches sooner.
    kSideBySide,
};

// `needed`: bytes by op. Offsets are aligned as tensors are.
ScratchPlaces placeScratch(const std::vector<std::int64_t>& needed, ScratchLayout layout);

}  // namespace engine::backend::cpu
