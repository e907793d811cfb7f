// Conv1DTranspose, Conv2DTranspose and Conv3DTranspose: y is the gradient that a convolution from y's shape to x's would give its input; so
// x's gradient is that convolution of dy, and the kernel's is that convolution's kernel gradient. kernel (cells of the window, filters,
// channels). The full result has (n - 1) s + ke cells; to keep o of them, `same` cuts t = max((n - 1) s + ke - o, 0), t / 2 of it at the
// start. Cells beyond the full result are zero, and the bias is added to them too.
#include <algorithm>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

struct Cut {
    int begin = 0, end = 0;
};

Cut cutOf(std::int64_t n, int stride, int kernel, int dilation, std::int64_t output, bool is_same) {
    const std::int64_t full = (n - 1) * stride + (kernel - 1) * dilation + 1;
    const auto total = static_cast<int>(std::max<std::int64_t>(full - output, 0));
    return is_same ? Cut{total / 2, total - total / 2} : Cut{0, total};
}

void cutRows(Window2D& window, std::int64_t n, std::int64_t output, bool is_same) {
    const Cut cut = cutOf(n, window.stride_h, window.kernel_h, window.dilation_h, output, is_same);
    window.pad_top = cut.begin;
    window.pad_bottom = cut.end;
}

void cutColumns(Window2D& window, std::int64_t n, std::int64_t output, bool is_same) {
    const Cut cut = cutOf(n, window.stride_w, window.kernel_w, window.dilation_w, output, is_same);
    window.pad_left = cut.begin;
    window.pad_right = cut.end;
}

bool isSame(const LayerBuilder& builder) {
    return builder.settings().getString("padding") == "same";
}

TensorId lowerTransposed(LayerBuilder& builder, TensorId x, const Window2D& window, const spec::Shape& output) {
    const TensorId kernel = builder.parameter("kernel");
    const TensorId y = builder.activation("transposed", output);
    builder.emit({.kind = OpKind::kConv2DBackInput, .inputs = {x, kernel}, .outputs = {y}, .attributes = ConvolutionAttributes{window}});
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        TensorId dx = kNoTensor;
        if (needed == InputGradient::kNeeded) {
            dx = b.gradientOf(x);
            b.emit({.kind = OpKind::kConv2D, .inputs = {dy, kernel}, .outputs = {dx}, .attributes = ConvolutionAttributes{window}});
        }
        b.emit({.kind = OpKind::kConv2DBackKernel,
                .inputs = {dy, x},
                .outputs = {b.gradientOf(kernel)},
                .attributes = ConvolutionAttributes{window}});
        return dx;
    });
    return y;
}

TensorId lowerConvTranspose(LayerBuilder& builder, TensorId x) {
    const spec::Shape input = imageShape(builder.shape(x)), output = imageShape(builder.outputShape());
    Window2D window = readConvolutionWindow(builder.layer(), builder.outputShape());
    cutRows(window, input[1], output[1], isSame(builder));
    cutColumns(window, input[2], output[2], isSame(builder));
    return lowerBiasAndActivation(builder, lowerTransposed(builder, x, window, builder.outputShape()));
}

// The way of Conv3D backwards: rows for each cell of a window in planes and rows come out, and each row of y is the sum of its own.
TensorId lowerConv3DTranspose(LayerBuilder& builder, TensorId x) {
    const spec::Shape input = builder.shape(x), output = builder.outputShape();
    auto [window, planes_and_rows] = readConvolutionVolume(builder.layer(), output);
    cutRows(planes_and_rows, input[1], output[1], isSame(builder));
    cutColumns(planes_and_rows, input[2], output[2], isSame(builder));
    cutColumns(window, input[3], output[3], isSame(builder));
    const int cells = planes_and_rows.kernel_h * planes_and_rows.kernel_w;
    window.kernel_h = window.stride_h = cells;
    x = lowerSameBytes(builder, x, columnsView(input), "rows");
    TensorId y = lowerTransposed(builder, x, window, {input[0], input[1] * input[2] * cells, output[3], output[4]});
    y = lowerSameBytes(builder, y, {input[0], input[1], input[2] * cells, output[3] * output[4]}, "patches");
    y = lowerReversible(builder, y,
                        {.forward = OpKind::kPatchesBack,
                         .back = OpKind::kPatches,
                         .forward_attributes = planes_and_rows,
                         .back_attributes = planes_and_rows,
                         .output = planesView(output),
                         .suffix = "summed"});
    y = lowerSameBytes(builder, y, columnsView(output), "cells");
    return lowerSameBytes(builder, lowerBiasAndActivation(builder, y), output, "out");
}

}  // namespace

std::span<const LayerRow> transposedConvolutionRows() {
    static constexpr LayerRow kRows[] = {
        {"Conv1DTranspose", lowerConvTranspose},
        {"Conv2DTranspose", lowerConvTranspose},
        {"Conv3DTranspose", lowerConv3DTranspose},
    };
    return kRows;
}

}  // namespace engine::plan
