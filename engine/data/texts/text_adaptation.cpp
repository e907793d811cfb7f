#include "engine/data/texts/text_adaptation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/data/texts/text_splitter.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"

namespace engine::data {
namespace {

struct Count {
    std::int64_t times = 0, texts = 0;
    std::size_t last_text = 0;  // the number of the last one that has it, from 1
};

}  // namespace

spec::LayerSpec adaptedToTexts(spec::LayerSpec layer, std::span<const std::string> texts) {
    const TextSplitter splitter(layer);
    const spec::TextTable table = spec::textTable(layer);
    std::unordered_map<std::string, Count> counts;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        for (std::string& token : splitter.tokens(texts[i])) {
            Count& count = counts[std::move(token)];
            ++count.times;
            if (count.last_text != i + 1) ++count.texts;
            count.last_text = i + 1;
        }
    }
    if (table.mask) counts.erase(*table.mask);
    if (table.unknown) counts.erase(*table.unknown);
    if (counts.empty()) {
        throw Error(ErrorCode::kDataLoss, layer.name + ": expected words in the training texts for its vocabulary, got none");
    }
    std::vector<std::pair<std::string, Count>> ranked(counts.begin(), counts.end());
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
        return a.second.times != b.second.times ? a.second.times > b.second.times : a.first > b.first;
    });
    const spec::Settings settings = spec::settingsOf(layer);
    const bool weighs = settings.getString("output_mode") == "tf_idf";
    if (const auto most = settings.findInt("max_tokens")) {
        ranked.resize(std::min(ranked.size(), static_cast<std::size_t>(std::max<std::int64_t>(*most - table.first, 0))));
    }
    std::vector<std::string> vocabulary;
    std::vector<double> weights;
    for (auto& [token, count] : ranked) {
        vocabulary.push_back(std::move(token));
        const double share = static_cast<double>(texts.size()) / (1 + static_cast<double>(count.texts));
        weights.push_back(static_cast<double>(static_cast<float>(std::log(1 + share))));
    }
    layer.config.set("vocabulary", std::move(vocabulary));
    if (weighs) layer.config.set("idf_weights", std::move(weights));
    return layer;
}

}  // namespace engine::data
