#include "engine/backend/cpu/schedule/scratch_places.h"

#include <algorithm>
#include <cstddef>

#include "engine/plan/memory.h"

namespace engine::backend::cpu {

ScratchPlaces placeScratch(const std::vector<std::int64_t>& needed, ScratchLayout layout) {
    const bool side_by_side = layout == ScratchLayout::kSideBySide;
    const std::size_t neighbours = side_by_side ? 4 : 1;         // ops with scratch that lie side by side
    constexpr std::int64_t kMostBytes = std::int64_t{16} << 20;  // of them, unless one alone takes more
    std::vector<std::int64_t> sizes;
    for (std::int64_t bytes : needed) {
        if (bytes > 0) sizes.push_back(plan::alignUp(bytes));
    }
    std::int64_t largest = 0, window = 0, widest = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        window += sizes[i] - (i >= neighbours ? sizes[i - neighbours] : 0);
        widest = std::max(widest, window);
        largest = std::max(largest, sizes[i]);
    }
    ScratchPlaces places{.offsets = {}, .bytes = std::max(largest, std::min(widest, kMostBytes))};
    std::int64_t next = 0;
    for (std::int64_t bytes : needed) {
        const std::int64_t size = plan::alignUp(std::max<std::int64_t>(bytes, 0));
        if (!side_by_side || next + size > places.bytes) next = 0;
        places.offsets.push_back(next);
        next += size;
    }
    return places;
}

}  // namespace engine::backend::cpu
