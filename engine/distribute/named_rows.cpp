#include "engine/distribute/named_rows.h"

#include <bit>
#include <cstddef>
#include <utility>

namespace engine::distribute {

void NamedRows::add(std::span<const float> ids) {
    for (const float id : ids) {
        if (!(id >= 0 && id < static_cast<float>(count_))) continue;
        const auto row = static_cast<std::size_t>(id);
        named_[row / 64] |= std::uint64_t{1} << (row % 64);
    }
}

std::span<const std::int64_t> NamedRows::take() {
    for (std::size_t word = 0; word < named_.size(); ++word) {
        for (std::uint64_t bits = std::exchange(named_[word], 0); bits != 0; bits &= bits - 1) {
            rows_.push_back(static_cast<std::int64_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits))));
        }
    }
    return rows_;
}

}  // namespace engine::distribute
