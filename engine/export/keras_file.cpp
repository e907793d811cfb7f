#include "engine/export/keras_file.h"

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/export/atomic_file.h"
#include "engine/export/backup_file.h"
#include "engine/export/index/name_index.h"
#include "engine/export/keras/opened_file.h"
#include "engine/export/keras/weights_reader.h"
#include "engine/export/keras/weights_writer.h"
#include "engine/export/numpy/npz_weights.h"
#include "engine/export/onnx/onnx_file.h"
#include "engine/export/zip_archive.h"
#include "engine/spec/catalog/adapted_layer.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/error.h"

namespace engine::exporter {
namespace {

spec::ModelSpec withTakenOf(const CheckpointContents& contents) {
    spec::ModelSpec model = *contents.model;
    const NameIndex<VariableView> by_name(contents.variables);
    for (spec::LayerSpec& layer : model.layers) {
        layer = spec::withTaken(layer, [&](const std::string& name) -> std::span<const float> {
            const VariableView* found = by_name.find(layer.name + "/" + name);
            if (found == nullptr) {
                throw Error(ErrorCode::kInvalidArgument, layer.name + "/" + name + ": expected its values, got none");
            }
            return found->values;
        });
    }
    return model;
}

std::string metadataJson() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    localtime_r(&now, &local);
    std::array<char, 32> date{};
    std::strftime(date.data(), date.size(), "%Y-%m-%d@%H:%M:%S", &local);
    return std::string(R"({"keras_version": ")") + kKerasVersion + R"(", "date_saved": ")" + date.data() + "\"}";
}

constexpr std::string_view kArrays = ".npz";

// Weights alone: every slot is missing.
RestoredState readArrays(const std::filesystem::path& file, std::span<const MutableVariableView> variables) {
    RestoredState state;
    std::vector<MutableVariableView> weights;
    for (const MutableVariableView& variable : variables) {
        if (variable.name.find(':') == std::string::npos) {
            weights.push_back(variable);
        } else {
            state.missing.push_back(variable.name);
        }
    }
    readNpzWeights(file, weights);
    return state;
}

// The text layer of that class with its vocabulary in a whole model of Keras; nothing in any other file.
std::optional<spec::LayerSpec> layerWithVocabulary(const std::filesystem::path& file, const std::string& class_name) {
    if (!isKerasFileName(file) || file.extension() == kArrays) return std::nullopt;
    const OpenedKerasFile opened = openKerasFile(file, KerasPart::kModel);
    if (!hasModel(opened)) return std::nullopt;
    const spec::ModelSpec theirs = modelIn(opened).model;
    const spec::LayerSpec* given = spec::textLayer(theirs);
    const bool has_one = given != nullptr && given->class_name == class_name && spec::hasVocabulary(*given);
    return has_one ? std::optional(*given) : std::nullopt;
}

}  // namespace

bool isKerasFileName(const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    return extension == ".keras" || extension == ".h5" || extension == ".hdf5" || extension == kArrays;
}

bool hasModelByName(const std::filesystem::path& file) {
    const std::string name = file.string();
    return (name.ends_with(".keras") || name.ends_with(".h5")) && !name.ends_with(".weights.h5");
}

spec::KerasConfig readKerasModel(const std::filesystem::path& file) {
    return modelIn(openKerasFile(file, KerasPart::kModel));
}

void takeVocabulary(const std::filesystem::path& file, spec::ModelSpec& model) {
    const spec::LayerSpec* own = spec::textLayer(model);
    if (own == nullptr || !spec::isAdapted(*own)) return;
    const std::optional<spec::LayerSpec> given = layerWithVocabulary(file, own->class_name);
    if (!given) return;
    spec::Fields& config = model.layers.front().config;
    const bool weighs = spec::settingsOf(*own).getString("output_mode") == "tf_idf";
    if (!weighs) {
        config.set("vocabulary", spec::textTable(*given).tokens);
        return;
    }
    const spec::FieldValue *texts = given->config.find("vocabulary"), *weights = given->config.find(kKerasTextWeights);
    if (weights == nullptr) return;
    config.set("vocabulary", *texts);
    config.set(kKerasTextWeights, *weights);
}

void requireSameVocabulary(const std::filesystem::path& file, const spec::ModelSpec& model) {
    const spec::LayerSpec* own = spec::textLayer(model);
    if (own == nullptr) return;
    const std::optional<spec::LayerSpec> given = layerWithVocabulary(file, own->class_name);
    if (!given || spec::textTable(*given).tokens == spec::textTable(*own).tokens) return;
    throw Error(ErrorCode::kInvalidArgument,
                file.string() + ": expected weights of the vocabulary that " + own->name +
                    " took from the training texts, got those of another one; import the file as a model, which brings its vocabulary");
}

RestoredState readKerasWeights(const std::filesystem::path& file, const spec::ModelSpec& model, const spec::ObjectSpec& optimizer,
                               std::span<const MutableVariableView> variables) {
    if (file.extension() == kArrays) return readArrays(file, variables);
    const OpenedKerasFile opened = openKerasFile(file, KerasPart::kWeights);
    if (!opened.tree) {
        throw Error(ErrorCode::kInvalidArgument, opened.name + ": expected weights, got JSON, which holds none");
    }
    return readKerasTree(opened, model, optimizer, variables);
}

void readWeights(const std::filesystem::path& file, const spec::ModelSpec& model, std::span<const MutableVariableView> variables) {
    std::vector<MutableVariableView> weights;
    std::copy_if(variables.begin(), variables.end(), std::back_inserter(weights),
                 [](const MutableVariableView& view) { return view.name.find(':') == std::string::npos; });
    if (isKerasFileName(file)) {
        readKerasWeights(file, model, {}, weights);
        return;
    }
    if (isBackupFileName(file)) {
        readBackupByName(file, weights);
        return;
    }
    if (isOnnxFileName(file)) {
        readOnnxWeights(file, model, weights);
        return;
    }
    const auto prefix = latestCheckpoint(file);
    if (!prefix) {
        throw Error(ErrorCode::kNotFound, file.string() +
                                              ": expected weights (.weights.h5, .keras, .h5 or .onnx, the prefix of a TensorFlow "
                                              "checkpoint, or a folder with a file \"checkpoint\"), found none");
    }
    readTfCheckpoint(*prefix, model, weights);
}

std::int64_t writeKerasFile(const files::Place& file, const CheckpointContents& given, const spec::CompileSpec& compile) {
    ENGINE_CHECK(given.model != nullptr);
    const std::string name = file.path().string();
    // A file with the model has what its first layer took from the samples in the layer's fields, as Keras has it.
    const spec::ModelSpec model = hasModelByName(file.path()) ? withTakenOf(given) : *given.model;
    CheckpointContents contents = given;
    contents.model = &model;
    const KerasTrees weights(name, contents);
    spec::CompileSpec written = compile;
    if (scalesLoss(contents) && !written.loss_scale) written.loss_scale.emplace();  // of a model of float16: Keras' own
    std::string bytes;
    if (name.ends_with(".weights.h5")) {
        bytes = writeHdf5(weights.keras3());
    } else if (name.ends_with(".keras")) {
        bytes = writeZip({{"metadata.json", metadataJson()},
                          {"config.json", spec::toKerasConfig(*contents.model, &written)},
                          {kKerasWeightsMember, writeHdf5(weights.keras3())}});
    } else if (name.ends_with(".h5")) {
        bytes = writeHdf5(weights.keras2(written));
    } else if (name.ends_with(kArrays)) {
        bytes = npzWeights(contents);
    } else {
        throw Error(ErrorCode::kInvalidArgument, name + ": expected a name that ends in .weights.h5, .keras, .h5 or .npz");
    }
    writeFileAtomically(file, bytes);
    return static_cast<std::int64_t>(bytes.size());
}

}  // namespace engine::exporter
