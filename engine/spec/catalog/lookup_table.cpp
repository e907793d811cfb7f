#include "engine/spec/catalog/lookup_table.h"

#include <algorithm>
#include <map>
#include <optional>

namespace engine::spec {

LookupTable lookupTable(const Settings& settings) {
    const bool gives_ids = settings.getString("output_mode") == "int", inverts = settings.getBool("invert");
    const std::optional<std::int64_t> mask = settings.findInt("mask_token");
    const std::int64_t oov = settings.findInt("oov_token").value_or(-1);
    LookupTable table{.others = settings.getInt("num_oov_indices")};
    // A mask has a place among ids alone.
    std::vector<std::int64_t> special(mask && gives_ids ? 1 : 0, mask.value_or(0));
    table.otherwise = static_cast<std::int64_t>(special.size());
    special.insert(special.end(), static_cast<std::size_t>(std::max<std::int64_t>(table.others, 0)), oov);
    std::vector<std::int64_t> tokens = settings.getInts("vocabulary");
    if (tokens.size() >= special.size() && std::equal(special.begin(), special.end(), tokens.begin())) {
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

}  // namespace engine::spec
