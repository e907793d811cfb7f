#include "engine/distribute/named_rows.h"

#include <bit>
#include <cstddef>
#include <utility>

namespace engine::distribute {

void NamedRows::add(std::span<const float> ids) {
    for (const float id : ids) {
        constexpr float kTooLarge = 9e18F;  // for the whole number below
        if (!(id > -kTooLarge && id < kTooLarge)) continue;
        const auto row = static_cast<std::int64_t>(id);  // as the lookup takes it
        if (row < 0 || row >= count_) continue;
        named_[static_cast<std::size_t>(row) / 64] |= std::uint64_t{1} << (static_cast<std::size_t>(row) % 64);
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
