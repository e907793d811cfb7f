// TextVectorization: one text -> the places of its words, (length), or a row with a number for each place, (places). StringLookup: one text
// -> its place in a vocabulary, (1), or such a row. A vocabulary that is not given is taken from the training texts; its size is known only
// then, so that rows need max_tokens and pad_to_max_tokens, as ids need their length.
#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/shape.h"

namespace engine::spec::layers {
namespace {

constexpr double kMostPlaces = 1 << 24;  // they travel as float32, which holds these exactly
constexpr double kMostWords = 64;        // that go together

// What is wrong with the vocabulary and its weights, or with what stands for them.
std::optional<ShapeFault> checkVocabulary(const LayerSpec& layer, const Settings& settings, const TextTable& table) {
    const std::optional<std::int64_t> most = settings.findInt("max_tokens");
    const bool pads = settings.getBool("pad_to_max_tokens"), is_given = hasVocabulary(layer);
    const std::string mode = settings.getString("output_mode");
    const std::size_t weights = settings.getDoubles("idf_weights").size();
    if (pads && !most) return ShapeFault{"max_tokens", "expected a number with pad_to_max_tokens, got none"};
    if (const auto fault = vocabularyFault(table)) return ShapeFault{"vocabulary", *fault};
    const std::int64_t used = table.first + static_cast<std::int64_t>(table.tokens.size());
    if (is_given && most && used > *most) {
        return ShapeFault{"max_tokens",
                          "expected at least the " + std::to_string(used) + " places of the vocabulary, got " + std::to_string(*most)};
    }
    if (!is_given && most && table.first >= *most) {
        return ShapeFault{"max_tokens", "expected more than the " + std::to_string(table.first) +
                                            " places in front of the vocabulary, got " + std::to_string(*most)};
    }
    if (!is_given && mode != "int" && !pads) {
        return ShapeFault{"pad_to_max_tokens", "expected a vocabulary or pad_to_max_tokens, which say how many values a row has, got none"};
    }
    if (mode != "tf_idf" || !is_given) {
        if (weights == 0) return std::nullopt;
        return ShapeFault{"idf_weights", "expected none but with tf_idf and a vocabulary, got " + std::to_string(weights)};
    }
    const std::size_t listed = table.tokens.size() + (table.names_special ? static_cast<std::size_t>(table.first) : 0);
    if (weights != listed) {
        return ShapeFault{"idf_weights", "expected one for each of the " + std::to_string(listed) + " texts of the vocabulary, got " +
                                             (weights == 0 ? "none" : std::to_string(weights))};
    }
    return std::nullopt;
}

// What both layers have in common; `ids` are the places of one text.
std::optional<ShapeFault> inferTexts(const LayerSpec& layer, LayerInfo& info, const Shape& ids) {
    if (info.input_shape != Shape{1})
        return ShapeFault{"", "expected one text a sample, (None, 1), got " + batchShapeText(info.input_shape)};
    const Settings settings = settingsOf(layer);
    const TextTable table = textTable(layer);
    if (auto fault = checkVocabulary(layer, settings, table)) return fault;
    if (settings.getBool("sparse")) return ShapeFault{"sparse", "expected false (not supported), got true"};
    info.output_shape = settings.getString("output_mode") == "int" ? ids : Shape{table.size};
    return std::nullopt;
}

std::optional<ShapeFault> inferVectorization(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    const bool gives_ids = settings.getString("output_mode") == "int";
    const std::optional<std::int64_t> length = settings.findInt("output_sequence_length");
    if (gives_ids && !length) {
        return ShapeFault{"output_sequence_length", "expected a number with output_mode int, so that all texts have one length, got none"};
    }
    if (!gives_ids && length) {
        return ShapeFault{"output_sequence_length",
                          "expected none with output_mode " + settings.getString("output_mode") + ", got " + std::to_string(*length)};
    }
    if (settings.getBool("ragged")) return ShapeFault{"ragged", "expected false (not supported), got true"};
    return inferTexts(layer, info, {length.value_or(1)});
}

std::optional<ShapeFault> inferStringLookup(const LayerSpec& layer, LayerInfo& info) {
    const Settings settings = settingsOf(layer);
    const FieldValue* salt = settings.find("salt");
    if (salt != nullptr && (settings.getInts("salt").empty() || settings.getInts("salt").size() > 2)) {
        return ShapeFault{"salt", "expected one or two whole numbers, got " + valueText(*salt)};
    }
    if (settings.getBool("invert")) return ShapeFault{"invert", "expected false (not supported), got true"};
    return inferTexts(layer, info, {1});
}

bool givesPlaces(const LayerSpec& layer) {
    const FieldValue* mode = settingsOf(layer).find("output_mode");
    return mode != nullptr && *mode == FieldValue(std::string("int"));
}

bool takesVocabulary(const LayerSpec& layer) {
    return !hasVocabulary(layer);
}

FieldSchema maxTokensField() {
    return {.name = "max_tokens",
            .kind = FieldKind::kInt,
            .minimum = 2,
            .maximum = kMostPlaces,
            .hint = "The most places that there may be; the most frequent words have them",
            .is_told = true};
}

FieldSchema vocabularyField() {
    return {.name = "vocabulary",
            .kind = FieldKind::kTextList,
            .hint = "The texts in the order of their places; empty: taken from the training texts, the most frequent first"};
}

FieldSchema idfField() {
    return {.name = "idf_weights",
            .kind = FieldKind::kDoubleList,
            .minimum = -1e30,
            .maximum = 1e30,
            .hint = "With tf_idf and a vocabulary: what the count of each text is multiplied by"};
}

FieldSchema padField() {
    return {.name = "pad_to_max_tokens",
            .kind = FieldKind::kBool,
            .fallback = false,
            .hint = "A row has as many values as there may be places"};
}

FieldSchema unsupportedField(const char* name) {
    return {.name = name, .kind = FieldKind::kBool, .fallback = false, .hint = "Not supported"};
}

FieldSchema encodingField() {
    return {.name = "encoding", .kind = FieldKind::kChoice, .fallback = "utf-8", .choices = {"utf-8"}, .hint = "No effect"};
}

LayerDefinition defineVectorization() {
    return {.schema = {"TextVectorization",
                       LayerCategory::kShape,
                       {maxTokensField(),
                        {.name = "standardize",
                         .kind = FieldKind::kChoice,
                         .fallback = "lower_and_strip_punctuation",
                         .choices = {"lower_and_strip_punctuation", "lower", "strip_punctuation", std::string(kNoChoice)},
                         .hint = "Letters from A to Z become small, the punctuation of ASCII goes"},
                        {.name = "split",
                         .kind = FieldKind::kChoice,
                         .fallback = "whitespace",
                         .choices = {"whitespace", "character", std::string(kNoChoice)},
                         .hint = "What a text is cut into; none: it stays whole"},
                        {.name = "ngrams",
                         .kind = FieldKind::kIntList,
                         .minimum = 1,
                         .maximum = kMostWords,
                         .hint = "How many words go together, each number in turn, as 1, 2; empty: each alone"},
                        {.name = "output_mode",
                         .kind = FieldKind::kChoice,
                         .fallback = "int",
                         .choices = {"int", "multi_hot", "count", "tf_idf"},
                         .hint = "The places of the words; or a row: which are there, how often, and that weighed by how rare they are",
                         .is_told = true},
                        {.name = "output_sequence_length",
                         .kind = FieldKind::kInt,
                         .minimum = 1,
                         .maximum = kMaximumSize,
                         .hint = "With int: words of a text; shorter ones get zeros behind, of longer ones the first are kept"},
                        padField(),
                        vocabularyField(),
                        idfField(),
                        unsupportedField("sparse"),
                        unsupportedField("ragged"),
                        encodingField()}},
            .infer = inferVectorization,
            .place = 256,
            .takes_samples = takesVocabulary,
            .keeps_ids = givesPlaces,
            .takes_texts = true};
}

LayerDefinition defineStringLookup() {
    constexpr double kMostSalt = 9007199254740992;  // 2^53: projects keep whole numbers up to it
    return {.schema = {"StringLookup",
                       LayerCategory::kShape,
                       {maxTokensField(),
                        {.name = "num_oov_indices",
                         .kind = FieldKind::kInt,
                         .fallback = std::int64_t{1},
                         .minimum = 0,
                         .maximum = kMaximumSize,
                         .hint = "Places of texts that the vocabulary lacks, shared by their hash; 0: such a text is an error"},
                        {.name = "mask_token", .kind = FieldKind::kString, .hint = "The text that becomes 0, or is left out of rows"},
                        {.name = "oov_token",
                         .kind = FieldKind::kString,
                         .fallback = "[UNK]",
                         .hint = "What stands for them in a vocabulary; training texts of that name are not counted"},
                        vocabularyField(),
                        idfField(),
                        unsupportedField("invert"),
                        {.name = "output_mode",
                         .kind = FieldKind::kChoice,
                         .fallback = "int",
                         .choices = {"int", "one_hot", "multi_hot", "count", "tf_idf"},
                         .hint = "The place of the text, or a row with a one there; tf_idf weighs it by how rare it is",
                         .is_told = true},
                        padField(),
                        unsupportedField("sparse"),
                        encodingField(),
                        {.name = "salt",
                         .kind = FieldKind::kIntList,
                         .minimum = -kMostSalt,
                         .maximum = kMostSalt,
                         .hint = "One or two whole numbers, which give other places (SipHash); empty: FarmHash's"},
                        {.name = "oov_method",
                         .kind = FieldKind::kChoice,
                         .fallback = "floormod",
                         .choices = {"floormod", "farmhash"},
                         .hint = "No effect"}}},
            .infer = inferStringLookup,
            .place = 257,
            .takes_samples = takesVocabulary,
            .keeps_ids = givesPlaces,
            .takes_texts = true};
}

}  // namespace

std::vector<LayerDefinition> textLayers() {
    return {defineVectorization(), defineStringLookup()};
}

}  // namespace engine::spec::layers
