#include "engine/spec/catalog/lookup_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>

namespace engine::spec {
namespace {

// What stands in front of the vocabulary.
std::vector<std::int64_t> specialTokens(const Settings& settings) {
    const std::optional<std::int64_t> mask = settings.findInt("mask_token");
    // A mask has a place among ids alone.
    std::vector<std::int64_t> special(mask && settings.getString("output_mode") == "int" ? 1 : 0, mask.value_or(0));
    special.insert(special.end(), static_cast<std::size_t>(std::max<std::int64_t>(settings.getInt("num_oov_indices"), 0)),
                   settings.findInt("oov_token").value_or(-1));
    return special;
}

bool beginsWith(const std::vector<std::int64_t>& tokens, const std::vector<std::int64_t>& special) {
    return tokens.size() >= special.size() && std::equal(special.begin(), special.end(), tokens.begin());
}

}  // namespace

LookupTable lookupTable(const Settings& settings) {
    const bool gives_ids = settings.getString("output_mode") == "int", inverts = settings.getBool("invert");
    const std::optional<std::int64_t> mask = settings.findInt("mask_token");
    const std::int64_t oov = settings.findInt("oov_token").value_or(-1);
    const std::vector<std::int64_t> special = specialTokens(settings);
    LookupTable table{.others = settings.getInt("num_oov_indices"), .first = static_cast<std::int64_t>(special.size())};
    table.otherwise = table.first - table.others;
    std::vector<std::int64_t> tokens = settings.getInts("vocabulary");
    if (beginsWith(tokens, special)) {
        tokens.erase(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(special.size()));
    }
    std::map<std::int64_t, std::int64_t> places;
    if (mask) places[*mask] = 0;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!places.emplace(tokens[i], static_cast<std::int64_t>(special.size() + i)).second) table.repeats = tokens[i];
    }
    if (mask) places[*mask] = gives_ids ? 0 : -1;
    table.used = table.size = static_cast<std::int64_t>(special.size() + tokens.size());
    if (inverts) {  // ids become what they stand for
        std::map<std::int64_t, std::int64_t> back;
        for (const auto& [token, place] : places) back[place] = token;
        places = std::move(back);
        table.otherwise = oov;
        table.others = 1;
    }
    if (settings.getBool("pad_to_max_tokens")) table.size = settings.findInt("max_tokens").value_or(table.size);
    for (const auto& [value, place] : places) {
        table.values.push_back(value);
        table.places.push_back(place);
    }
    return table;
}

std::vector<float> idfWeights(const Settings& settings) {
    const std::vector<double> given = settings.getDoubles("idf_weights");
    if (given.empty()) return {};
    const LookupTable table = lookupTable(settings);
    std::vector<float> weights;
    if (!beginsWith(settings.getInts("vocabulary"), specialTokens(settings))) {
        const double mean = std::accumulate(given.begin(), given.end(), 0.0) / static_cast<double>(given.size());
        weights.assign(static_cast<std::size_t>(table.first), static_cast<float>(mean));
    }
    for (const double weight : given) weights.push_back(static_cast<float>(weight));
    weights.resize(static_cast<std::size_t>(table.size));
    return weights;
}

std::vector<std::pair<std::string, std::vector<float>>> takenVocabulary(const LayerSpec& layer, const std::vector<std::int64_t>& tokens,
                                                                        const std::vector<double>& idf_weights) {
    LayerSpec filled = layer;
    filled.config.set("vocabulary", tokens);
    filled.config.set("idf_weights", idf_weights);
    const Settings settings = settingsOf(filled);
    const LookupTable table = lookupTable(settings);
    const auto size = static_cast<std::size_t>(settings.findInt("max_tokens").value_or(table.used) - table.first +
                                               (settings.findInt("mask_token") ? 1 : 0));
    std::vector<float> values(table.values.begin(), table.values.end()), places(table.places.begin(), table.places.end());
    values.resize(size, kNoValue);
    places.resize(size, static_cast<float>(table.otherwise));
    std::vector<std::pair<std::string, std::vector<float>>> variables{{"values", std::move(values)}, {"places", std::move(places)}};
    if (!idf_weights.empty()) variables.emplace_back("idf_weights", idfWeights(settings));
    return variables;
}

std::int64_t mostBoundaries(std::int64_t num_bins) {
    const double share = 1.0 / static_cast<double>(num_bins);
    return static_cast<std::int64_t>(std::ceil(1.0 / share)) - 1;
}

}  // namespace engine::spec
