// Sizes of a convolution of the plan, and its samples as the kernels take them: padded.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/backend/cpu/bound_op.h"

namespace engine::backend::cpu {

// Samples as windows move over them: padded, strides in floats. `row` and `pixel` lead to the next window.
struct WindowImage {
    const float* values = nullptr;
    std::ptrdiff_t sample = 0, row = 0, pixel = 0;
};

// Throws Error(kUnimplemented) for pooling inside a fused block other than 2x2 by 2 after a convolution of one group.
void checkPooled(const plan::Op& op);

struct ConvolutionGeometry {
    plan::Window2D window{};
    std::int64_t height = 0, width = 0, channels = 0;  // of x
    std::int64_t out_h = 0, out_w = 0, filters = 0;    // of the convolution, before pooling

    // Takes the sizes of a convolution from x (N, H, W, C) to F filters.
    ConvolutionGeometry(const plan::Window2D& window, const spec::Shape& x, std::int64_t filters);

    // The same with two channels of x, or two filters, in each: images and kernels of pairs.
    ConvolutionGeometry ofChannelPairs() const;
    ConvolutionGeometry ofFilterPairs() const;

    bool isPadded() const { return window.pad_top != 0 || window.pad_bottom != 0 || window.pad_left != 0 || window.pad_right != 0; }
    std::int64_t paddedHeight() const { return height + window.pad_top + window.pad_bottom; }
    std::int64_t paddedWidth() const { return width + window.pad_left + window.pad_right; }
    std::int64_t paddedElements() const { return isPadded() ? paddedHeight() * paddedWidth() * channels : 0; }
    std::int64_t outputElements() const { return out_h * out_w * filters; }
    std::int64_t kernelRows() const { return std::int64_t{window.kernel_h} * window.kernel_w * channels / window.groups; }
    std::int64_t kernelElements() const { return kernelRows() * filters; }

    // Geometry without addresses, valid as long as this object; x has to be padded.
    ConvArgs args() const;
    // The sample itself, or its padded copy in `scratch` (paddedElements()).
    const float* padded(const float* sample, float* scratch) const;
    // Neighbouring samples as they are, or their padded copies in `scratch` (samples * paddedElements()).
    WindowImage image(const float* samples, std::int64_t count, float* scratch) const;
    // How far each row of the kernel lies from the window's first value in a padded image, in values.
    const std::vector<std::int32_t>& offsets() const { return offsets_; }
    // So few rows that a panel of the kernel stays in the first-level cache beside anything else.
    bool isShallow() const { return kernelRows() <= 64; }
    std::string text() const;  // "3x3"

private:
    std::vector<std::int32_t> offsets_;
};

// Returns where each row (kernel_h, kernel_w, channels / groups) of a kernel reads, counted from the first value of a window, in an image
// with `row_stride` values a row.
std::vector<std::int32_t> kernelOffsets(const plan::Window2D& window, std::int64_t channels, std::int64_t row_stride);

// dx of one sample: each pixel's dy times the kernel gives what its window gets; these are added up where windows overlap.
class InputGradient {
public:
    InputGradient(const ConvolutionGeometry& forward, const KernelTable& kernels);

    std::int64_t scratchElements() const { return geometry_.paddedElements() + chunk_ * rows_; }
    // The kernel (rows, filters) as (filters, rows); part `index` of `parts`.
    void turnKernel(const float* kernel, std::int64_t index, std::int64_t parts, float* turned) const;
    void run(const float* dy, const float* turned, float* scratch, float* dx) const;

private:
    void addWindows(const float* windows, Range pixels, int group, float* image) const;

    ConvolutionGeometry geometry_;
    const KernelTable& kernels_;
    std::int64_t rows_;   // of the kernel: kernel_h * kernel_w * channels / groups
    std::int64_t chunk_;  // pixels at a time: their windows stay in the cache
};

}  // namespace engine::backend::cpu
