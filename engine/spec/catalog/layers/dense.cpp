// Dense on the last axis: kernel (in, units), bias (units). EinsumDense on the axes that an equation names: einsum_product.h.
#include "engine/spec/catalog/einsum_product.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> inferDense(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    if (info.input_shape.empty()) {
        return ShapeFault{"", "expected input rank 2 or more (batch and features), got (None,)"};
    }
    const std::int64_t inputs = info.input_shape.back();
    const std::int64_t units = settings.getInt("units");
    info.output_shape = info.input_shape;
    info.output_shape.back() = units;
    info.variables.push_back({layer.name + "/kernel", {inputs, units}});
    if (settings.getBool("use_bias")) {
        info.variables.push_back({layer.name + "/bias", {units}});
    }
    info.multiply_adds = inputs;
    for (std::int64_t size : info.output_shape) {
        info.multiply_adds *= size;
    }
    return std::nullopt;
}

std::optional<ShapeFault> inferEinsum(const LayerSpec& layer, LayerInfo& info) {
    const auto read = readEinsum(layer, info.input_shape);
    if (const auto* fault = std::get_if<EinsumFault>(&read)) return ShapeFault{fault->field, fault->message};
    const auto& product = std::get<EinsumProduct>(read);
    info.output_shape = product.output;
    info.variables.push_back({.name = layer.name + "/kernel", .shape = product.kernel, .matrix = {product.inputs, product.columns}});
    if (!product.bias.empty()) {
        info.variables.push_back({layer.name + "/bias", product.bias});
    }
    info.multiply_adds = product.inputs;
    for (std::int64_t size : info.output_shape) {
        info.multiply_adds *= size;
    }
    return std::nullopt;
}

// In the order of Keras' arguments; activity_regularizer is given by its name.
std::vector<FieldSchema> einsumFields() {
    return {
        {.name = "equation", .kind = FieldKind::kString, .required = true, .hint = "Axes by letters, as abc,cd->abd: input,kernel->output"},
        {.name = "output_shape",
         .kind = FieldKind::kIntList,
         .required = true,
         .minimum = kInputsSize,
         .maximum = kMaximumSize,
         .hint = "Sizes of the output's letters without the batch; -1: as the input"},
        activationField(),
        {.name = "bias_axes", .kind = FieldKind::kString, .hint = "Letters of the output with an offset of their own; empty: none"},
        initializerField("kernel_initializer", "GlorotUniform"),
        initializerField("bias_initializer", "Zeros"),
        regularizerField("kernel_regularizer"),
        regularizerField("bias_regularizer"),
        constraintField("kernel_constraint"),
        constraintField("bias_constraint"),
        regularizerField("activity_regularizer")};
}

}  // namespace

std::vector<LayerDefinition> denseLayers() {
    return {
        {.schema = {"Dense", LayerCategory::kLayer,
                    withWeightFields({{.name = "units",
                                       .kind = FieldKind::kInt,
                                       .required = true,
                                       .minimum = 1,
                                       .maximum = kMaximumSize,
                                       .hint = "Number of outputs"}})},
         .infer = inferDense,
         .mask = MaskRule::kPassesOn,
         .place = 20,
         .is_distributable = true},
        {.schema = {"EinsumDense", LayerCategory::kLayer, einsumFields()}, .infer = inferEinsum, .place = 64, .is_distributable = true}};
}

}  // namespace engine::spec::layers
