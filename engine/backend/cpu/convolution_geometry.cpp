#include "engine/backend/cpu/convolution_geometry.h"

#include <algorithm>

namespace engine::backend::cpu {

std::vector<std::int32_t> kernelOffsets(const plan::Window2D& window, std::int64_t channels, std::int64_t row_stride) {
    std::vector<std::int32_t> offsets;
    for (int h = 0; h < window.kernel_h; ++h)
        for (int w = 0; w < window.kernel_w; ++w)
            for (std::int64_t c = 0; c < channels / window.groups; ++c) {
                offsets.push_back(static_cast<std::int32_t>(h * window.dilation_h * row_stride + w * window.dilation_w * channels + c));
            }
    return offsets;
}

ConvolutionGeometry::ConvolutionGeometry(const plan::Window2D& of, const spec::Shape& x, const spec::Shape& kernel)
    : window(of), height(x[1]), width(x[2]), channels(x[3]), filters(kernel[3]) {
    const spec::Shape out = plan::windowOutput(x, of, filters);
    out_h = out[1];
    out_w = out[2];
    offsets_ = kernelOffsets(of, channels, paddedWidth() * channels);
}

ConvArgs ConvolutionGeometry::args() const {
    ConvArgs args;
    args.row_stride = paddedWidth() * channels;
    args.offsets = offsets_.data();
    args.channels = channels;
    args.filters = filters;
    args.kernel_h = window.kernel_h;
    args.kernel_w = window.kernel_w;
    args.stride_h = window.stride_h;
    args.stride_w = window.stride_w;
    args.dilation_h = window.dilation_h;
    args.dilation_w = window.dilation_w;
    args.groups = window.groups;
    args.out_h = out_h;
    args.out_w = out_w;
    return args;
}

const float* ConvolutionGeometry::padded(const float* sample, float* scratch) const {
    if (!isPadded()) return sample;
    const std::int64_t row = width * channels, padded_row = paddedWidth() * channels;
    std::fill_n(scratch, paddedElements(), 0.0F);
    for (std::int64_t h = 0; h < height; ++h) {
        std::copy_n(sample + h * row, row, scratch + (h + window.pad_top) * padded_row + window.pad_left * channels);
    }
    return scratch;
}

std::string ConvolutionGeometry::text() const {
    return std::to_string(window.kernel_h) + "x" + std::to_string(window.kernel_w);
}

InputGradientGeometry::InputGradientGeometry(const ConvolutionGeometry& forward)
    : forward_(forward),
      rows_(forward.height + std::int64_t{forward.window.kernel_h - 1} * forward.window.dilation_h),
      columns_(forward.width + std::int64_t{forward.window.kernel_w - 1} * forward.window.dilation_w),
      offsets_(kernelOffsets(forward.window, forward.filters, columns_ * forward.filters)) {}

ConvArgs InputGradientGeometry::args() const {
    ConvArgs args = forward_.args();
    args.stride_h = args.stride_w = 1;
    args.channels = forward_.filters;
    args.filters = forward_.channels;
    args.row_stride = columns_ * forward_.filters;
    args.offsets = offsets_.data();
    args.out_h = forward_.height;
    args.out_w = forward_.width;
    return args;
}

void InputGradientGeometry::turnKernel(const float* kernel, Range cells, float* turned) const {
    const std::int64_t groups = forward_.window.groups, channels = forward_.channels / groups, filters = forward_.filters / groups;
    const std::int64_t count = std::int64_t{forward_.window.kernel_h} * forward_.window.kernel_w;
    for (std::int64_t cell = cells.begin; cell < cells.end; ++cell) {
        const float* from = kernel + (count - 1 - cell) * channels * forward_.filters;
        float* to = turned + cell * filters * forward_.channels;
        for (std::int64_t group = 0; group < groups; ++group)
            for (std::int64_t f = 0; f < filters; ++f)
                for (std::int64_t c = 0; c < channels; ++c) {
                    to[f * forward_.channels + group * channels + c] = from[c * forward_.filters + group * filters + f];
                }
    }
}

void InputGradientGeometry::spread(const float* dy, float* scratch) const {
    const plan::Window2D& w = forward_.window;
    const std::int64_t filters = forward_.filters;
    std::fill_n(scratch, spreadElements(), 0.0F);
    const std::int64_t top = std::int64_t{w.kernel_h - 1} * w.dilation_h - w.pad_top,
                       left = std::int64_t{w.kernel_w - 1} * w.dilation_w - w.pad_left;
    for (std::int64_t h = 0; h < forward_.out_h; ++h) {
        const std::int64_t row = top + h * w.stride_h;
        if (row < 0 || row >= rows_) continue;  // its windows lie in the padding alone
        for (std::int64_t c = 0; c < forward_.out_w; ++c) {
            const std::int64_t column = left + c * w.stride_w;
            if (column < 0 || column >= columns_) continue;
            std::copy_n(dy + (h * forward_.out_w + c) * filters, filters, scratch + (row * columns_ + column) * filters);
        }
    }
}

}  // namespace engine::backend::cpu
