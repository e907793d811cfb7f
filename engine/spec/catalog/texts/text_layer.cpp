#include "engine/spec/catalog/texts/text_layer.h"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"

namespace engine::spec {
namespace {

// nullopt of a null: there is no such text.
std::optional<std::string> textValue(const FieldValue* value) {
    const auto* text = value == nullptr ? nullptr : std::get_if<std::string>(value);
    return text == nullptr ? std::nullopt : std::optional(*text);
}

std::vector<std::string> vocabularyOf(const Settings& settings) {
    const FieldValue* value = settings.find("vocabulary");
    const auto* texts = value == nullptr ? nullptr : std::get_if<std::vector<std::string>>(value);
    return texts == nullptr ? std::vector<std::string>() : *texts;
}

bool namesPlaces(const LayerSpec& layer) {
    const FieldValue* mode = settingsOf(layer).find("output_mode");
    return mode != nullptr && *mode == FieldValue(std::string("int"));
}

}  // namespace

bool takesTexts(const LayerSpec& layer) {
    const layers::LayerDefinition* definition = layers::findLayerDefinition(layer.class_name);
    return definition != nullptr && definition->takes_texts;
}

const LayerSpec* textLayer(const ModelSpec& model) {
    const bool has_one = model.input_dtype == kTextInput && !model.layers.empty() && takesTexts(model.layers.front());
    return has_one ? &model.layers.front() : nullptr;
}

Shape fedShape(const ModelSpec& model) {
    const LayerSpec* layer = textLayer(model);
    if (layer == nullptr) return model.input_shape;
    const LayerInfo info = inferChain({*layer}, model.input_shape, std::nullopt).front();
    return info.known ? info.output_shape : model.input_shape;
}

bool isFedAsItIs(const ModelSpec& model) {
    return model.input_dtype != "float32";
}

Shape kerasInputShape(const ModelSpec& model) {
    const LayerSpec* layer = textLayer(model);
    if (layer == nullptr || model.input_shape != Shape{1} || namesPlaces(*layer)) return model.input_shape;
    const Settings settings = settingsOf(*layer);
    const bool cuts = settings.has("split") && *settings.find("split") != FieldValue(std::string(kNoChoice));
    return cuts ? Shape{} : model.input_shape;
}

Shape inputShapeOfKeras(const Shape& shape, std::string_view dtype, std::string_view first_class) {
    if (!shape.empty() || dtype != kTextInput) return shape;
    const LayerSpec first{std::string(first_class), "first", {}};
    return takesTexts(first) && settingsOf(first).has("split") ? Shape{1} : shape;
}

bool hasVocabulary(const LayerSpec& layer) {
    return !vocabularyOf(settingsOf(layer)).empty();
}

TextTable textTable(const LayerSpec& layer) {
    const Settings settings = settingsOf(layer);
    TextTable table{.tokens = vocabularyOf(settings), .mask = "", .unknown = "[UNK]"};  // as a TextVectorization has them
    if (settings.has("mask_token")) {
        table.mask = textValue(settings.find("mask_token"));
        table.unknown = textValue(settings.find("oov_token"));
        table.unknown_places = settings.getInt("num_oov_indices");
    }
    table.first_unknown = table.mask && namesPlaces(layer) ? 1 : 0;
    table.first = table.first_unknown + table.unknown_places;
    std::vector<std::string> special;
    if (table.first_unknown > 0) special.push_back(*table.mask);
    special.insert(special.end(), static_cast<std::size_t>(table.unknown_places), table.unknown.value_or(""));
    table.names_special = special.size() <= table.tokens.size() && std::equal(special.begin(), special.end(), table.tokens.begin());
    if (table.names_special) {
        table.tokens.erase(table.tokens.begin(), table.tokens.begin() + static_cast<std::ptrdiff_t>(special.size()));
    }
    table.size = table.first + static_cast<std::int64_t>(table.tokens.size());
    if (const auto most = settings.findInt("max_tokens"); most && settings.getBool("pad_to_max_tokens")) {
        table.size = std::max(table.size, *most);
    }
    return table;
}

std::vector<float> textWeights(const LayerSpec& layer) {
    const Settings settings = settingsOf(layer);
    const std::vector<double> given = settings.getDoubles("idf_weights");
    if (settings.getString("output_mode") != "tf_idf" || given.empty()) return {};
    const TextTable table = textTable(layer);
    std::vector<float> weights;
    if (!table.names_special) {
        const double mean = std::accumulate(given.begin(), given.end(), 0.0) / static_cast<double>(given.size());
        weights.assign(static_cast<std::size_t>(table.first), static_cast<float>(mean));
    }
    for (const double weight : given) weights.push_back(static_cast<float>(weight));
    weights.resize(static_cast<std::size_t>(table.size), 0.0F);
    return weights;
}

std::optional<std::string> vocabularyFault(const TextTable& table) {
    std::set<std::string_view> known;
    for (const std::string& token : table.tokens) {
        if (!known.insert(token).second || token == table.mask) return "expected each value once, got \"" + token + "\" again";
    }
    return std::nullopt;
}

}  // namespace engine::spec
