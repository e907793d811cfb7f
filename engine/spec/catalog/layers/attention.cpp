// SelfAttention: Keras' MultiHeadAttention of a sequence to itself, (time, features) -> the same shape. Query, key and value are products
// of the input with kernels (features, heads, size), the output is one of the heads' results with a kernel (heads, size, features).
// PositionEmbedding: a trained value for each place of a sequence, (time, features), added to it.
// Keras has no such classes for a chain: code and files name them tandem>SelfAttention, and exported code defines them.
#include <algorithm>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

std::optional<ShapeFault> expectSequence(const LayerInfo& info) {
    if (info.input_shape.size() == 2) return std::nullopt;
    return ShapeFault{"", "expected input rank 3 (batch, time and features), got rank " + std::to_string(info.input_shape.size() + 1)};
}

std::optional<ShapeFault> inferAttention(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectSequence(info)) {
        return fault;
    }
    const std::int64_t time = info.input_shape[0], features = info.input_shape[1];
    if (auto fault = expectMask(info, {time})) {
        return fault;
    }
    const Settings settings = settingsOf(layer);
    const std::int64_t heads = settings.getInt("num_heads"), size = settings.getInt("key_dim");
    const std::int64_t value_size = settings.findInt("value_dim").value_or(size);
    const std::int64_t widest = heads * std::max(size, value_size);
    if (widest > static_cast<std::int64_t>(kMaximumSize)) {
        return ShapeFault{"num_heads", "expected at most " + valueText(static_cast<std::int64_t>(kMaximumSize)) +
                                           " values of all heads together, got " + valueText(widest)};
    }
    if (settings.getDouble("dropout") >= 1) {
        return ShapeFault{"dropout", "expected less than 1, got 1"};
    }
    info.output_shape = info.input_shape;
    for (const LayerSpec& product : nestedLayers(layer)) {
        const bool is_output = product.name.ends_with("/attention_output");
        const std::int64_t units = product.name.ends_with("/value") || is_output ? value_size : size;
        info.variables.push_back({product.name + "/kernel", is_output ? Shape{heads, units, features} : Shape{features, heads, units}});
        if (settings.getBool("use_bias")) {
            info.variables.push_back({product.name + "/bias", is_output ? Shape{features} : Shape{heads, units}});
        }
        info.multiply_adds += time * features * heads * units;
    }
    info.multiply_adds += time * time * heads * (size + value_size);
    return std::nullopt;
}

std::optional<ShapeFault> inferPosition(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = expectSequence(info)) {
        return fault;
    }
    info.output_shape = info.input_shape;
    info.variables.push_back({layer.name + "/embeddings", info.input_shape});
    return std::nullopt;
}

FieldSchema headField(std::string name, bool required, std::string hint) {
    return {.name = std::move(name),
            .kind = FieldKind::kInt,
            .required = required,
            .minimum = 1,
            .maximum = kMaximumSize,
            .hint = std::move(hint)};
}

LayerDefinition defineAttention() {
    return {.schema = {"SelfAttention",
                       LayerCategory::kLayer,
                       {headField("num_heads", true, "Number of heads, which look at the sequence side by side"),
                        headField("key_dim", true, "Size of a head's queries and keys"),
                        headField("value_dim", false, "Size of a head's values; empty: as key_dim"),
                        {.name = "dropout",
                         .kind = FieldKind::kDouble,
                         .fallback = 0.0,
                         .minimum = 0,
                         .maximum = 1,
                         .hint = "Share of the attention that is dropped while training"},
                        useBiasField(),
                        {.name = "use_causal_mask",
                         .kind = FieldKind::kBool,
                         .fallback = false,
                         .hint = "Each place looks at itself and those before it alone"},
                        initializerField("kernel_initializer", "GlorotUniform"),
                        initializerField("bias_initializer", "Zeros"),
                        regularizerField("kernel_regularizer"),
                        regularizerField("bias_regularizer"),
                        constraintField("kernel_constraint"),
                        constraintField("bias_constraint"),
                        seedField()}},
            .infer = inferAttention,
            .mask = MaskRule::kPassesOn,
            .place = 66};
}

LayerDefinition definePosition() {
    return {.schema = {"PositionEmbedding",
                       LayerCategory::kLayer,
                       {initializerField("embeddings_initializer", "GlorotUniform"), regularizerField("embeddings_regularizer"),
                        constraintField("embeddings_constraint")}},
            .infer = inferPosition,
            .mask = MaskRule::kPassesOn,
            .place = 67};
}

}  // namespace

std::vector<LayerDefinition> attentionLayers() {
    return {defineAttention(), definePosition()};
}

}  // namespace engine::spec::layers
