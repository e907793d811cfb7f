#include "engine/data/texts/text_encoder.h"

#include <algorithm>
#include <cstring>

#include <farmhash.h>

#include "engine/checksum/sip_hash.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/error.h"

namespace engine::data {

TextEncoder::TextEncoder(const spec::LayerSpec& layer) : name_(layer.name), splitter_(layer), table_(spec::textTable(layer)) {
    const spec::LayerInfo info = spec::inferChain({layer}, {1}, std::nullopt).front();
    if (!info.known) throw Error(ErrorCode::kInvalidArgument, name_ + ": " + info.error);
    if (table_.tokens.empty()) throw Error(ErrorCode::kInvalidArgument, name_ + ": expected a vocabulary, got none");
    const spec::Settings settings = spec::settingsOf(layer);
    const std::string mode = settings.getString("output_mode");
    mode_ = mode == "int" ? Mode::kPlaces : mode == "tf_idf" ? Mode::kWeighedCounts : mode == "count" ? Mode::kCounts : Mode::kOnes;
    width_ = info.output_shape.back();
    for (std::size_t i = 0; i < table_.tokens.size(); ++i) places_[table_.tokens[i]] = table_.first + static_cast<std::int64_t>(i);
    weights_ = spec::textWeights(layer);
    if (settings.has("salt")) {
        const std::vector<std::int64_t> salt = settings.getInts("salt");
        if (!salt.empty()) salt_ = {static_cast<std::uint64_t>(salt.front()), static_cast<std::uint64_t>(salt.back())};
    }
}

std::optional<std::int64_t> TextEncoder::placeOf(const std::string& token) const {
    if (token == table_.mask) return std::nullopt;
    if (const auto found = places_.find(token); found != places_.end()) return found->second;
    if (table_.unknown_places == 0) {
        throw Error(ErrorCode::kInvalidArgument,
                    name_ + ": expected texts of the vocabulary with num_oov_indices=0, got \"" + token + "\"");
    }
    if (table_.unknown_places == 1) return table_.first_unknown;
    const std::uint64_t hash =
        salt_.empty() ? util::Fingerprint64(token.data(), token.size()) : checksum::sipHash24(token, salt_.front(), salt_.back());
    return table_.first_unknown + static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(table_.unknown_places));
}

void TextEncoder::encode(std::string_view text, std::byte* into) const {
    std::memset(into, 0, bytes());
    const std::vector<std::string> tokens = splitter_.tokens(text);
    if (mode_ == Mode::kPlaces) {
        const std::size_t count = std::min(tokens.size(), static_cast<std::size_t>(width_));
        for (std::size_t i = 0; i < count; ++i) {
            const auto place = static_cast<std::int32_t>(placeOf(tokens[i]).value_or(0));
            std::memcpy(into + i * sizeof(place), &place, sizeof(place));
        }
        return;
    }
    std::vector<float> row(static_cast<std::size_t>(width_), 0.0F);
    for (const std::string& token : tokens) {
        const std::optional<std::int64_t> place = placeOf(token);
        if (!place) continue;
        float& value = row[static_cast<std::size_t>(*place)];
        value = mode_ == Mode::kOnes ? 1.0F : value + 1.0F;
    }
    for (std::size_t i = 0; i < weights_.size(); ++i) row[i] *= weights_[i];
    std::memcpy(into, row.data(), bytes());
}

}  // namespace engine::data
