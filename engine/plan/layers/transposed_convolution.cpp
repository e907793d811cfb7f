// Conv2DTranspose: y is the gradient that a convolution from y's shape to x's would give its input; so x's gradient is that convolution of
// dy, and the kernel's is that convolution's kernel gradient. kernel (kh, kw, filters, channels). The full result has (n - 1) s + ke cells;
// to keep o of them, `same` cuts t = max((n - 1) s + ke - o, 0), t / 2 of it at the start. Cells beyond the full result are zero, and the
// bias is added to them too.
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

TensorId lowerConv2DTranspose(LayerBuilder& builder, TensorId x) {
    const spec::Shape input = builder.shape(x), output = builder.outputShape();
    const bool is_same = builder.settings().getString("padding") == "same";
    Window2D window = readConvolutionWindow(builder.layer(), output);
    const Cut rows = cutOf(input[1], window.stride_h, window.kernel_h, window.dilation_h, output[1], is_same);
    const Cut columns = cutOf(input[2], window.stride_w, window.kernel_w, window.dilation_w, output[2], is_same);
    window.pad_top = rows.begin;
    window.pad_bottom = rows.end;
    window.pad_left = columns.begin;
    window.pad_right = columns.end;

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
    return lowerBiasAndActivation(builder, y);
}

}  // namespace

std::span<const LayerRow> conv2dTransposeRows() {
    static constexpr LayerRow kRows[] = {
        {"Conv2DTranspose", lowerConv2DTranspose},
    };
    return kRows;
}

}  // namespace engine::plan
