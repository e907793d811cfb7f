#include "engine/backend/cpu/convolution/winograd.h"

#include <algorithm>

#include "engine/backend/cpu/convolution/panel_convolution.h"

namespace engine::backend::cpu {

TiledImages tiledImages(const ConvolutionGeometry& g, const float* samples) {
    const std::int64_t row = g.width * g.channels;
    return {.values = samples,
            .sample = g.height * row,
            .row = row,
            .pixel = g.channels,
            .rows = g.height,
            .columns = g.width,
            .top = g.window.pad_top,
            .left = g.window.pad_left};
}

Winograd::Winograd(int m, const ConvolutionGeometry& g, const KernelTable& kernels)
    : m_(m),
      kernel_(g.window.kernel_h),
      positions_(std::int64_t{tile()} * tile()),
      zeros_(static_cast<std::size_t>(std::max(g.width * g.channels, g.out_w * g.filters))),
      kernels_(kernels) {}

bool Winograd::fits(const ConvolutionGeometry& g) {
    constexpr std::int64_t kFewest = 16;
    const plan::Window2D& w = g.window;
    const bool has_maps = w.kernel_h == w.kernel_w && (w.kernel_h == 3 || w.kernel_h == 5);
    return has_maps && GradientImage::fitsInput(g) && w.dilation_h == 1 && w.dilation_w == 1 && w.groups == 1 && g.channels >= kFewest &&
           g.filters >= kFewest && g.out_h > 1 && g.out_w > 1;
}

int Winograd::tileOf(const ConvolutionGeometry& g, std::int64_t samples, bool few_bits) {
    constexpr std::int64_t kFewestTiles = 32;
    const int n = g.window.kernel_h;
    const auto tiles = [&](int m) { return divideUp(g.out_h, m) * divideUp(g.out_w, m); };
    const auto products = [&](int m) { return tiles(m) * (m + n - 1) * (m + n - 1); };
    const auto has_enough = [&](int m) { return !few_bits && samples * tiles(m) >= kFewestTiles; };
    const int m = has_enough(4) && products(4) < products(2) ? 4 : 2;
    return n == 5 && has_enough(5) && 10 * products(5) <= 9 * products(m) ? 5 : m;
}

ConvolutionGeometry Winograd::inWholeTiles(const ConvolutionGeometry& g, int m, bool pooled) {
    const auto missing = [&](std::int64_t results) {
        const std::int64_t wanted = pooled ? results / 2 * 2 : results;
        return static_cast<int>(std::max<std::int64_t>(0, divideUp(wanted, m) * m - results));
    };
    plan::Window2D window = g.window;
    window.pad_bottom += missing(g.out_h);
    window.pad_right += missing(g.out_w);
    return {window, {1, g.height, g.width, g.channels}, g.filters};
}

TileGrid Winograd::blockOf(std::int64_t rows, std::int64_t columns, std::int64_t most_samples, std::int64_t channels, std::int64_t filters,
                           bool pooled) const {
    constexpr std::int64_t kBytes = 512 << 10, kFewest = 32;
    const std::int64_t tile_bytes = positions_ * (channels + filters) * static_cast<std::int64_t>(sizeof(float));
    const std::int64_t tiles = std::max(kBytes / tile_bytes, kFewest), of_sample = std::max<std::int64_t>(rows * columns, 1);
    if (of_sample <= tiles) {
        const std::int64_t most = std::max<std::int64_t>(most_samples, 1), blocks = divideUp(most, std::min(tiles / of_sample, most));
        return {divideUp(most, blocks), rows, columns};
    }
    const std::int64_t fewer_rows = divideUp(rows, divideUp(of_sample, tiles));
    return {1, pooled && m_ % 2 != 0 ? divideUp(fewer_rows, 2) * 2 : fewer_rows, columns};
}

void Winograd::mapKernel(const float* kernel, std::int64_t rows, std::int64_t columns, Range some, float* mapped) const {
    const std::int64_t position = stride(rows, columns);
    kernels_.mapTiles({.map = TileMap::kKernel,
                       .kernel = kernel_,
                       .results = m_,
                       .from = kernel + some.begin * columns,
                       .from_row = kernel_ * rows * columns,
                       .from_column = rows * columns,
                       .from_tile = columns,
                       .to = mapped + some.begin * columns,
                       .to_row = tile() * position,
                       .to_column = position,
                       .to_tile = columns,
                       .tiles = some.size(),
                       .channels = columns});
}

void Winograd::mapImages(const TiledImages& images, std::int64_t first_row, std::int64_t channels, const TileGrid& grid, float* mapped,
                         std::int64_t all_tiles) const {
    mapRows(TileMap::kImage, tile(), images, first_row, channels, grid, mapped, all_tiles);
}

void Winograd::mapResultGradient(const TiledImages& dy, std::int64_t first_row, std::int64_t filters, const TileGrid& grid, float* mapped,
                                 std::int64_t all_tiles) const {
    mapRows(TileMap::kResultGradient, m_, dy, first_row, filters, grid, mapped, all_tiles);
}

void Winograd::mapRows(TileMap map, std::int64_t size, const TiledImages& images, std::int64_t first_row, std::int64_t channels,
                       const TileGrid& grid, float* mapped, std::int64_t all_tiles) const {
    const std::int64_t position = stride(std::max(all_tiles, grid.tiles()), channels);
    for (std::int64_t sample = 0; sample < grid.samples; ++sample) {
        const float* image = images.values + sample * images.sample;
        for (std::int64_t i = 0; i < grid.rows; ++i, mapped += grid.columns * channels) {
            const std::int64_t first = m_ * (first_row + i) - images.top;  // a tile's, counted from the first row that is there
            TileMapArgs args{.map = map,
                             .kernel = kernel_,
                             .results = m_,
                             .from = image,
                             .from_row = images.row,
                             .from_column = images.pixel,
                             .from_tile = m_ * images.pixel,
                             .zeros = images.left,
                             .columns_there = images.columns,
                             .next = (first + size) * images.row,
                             .to = mapped,
                             .to_row = tile() * position,
                             .to_column = position,
                             .to_tile = channels,
                             .tiles = grid.columns,
                             .channels = channels};
            for (std::int64_t row = 0; row < size; ++row) {
                const bool is_there = first + row >= 0 && first + row < images.rows;
                args.from_rows[static_cast<std::size_t>(row)] = is_there ? image + (first + row) * images.row : zeros_.data();
            }
            kernels_.mapTiles(args);
        }
    }
}

void Winograd::multiply(const float* image, const float* kernel, const TileGrid& grid, std::int64_t channels, std::int64_t filters,
                        float* products) const {
    for (std::int64_t i = 0; i < positions_; ++i) {
        kernels_.product({.a = image + i * stride(grid.tiles(), channels),
                          .a_row = channels,
                          .b = kernel + i * stride(channels, filters),
                          .b_row = filters,
                          .c = products + i * stride(grid.tiles(), filters),
                          .c_row = filters,
                          .rows = grid.tiles(),
                          .columns = filters,
                          .count = channels});
    }
}

void Winograd::sumKernelGradient(const float* image, const float* dy, const TileGrid& grid, std::int64_t channels, std::int64_t filters,
                                 bool add, float* dkernel) const {
    for (std::int64_t i = 0; i < positions_; ++i) {
        kernels_.product({.a = image + i * stride(grid.tiles(), channels),
                          .a_row = 1,
                          .a_step = channels,
                          .b = dy + i * stride(grid.tiles(), filters),
                          .b_row = filters,
                          .c = dkernel + i * stride(channels, filters),
                          .c_row = filters,
                          .rows = channels,
                          .columns = filters,
                          .count = grid.tiles(),
                          .accumulate = add});
    }
}

void Winograd::kernelGradientAt(std::int64_t position, const float* image, const float* dy, std::int64_t tiles, std::int64_t all_tiles,
                                std::int64_t channels, std::int64_t filters, Range columns, float* dkernel) const {
    // So many tiles at a time that a panel of dy, and the lines of the cache that rows of the image share, stay in the first level.
    constexpr std::int64_t kTilesTogether = 64;
    const std::int64_t chunks = std::max<std::int64_t>(1, divideUp(tiles, kTilesTogether));
    for (std::int64_t i = 0; i < chunks; ++i) {
        const Range some = share(tiles, i, chunks);
        kernels_.product({.a = image + position * stride(all_tiles, channels) + some.begin * channels,
                          .a_row = 1,
                          .a_step = channels,
                          .b = dy + position * stride(all_tiles, filters) + some.begin * filters + columns.begin,
                          .b_row = filters,
                          .c = dkernel + position * stride(channels, filters) + columns.begin,
                          .c_row = filters,
                          .rows = channels,
                          .columns = columns.size(),
                          .count = some.size(),
                          .accumulate = i > 0});
    }
}

void Winograd::mapResults(const float* products, std::int64_t filters, const TileGrid& grid, const float* bias, bool relu,
                          const ResultImage& y) const {
    const std::int64_t position = stride(grid.tiles(), filters);
    for (std::int64_t sample = 0; sample < grid.samples; ++sample) {
        for (std::int64_t row = 0; row < grid.rows; ++row, products += grid.columns * filters) {
            TileMapArgs args{.map = TileMap::kResult,
                             .kernel = kernel_,
                             .results = m_,
                             .from = products,
                             .from_row = tile() * position,
                             .from_column = position,
                             .from_tile = filters,
                             .to = y.values + sample * y.sample + m_ * row * y.row,
                             .to_row = y.row,
                             .to_column = filters,
                             .to_tile = m_ * filters,
                             .tiles = std::min(grid.columns, y.width / m_),
                             .channels = filters,
                             .rows = static_cast<int>(std::min<std::int64_t>(m_, y.rows - m_ * row)),
                             .columns = m_,
                             .bias = bias,
                             .relu = relu};
            kernels_.mapTiles(args);
            if (grid.columns == args.tiles) continue;
            args.from += args.tiles * filters;
            args.to += m_ * args.tiles * filters;
            args.columns = static_cast<int>(y.width - m_ * args.tiles);
            args.tiles = 1;
            kernels_.mapTiles(args);
        }
    }
}

void Winograd::mapKernelGradient(const float* mapped, std::int64_t channels, std::int64_t filters, Range some, float* dkernel) const {
    const std::int64_t position = stride(channels, filters);
    kernels_.mapTiles({.map = TileMap::kKernelGradient,
                       .kernel = kernel_,
                       .results = m_,
                       .from = mapped + some.begin * filters,
                       .from_row = tile() * position,
                       .from_column = position,
                       .from_tile = filters,
                       .to = dkernel + some.begin * filters,
                       .to_row = kernel_ * channels * filters,
                       .to_column = channels * filters,
                       .to_tile = filters,
                       .tiles = some.size(),
                       .channels = filters});
}

}  // namespace engine::backend::cpu
