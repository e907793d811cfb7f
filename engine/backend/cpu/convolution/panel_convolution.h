// Convolutions as products of the windows of an image with a kernel whose columns are cut into panels: a part of a panel stays in the
// first-level cache while some hundred pixels pass over it.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/backend/cpu/bound_op.h"
#include "engine/backend/cpu/convolution/convolution_geometry.h"
#include "engine/backend/cpu/kernel_table.h"

namespace engine::backend::cpu {

// Columns of a matrix in panels of equal width, in whole vectors; the last may have fewer columns. Panels lie one after the other, each a
// matrix of `width` values a row.
struct PanelCut {
    std::int64_t columns = 0, panels = 0, width = 0;

    PanelCut(std::int64_t columns, const KernelTable& kernels);
    static PanelCut whole(std::int64_t columns) { return PanelCut(columns); }
    Range of(std::int64_t panel) const { return {panel * width, columns < (panel + 1) * width ? columns : (panel + 1) * width}; }
    std::int64_t begin(std::int64_t panel, std::int64_t rows) const { return panel * width * rows; }
    std::int64_t floats(std::int64_t rows) const { return begin(panels, rows); }

private:
    explicit PanelCut(std::int64_t one) : columns(one), panels(1), width(one) {}
};

// Samples, and of large images rows of one sample, that pass over a panel together.
struct PixelBlock {
    std::int64_t samples = 1, rows = 1;
};
// Returns the block for results of (rows, width) and up to `most_samples` samples; its number of rows is even unless it is all of them.
PixelBlock pixelBlock(std::int64_t rows, std::int64_t width, std::int64_t most_samples);

// The product of windows with a packed kernel of (count, columns) for each group.
class PanelProduct {
public:
    // `offsets`: of the values of a window from its first; windows of group g begin g * x_group values further.
    // `pairs`: windows and kernel hold pairs of bfloat16 in the place of floats; null: floats.
    PanelProduct(std::int64_t columns, int groups, std::vector<std::int32_t> offsets, std::ptrdiff_t x_group, const KernelTable& kernels,
                 const PairProducts* pairs = nullptr);

    const PanelCut& cut() const { return cut_; }
    std::int64_t count() const { return static_cast<std::int64_t>(offsets_.size()); }
    std::int64_t packedElements() const { return groups_ * cut_.floats(count()); }
    std::int64_t panelAt(int group, std::int64_t panel) const { return group * cut_.floats(count()) + cut_.begin(panel, count()); }
    // The arguments of one panel: `all` has the addresses of the first group and column, the packed kernel in `panel` and its whole bias.
    // y is left as it is: where group and panel begin differs.
    PanelArgs argsOf(PanelArgs all, int group, std::int64_t panel) const;
    // One panel.
    void convolve(const PanelArgs& args) const { convolve_(args); }
    // All groups and panels, `band` rows at a time.
    void run(const PanelArgs& all, std::int64_t band) const;

private:
    PanelCut cut_;
    int groups_;
    std::vector<std::int32_t> offsets_;
    std::ptrdiff_t x_group_;
    void (*convolve_)(const PanelArgs&);
};

// Part `index` of `parts` of packing a kernel (rows, filters) for the product that makes y.
void packKernel(const ConvolutionGeometry& geometry, const PanelProduct& product, const float* kernel, std::int64_t index,
                std::int64_t parts, const KernelTable& kernels, float* packed);
// The same for the product that makes dx from a padded dy: kernels turned by half a turn, filters and channels exchanged.
void packTurnedKernel(const ConvolutionGeometry& geometry, const PanelProduct& product, const float* kernel, std::int64_t index,
                      std::int64_t parts, const KernelTable& kernels, float* packed);

// dy of one sample as the backward products take it. Where `blocked` it is panels of filters, each a padded image of its own, else (rows,
// width, filters) without padding.
struct GradientImage {
    PanelCut cut;  // of one group's filters
    int groups = 1;
    bool blocked = true;
    std::int64_t rows = 0, width = 0;  // padded
    std::int64_t pad_top = 0, pad_left = 0;
    std::int64_t filters = 0;

    // `for_input` pads the image so that every pixel of dx has its window, where that is possible (stride 1).
    GradientImage(const ConvolutionGeometry& geometry, bool for_input, const KernelTable& kernels);
    // One panel of all filters, without padding: for Winograd's gradients.
    explicit GradientImage(const ConvolutionGeometry& geometry);
    static bool fitsInput(const ConvolutionGeometry& geometry);

    std::int64_t pixel() const { return blocked ? cut.width : filters; }
    std::int64_t row() const { return width * pixel(); }
    std::int64_t floats() const { return blocked ? groups * cut.floats(rows * width) : rows * row(); }
    std::int64_t groupFloats() const { return cut.floats(rows * width); }  // blocked
    // The place of the first value of dy that belongs to a panel of a group.
    std::int64_t at(int group, std::int64_t panel) const {
        const std::int64_t inside = pad_top * row() + pad_left * pixel();
        return blocked ? group * groupFloats() + cut.begin(panel, rows * width) + inside : group * cut.columns + panel * cut.width;
    }
    // The places of the values of a window of dx (kernel_h, kernel_w, filters of a group) within one group. Requires `blocked`.
    std::vector<std::int32_t> windowOffsets(const plan::Window2D& window) const;
};

}  // namespace engine::backend::cpu
