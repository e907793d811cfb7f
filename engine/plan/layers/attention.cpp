// SelfAttention: three products of the input give queries, keys and values by head; p = softmax(q k / sqrt(size)) weighs the values, and a
// fourth product joins the heads. The gradients of the input by the three ways are added. PositionEmbedding: a bias for every place.
#include <cmath>
#include <string>
#include <utility>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/error.h"

namespace engine::plan {
namespace {

using Part = LayerBuilder::Part;

// One of the layer's products of x, a tensor with so many features behind it. Where x goes several ways, each has the same bytes under a
// name of its own: so is its gradient a tensor of its own.
Part lowerProduct(LayerBuilder& builder, const spec::LayerSpec& product, TensorId x, std::int64_t features) {
    const std::string role = product.name.substr(builder.layer().name.size() + 1);
    const TensorId own = builder.activation(role, builder.shape(x));
    builder.emit({.kind = OpKind::kReshape, .inputs = {x}, .outputs = {own}});
    return builder.lowerNested(product, {builder.shape(x)[1], features}, own, findLayerLowering(product.class_name));
}

// Emits what goes back through a product. It reads the gradient under a name of its own: fuse() finds a product's ops by what they read.
TensorId differentiateProduct(LayerBuilder& builder, const Part& product, TensorId dy, InputGradient needed) {
    const TensorId same = builder.gradientOf(product.y);
    if (same != dy) builder.emit({.kind = OpKind::kReshape, .inputs = {dy}, .outputs = {same}});
    return builder.differentiatePart(product, same, needed);
}

TensorId sumOf(LayerBuilder& builder, TensorId a, TensorId b, TensorId sum) {
    builder.emit({.kind = OpKind::kMerge, .inputs = {a, b}, .outputs = {sum}, .attributes = MergeAttributes{MergeMode::kSum}});
    return sum;
}

TensorId lowerSelfAttention(LayerBuilder& builder, TensorId x) {
    const spec::Settings settings = builder.settings();
    const std::vector<spec::LayerSpec> products = spec::nestedLayers(builder.layer());
    ENGINE_CHECK(products.size() == 4);
    const std::int64_t heads = settings.getInt("num_heads"), size = settings.getInt("key_dim");
    const std::int64_t value_size = settings.findInt("value_dim").value_or(size);
    const TensorId mask = builder.mask();
    const AttentionAttributes attention{.heads = heads,
                                        .scale = 1 / std::sqrt(static_cast<double>(size)),
                                        .causal = settings.getBool("use_causal_mask"),
                                        .masked = mask != kNoTensor};

    const Part query = lowerProduct(builder, products[0], x, heads * size), key = lowerProduct(builder, products[1], x, heads * size);
    const Part value = lowerProduct(builder, products[2], x, heads * value_size);
    const std::int64_t items = builder.shape(x)[0], time = builder.shape(x)[1];
    const spec::Shape square{items, heads, time, time};
    const TensorId weights = builder.activation("weights", square);
    Op weigh{.kind = OpKind::kAttentionWeights, .inputs = {query.y, key.y}, .outputs = {weights}, .attributes = attention};
    if (attention.masked) weigh.inputs.push_back(mask);
    builder.emit(std::move(weigh));

    const double rate = builder.training() ? settings.getDouble("dropout") : 0;
    const DropoutAttributes dropout{.rate = rate, .seed = randomSeed(builder)};
    TensorId kept = weights, dropped = kNoTensor;
    if (rate > 0) {
        kept = builder.activation("dropout", square);
        dropped = builder.scratch("dropped", square, tensor::DType::kUInt8);
        builder.emit({.kind = OpKind::kDropout, .inputs = {weights}, .outputs = {kept, dropped}, .attributes = dropout});
    }
    const TensorId sums = builder.activation("values", {items, time, heads * value_size});
    builder.emit({.kind = OpKind::kAttentionValues, .inputs = {kept, value.y}, .outputs = {sums}, .attributes = attention});
    const Part output = lowerProduct(builder, products[3], sums, builder.outputShape().back());

    const auto back = [=](LayerBuilder& b, TensorId dy, InputGradient needed) {
        const TensorId dsums = differentiateProduct(b, output, dy, InputGradient::kNeeded);
        const TensorId dkept = b.gradientOf(kept), dvalue = b.gradientOf(value.y);
        b.emit(
            {.kind = OpKind::kAttentionValuesBack, .inputs = {kept, value.y, dsums}, .outputs = {dkept, dvalue}, .attributes = attention});
        const TensorId dweights = b.gradientOf(weights);
        if (rate > 0) b.emit({.kind = OpKind::kDropoutBack, .inputs = {dkept, dropped}, .outputs = {dweights}, .attributes = dropout});
        const TensorId dquery = b.gradientOf(query.y), dkey = b.gradientOf(key.y);
        Op scores{.kind = OpKind::kAttentionWeightsBack,
                  .inputs = {query.y, key.y, weights, dweights},
                  .outputs = {dquery, dkey},
                  .attributes = attention};
        if (attention.masked) scores.inputs.push_back(mask);
        b.emit(std::move(scores));
        const TensorId by_value = differentiateProduct(b, value, dvalue, needed), by_key = differentiateProduct(b, key, dkey, needed);
        const TensorId by_query = differentiateProduct(b, query, dquery, needed);
        if (needed == InputGradient::kNotNeeded) return kNoTensor;
        return sumOf(b, sumOf(b, by_value, by_key, b.activation("inputs:grad", b.shape(x))), by_query, b.gradientOf(x));
    };
    builder.onBackward(x, output.y, LayerBuilder::Reads::kParameters, back);
    return output.y;
}

TensorId lowerPositionEmbedding(LayerBuilder& builder, TensorId x) {
    const TensorId embeddings = builder.parameter("embeddings");
    const spec::Shape shape = builder.shape(x);
    const spec::Shape row{shape[0], shape[1] * shape[2]};
    const TensorId flat = lowerSameBytes(builder, x, row, "flat");
    const TensorId sum = builder.activation("sum", row);
    builder.emit({.kind = OpKind::kBiasAdd, .inputs = {flat, embeddings}, .outputs = {sum}});
    builder.onBackward(flat, sum, LayerBuilder::Reads::kParameters, [=](LayerBuilder& b, TensorId dy, InputGradient) {
        b.emit({.kind = OpKind::kBiasAddBack, .inputs = {dy}, .outputs = {b.gradientOf(embeddings)}});
        return dy;
    });
    return lowerSameBytes(builder, sum, shape, "out");
}

}  // namespace

std::span<const LayerRow> attentionRows() {
    static constexpr LayerRow kRows[] = {
        {"SelfAttention", lowerSelfAttention},
        {"PositionEmbedding", lowerPositionEmbedding},
    };
    return kRows;
}

}  // namespace engine::plan
