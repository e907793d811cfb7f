#include "engine/backend/cpu/convolution/winograd_gradients.h"

#include <algorithm>

namespace engine::backend::cpu {

WinogradGradients::WinogradGradients(int m, const ConvolutionGeometry& geometry, std::int64_t most_samples, bool wants_input,
                                     bool wants_kernel, const KernelTable& kernels)
    : geometry_(geometry),
      whole_(Winograd::inWholeTiles(geometry, m)),
      wants_input_(wants_input),
      wants_kernel_(wants_kernel),
      kernels_(kernels),
      winograd_(m, geometry, kernels),
      input_block_(winograd_.blockOf(divideUp(geometry.height, winograd_.m()), divideUp(geometry.width, winograd_.m()), most_samples,
                                     geometry.filters, geometry.channels)),
      kernel_block_(
          winograd_.blockOf(whole_.out_h / winograd_.m(), whole_.out_w / winograd_.m(), most_samples, geometry.channels, geometry.filters)),
      samples_(std::min(wants_input ? input_block_.samples : most_samples, kernel_block_.samples)) {
    input_block_.samples = kernel_block_.samples = samples_;
}

std::int64_t WinogradGradients::threadFloats() const {
    const auto floats = [&](const TileGrid& block) {
        return winograd_.mappedFloats(block.tiles(), geometry_.channels) + winograd_.mappedFloats(block.tiles(), geometry_.filters);
    };
    return std::max(wants_input_ ? floats(input_block_) : 0, wants_kernel_ ? floats(kernel_block_) : 0);
}

void WinogradGradients::turnKernel(const float* kernel, std::int64_t index, std::int64_t parts, float* turned) const {
    const std::int64_t channels = geometry_.channels, filters = geometry_.filters, cells = geometry_.kernelRows() / channels;
    const Range mine = share(filters, index, parts);
    float* half_turn = turned + mappedTurned();
    for (std::int64_t cell = 0; cell < cells; ++cell) {
        kernels_.transpose(kernel + (cells - 1 - cell) * channels * filters + mine.begin, filters, channels, mine.size(),
                           half_turn + (cell * filters + mine.begin) * channels, channels);
    }
    winograd_.mapKernel(half_turn, filters, channels, mine, turned);
}

void WinogradGradients::inputGradient(const TiledImages& dy, std::int64_t samples, const float* turned, float* scratch, float* dx) const {
    const std::int64_t m = winograd_.m(), rows = divideUp(geometry_.height, m), dx_row = geometry_.width * geometry_.channels;
    TiledImages windows = dy;
    windows.top = geometry_.window.kernel_h - 1 - geometry_.window.pad_top;
    windows.left = geometry_.window.kernel_w - 1 - geometry_.window.pad_left;
    for (std::int64_t row = 0; row < rows; row += input_block_.rows) {
        const TileGrid grid{samples, std::min(input_block_.rows, rows - row), input_block_.columns};
        float* products = scratch + winograd_.mappedFloats(grid.tiles(), geometry_.filters);
        winograd_.mapImages(windows, row, geometry_.filters, grid, scratch);
        winograd_.multiply(scratch, turned, grid, geometry_.filters, geometry_.channels, products);
        winograd_.mapResults(products, geometry_.channels, grid, nullptr, false,
                             {.values = dx + m * row * dx_row,
                              .sample = geometry_.height * dx_row,
                              .row = dx_row,
                              .rows = geometry_.height - m * row,
                              .width = geometry_.width});
    }
}

void WinogradGradients::sumKernelGradient(const float* x, const TiledImages& dy, std::int64_t samples, bool add, float* scratch,
                                          float* sum) const {
    const std::int64_t rows = whole_.out_h / winograd_.m();
    const TiledImages images = tiledImages(geometry_, x);
    for (std::int64_t row = 0; row < rows; row += kernel_block_.rows) {
        const TileGrid grid{samples, std::min(kernel_block_.rows, rows - row), kernel_block_.columns};
        float* gradients = scratch + winograd_.mappedFloats(grid.tiles(), geometry_.channels);
        winograd_.mapImages(images, row, geometry_.channels, grid, scratch);
        winograd_.mapResultGradient(dy, row, geometry_.filters, grid, gradients);
        winograd_.sumKernelGradient(scratch, gradients, grid, geometry_.channels, geometry_.filters, add || row > 0, sum);
    }
}

void WinogradGradients::endKernelGradient(const float* sum, float* dkernel) const {
    winograd_.mapKernelGradient(sum, geometry_.channels, geometry_.filters, {0, geometry_.channels}, dkernel);
}

}  // namespace engine::backend::cpu
