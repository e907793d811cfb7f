#include "engine/spec/catalog/adapted_layer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/layers/layer_definition.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/catalog/settings.h"

namespace engine::spec {
namespace {

using Variable = std::function<std::span<const float>(const std::string&)>;

void setBoundaries(LayerSpec& layer, const Variable& variable) {
    const std::span<const float> boundaries = variable("boundaries");
    layer.config.set("bin_boundaries", std::vector<double>(boundaries.begin(), boundaries.end()));
    layer.config.erase("num_bins");
}

// The vocabulary in the order of its places, without those in front of it and those that are free.
void setVocabulary(LayerSpec& layer, const Variable& variable) {
    const Settings settings = settingsOf(layer);
    const bool inverts = settings.getBool("invert");
    const std::int64_t first = lookupTable(settings).first;
    const std::span<const float> values = variable("values"), places = variable("places");
    std::vector<std::pair<std::int64_t, std::int64_t>> rows;  // place, token
    for (std::size_t i = 0; i < std::min(values.size(), places.size()); ++i) {
        if (values[i] >= kNoValue) continue;
        const auto key = static_cast<std::int64_t>(values[i]), other = static_cast<std::int64_t>(places[i]);
        const std::int64_t place = inverts ? key : other;
        if (place >= first) rows.emplace_back(place, inverts ? other : key);
    }
    if (rows.empty()) return;
    std::sort(rows.begin(), rows.end());
    std::vector<std::int64_t> tokens;
    for (const auto& [place, token] : rows) tokens.push_back(token);
    if (settings.getString("output_mode") == "tf_idf") {
        const std::span<const float> weights = variable("idf_weights").subspan(static_cast<std::size_t>(first), tokens.size());
        layer.config.set("idf_weights", std::vector<double>(weights.begin(), weights.end()));
    }
    layer.config.set("vocabulary", std::move(tokens));
}

}  // namespace

bool isAdapted(const LayerSpec& layer) {
    const layers::LayerDefinition* definition = layers::findLayerDefinition(layer.class_name);
    if (definition == nullptr || definition->takes_samples == nullptr) return false;
    // Fields that are none of their kind can't be asked; validate() has named them.
    const std::vector<FieldFault> faults = checkFields(layer.config, findLayerSchema(layer.class_name)->fields);
    const bool holds = std::none_of(faults.begin(), faults.end(), [](const FieldFault& fault) { return fault.index >= 0; });
    return holds && definition->takes_samples(layer);
}

const LayerSpec* adaptedLayer(const ModelSpec& model) {
    return !model.layers.empty() && isAdapted(model.layers.front()) ? &model.layers.front() : nullptr;
}

bool keepsTakenInFields(const LayerSpec& layer) {
    return layer.class_name == "Discretization" || layer.class_name == "IntegerLookup";
}

LayerSpec withTaken(const LayerSpec& layer, const Variable& variable) {
    LayerSpec result = layer;
    if (!keepsTakenInFields(layer) || !isAdapted(layer)) return result;
    layer.class_name == "Discretization" ? setBoundaries(result, variable) : setVocabulary(result, variable);
    return result;
}

std::vector<std::pair<std::string, std::vector<float>>> takenFrom(const LayerSpec& layer, const LayerSpec& given) {
    if (!keepsTakenInFields(layer) || given.class_name != layer.class_name) return {};
    const Settings own = settingsOf(layer), theirs = settingsOf(given);
    if (layer.class_name == "Discretization") {
        const std::vector<double> boundaries = theirs.getDoubles("bin_boundaries");
        std::vector<float> values(boundaries.begin(), boundaries.end());
        const std::optional<std::int64_t> bins = own.findInt("num_bins");
        if (values.empty() || !bins || static_cast<std::int64_t>(values.size()) > mostBoundaries(*bins)) return {};
        values.resize(static_cast<std::size_t>(mostBoundaries(*bins)), kNoBoundary);
        return {{"boundaries", std::move(values)}};
    }
    const std::vector<std::int64_t> tokens = theirs.getInts("vocabulary");
    LayerSpec filled = layer;
    filled.config.set("vocabulary", tokens);
    if (tokens.empty() || lookupTable(settingsOf(filled)).used > own.findInt("max_tokens").value_or(0)) return {};
    return takenVocabulary(layer, tokens, theirs.getDoubles("idf_weights"));
}

}  // namespace engine::spec
