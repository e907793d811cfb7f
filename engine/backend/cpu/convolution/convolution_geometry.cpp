#include "engine/backend/cpu/convolution/convolution_geometry.h"

#include <algorithm>

#include "engine/spec/error.h"

namespace engine::backend::cpu {

void checkPooled(const plan::Op& op) {
    if (!plan::hasPool(op)) return;
    const plan::Window2D& w = *plan::convolutionAttributes(op).pool;
    const bool halves = w.kernel_h == 2 && w.kernel_w == 2 && w.stride_h == 2 && w.stride_w == 2 && w.pad_top == 0 && w.pad_bottom == 0 &&
                        w.pad_left == 0 && w.pad_right == 0;
    if (halves && plan::windowOf(op).groups == 1) return;
    throw Error(ErrorCode::kUnimplemented, op.name + ": expected pooling 2x2 by 2 after a convolution of one group, got another");
}

std::vector<std::int32_t> kernelOffsets(const plan::Window2D& window, std::int64_t channels, std::int64_t row_stride) {
    std::vector<std::int32_t> offsets;
    for (int h = 0; h < window.kernel_h; ++h)
        for (int w = 0; w < window.kernel_w; ++w)
            for (std::int64_t c = 0; c < channels / window.groups; ++c) {
                offsets.push_back(static_cast<std::int32_t>(h * window.dilation_h * row_stride + w * window.dilation_w * channels + c));
            }
    return offsets;
}

ConvolutionGeometry::ConvolutionGeometry(const plan::Window2D& of, const spec::Shape& x, std::int64_t filters_of)
    : window(of), filters(filters_of) {
    const spec::Shape image = plan::imageShape(x), out = plan::windowOutput(image, of, filters);
    height = image[1];
    width = image[2];
    channels = image[3];
    out_h = out[1];
    out_w = out[2];
    offsets_ = kernelOffsets(of, channels, paddedWidth() * channels);
}

ConvolutionGeometry ConvolutionGeometry::ofChannelPairs() const {
    return {window, {1, height, width, channels / 2}, filters};
}

ConvolutionGeometry ConvolutionGeometry::ofFilterPairs() const {
    return {window, {1, height, width, channels}, filters / 2};
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
    const std::int64_t row = width * channels, padded_row = paddedWidth() * channels, left = window.pad_left * channels;
    float* to = std::fill_n(scratch, window.pad_top * padded_row, 0.0F);
    for (std::int64_t h = 0; h < height; ++h) {
        to = std::fill_n(to, left, 0.0F);
        to = std::copy_n(sample + h * row, row, to);
        to = std::fill_n(to, padded_row - left - row, 0.0F);
    }
    std::fill_n(to, window.pad_bottom * padded_row, 0.0F);
    return scratch;
}

WindowImage ConvolutionGeometry::image(const float* samples, std::int64_t count, float* scratch) const {
    const std::int64_t size = height * width * channels;
    for (std::int64_t i = 0; isPadded() && i < count; ++i) padded(samples + i * size, scratch + i * paddedElements());
    return {.values = isPadded() ? scratch : samples,
            .sample = isPadded() ? paddedElements() : size,
            .row = window.stride_h * paddedWidth() * channels,
            .pixel = window.stride_w * channels};
}

std::string ConvolutionGeometry::text() const {
    return std::to_string(window.kernel_h) + "x" + std::to_string(window.kernel_w);
}

InputGradient::InputGradient(const ConvolutionGeometry& forward, const KernelTable& kernels)
    : geometry_(forward), kernels_(kernels), rows_(forward.kernelRows()) {
    constexpr std::int64_t kWindowFloats = 1 << 15, kFewest = 12;
    chunk_ = std::clamp(kWindowFloats / std::max<std::int64_t>(rows_, 1), kFewest, std::max(kFewest, forward.out_h * forward.out_w));
}

void InputGradient::turnKernel(const float* kernel, std::int64_t index, std::int64_t parts, float* turned) const {
    const Range mine = share(rows_, index, parts);
    kernels_.transpose(kernel + mine.begin * geometry_.filters, geometry_.filters, mine.size(), geometry_.filters, turned + mine.begin,
                       rows_);
}

void InputGradient::run(const float* dy, const float* turned, float* scratch, float* dx) const {
    const std::int64_t pixels = geometry_.out_h * geometry_.out_w, filters = geometry_.filters / geometry_.window.groups;
    float* image = geometry_.isPadded() ? scratch : dx;
    float* windows = scratch + geometry_.paddedElements();
    std::fill_n(image, geometry_.paddedHeight() * geometry_.paddedWidth() * geometry_.channels, 0.0F);
    for (int group = 0; group < geometry_.window.groups; ++group) {
        for (std::int64_t begin = 0; begin < pixels; begin += chunk_) {
            const Range part{begin, std::min(begin + chunk_, pixels)};
            kernels_.product({.a = dy + begin * geometry_.filters + group * filters,
                              .a_row = geometry_.filters,
                              .b = turned + group * filters * rows_,
                              .b_row = rows_,
                              .c = windows,
                              .c_row = rows_,
                              .rows = part.size(),
                              .columns = rows_,
                              .count = filters});
            addWindows(windows, part, group, image);
        }
    }
    if (!geometry_.isPadded()) return;
    const std::int64_t row = geometry_.width * geometry_.channels, padded_row = geometry_.paddedWidth() * geometry_.channels;
    const float* from = image + geometry_.window.pad_top * padded_row + geometry_.window.pad_left * geometry_.channels;
    for (std::int64_t h = 0; h < geometry_.height; ++h) std::copy_n(from + h * padded_row, row, dx + h * row);
}

void InputGradient::addWindows(const float* windows, Range pixels, int group, float* image) const {
    const plan::Window2D& w = geometry_.window;
    const std::int64_t channels = geometry_.channels / w.groups, row = geometry_.paddedWidth() * geometry_.channels;
    // Neighbouring values of a window's row lie side by side in the image, unless dilation or groups part them.
    const bool whole = w.dilation_w == 1 && w.groups == 1;
    const std::int64_t run = whole ? w.kernel_w * channels : channels;
    const int runs = whole ? 1 : w.kernel_w;
    for (std::int64_t pixel = pixels.begin; pixel < pixels.end; ++pixel) {
        float* origin = image + pixel / geometry_.out_w * w.stride_h * row + pixel % geometry_.out_w * w.stride_w * geometry_.channels +
                        group * channels;
        for (int kh = 0; kh < w.kernel_h; ++kh) {
            float* to = origin + kh * w.dilation_h * row;
            for (int i = 0; i < runs; ++i, windows += run) kernels_.addValues(windows, run, to + i * w.dilation_w * geometry_.channels);
        }
    }
}

}  // namespace engine::backend::cpu
