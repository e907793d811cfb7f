#include "engine/backend/cpu/recurrent/panel_matrix.h"

#include <algorithm>

namespace engine::backend::cpu {

void PanelMatrix::pack(const float* from, std::ptrdiff_t from_row, std::int64_t index, std::int64_t parts, float* to) const {
    const Range mine = share(rows_, index, parts);
    kernels_.packPanels({.from = from + mine.begin * from_row,
                         .from_row = from_row,
                         .rows = mine.size(),
                         .columns = cut_.columns,
                         .width = cut_.width,
                         .to = to + mine.begin * cut_.width,
                         .rows_of_panel = rows_});
}

void PanelMatrix::packTransposed(const float* from, std::ptrdiff_t from_row, std::int64_t index, std::int64_t parts, float* to) const {
    const Range mine = share(cut_.panels, index, parts);
    for (std::int64_t panel = mine.begin; panel < mine.end; ++panel) {
        const Range columns = cut_.of(panel);
        kernels_.transpose(from + columns.begin * from_row, from_row, columns.size(), rows_, to + cut_.begin(panel, rows_), cut_.width);
    }
}

void PanelMatrix::multiply(const Product& p, const float* packed) const {
    // So many rows of a panel stay in the first-level cache beside what passes over them.
    constexpr std::int64_t kBytes = 24 << 10, kFewest = 64;
    const std::int64_t depth = std::max(kFewest, kBytes / (cut_.width * static_cast<std::int64_t>(sizeof(float))));
    for (std::int64_t panel = 0; panel < cut_.panels; ++panel) {
        const Range columns = cut_.of(panel);
        for (std::int64_t first = 0; first < p.count; first += depth) {
            kernels_.product({.a = p.x + first,
                              .a_row = p.x_row,
                              .b = packed + cut_.begin(panel, rows_) + (p.first_row + first) * cut_.width,
                              .b_row = cut_.width,
                              .c = p.y + columns.begin,
                              .c_row = p.y_row,
                              .rows = p.rows,
                              .columns = columns.size(),
                              .count = std::min(depth, p.count - first),
                              .bias = p.bias == nullptr ? nullptr : p.bias + columns.begin,
                              .accumulate = p.accumulate || first > 0});
        }
    }
}

}  // namespace engine::backend::cpu
