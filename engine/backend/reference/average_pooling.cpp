#include <algorithm>
#include <vector>

#include "engine/backend/reference/kernels.h"

namespace engine::backend::reference {
namespace {

// The part of a window that lies within an axis of `size` cells.
plan::CellRange inside(const plan::CellRange& cells, std::int64_t size) {
    return {std::max<std::int64_t>(cells.begin, 0), std::min(cells.end, size)};
}

// Calls function(x index, y index, cells of the window) for every cell of every window.
template <typename Function>
void forEachCell(const plan::Window2D& window, const PoolTensors& shapes, Function&& function) {
    const Shape &x = shapes.x, &y = shapes.y;
    for (std::int64_t n = 0; n < y[0]; ++n)
        for (std::int64_t oh = 0; oh < y[1]; ++oh)
            for (std::int64_t ow = 0; ow < y[2]; ++ow) {
                const plan::CellRange rows = inside(plan::rowsOfWindow(window, oh, y[1], x[1]), x[1]);
                const plan::CellRange columns = inside(plan::columnsOfWindow(window, ow, y[2], x[2]), x[2]);
                const std::int64_t cells = (rows.end - rows.begin) * (columns.end - columns.begin);
                for (std::int64_t h = rows.begin; h < rows.end; ++h)
                    for (std::int64_t w = columns.begin; w < columns.end; ++w)
                        for (std::int64_t c = 0; c < y[3]; ++c) {
                            function(static_cast<std::size_t>(((n * x[1] + h) * x[2] + w) * x[3] + c),
                                     static_cast<std::size_t>(((n * y[1] + oh) * y[2] + ow) * y[3] + c), static_cast<double>(cells));
                        }
            }
}

void storeAverages(const std::vector<double>& sums, std::span<float> values) {
    std::transform(sums.begin(), sums.end(), values.begin(), [](double sum) { return static_cast<float>(sum); });
}

}  // namespace

void averagePool2D(const plan::Window2D& window, const PoolTensors& shapes, std::span<const float> x, std::span<float> y) {
    std::vector<double> sums(y.size());
    forEachCell(window, shapes, [&](std::size_t xi, std::size_t yi, double cells) { sums[yi] += x[xi] / cells; });
    storeAverages(sums, y);
}

void averagePool2DBack(const plan::Window2D& window, const PoolTensors& shapes, std::span<const float> dy, std::span<float> dx) {
    std::vector<double> sums(dx.size());
    forEachCell(window, shapes, [&](std::size_t xi, std::size_t yi, double cells) { sums[xi] += dy[yi] / cells; });
    storeAverages(sums, dx);
}

}  // namespace engine::backend::reference
