#include "engine/export/keras/opened_file.h"

#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/export/atomic_file.h"
#include "engine/export/zip_archive.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"
#include "engine/spec/names.h"

namespace engine::exporter {
namespace {

constexpr std::string_view kZipBegins = "PK";
constexpr std::string_view kHdf5Begins = "\x89HDF";

std::string textAttribute(const Hdf5Node& node, const std::string& name) {
    const auto found = node.attributes.find(name);
    return found == node.attributes.end() || found->second.empty() ? "" : found->second.front();
}

// The numbers of a text, one a line.
std::vector<std::int64_t> linesOf(const std::string& text) {
    std::vector<std::int64_t> numbers;
    std::istringstream lines(text);
    for (std::int64_t number = 0; lines >> number;) numbers.push_back(number);
    return numbers;
}

// A vocabulary that adapt() found lies beside the model in a .keras, and the weights of tf_idf among those of the model.
void readVocabularies(const OpenedKerasFile& opened, spec::ModelSpec& model) {
    spec::LayerNames names;
    for (spec::LayerSpec& layer : model.layers) {
        const std::string place = "layers/" + names.next(layer.class_name);
        const auto found = opened.members.find("assets/" + place + "/vocabulary.txt");
        if (layer.class_name != "IntegerLookup" || !spec::isAdapted(layer) || found == opened.members.end()) continue;
        const std::vector<std::int64_t> tokens = linesOf(found->second);
        if (tokens.empty()) continue;
        const auto weights = opened.members.find(kKerasWeightsMember);
        if (spec::settingsOf(layer).getString("output_mode") == "tf_idf" && weights != opened.members.end()) {
            const Hdf5Node tree = readHdf5(weights->second, opened.name + "/" + kKerasWeightsMember);
            const Hdf5Node* idf = tree.find(place + "/vars/idf_weights");
            if (idf == nullptr || idf->floats.size() < tokens.size()) continue;
            layer.config.set("idf_weights",
                             std::vector<double>(idf->floats.begin(), idf->floats.begin() + static_cast<std::ptrdiff_t>(tokens.size())));
        }
        layer.config.set("vocabulary", tokens);
    }
}

// What Keras keeps of an adapted text layer beside its configuration.
void takeAdapted(const OpenedKerasFile& opened, spec::ModelSpec& model) {
    const spec::LayerSpec* found = spec::textLayer(model);
    if (found == nullptr || !spec::isAdapted(*found)) return;
    spec::LayerSpec& layer = model.layers.front();
    const std::string path = "layers/" + spec::snakeCase(layer.class_name);
    const auto file = opened.members.find("assets/" + path + "/vocabulary.txt");
    if (file == opened.members.end()) return;
    std::vector<std::string> texts{""};
    for (const char c : file->second) {
        if (c == '\n') {
            texts.emplace_back();
        } else {
            texts.back() += c;
        }
    }
    while (!texts.empty() && texts.back().empty()) texts.pop_back();
    if (texts.empty()) return;
    layer.config.set("vocabulary", texts);
    if (spec::settingsOf(layer).getString("output_mode") != "tf_idf") {
        layer.config.set("vocabulary", spec::textTable(layer).tokens);
        return;
    }
    const auto weights = opened.members.find(kKerasWeightsMember);
    if (weights == opened.members.end()) return;
    const Hdf5Node tree = readHdf5(weights->second, opened.name + "/" + kKerasWeightsMember);
    const Hdf5Node* node = tree.find(path + "/vars/" + kKerasTextWeights);
    if (node == nullptr || node->kind != Hdf5Node::Kind::kFloats || node->floats.size() < texts.size()) {
        throw Error(ErrorCode::kDataLoss, opened.name + ": expected " + path + "/vars/" + kKerasTextWeights +
                                              " with a number for each of the " + std::to_string(texts.size()) +
                                              " texts of the vocabulary, got " + (node == nullptr ? "none" : "others"));
    }
    layer.config.set(kKerasTextWeights,
                     std::vector<double>(node->floats.begin(), node->floats.begin() + static_cast<std::ptrdiff_t>(texts.size())));
}

}  // namespace

OpenedKerasFile openKerasFile(const std::filesystem::path& file, KerasPart want) {
    std::string bytes = readFile(file);
    OpenedKerasFile opened{.name = file.string()};
    if (bytes.starts_with(kZipBegins)) {
        opened.members = readZip(bytes, opened.name);
        const auto weights = opened.members.find(kKerasWeightsMember);
        if (want == KerasPart::kWeights && weights == opened.members.end()) {
            throw Error(ErrorCode::kInvalidArgument, opened.name + ": expected a member " + kKerasWeightsMember + ", got none");
        }
        if (want == KerasPart::kWeights) {
            opened.tree = readHdf5(weights->second, opened.name + "/" + kKerasWeightsMember);
        }
    } else if (bytes.starts_with(kHdf5Begins)) {
        opened.tree = readHdf5(bytes, opened.name);
    } else if (const std::size_t first = bytes.find_first_not_of(" \t\r\n"); first != std::string::npos && bytes[first] == '{') {
        opened.json = std::move(bytes);
    } else {
        throw Error(ErrorCode::kDataLoss, opened.name + ": expected a .keras archive, an HDF5 file or Keras' JSON, got something else");
    }
    return opened;
}

bool hasModel(const OpenedKerasFile& opened) {
    if (!opened.json.empty() || opened.members.contains("config.json")) return true;
    return opened.tree && opened.members.empty() && !textAttribute(*opened.tree, "model_config").empty();
}

spec::KerasConfig modelIn(const OpenedKerasFile& opened) {
    if (!opened.json.empty()) {
        return spec::parseKerasConfig(opened.json);
    }
    if (const auto config = opened.members.find("config.json"); config != opened.members.end()) {
        return spec::parseKerasConfig(config->second, {}, [&opened](spec::ModelSpec& model) {  // rows are as long as their vocabulary
            readVocabularies(opened, model);
            takeAdapted(opened, model);
        });
    }
    if (opened.tree && opened.members.empty()) {
        const std::string model = textAttribute(*opened.tree, "model_config");
        if (model.empty()) {
            throw Error(ErrorCode::kInvalidArgument, opened.name + ": expected a model (attribute model_config), got weights alone");
        }
        return spec::parseKerasConfig(model, textAttribute(*opened.tree, "training_config"));
    }
    throw Error(ErrorCode::kInvalidArgument, opened.name + ": expected a member config.json, got none");
}

}  // namespace engine::exporter
