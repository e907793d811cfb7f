// Embedding: ids of any shape -> that shape with output_dim behind it; embeddings (input_dim, output_dim).
#include "engine/spec/layers/layer_definition.h"

namespace engine::spec::layers {
namespace {

constexpr double kMostIds = 1 << 24;  // ids travel as float32, which holds these exactly

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    if (layer.config.getBool("mask_zero", false)) {
        return ShapeFault{"mask_zero", "expected false (masks are not supported), got true"};
    }
    const std::int64_t output_dim = layer.config.getInt("output_dim", 0);
    info.output_shape = info.input_shape;
    info.output_shape.push_back(output_dim);
    info.variables.push_back({layer.name + "/embeddings", {layer.config.getInt("input_dim", 0), output_dim}});
    return std::nullopt;
}

}  // namespace

LayerDefinition defineEmbedding() {
    return {.schema = {"Embedding",
                       LayerCategory::kLayer,
                       {{.name = "input_dim",
                         .kind = FieldKind::kInt,
                         .required = true,
                         .minimum = 1,
                         .maximum = kMostIds,
                         .hint = "Number of ids: they run from 0 to one less"},
                        {.name = "output_dim",
                         .kind = FieldKind::kInt,
                         .required = true,
                         .minimum = 1,
                         .maximum = kMaximumSize,
                         .hint = "Values that stand for an id"},
                        initializerField("embeddings_initializer", "RandomUniform"),
                        regularizerField("embeddings_regularizer"),
                        constraintField("embeddings_constraint"),
                        {.name = "mask_zero", .kind = FieldKind::kBool, .fallback = false, .hint = "Not supported"}}},
            .infer = infer};
}

}  // namespace engine::spec::layers
