#include <algorithm>
#include <vector>

#include "engine/backend/reference/kernels.h"

namespace engine::backend::reference {
namespace {

struct Span {
    std::int64_t begin, end;
};

// The part of a window that lies within an axis of `size` cells.
Span inside(std::int64_t out, int stride, int pad, int kernel, std::int64_t size) {
    const std::int64_t begin = out * stride - pad;
    return {std::max<std::int64_t>(begin, 0), std::min(begin + kernel, size)};
}

// Calls function(x index, y index, cells of the window) for every cell of every window.
template <typename Function>
void forEachCell(const plan::Window2D& window, const PoolTensors& shapes, Function&& function) {
    const Shape &x = shapes.x, &y = shapes.y;
    for (std::int64_t n = 0; n < y[0]; ++n)
        for (std::int64_t oh = 0; oh < y[1]; ++oh)
            for (std::int64_t ow = 0; ow < y[2]; ++ow) {
                const Span rows = inside(oh, window.stride_h, window.pad_top, window.kernel_h, x[1]);
                const Span columns = inside(ow, window.stride_w, window.pad_left, window.kernel_w, x[2]);
                const std::int64_t cells = (rows.end - rows.begin) * (columns.end - columns.begin);
                for (std::int64_t h = rows.begin; h < rows.end; ++h)
                    for (std::int64_t w = columns.begin; w < columns.end; ++w)
                        for (std::int64_t c = 0; c < y[3]; ++c) {
                            function(static_cast<std::size_t>(((n * x[1] + h) * x[2] + w) * x[3] + c),
                                     static_cast<std::size_t>(((n * y[1] + oh) * y[2] + ow) * y[3] + c), static_cast<double>(cells));
                        }
            }
}

void store(const std::vector<double>& sums, std::span<float> values) {
    std::transform(sums.begin(), sums.end(), values.begin(), [](double sum) { return static_cast<float>(sum); });
}

}  // namespace

void averagePool2D(const plan::Window2D& window, const PoolTensors& shapes, std::span<const float> x, std::span<float> y) {
    std::vector<double> sums(y.size());
    forEachCell(window, shapes, [&](std::size_t xi, std::size_t yi, double cells) { sums[yi] += x[xi] / cells; });
    store(sums, y);
}

void averagePool2DBack(const plan::Window2D& window, const PoolTensors& shapes, std::span<const float> dy, std::span<float> dx) {
    std::vector<double> sums(dx.size());
    forEachCell(window, shapes, [&](std::size_t xi, std::size_t yi, double cells) { sums[xi] += dy[yi] / cells; });
    store(sums, dx);
}

}  // namespace engine::backend::reference
