// random_chains FOLDER FIRST COUNT: models of layers that are drawn from the whole catalogue, as files that Keras opens, and what five
// steps make of them here. FOLDER/chains.json lists them: name, losses, classes; files NAME.keras (before the first step),
// NAME.after.keras, NAME.x.npy, NAME.labels.npy. FOLDER/classes.json lists the classes that chains can hold. random_chains_test.py trains
// each of them in Keras.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/backend/executor.h"
#include "engine/backend/initialize.h"
#include "engine/export/keras_file.h"
#include "engine/export/numpy/npy_file.h"
#include "engine/plan/compile.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/settings.h"
#include "tests/support/random_chains.h"

namespace {

namespace fs = std::filesystem;
namespace spec = engine::spec;
namespace plan = engine::plan;
namespace backend = engine::backend;
using tests::support::ChainBatch;

constexpr float kRate = 0.003F;

void writeModel(const fs::path& file, const spec::RunSpec& run, const backend::Variables& variables) {
    engine::exporter::CheckpointContents contents{.model = &run.model, .optimizer = run.compile.optimizer, .learning_rate = kRate};
    for (const backend::Variables::Entry& entry : variables.entries()) {
        if (!entry.is_slot) contents.variables.push_back({entry.name, entry.shape, entry.values});
    }
    engine::exporter::writeKerasFile(file, contents, run.compile);
}

void writeArray(const fs::path& file, const spec::Shape& shape, std::span<const float> values) {
    std::ofstream(file, std::ios::binary) << engine::exporter::npyBytes(shape, values);
}

// False for a layer, or one within it, that Keras can't train on a processor.
bool trainsInKeras(const spec::ObjectSpec& object) {
    if (const spec::LayerSchema* schema = spec::findLayerSchema(object.class_name)) {
        const spec::Settings settings(schema->fields, object.config);
        // TensorFlow's depthwise convolution takes one stride for rows and columns.
        if (object.class_name == "DepthwiseConv2D" || object.class_name == "SeparableConv2D") {
            const std::vector<std::int64_t> strides = settings.getInts("strides");
            if (strides.front() != strides.back()) return false;
        }
        // TensorFlow has no kernels of a processor for convolutions of channels in front, but in what XLA compiles: axes.py has those.
        const bool convolves = object.class_name.find("Conv") != std::string::npos || object.class_name == "STFTSpectrogram";
        if (convolves && object.config.getString("data_format", "channels_last") != "channels_last") return false;
        // The gradient of its adaptive maximum is memory that nothing was written to where what comes in, or the result, has one row or
        // column.
        if (object.class_name == "AdaptiveMaxPooling1D" || object.class_name == "AdaptiveMaxPooling2D") return false;
        // Its shape of both directions is twice the first one's, whatever the other one has.
        const spec::ObjectSpec *there = object.config.getObject("layer"), *back = object.config.getObject("backward_layer");
        if (object.class_name == "Bidirectional" && there != nullptr && back != nullptr) {
            const auto unitsOf = [](const spec::ObjectSpec& layer) {
                return spec::Settings(spec::findLayerSchema(layer.class_name)->fields, layer.config).getInt("units");
            };
            if (unitsOf(*there) != unitsOf(*back)) return false;
        }
        // It takes windows from SciPy, and the angle of zero has no gradient there.
        if (object.class_name == "STFTSpectrogram") {
            if (settings.getString("window") != "none" || settings.getString("mode") == "angle") return false;
        }
        // The gradient of silence is no number there.
        if (object.class_name == "MelSpectrogram") return false;
        // Each of equal maxima of a volume has the whole gradient there. random_chains_test.py mends that in MaxPooling3D alone.
        if (object.class_name == "AdaptiveMaxPooling3D") return false;
        // The gradient of a channel of one value, which a ReLU makes, is no number there.
        if (object.class_name == "AutoContrast") return false;
        // Its gradient of a convolution, which a transposed one is, has no dilation there.
        const std::vector<std::int64_t> dilation =
            object.class_name.ends_with("Transpose") ? settings.getInts("dilation_rate") : std::vector<std::int64_t>{};
        if (std::any_of(dilation.begin(), dilation.end(), [](std::int64_t rate) { return rate > 1; })) return false;
    }
    for (const auto& [name, value] : object.config.entries()) {
        std::vector<spec::ObjectBox> inside = object.config.getObjects(name);
        if (const auto* box = std::get_if<spec::ObjectBox>(&value)) inside.push_back(*box);
        if (!std::all_of(inside.begin(), inside.end(), [](const spec::ObjectBox& one) { return trainsInKeras(one.get()); })) return false;
    }
    return true;
}

// True where an OrthogonalRegularizer has one vector: Keras divides by its number of pairs, and the loss is no number.
bool penalisesOneVector(const plan::Plan& plan) {
    for (const plan::Op& op : plan.ops) {
        if (op.kind != plan::OpKind::kPenalty) continue;
        const std::vector<plan::Penalty>& penalties = std::get<plan::PenaltyAttributes>(op.attributes).penalties;
        for (std::size_t i = 0; i < penalties.size(); ++i) {
            const spec::Shape& shape = plan.tensors[static_cast<std::size_t>(op.inputs[i])].shape;
            const bool rows = penalties[i].vectors == plan::PenalisedVectors::kRows;
            if (penalties[i].vectors != plan::PenalisedVectors::kNone && (rows ? shape.front() : shape.back()) == 1) return true;
        }
    }
    return false;
}

// True where whole numbers that a layer makes meet one that looks up nothing by them: many of Keras' refuse those, and some compute on in
// them. What an IntegerLookup counts are whole numbers, too, which two layers refuse there.
bool computesInWholeNumbers(const std::vector<spec::LayerSpec>& layers) {
    bool has_counts = false;
    for (std::size_t i = 0; i + 1 < layers.size(); ++i) {
        const std::string &maker = layers[i].class_name, &next = layers[i + 1].class_name;
        const bool makes_ids = (maker == "Hashing" || maker == "IntegerLookup" || maker == "Discretization") &&
                               spec::settingsOf(layers[i]).getString("output_mode") == "int";
        if (makes_ids && next != "Embedding" && next != "ReversibleEmbedding" && next != "CategoryEncoding") return true;
        has_counts = has_counts || (maker == "IntegerLookup" && !makes_ids);
        if (has_counts && (next == "Softmax" || next == "PReLU")) return true;
    }
    return false;
}

// Null for a chain that Keras can't train, or whose numbers tell nothing, since rounding alone makes others of them.
nlohmann::json writeChain(const fs::path& folder, std::uint64_t seed) {
    spec::RunSpec run = tests::support::RandomChain(seed, tests::support::RandomNumbers::kNone).draw();
    for (const spec::LayerSpec& layer : run.model.layers) {
        if (!trainsInKeras({layer.class_name, layer.config})) return nullptr;
    }
    if (computesInWholeNumbers(run.model.layers)) return nullptr;
    run.compile.optimizer.config.set("learning_rate", static_cast<double>(kRate));
    const std::string name = "chain_" + std::to_string(seed);
    const plan::Plan plan = plan::compile(run, {.batch = static_cast<std::int64_t>(ChainBatch::kSamples), .fuse = true});
    if (penalisesOneVector(plan)) return nullptr;
    backend::Variables variables(plan);
    const auto executor = backend::makeCpuExecutor(plan, variables, {.threads = 1});
    backend::initializeVariables(variables, run.model, seed);
    writeModel(folder / (name + ".keras"), run, variables);
    const tests::support::ChainTraining training = tests::support::trainChain(run, seed, *executor, variables);
    writeModel(folder / (name + ".after.keras"), run, variables);
    for (const float nudge : {1e-6F, -3e-7F}) {
        const auto nudged = tests::support::trainChain(run, seed, *executor, variables, nudge);
        if (!(tests::support::apart(nudged, training) < 3e-5)) return nullptr;
    }
    // Sums in double, which have another rounding where no nudge reaches: values that a layer made equal.
    const plan::Plan plain = plan::compile(run, {.batch = static_cast<std::int64_t>(ChainBatch::kSamples), .fuse = false});
    backend::Variables others(plain);
    const auto reference = backend::makeReferenceExecutor(plain, others, {});
    if (!(tests::support::apart(tests::support::trainChain(run, seed, *reference, others), training) < 3e-5)) return nullptr;
    const ChainBatch batch(run.model, seed);
    spec::Shape shape{static_cast<std::int64_t>(ChainBatch::kSamples)};
    const std::vector<float> labels(batch.labels.begin(), batch.labels.end());
    writeArray(folder / (name + ".labels.npy"), shape, labels);
    shape.insert(shape.end(), run.model.input_shape.begin(), run.model.input_shape.end());
    writeArray(folder / (name + ".x.npy"), shape, batch.samples);
    nlohmann::json chain{{"name", name}, {"losses", training.losses}};
    for (const spec::LayerSpec& layer : run.model.layers) chain["classes"].push_back(layer.class_name);
    return chain;
}

// Adds a chain for each class that none of `chains` holds, where one of kTries draws is one that Keras trains. Draws go on behind `seed`.
void addWhatIsMissing(const fs::path& folder, const std::vector<std::string>& needed, std::uint64_t seed, nlohmann::json& chains) {
    constexpr std::uint64_t kTries = 400;
    std::set<std::string> held;
    for (const nlohmann::json& chain : chains) held.insert(chain.at("classes").begin(), chain.at("classes").end());
    for (std::size_t i = 0; i < needed.size(); ++i) {
        std::uint64_t next = (seed / needed.size() + 1) * needed.size() + i;  // each seed has a class of its own
        for (std::uint64_t tries = 0; tries < kTries && !held.contains(needed[i]); ++tries, next += needed.size()) {
            nlohmann::json chain = writeChain(folder, next);
            if (chain.is_null()) continue;
            held.insert(chain.at("classes").begin(), chain.at("classes").end());
            chains.push_back(std::move(chain));
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: random_chains FOLDER FIRST COUNT\n";
        return 2;
    }
    const fs::path folder = argv[1];
    const std::uint64_t first = std::stoull(argv[2]), count = std::stoull(argv[3]);
    nlohmann::json chains = nlohmann::json::array();
    const std::vector<std::string> classes = tests::support::RandomChain::neededClasses(tests::support::RandomNumbers::kNone);
    std::uint64_t seed = first;
    for (; chains.size() < count && seed < first + 3 * count; ++seed) {
        if (nlohmann::json chain = writeChain(folder, seed); !chain.is_null()) chains.push_back(std::move(chain));
    }
    if (chains.size() < count) return 1;
    if (count >= classes.size()) addWhatIsMissing(folder, classes, seed, chains);
    std::ofstream(folder / "chains.json") << chains.dump(1) << '\n';
    std::ofstream(folder / "classes.json") << nlohmann::json(classes).dump(1) << '\n';
    return 0;
}
