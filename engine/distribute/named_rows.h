// The rows of a table that the ids of a batch name.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace engine::distribute {

// Owned by an executor; one thread. Allocates nothing after its first batches.
class NamedRows {
public:
    explicit NamedRows(std::int64_t rows) : named_((static_cast<std::size_t>(rows) + 63) / 64, 0), count_(rows) {}

    void clear() { rows_.clear(); }
    // `ids` are whole numbers as float32. Numbers that name no row are left out: the op that looks them up says what is wrong with them.
    void add(std::span<const float> ids);
    // Distinct and ascending. Ends what add() began: call clear() before the next batch.
    std::span<const std::int64_t> take();

private:
    std::vector<std::uint64_t> named_;  // a bit a row, all zero between batches
    std::vector<std::int64_t> rows_;
    std::int64_t count_;
};

}  // namespace engine::distribute
