// Conv2D over (rows, columns, channels): kernel (kh, kw, channels / groups, filters), bias (filters).
// Multiply-adds of a sample: rows_out * columns_out * filters * kh * kw * channels / groups.
#include <algorithm>

#include "engine/spec/layers/window_geometry.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectImage(info.input_shape)) {
        return fault;
    }
    const Fields& config = layer.config;
    const std::int64_t filters = config.getInt("filters", 0);
    const std::int64_t groups = config.getInt("groups", 1);
    const std::int64_t channels = info.input_shape[2];
    const Pair kernel = readPair(config, "kernel_size", {1, 1});
    const Pair strides = readPair(config, "strides", {1, 1});
    const Pair dilation = readPair(config, "dilation_rate", {1, 1});
    if (filters % groups != 0 || channels % groups != 0) {
        return ShapeFault{"groups", "expected a divisor of " + std::to_string(filters) + " filters and of " + std::to_string(channels) +
                                        " input channels, got " + std::to_string(groups)};
    }
    if ((strides[0] > 1 || strides[1] > 1) && (dilation[0] > 1 || dilation[1] > 1)) {
        return ShapeFault{"dilation_rate", "expected 1 with strides above 1, got " + std::to_string(std::max(dilation[0], dilation[1]))};
    }
    Pair output{};
    if (auto fault =
            slideWindow(info.input_shape, "kernel_size", kernel, strides, dilation, config.getString("padding", "valid"), output)) {
        return fault;
    }
    info.output_shape = {output[0], output[1], filters};
    info.variables.push_back({layer.name + "/kernel", {kernel[0], kernel[1], channels / groups, filters}});
    if (config.getBool("use_bias", true)) {
        info.variables.push_back({layer.name + "/bias", {filters}});
    }
    info.multiply_adds = output[0] * output[1] * filters * kernel[0] * kernel[1] * (channels / groups);
    return std::nullopt;
}

}  // namespace

LayerDefinition defineConv2D() {
    const std::vector<std::int64_t> one{1, 1};
    return {.schema = {"Conv2D",
                       LayerCategory::kLayer,
                       {{.name = "filters",
                         .kind = FieldKind::kInt,
                         .required = true,
                         .minimum = 1,
                         .maximum = kMaximumSize,
                         .hint = "Number of output channels"},
                        {.name = "kernel_size",
                         .kind = FieldKind::kIntPair,
                         .required = true,
                         .minimum = 1,
                         .maximum = kMaximumSize,
                         .hint = "Rows and columns of the window"},
                        {.name = "strides",
                         .kind = FieldKind::kIntPair,
                         .fallback = one,
                         .minimum = 1,
                         .maximum = kMaximumSize,
                         .hint = "Step of the window in rows and columns"},
                        paddingField(),
                        {.name = "dilation_rate",
                         .kind = FieldKind::kIntPair,
                         .fallback = one,
                         .minimum = 1,
                         .maximum = kMaximumSize,
                         .hint = "Distance between the cells of the window"},
                        {.name = "groups",
                         .kind = FieldKind::kInt,
                         .fallback = std::int64_t{1},
                         .minimum = 1,
                         .maximum = kMaximumSize,
                         .hint = "Parts into which the channels are split"},
                        activationField(),
                        useBiasField(),
                        initializerField("kernel_initializer", "GlorotUniform"),
                        initializerField("bias_initializer", "Zeros"),
                        regularizerField("kernel_regularizer"),
                        regularizerField("bias_regularizer"),
                        regularizerField("activity_regularizer")}},
            .infer = infer};
}

}  // namespace engine::spec::layers
