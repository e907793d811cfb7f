#include "engine/backend/cpu/schedule/scratch_places.h"

#include <algorithm>
#include <cstddef>

#include "engine/plan/memory.h"

namespace engine::backend::cpu {

ScratchPlaces placeScratch(const std::vector<std::int64_t>& needed, ScratchLayout layout) {
    const bool side_by_side = layout == ScratchLayout::kSideBySide;
    constexpr std::size_t kNeighbours = 4;                       // ops with scratch that lie side by side
    constexpr std::int64_t kMostBytes = std::int64_t{16} << 20;  // of them
    constexpr std::int64_t kLarge = std::int64_t{4} << 20;       // more than this is much
    const auto shares = [&](std::int64_t bytes) { return !side_by_side || bytes > kLarge; };
    std::vector<std::int64_t> sizes;
    std::int64_t shared = 0;
    for (std::int64_t bytes : needed) {
        if (shares(bytes)) {
            shared = std::max(shared, plan::alignUp(bytes));
        } else if (bytes > 0) {
            sizes.push_back(plan::alignUp(bytes));
        }
    }
    std::int64_t window = 0, widest = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        window += sizes[i] - (i >= kNeighbours ? sizes[i - kNeighbours] : 0);
        widest = std::max(widest, window);
    }
    ScratchPlaces places{.offsets = {}, .bytes = shared + std::min(widest, kMostBytes)};
    std::int64_t next = shared;
    for (std::int64_t bytes : needed) {
        if (shares(bytes)) {
            places.offsets.push_back(0);
            continue;
        }
        const std::int64_t size = plan::alignUp(std::max<std::int64_t>(bytes, 0));
        if (next + size > places.bytes) next = shared;
        places.offsets.push_back(next);
        next += size;
    }
    return places;
}

}  // namespace engine::backend::cpu
