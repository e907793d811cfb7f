// Embedding, ReversibleEmbedding: each whole number of the model's input becomes a row of a table (input_dim, output_dim).
// CategoryEncoding, Discretization, IntegerLookup and Hashing: numbers of the input become whole numbers, and these rows of ones.
#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/plan/layers/layer_table.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/error.h"

namespace engine::plan {

namespace {

void expectIds(const LayerBuilder& builder, TensorId x) {
    if (builder.isInput(x)) return;
    throw Error(ErrorCode::kUnimplemented,
                builder.layer().name + ": expected ids from the model's input, reshaped at most, got the output of another layer");
}

// Whole numbers have no gradient.
void endGradient(LayerBuilder& builder, TensorId x, TensorId y) {
    builder.onBackward(x, y, LayerBuilder::Reads::kInputAlone, [](LayerBuilder&, TensorId, InputGradient) { return kNoTensor; });
}

// What becomes of ids by output_mode.
TensorId lowerOutputMode(LayerBuilder& builder, TensorId ids) {
    const std::string mode = builder.settings().getString("output_mode");
    if (mode == "int") return ids;
    const spec::Shape shape = builder.outputShape();
    const bool is_weighted = mode == "tf_idf";
    const Encoding encoding{
        .depth = shape.back(), .ids = mode == "one_hot" ? 1 : builder.shape(ids).back(), .counts = mode == "count" || is_weighted};
    const TensorId y = builder.activation("encoded", shape);
    Op op{.kind = OpKind::kEncode, .inputs = {ids}, .outputs = {y}, .attributes = encoding};
    if (is_weighted) op.inputs.push_back(builder.parameter("idf_weights"));
    builder.emit(std::move(op));
    endGradient(builder, ids, y);
    return y;
}

// `table`: the variables that stand for the lists of `indexing`; none: the lists themselves.
TensorId lowerIndexed(LayerBuilder& builder, TensorId x, Indexing indexing, const std::vector<TensorId>& table) {
    const TensorId ids = builder.activation("ids", builder.shape(x));
    Op op{.kind = OpKind::kIndex, .inputs = {x}, .outputs = {ids}, .attributes = std::move(indexing)};
    op.inputs.insert(op.inputs.end(), table.begin(), table.end());
    builder.emit(std::move(op));
    endGradient(builder, x, ids);
    return lowerOutputMode(builder, ids);
}

TensorId lowerCategoryEncoding(LayerBuilder& builder, TensorId x) {
    expectIds(builder, x);
    return lowerOutputMode(builder, x);
}

TensorId lowerDiscretization(LayerBuilder& builder, TensorId x) {
    expectIds(builder, x);
    Indexing indexing{.rounds_input = true};  // Keras compares with boundaries in float32 what it has cast to the policy's type
    for (const double boundary : builder.settings().getDoubles("bin_boundaries")) indexing.values.push_back(static_cast<float>(boundary));
    std::vector<TensorId> table;
    if (indexing.values.empty()) table = {builder.parameter("boundaries")};
    return lowerIndexed(builder, x, std::move(indexing), table);
}

std::optional<std::array<std::uint64_t, 2>> keyOf(const spec::Settings& settings) {
    const std::vector<std::int64_t> salt = settings.getInts("salt");
    if (salt.empty()) return std::nullopt;
    return std::array{static_cast<std::uint64_t>(salt.front()), static_cast<std::uint64_t>(salt.back())};
}

TensorId lowerIntegerLookup(LayerBuilder& builder, TensorId x) {
    expectIds(builder, x);
    const spec::Settings settings = builder.settings();
    const spec::LookupTable table = spec::lookupTable(settings);
    Indexing indexing{.otherwise = static_cast<float>(table.otherwise), .others = static_cast<float>(table.others)};
    if (settings.getString("oov_method") == "farmhash" && table.others > 1) {
        indexing.hash = Hashing{.bins = table.others, .mask = std::nullopt, .key = keyOf(settings)};
    }
    if (settings.getInts("vocabulary").empty()) {
        return lowerIndexed(builder, x, std::move(indexing), {builder.parameter("values"), builder.parameter("places")});
    }
    indexing.values.assign(table.values.begin(), table.values.end());
    indexing.places.assign(table.places.begin(), table.places.end());
    return lowerIndexed(builder, x, std::move(indexing), {});
}

TensorId lowerHashing(LayerBuilder& builder, TensorId x) {
    expectIds(builder, x);
    const spec::Settings settings = builder.settings();
    const Hashing hashing{.bins = settings.getInt("num_bins"), .mask = settings.findInt("mask_value"), .key = keyOf(settings)};
    const TensorId ids = builder.activation("ids", builder.shape(x));
    builder.emit({.kind = OpKind::kHash, .inputs = {x}, .outputs = {ids}, .attributes = hashing});
    endGradient(builder, x, ids);
    return lowerOutputMode(builder, ids);
}

TensorId lowerEmbedding(LayerBuilder& builder, TensorId x) {
    expectIds(builder, x);
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
        {"Embedding", lowerEmbedding, Times::kTogether}, {"ReversibleEmbedding", lowerEmbedding, Times::kTogether},
        {"CategoryEncoding", lowerCategoryEncoding},     {"Discretization", lowerDiscretization},
        {"IntegerLookup", lowerIntegerLookup},           {"Hashing", lowerHashing},
    };
    return kRows;
}

}  // namespace engine::plan
