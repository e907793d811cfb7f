// Embedding: ids of any shape -> that shape with output_dim behind it; embeddings (input_dim, output_dim). With mask_zero the output
// carries a mask of the ids' shape.
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec::layers {
namespace {

constexpr double kMostIds = 1 << 24;  // ids travel as float32, which holds these exactly

std::optional<ShapeFault> infer(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    const std::int64_t output_dim = settings.getInt("output_dim");
    info.output_shape = info.input_shape;
    info.output_shape.push_back(output_dim);
    if (settings.getBool("mask_zero")) {
        info.output_mask = info.input_shape;
    }
    info.variables.push_back({layer.name + "/embeddings", {settings.getInt("input_dim"), output_dim}});
    return std::nullopt;
}

}  // namespace

std::vector<LayerDefinition> embeddingLayers() {
    return {{.schema = {"Embedding",
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
             .mask = MaskRule::kOwn,
             .place = 440,
             .is_distributable = true}};
}

}  // namespace engine::spec::layers
