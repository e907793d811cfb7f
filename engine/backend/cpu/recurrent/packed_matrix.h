// A matrix (depth, columns) whose columns lie in panels as wide as a pass of KernelTable::product, one panel after the other: each pass
// then reads memory in order, whatever the length of the matrix' rows. It does not own its memory.
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {

class PackedMatrix {
public:
    // How many floats a matrix takes.
    static std::int64_t floats(const KernelTable& kernels, std::int64_t depth, std::int64_t columns) {
        return depth * divideUp(columns, kernels.panel_columns) * kernels.panel_columns;
    }

    PackedMatrix() = default;
    PackedMatrix(const KernelTable& kernels, std::int64_t depth, std::int64_t columns, float* memory)
        : kernels_(&kernels), depth_(depth), columns_(columns), memory_(memory) {}

    std::int64_t depth() const { return depth_; }
    std::int64_t panels() const { return divideUp(columns_, width()); }

    // Lays in some rows; `from`: the first of them.
    void packRows(const float* from, std::ptrdiff_t from_row, Range rows) const {
        kernels_->packPanels({.from = from,
                              .from_row = from_row,
                              .rows = rows.size(),
                              .columns = columns_,
                              .width = width(),
                              .to = memory_ + rows.begin * width(),
                              .rows_of_panel = depth_});
    }
    // Lays in some panels of the transpose of `from` (columns, depth).
    void packTransposed(const float* from, std::ptrdiff_t from_row, Range panels) const {
        for (std::int64_t i = panels.begin; i < panels.end; ++i) {
            kernels_->transpose(from + i * width() * from_row, from_row, columnsOf(i), depth_, panel(i), width());
        }
    }

    // c = a times the rows `part` of the matrix, or c += that; `a`: (rows, part.size()), `c`: (rows, columns).
    void multiply(const float* a, std::ptrdiff_t a_row, Range part, std::int64_t rows, float* c, std::ptrdiff_t c_row,
                  bool accumulate) const {
        const std::int64_t chunks = std::max<std::int64_t>(1, divideUp(part.size(), kChunkDepth));
        for (std::int64_t i = 0; i < panels(); ++i) {
            for (std::int64_t j = 0; j < chunks; ++j) {
                const Range chunk = share(part.size(), j, chunks);
                kernels_->product({.a = a + chunk.begin,
                                   .a_row = a_row,
                                   .b = panel(i) + (part.begin + chunk.begin) * width(),
                                   .b_row = width(),
                                   .c = c + i * width(),
                                   .c_row = c_row,
                                   .rows = rows,
                                   .columns = columnsOf(i),
                                   .count = chunk.size(),
                                   .accumulate = accumulate || j > 0});
            }
        }
    }

    // Sums the transpose of `a` times some columns of the matrix into c, or writes that; `a`: (depth, rows), its rows `a_row` apart, c:
    // (rows, all columns). The columns begin and end with panels.
    void addTransposed(const float* a, std::ptrdiff_t a_row, std::int64_t rows, Range columns, float* c, std::ptrdiff_t c_row,
                       bool accumulate) const {
        for (std::int64_t column = columns.begin; column < columns.end; column += width()) {
            kernels_->product({.a = a,
                               .a_row = 1,
                               .a_step = a_row,
                               .b = panel(column / width()),
                               .b_row = width(),
                               .c = c + column,
                               .c_row = c_row,
                               .rows = rows,
                               .columns = columnsOf(column / width()),
                               .count = depth_,
                               .accumulate = accumulate});
        }
    }

private:
    // Rows of a panel that stay in the first-level cache while all rows of `a` pass over them.
    static constexpr std::int64_t kChunkDepth = 128;

    std::int64_t width() const { return kernels_->panel_columns; }
    std::int64_t columnsOf(std::int64_t panel) const { return std::min(width(), columns_ - panel * width()); }
    float* panel(std::int64_t i) const { return memory_ + i * depth_ * width(); }

    const KernelTable* kernels_ = nullptr;
    std::int64_t depth_ = 0, columns_ = 0;
    float* memory_ = nullptr;
};

}  // namespace engine::backend::cpu
