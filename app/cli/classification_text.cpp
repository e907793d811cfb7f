#include "app/cli/classification_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

#include "app/cli/base64.h"
#include "engine/spec/shape.h"

namespace app::cli {
namespace {

using engine::spec::Classification;
using engine::spec::Mistake;
using Json = nlohmann::ordered_json;

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

// Nine digits; JSON has no NaN and no infinity: null stands for them.
std::string jsonNumber(double value) {
    std::ostringstream text;
    text << std::setprecision(9) << value;
    return std::isfinite(value) ? text.str() : "null";
}

// The members of an object, without its braces.
std::string classificationJson(const Classification& classification) {
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
        mistakes.push_back(
            {{"sample", mistake.sample}, {"label", mistake.label}, {"predicted", mistake.predicted}, {"confidence", mistake.confidence}});
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

}  // namespace

std::string evaluationJson(const engine::spec::Evaluation& evaluation) {
    return "{\"test_accuracy\":" + jsonNumber(evaluation.accuracy) + ",\"test_loss\":" + jsonNumber(evaluation.loss) +
           ",\"samples\":" + std::to_string(evaluation.samples) +
           (evaluation.classification ? "," + classificationJson(*evaluation.classification) : "") + "}\n";
}

std::string evaluationText(const engine::spec::Evaluation& evaluation) {
    std::ostringstream text;
    text << std::setprecision(9);
    if (!std::isnan(evaluation.accuracy)) {
        text << "test_accuracy: " << evaluation.accuracy << '\n';
    }
    text << "test_loss: " << evaluation.loss << "\nsamples: " << evaluation.samples << '\n';
    return text.str() + (evaluation.classification ? classificationText(*evaluation.classification) : "");
}

std::string inspectionJson(const engine::spec::Inspection& inspection) {
    Json value;
    value["sample_shape"] = inspection.sample_shape;
    value["pixels"] = base64(inspection.pixels);
    value["top"] = Json::array();
    for (const engine::spec::ClassScore& score : inspection.top) {
        value["top"].push_back({{"class", score.name}, {"index", score.index}, {"probability", score.probability}});
    }
    value["layers"] = Json::array();
    for (const engine::spec::LayerMaps& layer : inspection.layers) {
        value["layers"].push_back({{"name", layer.name},
                                   {"class_name", layer.class_name},
                                   {"shape", layer.shape},
                                   {"least", layer.least},
                                   {"greatest", layer.greatest},
                                   {"shown", layer.shown},
                                   {"maps", base64(layer.maps)}});
    }
    return dump(value) + "\n";
}

std::string inspectionText(const engine::spec::Inspection& inspection) {
    std::string text;
    for (const engine::spec::ClassScore& score : inspection.top) {
        text += padded(score.name, 16) + ' ' + fixed(static_cast<double>(score.probability), 4) + '\n';
    }
    for (const engine::spec::LayerMaps& layer : inspection.layers) {
        std::ostringstream line;
        line << padded(layer.name, 24) << ' ' << padded(layer.class_name, 20) << ' ' << padded(engine::spec::shapeText(layer.shape), 16)
             << " from " << layer.least << " to " << layer.greatest << '\n';
        text += line.str();
    }
    return text;
}

}  // namespace app::cli
