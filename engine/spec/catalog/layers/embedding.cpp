// Embedding: ids of any shape -> that shape with output_dim behind it; embeddings (input_dim, output_dim). With mask_zero the output
// carries a mask of the ids' shape.
#include "engine/spec/catalog/layers/layer_definition.h"

namespace engine::spec::layers {
namespace {

constexpr double kMostIds = 1 << 24;  // ids travel as float32, which holds these exactly

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    const std::int64_t output_dim = layer.config.getInt("output_dim", 0);
    info.output_shape = info.input_shape;
    info.output_shape.push_back(output_dim);
    if (layer.config.getBool("mask_zero", false)) {
        info.output_mask = info.input_shape;
    }
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
                        {.name = "mask_zero",
                         .kind = FieldKind::kBool,
                         .fallback = false,
                         .hint = "Id 0 stands for nothing: layers behind leave its place out"}}},
            .infer = infer,
            .mask = MaskRule::kOwn};
}

}  // namespace engine::spec::layers
