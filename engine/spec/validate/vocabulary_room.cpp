#include "engine/spec/validate/vocabulary_room.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/json_text.h"

namespace engine::spec {
namespace {

constexpr std::size_t kFreeBytes = 64u << 10;  // for the paths and settings of who predicts, evaluates or trains on
constexpr std::size_t kMostBytes = kMostProjectBytes - kFreeBytes;
constexpr std::size_t kBetween = 2;  // bytes between two entries of a list
// What the cure itself adds: max_tokens is longer than it was, paths and times of another run may be.
constexpr std::size_t kOfTheCure = 1u << 10;

std::size_t bytesOf(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace).size() + kBetween;
}

// What each token of the vocabulary, with its weight where there is one, adds to the project's text.
std::vector<std::size_t> bytesOfTokens(const LayerSpec& layer) {
    std::vector<std::size_t> bytes;
    for (const std::string& token : textTable(layer).tokens) bytes.push_back(bytesOf(token));
    const std::vector<double> weights = settingsOf(layer).getDoubles("idf_weights");
    for (std::size_t i = 0; i < std::min(weights.size(), bytes.size()); ++i) bytes[i] += bytesOf(weights[i]);
    return bytes;
}

}  // namespace

std::optional<Diagnostic> vocabularyRoomFault(const RunSpec& run) {
    const LayerSpec* layer = textLayer(run.model);
    if (layer == nullptr || !hasVocabulary(*layer)) return std::nullopt;
    const std::size_t all = toProjectJson(run).size();
    if (all <= kMostBytes) return std::nullopt;
    const std::vector<std::size_t> bytes = bytesOfTokens(*layer);
    std::size_t left = all, fitting = bytes.size();
    while (fitting > 1 && left + kOfTheCure > kMostBytes) left -= std::min(left, bytes[--fitting]);
    const std::int64_t places = textTable(*layer).first + static_cast<std::int64_t>(fitting);
    return Diagnostic{Severity::kError, "model.layers[0].max_tokens",
                      "expected a project of at most " + std::to_string(kMostBytes) + " bytes with the vocabulary of " + layer->name +
                          ", got " + std::to_string(all) + " bytes with its " + std::to_string(bytes.size()) + " texts",
                      "Set max_tokens to " + std::to_string(places) + ", which keeps the most frequent texts."};
}

}  // namespace engine::spec
