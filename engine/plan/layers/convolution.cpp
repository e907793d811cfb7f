// Conv2D: cross-correlation over (N, H, W, C), kernel (kh, kw, C / groups, filters); Conv1D the same over (N, W, C), images of one row.
// Conv3D over (N, D, H, W, C), kernel (kd, kh, kw, C / groups, filters): the rows that a window sees in planes and rows are laid under each
// other, and a window of kd kh rows, which moves by as many, passes over that image. A volume of one plane is an image already.
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

namespace {

// What lays the rows that a window of a volume sees under each other: the shapes between, and the window over the image that this makes.
struct RowsOfVolume {
    spec::Shape planes, patches, rows;
    Window2D window{};
};

RowsOfVolume rowsOfVolume(const spec::Shape& input, const spec::Shape& output, const VolumeWindow& of, int groups) {
    RowsOfVolume rows{.planes = planesView(input), .patches = {}, .rows = columnsView(input), .window = of.columns};
    rows.window.groups = groups;
    const Window2D& outer = of.planes_and_rows;
    if (isSingleCell(outer)) return rows;
    if (input[1] == 1 && outer.kernel_h == 1) {  // one plane is an image as it is
        rows.window.kernel_h = outer.kernel_w;
        rows.window.stride_h = outer.stride_w;
        rows.window.dilation_h = outer.dilation_w;
        rows.window.pad_top = outer.pad_left;
        rows.window.pad_bottom = outer.pad_right;
        return rows;
    }
    const std::int64_t cells = std::int64_t{outer.kernel_h} * outer.kernel_w;
    rows.window.kernel_h = rows.window.stride_h = static_cast<int>(cells);
    rows.patches = {input[0], output[1], output[2] * cells, input[3] * input[4]};
    rows.rows = {input[0], output[1] * output[2] * cells, input[3], input[4]};
    return rows;
}

}  // namespace

TensorId lowerVolumeConvolution(LayerBuilder& builder, TensorId x, const VolumeConvolutionPart& part) {
    const spec::Shape input = builder.shape(x);
    const RowsOfVolume rows = rowsOfVolume(input, part.output, part.window, part.groups);
    if (rows.patches.empty()) {
        x = lowerView(builder, x, rows.rows, "rows");
    } else {
        x = lowerView(builder, x, rows.planes, "planes");
        x = lowerReversible(builder, x,
                            {.forward = OpKind::kPatches,
                             .back = OpKind::kPatchesBack,
                             .forward_attributes = part.window.planes_and_rows,
                             .back_attributes = part.window.planes_and_rows,
                             .output = rows.patches,
                             .suffix = "patches"});
        x = lowerSameBytes(builder, x, rows.rows, "rows");
    }
    return lowerConvolution(builder, x,
                            {.kernel = part.kernel, .suffix = "conv", .window = rows.window, .output = columnsView(part.output)});
}

void emitVolumeKernelGradient(LayerBuilder& builder, TensorId x, TensorId dy, const VolumeConvolutionPart& part) {
    const auto made = [&](TensorId from, OpKind kind, const spec::Shape& shape, std::string_view suffix, const OpAttributes& attributes) {
        const TensorId to = builder.scratch(std::string(part.kernel) + ":" + std::string(suffix), shape, tensor::DType::kFloat32);
        builder.emit({.kind = kind, .inputs = {from}, .outputs = {to}, .attributes = attributes});
        return to;
    };
    const RowsOfVolume rows = rowsOfVolume(part.input, part.output, part.window, part.groups);
    if (!rows.patches.empty()) {
        x = made(x, OpKind::kReshape, rows.planes, "planes", {});
        x = made(x, OpKind::kPatches, rows.patches, "patches", part.window.planes_and_rows);
    }
    x = made(x, OpKind::kReshape, rows.rows, "rows", {});
    dy = made(dy, OpKind::kReshape, columnsView(part.output), "outputs", {});
    builder.emit({.kind = OpKind::kConv2DBackKernel,
                  .inputs = {x, dy},
                  .outputs = {builder.gradientOf(builder.parameter(part.kernel))},
                  .attributes = ConvolutionAttributes{rows.window}});
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
    const spec::Shape output = builder.outputShape();
    TensorId y = lowerVolumeConvolution(builder, x,
                                        {.kernel = "kernel",
                                         .window = readConvolutionVolume(builder.layer(), builder.shape(x)),
                                         .groups = static_cast<int>(builder.settings().getInt("groups")),
                                         .output = output});
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
