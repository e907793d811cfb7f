// Ops that move cells of images, and axes.
#include <algorithm>
#include <utility>
#include <vector>

#include "engine/backend/image/resize_taps.h"
#include "engine/backend/reference/kernels.h"

namespace engine::backend::reference {
namespace {

std::size_t pixelAt(const Shape& shape, std::int64_t n, std::int64_t h, std::int64_t w, std::int64_t c) {
    return static_cast<std::size_t>(((n * shape[1] + h) * shape[2] + w) * shape[3] + c);
}

struct AxisTaps {
    std::int64_t cells[2];
    double weights[2];
};

AxisTaps tapsOf(const plan::Resize2D& resize, int times, std::int64_t out, std::int64_t size) {
    const ResizeTaps taps = resizeTaps(resize.interpolation, times, out, size);
    return {{taps.first, taps.second}, {1 - taps.second_weight, taps.second_weight}};
}

// Calls function(small index, large index, weight) for every pair that belongs together.
template <typename Function>
void forEachPart(const plan::Resize2D& resize, const Shape& small, const Shape& large, Function&& function) {
    for (std::int64_t n = 0; n < large[0]; ++n)
        for (std::int64_t h = 0; h < large[1]; ++h)
            for (std::int64_t w = 0; w < large[2]; ++w) {
                const AxisTaps rows = tapsOf(resize, resize.rows, h, small[1]), columns = tapsOf(resize, resize.columns, w, small[2]);
                for (int i = 0; i < 2; ++i)
                    for (int j = 0; j < 2; ++j)
                        for (std::int64_t c = 0; c < large[3]; ++c) {
                            function(pixelAt(small, n, rows.cells[i], columns.cells[j], c), pixelAt(large, n, h, w, c),
                                     rows.weights[i] * columns.weights[j]);
                        }
            }
}

// Calls function(x index, y index) for every cell of a window that lies in the image. `patches`: (N, OH, OW kh kw, C).
template <typename Function>
void forEachPatchCell(const plan::Window2D& w, const Shape& image, const Shape& patches, Function&& function) {
    const std::int64_t cells = std::int64_t{w.kernel_h} * w.kernel_w;
    for (std::int64_t n = 0; n < patches[0]; ++n)
        for (std::int64_t h = 0; h < patches[1]; ++h)
            for (std::int64_t place = 0; place < patches[2]; ++place) {
                const std::int64_t column = place / cells, cell = place % cells;
                const std::int64_t from_row = h * w.stride_h + cell / w.kernel_w * w.dilation_h - w.pad_top,
                                   from_column = column * w.stride_w + cell % w.kernel_w * w.dilation_w - w.pad_left;
                if (from_row < 0 || from_row >= image[1] || from_column < 0 || from_column >= image[2]) continue;
                for (std::int64_t c = 0; c < patches[3]; ++c)
                    function(pixelAt(image, n, from_row, from_column, c), pixelAt(patches, n, h, place, c));
            }
}

// Calls function(index in the image, -1 beyond it; index in the result; weight) for every pair that belongs together.
template <typename Function>
void forEachTap(const plan::Resample2D& part, std::span<const PartBegin> begins, const Shape& image, const Shape& result,
                Function&& function) {
    for (std::int64_t n = 0; n < result[0]; ++n)
        for (std::int64_t h = 0; h < result[1]; ++h)
            for (std::int64_t w = 0; w < result[2]; ++w) {
                const ResampleTaps row = resampleTaps(part.interpolation, begins[static_cast<std::size_t>(n)].top, part.rows, result[1], h);
                const ResampleTaps column =
                    resampleTaps(part.interpolation, begins[static_cast<std::size_t>(n)].left, part.columns, result[2], w);
                for (const auto& [at_row, of_row] : {std::pair(row.first, 1 - row.second_weight), {row.second, row.second_weight}})
                    for (const auto& [at_column, of_column] :
                         {std::pair(column.first, 1 - column.second_weight), {column.second, column.second_weight}})
                        for (std::int64_t c = 0; c < result[3]; ++c) {
                            const bool is_inside = at_row >= 0 && at_row < image[1] && at_column >= 0 && at_column < image[2];
                            function(is_inside ? static_cast<std::int64_t>(pixelAt(image, n, at_row, at_column, c)) : -1,
                                     pixelAt(result, n, h, w, c), static_cast<double>(of_row) * of_column);
                        }
            }
}

void storePixels(const std::vector<double>& sums, std::span<float> values) {
    std::transform(sums.begin(), sums.end(), values.begin(), [](double sum) { return static_cast<float>(sum); });
}

}  // namespace

void transposeAxes(const plan::Permutation& permutation, const Shape& x_shape, std::span<const float> x, std::span<float> y) {
    const std::size_t rank = x_shape.size();
    std::vector<std::int64_t> strides(rank, 1);  // of x
    for (std::size_t i = rank - 1; i-- > 0;) strides[i] = strides[i + 1] * x_shape[i + 1];
    for (std::size_t i = 0; i < y.size(); ++i) {
        auto rest = static_cast<std::int64_t>(i), from = std::int64_t{0};
        for (std::size_t axis = rank; axis-- > 1;) {
            const auto source = static_cast<std::size_t>(permutation.axes[axis - 1]) + 1;
            from += rest % x_shape[source] * strides[source];
            rest /= x_shape[source];
        }
        y[i] = x[static_cast<std::size_t>(from + rest * strides[0])];
    }
}

void pad2D(const plan::Pads2D& pads, const ImageTensors& shapes, std::span<const float> x, std::span<float> y) {
    const Shape &in = shapes.x, &out = shapes.y;
    for (std::int64_t n = 0; n < out[0]; ++n)
        for (std::int64_t h = 0; h < out[1]; ++h)
            for (std::int64_t w = 0; w < out[2]; ++w)
                for (std::int64_t c = 0; c < out[3]; ++c) {
                    const std::int64_t row = h - pads.top, column = w - pads.left;
                    const bool is_inside = row >= 0 && row < in[1] && column >= 0 && column < in[2];
                    y[pixelAt(out, n, h, w, c)] = is_inside ? x[pixelAt(in, n, row, column, c)] : 0.0F;
                }
}

void patches(const plan::Window2D& window, const ImageTensors& shapes, std::span<const float> x, std::span<float> y) {
    std::fill(y.begin(), y.end(), 0.0F);
    forEachPatchCell(window, shapes.x, shapes.y, [&](std::size_t from, std::size_t to) { y[to] = x[from]; });
}

void patchesBack(const plan::Window2D& window, const ImageTensors& shapes, std::span<const float> dy, std::span<float> dx) {
    std::vector<double> sums(dx.size());
    forEachPatchCell(window, shapes.x, shapes.y, [&](std::size_t to, std::size_t from) { sums[to] += static_cast<double>(dy[from]); });
    storePixels(sums, dx);
}

void upsample2D(const plan::Resize2D& resize, const ImageTensors& shapes, std::span<const float> x, std::span<float> y) {
    std::vector<double> sums(y.size());
    forEachPart(resize, shapes.x, shapes.y, [&](std::size_t xi, std::size_t yi, double weight) { sums[yi] += x[xi] * weight; });
    storePixels(sums, y);
}

void upsample2DBack(const plan::Resize2D& resize, const ImageTensors& shapes, std::span<const float> dy, std::span<float> dx) {
    std::vector<double> sums(dx.size());
    forEachPart(resize, shapes.x, shapes.y, [&](std::size_t xi, std::size_t yi, double weight) { sums[xi] += dy[yi] * weight; });
    storePixels(sums, dx);
}

void resample2D(const plan::Resample2D& part, std::span<const PartBegin> begins, const ImageTensors& shapes, std::span<const float> x,
                std::span<float> y) {
    std::vector<double> sums(y.size());
    forEachTap(part, begins, shapes.x, shapes.y, [&](std::int64_t xi, std::size_t yi, double weight) {
        sums[yi] += (xi < 0 ? part.fill_value : static_cast<double>(x[static_cast<std::size_t>(xi)])) * weight;
    });
    storePixels(sums, y);
}

void resample2DBack(const plan::Resample2D& part, std::span<const PartBegin> begins, const ImageTensors& shapes, std::span<const float> dy,
                    std::span<float> dx) {
    std::vector<double> sums(dx.size());
    forEachTap(part, begins, shapes.x, shapes.y, [&](std::int64_t xi, std::size_t yi, double weight) {
        if (xi >= 0) sums[static_cast<std::size_t>(xi)] += dy[yi] * weight;
    });
    storePixels(sums, dx);
}

void readImage(const plan::RandomImage& random, const ImageMap& map, const Shape& image, std::span<const float> x, std::span<float> y) {
    for (std::int64_t h = 0; h < image[0]; ++h)
        for (std::int64_t w = 0; w < image[1]; ++w) {
            const ImageTaps taps = imageTaps(map, random, h, w, image[0], image[1]);
            for (std::int64_t c = 0; c < image[2]; ++c) {
                double sum = taps.constant;
                for (std::size_t t = 0; t < static_cast<std::size_t>(taps.count); ++t) {
                    sum += static_cast<double>(taps.weights[t]) * x[static_cast<std::size_t>(taps.cells[t] * image[2] + c)];
                }
                y[static_cast<std::size_t>((h * image[1] + w) * image[2] + c)] = static_cast<float>(sum);
            }
        }
}

void readImageBack(const plan::RandomImage& random, const ImageMap& map, const Shape& image, std::span<const float> dy,
                   std::span<float> dx) {
    std::vector<double> sums(dx.size());
    for (std::int64_t h = 0; h < image[0]; ++h)
        for (std::int64_t w = 0; w < image[1]; ++w) {
            const ImageTaps taps = imageTaps(map, random, h, w, image[0], image[1]);
            for (std::int64_t c = 0; c < image[2]; ++c) {
                const double g = dy[static_cast<std::size_t>((h * image[1] + w) * image[2] + c)];
                for (std::size_t t = 0; t < static_cast<std::size_t>(taps.count); ++t) {
                    sums[static_cast<std::size_t>(taps.cells[t] * image[2] + c)] += g * taps.weights[t];
                }
            }
        }
    storePixels(sums, dx);
}

void applyMask(const Shape& x_shape, const Shape& mask_shape, std::span<const std::uint8_t> mask, float scale, std::span<const float> x,
               std::span<float> y) {
    for (std::size_t i = 0; i < x.size(); ++i) {
        // The index in the mask: an axis of size 1 there stands still.
        auto rest = static_cast<std::int64_t>(i), index = std::int64_t{0}, stride = std::int64_t{1};
        for (std::size_t axis = x_shape.size(); axis-- > 0;) {
            if (mask_shape[axis] != 1) index += rest % x_shape[axis] * stride;
            rest /= x_shape[axis];
            stride *= mask_shape[axis];
        }
        y[i] = mask[static_cast<std::size_t>(index)] != 0 ? x[i] * scale : 0.0F;
    }
}

}  // namespace engine::backend::reference
