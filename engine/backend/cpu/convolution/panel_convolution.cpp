#include "engine/backend/cpu/convolution/panel_convolution.h"

#include <algorithm>
#include <utility>

namespace engine::backend::cpu {

PanelCut::PanelCut(std::int64_t of, const KernelTable& kernels) : columns(of), panels(divideUp(of, kernels.panel_columns)) {
    width = divideUp(divideUp(columns, std::max<std::int64_t>(panels, 1)), kernels.vector_floats) * kernels.vector_floats;
    panels = divideUp(columns, width);
}

PixelBlock pixelBlock(std::int64_t rows, std::int64_t width, std::int64_t most_samples) {
    constexpr std::int64_t kPixels = 256;
    const std::int64_t pixels = std::max<std::int64_t>(rows * width, 1), bands = divideUp(pixels, kPixels);
    if (bands == 1) return {std::clamp<std::int64_t>(kPixels / pixels, 1, std::max<std::int64_t>(most_samples, 1)), rows};
    return {1, std::min(divideUp(divideUp(rows, bands), 2) * 2, rows)};
}

PanelProduct::PanelProduct(std::int64_t columns, int groups, std::vector<std::int32_t> offsets, std::ptrdiff_t x_group,
                           const KernelTable& kernels, const PairProducts* pairs)
    : cut_(columns, kernels),
      groups_(groups),
      offsets_(std::move(offsets)),
      x_group_(x_group),
      convolve_(pairs == nullptr ? kernels.convolvePanel : pairs->convolvePanel) {}

PanelArgs PanelProduct::argsOf(PanelArgs all, int group, std::int64_t panel) const {
    const Range columns = cut_.of(panel);
    all.x += group * x_group_;
    all.offsets = offsets_.data();
    all.count = count();
    all.panel += panelAt(group, panel);
    all.panel_row = cut_.width;
    all.columns = columns.size();
    if (all.bias != nullptr) all.bias += group * cut_.columns + columns.begin;
    return all;
}

void PanelProduct::run(const PanelArgs& all, std::int64_t band) const {
    for (std::int64_t row = 0; row < all.rows; row += band) {
        for (int group = 0; group < groups_; ++group) {
            for (std::int64_t panel = 0; panel < cut_.panels; ++panel) {
                PanelArgs args = argsOf(all, group, panel);
                args.rows = std::min(band, all.rows - row);
                args.x += row * all.x_row;
                args.y += row * all.y_row + group * cut_.columns + cut_.of(panel).begin;
                convolve_(args);
            }
        }
    }
}

void packKernel(const ConvolutionGeometry& geometry, const PanelProduct& product, const float* kernel, std::int64_t index,
                std::int64_t parts, const KernelTable& kernels, float* packed) {
    const Range mine = share(product.count(), index, parts);
    const PanelCut& cut = product.cut();
    for (int group = 0; group < geometry.window.groups; ++group) {
        kernels.packPanels({.from = kernel + mine.begin * geometry.filters + group * cut.columns,
                            .from_row = geometry.filters,
                            .rows = mine.size(),
                            .columns = cut.columns,
                            .width = cut.width,
                            .to = packed + product.panelAt(group, 0) + mine.begin * cut.width,
                            .rows_of_panel = product.count()});
    }
}

void packTurnedKernel(const ConvolutionGeometry& geometry, const PanelProduct& product, const float* kernel, std::int64_t index,
                      std::int64_t parts, const KernelTable& kernels, float* packed) {
    const std::int64_t positions = std::int64_t{geometry.window.kernel_h} * geometry.window.kernel_w;
    const std::int64_t filters = geometry.filters / geometry.window.groups, channels = geometry.channels / geometry.window.groups;
    const Range mine = share(positions, index, parts);
    const PanelCut& cut = product.cut();
    for (int group = 0; group < geometry.window.groups; ++group) {
        for (std::int64_t panel = 0; panel < cut.panels; ++panel) {
            const Range columns = cut.of(panel);
            for (std::int64_t position = mine.begin; position < mine.end; ++position) {
                const std::int64_t turned = positions - 1 - position;
                kernels.transpose(kernel + (turned * channels + columns.begin) * geometry.filters + group * filters, geometry.filters,
                                  columns.size(), filters, packed + product.panelAt(group, panel) + position * filters * cut.width,
                                  cut.width);
            }
        }
    }
}

bool GradientImage::fitsInput(const ConvolutionGeometry& g) {
    const plan::Window2D& w = g.window;
    const int reach_h = w.dilation_h * (w.kernel_h - 1), reach_w = w.dilation_w * (w.kernel_w - 1);
    return w.stride_h == 1 && w.stride_w == 1 && w.pad_top <= reach_h && w.pad_left <= reach_w && w.pad_bottom <= reach_h &&
           w.pad_right <= reach_w;
}

GradientImage::GradientImage(const ConvolutionGeometry& g, bool for_input, const KernelTable& kernels)
    : cut(g.filters / g.window.groups, kernels),
      groups(g.window.groups),
      blocked(!for_input || fitsInput(g)),
      rows(g.out_h),
      width(g.out_w),
      filters(g.filters) {
    if (!for_input || !blocked) return;
    const plan::Window2D& w = g.window;
    pad_top = w.dilation_h * (w.kernel_h - 1) - w.pad_top;
    pad_left = w.dilation_w * (w.kernel_w - 1) - w.pad_left;
    rows = g.height + w.dilation_h * (w.kernel_h - 1);
    width = g.width + w.dilation_w * (w.kernel_w - 1);
}

GradientImage::GradientImage(const ConvolutionGeometry& g)
    : cut(PanelCut::whole(g.filters)), rows(g.out_h), width(g.out_w), filters(g.filters) {}

std::vector<std::int32_t> GradientImage::windowOffsets(const plan::Window2D& w) const {
    std::vector<std::int32_t> offsets;
    for (int h = 0; h < w.kernel_h; ++h)
        for (int v = 0; v < w.kernel_w; ++v)
            for (std::int64_t f = 0; f < cut.columns; ++f) {
                const std::int64_t at = cut.begin(f / cut.width, rows * width) + f % cut.width;
                offsets.push_back(static_cast<std::int32_t>(at + h * w.dilation_h * row() + v * w.dilation_w * pixel()));
            }
    return offsets;
}

}  // namespace engine::backend::cpu
