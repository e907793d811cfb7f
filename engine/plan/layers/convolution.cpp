// Conv2D: cross-correlation over (N, H, W, C), kernel (kh, kw, C / groups, filters); Conv1D the same over (N, W, C), images of one row.
// Conv3D over (N, D, H, W, C), kernel (kd, kh, kw, C / groups, filters): the rows that a window sees in planes and rows are laid under each
// other, and a window of kd kh rows, which moves by as many, passes over that image.
// valid: out = floor((n - ke) / s) + 1, ke = (k - 1) d + 1; same and causal: out = ceil(n / s).
#include "engine/plan/layers/layer_table.h"

namespace engine::plan {

TensorId lowerConvolution(LayerBuilder& builder, TensorId x, const ConvolutionPart& part) {
    const TensorId kernel = builder.parameter(part.kernel);
    const TensorId y = builder.activation(part.suffix, part.output);
    const Window2D window = part.window;
    builder.emit({.kind = OpKind::kConv2D, .inputs = {x, kernel}, .outputs = {y}, .attributes = ConvolutionAttributes{window}});
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        TensorId dx = kNoTensor;
        if (needed == InputGradient::kNeeded) {
            dx = b.gradientOf(x);
            b.emit(
                {.kind = OpKind::kConv2DBackInput, .inputs = {dy, kernel}, .outputs = {dx}, .attributes = ConvolutionAttributes{window}});
        }
        b.emit({.kind = OpKind::kConv2DBackKernel,
                .inputs = {x, dy},
                .outputs = {b.gradientOf(kernel)},
                .attributes = ConvolutionAttributes{window}});
        return dx;
    });
    return y;
}

TensorId lowerBiasAndActivation(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    if (settings.getBool("use_bias")) x = lowerBiasAdd(builder, x);
    return lowerActivation(builder, x, settings.getString("activation"));
}

namespace {

TensorId lowerConv(LayerBuilder& builder, TensorId x) {
    Window2D window = readConvolutionWindow(builder.layer(), builder.shape(x));
    window.groups = static_cast<int>(builder.settings().getInt("groups"));
    const TensorId y =
        lowerConvolution(builder, x, {.kernel = "kernel", .suffix = "conv", .window = window, .output = builder.outputShape()});
    return lowerBiasAndActivation(builder, y);
}

TensorId lowerConv3D(LayerBuilder& builder, TensorId x) {
    const spec::Shape input = builder.shape(x), output = builder.outputShape();
    const auto [columns, planes_and_rows] = readConvolutionVolume(builder.layer(), input);
    Window2D window = columns;
    window.groups = static_cast<int>(builder.settings().getInt("groups"));
    if (isSingleCell(planes_and_rows)) {
        x = lowerView(builder, x, columnsView(input), "rows");
    } else {
        window.kernel_h = window.stride_h = planes_and_rows.kernel_h * planes_and_rows.kernel_w;
        const std::int64_t rows = output[1] * output[2] * window.kernel_h;
        x = lowerView(builder, x, planesView(input), "planes");
        x = lowerReversible(builder, x,
                            {.forward = OpKind::kPatches,
                             .back = OpKind::kPatchesBack,
                             .forward_attributes = planes_and_rows,
                             .back_attributes = planes_and_rows,
                             .output = {input[0], output[1], output[2] * window.kernel_h, input[3] * input[4]},
                             .suffix = "patches"});
        x = lowerSameBytes(builder, x, {input[0], rows, input[3], input[4]}, "rows");
    }
    TensorId y = lowerConvolution(builder, x, {.kernel = "kernel", .suffix = "conv", .window = window, .output = columnsView(output)});
    y = lowerBiasAndActivation(builder, y);
    return lowerSameBytes(builder, y, output, "out");
}

}  // namespace

std::span<const LayerRow> convolutionRows() {
    static constexpr LayerRow kRows[] = {
        {"Conv1D", lowerConv},
        {"Conv2D", lowerConv},
        {"Conv3D", lowerConv3D},
    };
    return kRows;
}

}  // namespace engine::plan
