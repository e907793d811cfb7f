#include "agent/worker/classification_text.h"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <numeric>
#include <sstream>

#include <nlohmann/json.hpp>

namespace agent::worker {
namespace {

using engine::train::Classification;
using engine::train::LayerActivation;
using engine::train::Mistake;
using Json = nlohmann::ordered_json;

constexpr std::size_t kBest = 5;
constexpr std::size_t kMostMapBytes = std::size_t{1} << 18;

std::string base64(const std::vector<std::uint8_t>& bytes) {
    static constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t left = bytes.size() - i;
        const unsigned group = (bytes[i] << 16U) | ((left > 1 ? bytes[i + 1] : 0U) << 8U) | (left > 2 ? bytes[i + 2] : 0U);
        text += kDigits[group >> 18U];
        text += kDigits[(group >> 12U) & 63U];
        text += left > 1 ? kDigits[(group >> 6U) & 63U] : '=';
        text += left > 2 ? kDigits[group & 63U] : '=';
    }
    return text;
}

std::string dump(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string fixed(double value, int decimals) {
    std::ostringstream text;
    text << std::fixed << std::setprecision(decimals) << value;
    return text.str();
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
}

struct Score {
    std::string name;
    std::size_t index = 0;
    float probability = 0;
};

// A single output tells two classes apart.
std::vector<Score> bestOf(const Inspection& inspection) {
    std::vector<float> scores = inspection.scores;
    if (scores.size() == 1) {
        scores = {1 - scores[0], scores[0]};
    }
    std::vector<std::size_t> order(scores.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return scores[a] > scores[b]; });
    order.resize(std::min(order.size(), kBest));
    std::vector<Score> best;
    for (const std::size_t index : order) {
        const auto& names = inspection.class_names;
        best.push_back({index < names.size() ? names[index] : std::to_string(index), index, scores[index]});
    }
    return best;
}

std::pair<float, float> rangeOf(const std::vector<float>& values) {
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    return {*least, *greatest};
}

// The channels of the last axis one after the other. A layer without places has one map: its values.
struct Maps {
    std::size_t shown = 0;
    std::vector<std::uint8_t> bytes;
};

Maps mapsOf(const LayerActivation& activation) {
    const auto [least, greatest] = rangeOf(activation.values);
    const std::size_t channels = activation.shape.size() < 2 ? 1 : static_cast<std::size_t>(activation.shape.back());
    const std::size_t places = activation.values.size() / channels;
    Maps maps;
    maps.shown = std::clamp<std::size_t>(kMostMapBytes / places, 1, channels);
    for (std::size_t channel = 0; channel < maps.shown; ++channel) {
        for (std::size_t place = 0; place < places; ++place) {
            const float value = activation.values[place * channels + channel];
            const float level = greatest > least ? (value - least) / (greatest - least) * 255.0F : 0.0F;
            maps.bytes.push_back(static_cast<std::uint8_t>(std::lround(level)));
        }
    }
    return maps;
}

}  // namespace

std::string classificationJson(const Classification& classification, bool with_pictures) {
    Json value;
    value["classes"] = classification.class_names;
    value["sample_shape"] = classification.sample_shape;
    Json rows = Json::array(), accuracies = Json::array(), mistakes = Json::array();
    for (std::int64_t label = 0; label < classification.classes; ++label) {
        Json row = Json::array();
        for (std::int64_t predicted = 0; predicted < classification.classes; ++predicted) {
            row.push_back(classification.count(label, predicted));
        }
        rows.push_back(std::move(row));
        accuracies.push_back(classification.classAccuracy(label));  // NaN becomes null
    }
    for (const Mistake& mistake : classification.mistakes) {
        Json entry{
            {"sample", mistake.sample}, {"label", mistake.label}, {"predicted", mistake.predicted}, {"confidence", mistake.confidence}};
        if (with_pictures) {
            entry["pixels"] = base64(mistake.pixels);
        }
        mistakes.push_back(std::move(entry));
    }
    value["confusion"] = std::move(rows);
    value["class_accuracy"] = std::move(accuracies);
    value["mistakes"] = std::move(mistakes);
    const std::string text = dump(value);
    return text.substr(1, text.size() - 2);
}

std::string classificationText(const Classification& classification) {
    std::size_t width = 5;
    for (const std::string& name : classification.class_names) {
        width = std::max(width, name.size() + 1);
    }
    const auto cell = [&](const std::string& text) { return std::string(width > text.size() ? width - text.size() : 1, ' ') + text; };
    std::string text = "confusion (row: label, column: prediction)\n" + cell("");
    for (const std::string& name : classification.class_names) {
        text += cell(name);
    }
    text += "  accuracy\n";
    for (std::int64_t label = 0; label < classification.classes; ++label) {
        text += cell(classification.class_names[static_cast<std::size_t>(label)]);
        for (std::int64_t predicted = 0; predicted < classification.classes; ++predicted) {
            text += cell(std::to_string(classification.count(label, predicted)));
        }
        const double accuracy = classification.classAccuracy(label);
        text += std::isnan(accuracy) ? std::string("         -\n") : "    " + fixed(accuracy, 4) + '\n';
    }
    for (const Mistake& mistake : classification.mistakes) {
        text += "sample " + std::to_string(mistake.sample) + ": " + classification.class_names[static_cast<std::size_t>(mistake.label)] +
                " taken for " + classification.class_names[static_cast<std::size_t>(mistake.predicted)] + " (" +
                fixed(static_cast<double>(mistake.confidence), 4) + ")\n";
    }
    return text;
}

std::string inspectionJson(const Inspection& inspection) {
    Json value;
    value["sample_shape"] = inspection.sample_shape;
    value["pixels"] = base64(inspection.pixels);
    value["top"] = Json::array();
    for (const Score& score : bestOf(inspection)) {
        value["top"].push_back({{"class", score.name}, {"index", score.index}, {"probability", score.probability}});
    }
    value["layers"] = Json::array();
    for (const LayerActivation& activation : inspection.activations) {
        const auto [least, greatest] = rangeOf(activation.values);
        const Maps maps = mapsOf(activation);
        value["layers"].push_back({{"name", activation.layer},
                                   {"class_name", activation.class_name},
                                   {"shape", activation.shape},
                                   {"least", least},
                                   {"greatest", greatest},
                                   {"shown", maps.shown},
                                   {"maps", base64(maps.bytes)}});
    }
    return dump(value) + "\n";
}

std::string inspectionText(const Inspection& inspection) {
    std::string text;
    for (const Score& score : bestOf(inspection)) {
        text += padded(score.name, 16) + ' ' + fixed(static_cast<double>(score.probability), 4) + '\n';
    }
    for (const LayerActivation& activation : inspection.activations) {
        const auto [least, greatest] = rangeOf(activation.values);
        std::ostringstream line;
        line << padded(activation.layer, 24) << ' ' << padded(activation.class_name, 20) << ' '
             << padded(engine::data::toString(activation.shape), 16) << " from " << least << " to " << greatest << '\n';
        text += line.str();
    }
    return text;
}

}  // namespace agent::worker
