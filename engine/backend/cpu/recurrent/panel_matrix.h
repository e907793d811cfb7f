// A matrix that many products take as their right side, stored by panels of columns: a panel stays in the first-level cache while the rows
// of the left side pass over it, where rows of the whole matrix, a power of two apart, would push each other out.
#pragma once

#include <cstdint>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/convolution/panel_convolution.h"
#include "engine/backend/cpu/kernel_table.h"

namespace engine::backend::cpu {

// The layout of a matrix of (rows, columns); its values lie with the caller, floats() of them.
class PanelMatrix {
public:
    PanelMatrix(std::int64_t rows, std::int64_t columns, const KernelTable& kernels)
        : rows_(rows), cut_(columns, kernels), kernels_(kernels) {}

    std::int64_t floats() const { return cut_.floats(rows_); }
    // Stores part `index` of `parts` of a matrix whose rows are `from_row` floats apart; parts do not meet.
    void pack(const float* from, std::ptrdiff_t from_row, std::int64_t index, std::int64_t parts, float* to) const;
    // The same of the transpose of a matrix of (columns, rows).
    void packTransposed(const float* from, std::ptrdiff_t from_row, std::int64_t index, std::int64_t parts, float* to) const;

    // y (rows, columns) is, or with `accumulate` gets added, x (rows, count) times the matrix' rows from `first_row` on. Row strides are in
    // floats. `bias` (columns; null: none) is where a sum begins that does not accumulate.
    struct Product {
        const float* x = nullptr;
        std::ptrdiff_t x_row = 0;
        std::int64_t first_row = 0, count = 0, rows = 0;
        float* y = nullptr;
        std::ptrdiff_t y_row = 0;
        bool accumulate = false;
        const float* bias = nullptr;
    };
    void multiply(const Product& product, const float* packed) const;

private:
    std::int64_t rows_;
    PanelCut cut_;
    const KernelTable& kernels_;
};

}  // namespace engine::backend::cpu
