// Resizing, CenterCrop and RandomCrop: a part of the image, which may reach beyond it, becomes all of the result.
#include <algorithm>

#include "engine/plan/layers/layer_table.h"

namespace engine::plan {
namespace {

// The largest part of an image of `input` with the proportions of `output`, or (kPadded) the smallest that has all of it; in its middle.
// Rounded as Keras rounds, in numbers of type Real.
enum class Proportions { kCropped, kPadded };
template <typename Real>
Resample2D keepProportions(const spec::Shape& input, const spec::Shape& output, Proportions proportions) {
    const std::int64_t height = input[1], width = input[2], target_height = output[1], target_width = output[2];
    const auto of = [](std::int64_t product, std::int64_t divisor) {
        return static_cast<std::int64_t>(static_cast<Real>(product) / static_cast<Real>(divisor));
    };
    const std::int64_t rows = of(width * target_height, target_width), columns = of(height * target_width, target_height);
    Resample2D part;
    if (proportions == Proportions::kCropped) {
        part.rows = std::max<std::int64_t>(std::min(height, rows), 1);
        part.columns = std::max<std::int64_t>(std::min(width, columns), 1);
        part.top = (height - part.rows) / 2;
        part.left = (width - part.columns) / 2;
    } else {
        // As many cells are added before as behind.
        part.top = -((std::max(height, rows) - height) / 2);
        part.left = -((std::max(width, columns) - width) / 2);
        part.rows = height - 2 * part.top;
        part.columns = width - 2 * part.left;
    }
    return part;
}

TensorId lowerResampled(LayerBuilder& builder, TensorId x, const Resample2D& part) {
    const TensorId y = builder.activation("resized", builder.outputShape());
    builder.emit({.kind = OpKind::kResample2D, .inputs = {x}, .outputs = {y}, .attributes = part});
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        const TensorId dx = b.gradientOf(x);
        b.emit({.kind = OpKind::kResample2DBack, .inputs = {dy}, .outputs = {dx}, .attributes = part});
        return dx;
    });
    return y;
}

TensorId lowerResizing(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const spec::Shape &input = builder.shape(x), output = builder.outputShape();
    Resample2D part{.rows = input[1], .columns = input[2]};
    if (settings.getBool("crop_to_aspect_ratio")) {
        part = keepProportions<float>(input, output, Proportions::kCropped);
    } else if (settings.getBool("pad_to_aspect_ratio")) {
        part = keepProportions<float>(input, output, Proportions::kPadded);
    }
    part.interpolation = settings.getString("interpolation") == "nearest" ? Interpolation::kNearest : Interpolation::kBilinear;
    part.fill_value = settings.getDouble("fill_value");
    return lowerResampled(builder, x, part);
}

TensorId lowerCenterCrop(LayerBuilder& builder, TensorId x) {
    const spec::Shape &input = builder.shape(x), output = builder.outputShape();
    const auto rows = static_cast<int>(input[1] - output[1]), columns = static_cast<int>(input[2] - output[2]);
    if (rows == 0 && columns == 0) return x;
    if (rows < 0 || columns < 0) {
        Resample2D part = keepProportions<double>(input, output, Proportions::kCropped);
        part.interpolation = Interpolation::kBilinear;
        return lowerResampled(builder, x, part);
    }
    const Pads2D added{rows / 2, rows - rows / 2, columns / 2, columns - columns / 2};
    return lowerReversible(builder, x, OpKind::kPad2D, Pads2D{-added.top, -added.bottom, -added.left, -added.right}, added);
}

// While training, and where the image is larger both ways, the place is drawn. Else Keras cuts the size of the result from where a part
// with its proportions would begin, as far as the image reaches.
TensorId lowerRandomCrop(LayerBuilder& builder, TensorId x) {
    const spec::Shape &input = builder.shape(x), output = builder.outputShape();
    if (input[1] == output[1] && input[2] == output[2]) return x;
    Resample2D part = keepProportions<double>(input, output, Proportions::kCropped);
    part.interpolation = Interpolation::kBilinear;
    if (!builder.training()) return lowerResampled(builder, x, part);
    part.rows = std::min(output[1], input[1] - part.top);
    part.columns = std::min(output[2], input[2] - part.left);
    if (input[1] > output[1] && input[2] > output[2]) {
        part = {.top = input[1] - output[1], .left = input[2] - output[2], .rows = output[1], .columns = output[2], .is_drawn = true};
        part.seed = randomSeed(builder);
    }
    return lowerResampled(builder, x, part);
}

}  // namespace

std::span<const LayerRow> resizingRows() {
    static constexpr LayerRow kRows[] = {
        {"Resizing", lowerResizing},
        {"CenterCrop", lowerCenterCrop},
        {"RandomCrop", lowerRandomCrop},
    };
    return kRows;
}

}  // namespace engine::plan
