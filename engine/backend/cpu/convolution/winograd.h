// Convolutions of 3x3 and 5x5 by Winograd's minimal filtering F(m x m, n x n): a tile of m by m neighbouring results costs (m + n - 1)^2
// products a channel and filter in place of m^2 n^2. Images, kernels and results are mapped to matrices, one for each of the
// (m + n - 1)^2 positions, and those are multiplied. Both gradients are the transposed maps round the same products.
// (S. Winograd, Arithmetic Complexity of Computations, 1980; A. Lavin and S. Gray, arXiv 1509.09308.)
#pragma once

#include <cstdint>
#include <vector>

#include "engine/backend/cpu/convolution/convolution_geometry.h"
#include "engine/backend/cpu/kernel_table.h"

namespace engine::backend::cpu {

// Tiles of results of some samples.
struct TileGrid {
    std::int64_t samples = 1, rows = 1, columns = 1;
    std::int64_t tiles() const { return samples * rows * columns; }
};

// Neighbouring images as tiles see them: there are zeros around what is there, which nobody stores. Strides are in floats.
struct TiledImages {
    const float* values = nullptr;  // the first that is there, of the first image
    std::ptrdiff_t sample = 0, row = 0, pixel = 0;
    std::int64_t rows = 0, columns = 0;  // of pixels that are there
    std::int64_t top = 0, left = 0;      // rows and columns of zeros before them, within the first tile
};

// Samples of a convolution's input, as its windows move over them.
TiledImages tiledImages(const ConvolutionGeometry& geometry, const float* samples);

// The memory that results go to: `rows` by `width` pixels of a sample, side by side. Strides are in floats.
struct ResultImage {
    float* values = nullptr;
    std::ptrdiff_t sample = 0, row = 0;
    std::int64_t rows = 0, width = 0;
};

class Winograd {
public:
    // Stride and dilation 1, one group, a kernel of 3x3 or 5x5, and enough channels and filters for the maps to pay.
    static bool fits(const ConvolutionGeometry& geometry);
    // Returns m: 4 where the tiles of all results then need fewer products than with 2; 5, for a kernel of 5x5, where that saves
    // another tenth of them at least, because its results are less exact. Both need so many tiles over all `samples` that the larger maps
    // of the kernel pay. What works on values of `few_bits` has 2: with a kernel of 3x3 its sums are then exact, and are rounded as anybody
    // rounds them.
    static int tileOf(const ConvolutionGeometry& geometry, std::int64_t samples, bool few_bits);
    // The same convolution with as much more padding at the bottom and at the right as its results need to be whole tiles of `m` by `m`.
    // `pooled`: the last of an odd number of results is not wanted.
    static ConvolutionGeometry inWholeTiles(const ConvolutionGeometry& geometry, int m, bool pooled = false);

    // Tiles of `m` by `m` results of a kernel of n by n: n is 3 or 5, m is 2, 4 or, where n is 5, 5. Images are those of x and dy.
    Winograd(int m, const ConvolutionGeometry& geometry, const KernelTable& kernels);

    std::int64_t m() const { return m_; }
    std::int64_t positions() const { return positions_; }

    // Floats of (rows, columns) at every position.
    std::int64_t mappedFloats(std::int64_t rows, std::int64_t columns) const { return positions_ * stride(rows, columns); }
    // So many samples, or rows of tiles of one sample, that what is mapped of them about fills half of a second-level cache, and blocks of
    // samples are alike. `pooled`: windows of 2x2 results end where blocks do, which takes two rows of tiles where m is odd.
    TileGrid blockOf(std::int64_t rows, std::int64_t columns, std::int64_t most_samples, std::int64_t channels, std::int64_t filters,
                     bool pooled = false) const;

    // Some rows of a kernel (n, n, rows, columns) -> (positions, rows, columns).
    void mapKernel(const float* kernel, std::int64_t rows, std::int64_t columns, Range some, float* mapped) const;
    // Images, from their row `first_row` of tiles on -> (positions, tiles, channels). `all_tiles`: where the matrices have room for more
    // tiles than the grid has; `mapped` is then the place of its first.
    void mapImages(const TiledImages& images, std::int64_t first_row, std::int64_t channels, const TileGrid& grid, float* mapped,
                   std::int64_t all_tiles = 0) const;
    // The same for dy -> (positions, tiles, filters).
    void mapResultGradient(const TiledImages& dy, std::int64_t first_row, std::int64_t filters, const TileGrid& grid, float* mapped,
                           std::int64_t all_tiles = 0) const;

    // (tiles, channels) x (channels, filters) -> (tiles, filters), at every position.
    void multiply(const float* image, const float* kernel, const TileGrid& grid, std::int64_t channels, std::int64_t filters,
                  float* products) const;
    // dkernel (positions, channels, filters) = transposed(image) dy; `add`: that is added.
    void sumKernelGradient(const float* image, const float* dy, const TileGrid& grid, std::int64_t channels, std::int64_t filters, bool add,
                           float* dkernel) const;

    // Some columns of dkernel (channels, filters) at one position = transposed(image) dy, for `tiles` of matrices that have room for
    // `all_tiles`.
    void kernelGradientAt(std::int64_t position, const float* image, const float* dy, std::int64_t tiles, std::int64_t all_tiles,
                          std::int64_t channels, std::int64_t filters, Range columns, float* dkernel) const;

    // (positions, tiles, filters) -> y, for the results that it has.
    void mapResults(const float* products, std::int64_t filters, const TileGrid& grid, const float* bias, bool relu,
                    const ResultImage& y) const;
    // (positions, channels, filters) -> (n, n, channels, filters), for some of the channels.
    void mapKernelGradient(const float* mapped, std::int64_t channels, std::int64_t filters, Range some, float* dkernel) const;

private:
    // The distance from one position's matrix to the next. It is no power of two, so that the matrices do not share lines of the cache.
    static std::int64_t stride(std::int64_t rows, std::int64_t columns) { return divideUp(rows * columns, 16) * 16 + 16; }
    int tile() const { return m_ + kernel_ - 1; }
    // `size`: rows, and columns, of images that `map` takes for a tile.
    void mapRows(TileMap map, std::int64_t size, const TiledImages& images, std::int64_t first_row, std::int64_t channels,
                 const TileGrid& grid, float* mapped, std::int64_t all_tiles) const;

    int m_, kernel_;
    std::int64_t positions_;
    std::vector<float> zeros_;  // a row of an image
    const KernelTable& kernels_;
};

}  // namespace engine::backend::cpu
