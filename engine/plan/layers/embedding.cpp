// Embedding: each whole number of the model's input becomes a row of a table (input_dim, output_dim).
#include "engine/plan/layers/layer_table.h"
#include "engine/spec/error.h"

namespace engine::plan {

namespace {

TensorId lowerEmbedding(LayerBuilder& builder, TensorId x) {
    if (!builder.isInput(x)) {
        throw Error(ErrorCode::kUnimplemented,
                    builder.layer().name + ": expected ids from the model's input, reshaped at most, got the output of another layer");
    }
    const TensorId table = builder.parameter("embeddings");
    const TensorId y = builder.activation("rows", builder.outputShape());
    // The mask comes before the layer's output, which its last op makes.
    if (builder.settings().getBool("mask_zero")) builder.makeMask(x, builder.shape(x).size(), 0);
    builder.emit({.kind = OpKind::kEmbedding, .inputs = {x, table}, .outputs = {y}});
    builder.onBackward(x, y, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient) {
        b.emit({.kind = OpKind::kEmbeddingBack, .inputs = {x, dy}, .outputs = {b.gradientOf(table)}});
        return kNoTensor;  // whole numbers have no gradient
    });
    return y;
}

}  // namespace

std::span<const LayerRow> embeddingRows() {
    static constexpr LayerRow kRows[] = {
        {"Embedding", lowerEmbedding, Times::kTogether},
    };
    return kRows;
}

}  // namespace engine::plan
