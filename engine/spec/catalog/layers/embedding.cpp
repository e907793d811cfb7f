// Embedding: ids of any shape -> that shape with output_dim behind it; embeddings (input_dim, output_dim). With mask_zero the output
// carries a mask of the ids' shape. ReversibleEmbedding: the same; without tie_weights it has reverse_embeddings (output_dim, input_dim) as
// well, for the way back from rows to ids, which a chain never takes: nothing changes them. Discretization, IntegerLookup and Hashing make
// ids of numbers; these, and CategoryEncoding, make ones of ids: (B, ..., depth), a row for each id, or with multi_hot, count and tf_idf
// (B, depth), a row for all ids of a sample. What Discretization and IntegerLookup take from the training samples, and the weights of
// tf_idf, are variables: catalog/lookup_table.h.
#include <utility>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

constexpr double kMostIds = 1 << 24;  // ids travel as float32, which holds these exactly

std::optional<ShapeFault> inferEmbedding(const LayerSpec& layer, LayerInfo& info) {
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

std::optional<ShapeFault> inferReversible(const LayerSpec& layer, LayerInfo& info) {
    if (auto fault = inferEmbedding(layer, info)) return fault;
    const Settings settings = settingsOf(layer);
    if (!settings.getBool("tie_weights")) {
        info.variables.push_back({layer.name + "/reverse_embeddings", {settings.getInt("output_dim"), settings.getInt("input_dim")}});
    }
    return std::nullopt;
}

std::optional<ShapeFault> encode(const Settings& settings, std::int64_t depth, LayerInfo& info) {
    const std::string mode = settings.getString("output_mode");
    const Shape& input = info.input_shape;
    if (mode == "int") {
        info.output_shape = input;
    } else if (mode == "one_hot") {
        info.output_shape.assign(input.begin(), input.end() - (input.back() == 1 ? 1 : 0));
        info.output_shape.push_back(depth);
    } else if (input.size() != 1) {
        return ShapeFault{"", "expected input rank 2 (batch and values) with " + mode + ", got " + batchShapeText(input)};
    } else {
        info.output_shape = {depth};
    }
    if (settings.getBool("sparse")) return ShapeFault{"sparse", "expected false (not supported), got true"};
    return std::nullopt;
}

std::optional<ShapeFault> inferEncoding(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    return encode(settings, settings.getInt("num_tokens"), info);
}

std::optional<ShapeFault> inferDiscretization(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    const std::vector<double> boundaries = settings.getDoubles("bin_boundaries");
    const std::optional<std::int64_t> bins = settings.findInt("num_bins");
    if (boundaries.empty()) {
        if (!bins) return ShapeFault{"bin_boundaries", "expected rising numbers, or num_bins, got none"};
        const std::int64_t count = mostBoundaries(*bins);
        info.variables.push_back({layer.name + "/boundaries", {count}, false});
        return encode(settings, count + 1, info);
    }
    if (bins) return ShapeFault{"num_bins", "expected none beside bin_boundaries, got " + std::to_string(*bins)};
    for (std::size_t i = 0; i + 1 < boundaries.size(); ++i) {
        if (boundaries[i] > boundaries[i + 1]) return ShapeFault{"bin_boundaries", "expected rising numbers, got " + valueText(boundaries)};
    }
    return encode(settings, static_cast<std::int64_t>(boundaries.size()) + 1, info);
}

// What a vocabulary that comes from the training samples needs: its size, which the model has to know before there is one.
std::optional<ShapeFault> checkAdaptedLookup(const Settings& settings, const LookupTable& table) {
    const std::optional<std::int64_t> most = settings.findInt("max_tokens");
    if (!most) return ShapeFault{"max_tokens", "expected a number where there is no vocabulary, got none"};
    if (*most <= table.first) {
        return ShapeFault{"max_tokens", "expected more than the " + std::to_string(table.first) +
                                            " places in front of the vocabulary, got " + std::to_string(*most)};
    }
    if (settings.getString("output_mode") != "int" && !settings.getBool("pad_to_max_tokens")) {
        return ShapeFault{"pad_to_max_tokens", "expected true where there is no vocabulary, got false"};
    }
    return std::nullopt;
}

// The weights of tf_idf: as many as the vocabulary has values, those in front of it among them where it has these.
std::optional<ShapeFault> checkIdfWeights(const Settings& settings) {
    const std::size_t weights = settings.getDoubles("idf_weights").size(), values = settings.getInts("vocabulary").size();
    if (settings.getString("output_mode") != "tf_idf") {
        if (weights == 0) return std::nullopt;
        return ShapeFault{"idf_weights", "expected none without tf_idf, got " + std::to_string(weights)};
    }
    if (weights == values) return std::nullopt;
    return ShapeFault{"idf_weights",
                      "expected as many numbers as vocabulary has, " + std::to_string(values) + ", got " + std::to_string(weights)};
}

std::optional<ShapeFault> checkSalt(const Settings& settings) {
    const FieldValue* salt = settings.find("salt");
    if (salt == nullptr) return std::nullopt;
    if (settings.getInts("salt").empty() || settings.getInts("salt").size() > 2) {
        return ShapeFault{"salt", "expected one or two whole numbers, got " + valueText(*salt)};
    }
    return std::nullopt;
}

std::optional<ShapeFault> inferLookup(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    const bool is_adapted = settings.getInts("vocabulary").empty();
    const LookupTable table = lookupTable(settings);
    const std::optional<std::int64_t> most = settings.findInt("max_tokens");
    if (is_adapted) {
        if (auto fault = checkAdaptedLookup(settings, table)) return fault;
    }
    if (auto fault = checkIdfWeights(settings)) return fault;
    if (auto fault = checkSalt(settings)) return fault;
    if (settings.find("salt") != nullptr && settings.getString("oov_method") != "farmhash") {
        return ShapeFault{"salt", "expected none without farmhash, got " + valueText(*settings.find("salt"))};
    }
    if (table.repeats) return ShapeFault{"vocabulary", "expected each value once, got " + std::to_string(*table.repeats) + " again"};
    if (most && table.used > *most) {
        return ShapeFault{"max_tokens", "expected at least the " + std::to_string(table.used) + " places of the vocabulary, got " +
                                            std::to_string(*most)};
    }
    if (settings.getBool("pad_to_max_tokens") && !most)
        return ShapeFault{"max_tokens", "expected a number with pad_to_max_tokens, got none"};
    if (settings.getBool("invert") && settings.getString("output_mode") != "int") {
        return ShapeFault{"output_mode", "expected int with invert, got " + settings.getString("output_mode")};
    }
    if (is_adapted) {
        const Shape sizes{*most - table.first + (settings.findInt("mask_token") ? 1 : 0)};
        info.variables.push_back({layer.name + "/values", sizes, false});
        info.variables.push_back({layer.name + "/places", sizes, false});
    }
    if (settings.getString("output_mode") == "tf_idf") info.variables.push_back({layer.name + "/idf_weights", {table.size}, false});
    return encode(settings, table.size, info);
}

bool takesBoundaries(const LayerSpec& layer) {
    const Settings settings = settingsOf(layer);
    return settings.getDoubles("bin_boundaries").empty() && settings.findInt("num_bins");
}

bool takesVocabulary(const LayerSpec& layer) {
    return settingsOf(layer).getInts("vocabulary").empty();
}

std::optional<ShapeFault> inferHashing(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    if (auto fault = checkSalt(settings)) return fault;
    // Keras makes a row for each id, too, but says to the layers behind it that there is one for all.
    if (settings.getString("output_mode") == "one_hot" && info.input_shape.back() != 1) {
        return ShapeFault{"", "expected a last axis of 1 with one_hot, got " + batchShapeText(info.input_shape)};
    }
    return encode(settings, settings.getInt("num_bins"), info);
}

bool givesIds(const LayerSpec& layer) {
    const Settings settings = settingsOf(layer);
    const FieldValue* mode = settings.find("output_mode");
    return mode != nullptr && *mode == FieldValue(std::string("int"));
}

FieldSchema outputModeField(const char* fallback, bool has_ids) {
    std::vector<std::string> choices{"multi_hot", "one_hot", "count"};
    if (has_ids) choices.insert(choices.begin(), "int");
    return {.name = "output_mode",
            .kind = FieldKind::kChoice,
            .fallback = fallback,
            .choices = std::move(choices),
            .hint = "A row with a one for each value; for all values of a sample, or how often each is there; or the number itself",
            .is_told = true};
}

FieldSchema sparseField() {
    return {.name = "sparse", .kind = FieldKind::kBool, .fallback = false, .hint = "Not supported"};
}

FieldSchema idField(const char* name, FieldValue fallback, const char* hint) {
    return {
        .name = name, .kind = FieldKind::kInt, .fallback = std::move(fallback), .minimum = -kMostIds, .maximum = kMostIds, .hint = hint};
}

FieldSchema saltField(const char* hint) {
    constexpr double kMostSalt = 9007199254740992;  // 2^53: projects keep whole numbers up to it
    return {.name = "salt", .kind = FieldKind::kIntList, .minimum = -kMostSalt, .maximum = kMostSalt, .hint = hint};
}

LayerDefinition defineEncoding() {
    return {.schema = {"CategoryEncoding",
                       LayerCategory::kShape,
                       {{.name = "num_tokens",
                         .kind = FieldKind::kInt,
                         .required = true,
                         .minimum = 1,
                         .maximum = kMaximumSize,
                         .hint = "Number of ids: they run from 0 to one less"},
                        outputModeField("multi_hot", false),
                        sparseField()}},
            .infer = inferEncoding,
            .place = 258,
            .takes_ids = true};
}

LayerDefinition defineDiscretization() {
    return {
        .schema = {"Discretization",
                   LayerCategory::kShape,
                   {{.name = "bin_boundaries",
                     .kind = FieldKind::kDoubleList,
                     .minimum = -1e30,
                     .maximum = 1e30,
                     .hint = "Rising numbers: a value becomes the number of those that are not above it; empty: from the training samples",
                     .is_told = true},
                    {.name = "num_bins",
                     .kind = FieldKind::kInt,
                     .minimum = 2,
                     .maximum = kMaximumSize,
                     .hint = "Without boundaries: so many buckets, each with about as many values of the training samples",
                     .is_told = true},
                    {.name = "epsilon",
                     .kind = FieldKind::kDouble,
                     .fallback = 0.01,
                     .minimum = 1e-6,
                     .maximum = 1,
                     .hint = "With num_bins: the error that boundaries may have, as a share of all values"},
                    outputModeField("int", true),
                    sparseField()}},
        .infer = inferDiscretization,
        .place = 259,
        .takes_samples = takesBoundaries,
        .takes_ids = true,
        .keeps_ids = givesIds};
}

LayerDefinition defineLookup() {
    FieldSchema mode = outputModeField("int", true);
    mode.choices.push_back("tf_idf");
    mode.hint =
        "A row with a one for each value; for all values of a sample, how often each is there, or that times a weight; or the number "
        "itself";

    return {.schema =
                {"IntegerLookup",
                 LayerCategory::kShape,
                 {{.name = "max_tokens",
                   .kind = FieldKind::kInt,
                   .minimum = 2,
                   .maximum = kMostIds,
                   .hint = "The most places that there may be",
                   .is_told = true},
                  {.name = "num_oov_indices",
                   .kind = FieldKind::kInt,
                   .fallback = std::int64_t{1},
                   .minimum = 0,
                   .maximum = kMaximumSize,
                   .hint = "Places of values that the vocabulary lacks; 0: such a value is an error"},
                  idField("mask_token", {}, "The value that becomes 0; empty: none"),
                  idField("oov_token", std::int64_t{-1}, "With invert: what stands for ids that the vocabulary lacks"),
                  {.name = "vocabulary",
                   .kind = FieldKind::kIntList,
                   .minimum = -kMostIds,
                   .maximum = kMostIds,
                   .hint = "The values in the order of their places; empty: those of the training samples, the most frequent first"},
                  {.name = "vocabulary_dtype", .kind = FieldKind::kChoice, .fallback = "int64", .choices = {"int64"}, .hint = "No effect"},
                  {.name = "idf_weights",
                   .kind = FieldKind::kDoubleList,
                   .minimum = -1e30,
                   .maximum = 1e30,
                   .hint = "With tf_idf: a weight for each value of the vocabulary; empty without one: from the training samples"},
                  {.name = "invert", .kind = FieldKind::kBool, .fallback = false, .hint = "The way back: ids become values"},
                  std::move(mode),
                  sparseField(),
                  {.name = "pad_to_max_tokens",
                   .kind = FieldKind::kBool,
                   .fallback = false,
                   .hint = "A row has as many values as there may be places"},
                  {.name = "oov_method",
                   .kind = FieldKind::kChoice,
                   .fallback = "floormod",
                   .choices = {"floormod", "farmhash"},
                   .hint = "How values that the vocabulary lacks share their places: by what is left of a division, or by a hash"},
                  saltField("With farmhash: one or two whole numbers, which give other places (SipHash); empty: FarmHash's")}},
            .infer = inferLookup,
            .place = 260,
            .takes_samples = takesVocabulary,
            .takes_ids = true,
            .keeps_ids = givesIds};
}

LayerDefinition defineHashing() {
    return {.schema = {"Hashing",
                       LayerCategory::kShape,
                       {{.name = "num_bins",
                         .kind = FieldKind::kInt,
                         .required = true,
                         .minimum = 1,
                         .maximum = kMostIds,
                         .hint = "Places of the table, that of mask_value among them"},
                        idField("mask_value", {}, "The value that becomes 0; empty: none"),
                        saltField("One or two whole numbers, which give other places (SipHash); empty: FarmHash's"),
                        outputModeField("int", true),
                        sparseField()}},
            .infer = inferHashing,
            .place = 259,
            .takes_ids = true,
            .keeps_ids = givesIds};
}

std::vector<FieldSchema> sizeFields() {
    return {{.name = "input_dim",
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
             .hint = "Values that stand for an id"}};
}

// Behind `fields`: what the table begins with and how it is held, and the mask.
std::vector<FieldSchema> withTableFields(std::vector<FieldSchema> fields) {
    fields.push_back(initializerField("embeddings_initializer", "RandomUniform"));
    fields.push_back(regularizerField("embeddings_regularizer"));
    fields.push_back(constraintField("embeddings_constraint"));
    fields.push_back({.name = "mask_zero",
                      .kind = FieldKind::kBool,
                      .fallback = false,
                      .hint = "Id 0 stands for nothing: layers behind leave its place out"});
    return fields;
}

LayerDefinition defineEmbedding() {
    return {.schema = {"Embedding", LayerCategory::kLayer, withTableFields(sizeFields())},
            .infer = inferEmbedding,
            .mask = MaskRule::kOwn,
            .place = 440,
            .is_distributable = true,
            .takes_ids = true};
}

LayerDefinition defineReversible() {
    std::vector<FieldSchema> fields = sizeFields();
    fields.push_back({.name = "tie_weights",
                      .kind = FieldKind::kBool,
                      .fallback = true,
                      .hint = "The way back, which no chain takes, has the table turned; off: weights of its own, never trained"});
    fields = withTableFields(std::move(fields));
    fields.push_back({.name = "reverse_dtype",
                      .kind = FieldKind::kChoice,
                      .choices = {"float32", "float64", "float16", "bfloat16"},
                      .hint = "Numbers of the way back, which no chain takes; empty: those of the layer"});
    fields.push_back({.name = "logit_soft_cap",
                      .kind = FieldKind::kDouble,
                      .minimum = 0,
                      .minimum_excluded = true,
                      .hint = "Bound of what the way back gives, which no chain takes; empty: none"});
    return {.schema = {"ReversibleEmbedding", LayerCategory::kLayer, std::move(fields), kSinceKeras3},
            .infer = inferReversible,
            .mask = MaskRule::kOwn,
            .place = 441,
            .is_distributable = true,
            .takes_ids = true};
}

}  // namespace

std::vector<LayerDefinition> embeddingLayers() {
    return {defineEncoding(), defineDiscretization(), defineLookup(), defineHashing(), defineEmbedding(), defineReversible()};
}

}  // namespace engine::spec::layers
