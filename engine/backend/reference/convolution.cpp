#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/backend/reference/kernels.h"

namespace engine::backend::reference {
namespace {

std::size_t at(const Shape& shape, std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c) {
    return static_cast<std::size_t>(((n * shape[1] + h) * shape[2] + w) * shape[3] + c);
}

// Calls function(x index, kernel index, y index) for every product of the convolution.
template <typename Function>
void forEachProduct(const plan::Window2D& window, const ConvTensors& s, Function&& function) {
    const std::int64_t channels = s.kernel[2];
    const std::int64_t filters_of_group = s.y[3] / window.groups;
    for (std::int64_t n = 0; n < s.y[0]; ++n)
        for (std::int64_t oh = 0; oh < s.y[1]; ++oh)
            for (std::int64_t ow = 0; ow < s.y[2]; ++ow)
                for (std::int64_t kh = 0; kh < s.kernel[0]; ++kh)
                    for (std::int64_t kw = 0; kw < s.kernel[1]; ++kw) {
                        const std::int64_t h = oh * window.stride_h + kh * window.dilation_h - window.pad_top;
                        const std::int64_t w = ow * window.stride_w + kw * window.dilation_w - window.pad_left;
                        if (h < 0 || h >= s.x[1] || w < 0 || w >= s.x[2]) continue;
                        for (std::int64_t f = 0; f < s.y[3]; ++f)
                            for (std::int64_t c = 0; c < channels; ++c) {
                                const std::int64_t x_channel = f / filters_of_group * channels + c;
                                function(at(s.x, n, h, w, x_channel), at(s.kernel, kh, kw, c, f), at(s.y, n, oh, ow, f));
                            }
                    }
}

void store(const std::vector<double>& sums, std::span<float> values) {
    std::transform(sums.begin(), sums.end(), values.begin(), [](double sum) { return static_cast<float>(sum); });
}

}  // namespace

void conv2D(const plan::Window2D& window, const ConvTensors& shapes, std::span<const float> x, std::span<const float> kernel,
            std::span<float> y) {
    std::vector<double> sums(y.size());
    forEachProduct(window, shapes,
                   [&](std::size_t xi, std::size_t ki, std::size_t yi) { sums[yi] += static_cast<double>(x[xi]) * kernel[ki]; });
    store(sums, y);
}

void conv2DBackInput(const plan::Window2D& window, const ConvTensors& shapes, std::span<const float> dy, std::span<const float> kernel,
                     std::span<float> dx) {
    std::vector<double> sums(dx.size());
    forEachProduct(window, shapes,
                   [&](std::size_t xi, std::size_t ki, std::size_t yi) { sums[xi] += static_cast<double>(dy[yi]) * kernel[ki]; });
    store(sums, dx);
}

void conv2DBackKernel(const plan::Window2D& window, const ConvTensors& shapes, std::span<const float> x, std::span<const float> dy,
                      std::span<float> dkernel) {
    std::vector<double> sums(dkernel.size());
    forEachProduct(window, shapes,
                   [&](std::size_t xi, std::size_t ki, std::size_t yi) { sums[ki] += static_cast<double>(x[xi]) * dy[yi]; });
    store(sums, dkernel);
}

void maxPool2D(const plan::Window2D& window, const PoolTensors& shapes, std::span<const float> x, std::span<float> y,
               std::span<std::int32_t> argmax) {
    const Shape& out = shapes.y;
    for (std::int64_t n = 0; n < out[0]; ++n)
        for (std::int64_t oh = 0; oh < out[1]; ++oh)
            for (std::int64_t ow = 0; ow < out[2]; ++ow)
                for (std::int64_t c = 0; c < out[3]; ++c) {
                    float best = -std::numeric_limits<float>::infinity();
                    std::int32_t best_cell = -1;
                    const plan::CellRange rows = plan::rowsOfWindow(window, oh, out[1], shapes.x[1]);
                    const plan::CellRange columns = plan::columnsOfWindow(window, ow, out[2], shapes.x[2]);
                    for (std::int64_t h = rows.begin; h < rows.end; ++h)
                        for (std::int64_t w = columns.begin; w < columns.end; ++w) {
                            if (h < 0 || h >= shapes.x[1] || w < 0 || w >= shapes.x[2]) continue;
                            const float value = x[at(shapes.x, n, h, w, c)];
                            // A NaN wins and stays, so that a broken model shows.
                            if (best_cell >= 0 && !(value > best) && !(std::isnan(value) && !std::isnan(best))) continue;
                            best = value;
                            best_cell = static_cast<std::int32_t>((h - rows.begin) * window.kernel_w + w - columns.begin);
                        }
                    y[at(out, n, oh, ow, c)] = best;
                    argmax[at(out, n, oh, ow, c)] = best_cell;
                }
}

void maxPool2DBack(const plan::Window2D& window, const PoolTensors& shapes, std::span<const float> dy, std::span<const std::int32_t> argmax,
                   std::span<float> dx) {
    std::vector<double> sums(dx.size());
    const Shape& out = shapes.y;
    for (std::int64_t n = 0; n < out[0]; ++n)
        for (std::int64_t oh = 0; oh < out[1]; ++oh)
            for (std::int64_t ow = 0; ow < out[2]; ++ow)
                for (std::int64_t c = 0; c < out[3]; ++c) {
                    const std::size_t i = at(out, n, oh, ow, c);
                    const std::int64_t h = plan::rowsOfWindow(window, oh, out[1], shapes.x[1]).begin + argmax[i] / window.kernel_w;
                    const std::int64_t w = plan::columnsOfWindow(window, ow, out[2], shapes.x[2]).begin + argmax[i] % window.kernel_w;
                    sums[at(shapes.x, n, h, w, c)] += dy[i];
                }
    store(sums, dx);
}

void globalMaxBack(const PoolTensors& shapes, std::span<const float> dy, std::span<const float> x, std::span<const float> y,
                   std::span<float> dx) {
    const std::int64_t cells = shapes.x[1] * shapes.x[2], channels = shapes.x[3];
    for (std::int64_t n = 0; n < shapes.x[0]; ++n)
        for (std::int64_t c = 0; c < channels; ++c) {
            const auto at = [=](std::int64_t cell) { return static_cast<std::size_t>((n * cells + cell) * channels + c); };
            const auto result = static_cast<std::size_t>(n * channels + c);
            double equal = 0;
            for (std::int64_t cell = 0; cell < cells; ++cell) equal += x[at(cell)] == y[result] ? 1 : 0;
            // A NaN equals nothing, so that 0 / 0 shows a broken model on the way back, too.
            const double share = dy[result] / equal;
            for (std::int64_t cell = 0; cell < cells; ++cell) {
                dx[at(cell)] = static_cast<float>((x[at(cell)] == y[result] ? 1 : 0) * share);
            }
        }
}

}  // namespace engine::backend::reference
