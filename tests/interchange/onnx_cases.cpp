// onnx_cases FOLDER: every golden case of Keras' layers, every model that the back-ends are tested with and every starter project as ONNX
// files, with an input and what Tandem (its reference executor) and, where it is known, Keras make of it. onnx_test.py gives them to
// onnxruntime. FOLDER/cases.json lists them: name, group, the classes of its layers, batch; files NAME.onnx (any batch), NAME.fixed.onnx,
// NAME.x.npy, NAME.y.npy, NAME.keras.npy. Each file is read again, too: "read" is what its model makes of the input, or why it is no chain.
//
// onnx_cases --read FOLDER: reads NAME.onnx of other programs there; NAME.x.npy, in Keras' order, gives NAME.y.npy, and FOLDER/read.json
// says what was read.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/backend/initialize.h"
#include "engine/backend/reference/interpreter.h"
#include "engine/export/numpy/npy_file.h"
#include "engine/export/onnx/onnx_file.h"
#include "engine/plan/activation.h"
#include "engine/plan/lower.h"
#include "engine/plan/memory.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/error.h"
#include "engine/spec/project/run_spec.h"
#include "engine/tensor/random.h"
#include "tests/support/golden.h"
#include "tests/support/image_cases.h"
#include "tests/support/model_builder.h"
#include "tests/support/model_cases.h"

namespace {

namespace fs = std::filesystem;
namespace spec = engine::spec;
namespace plan = engine::plan;
namespace backend = engine::backend;
using tests::support::Array;
using tests::support::readGolden;
using tests::support::toArray;
using tests::support::toArrays;

engine::tensor::RandomStream randomNumbers(std::uint64_t stream) {
    return engine::tensor::RandomStream({.seed = 3, .purpose = engine::tensor::RandomPurpose::kAugmentation, .stream = stream});
}

// The prediction of a model with its weights.
class Prediction {
public:
    Prediction(spec::ModelSpec model, std::int64_t batch)
        : model_(std::move(model)), plan_(planOf(model_, batch)), variables_(plan_), interpreter_(plan_, variables_, {}) {}

    const spec::ModelSpec& model() const { return model_; }
    const spec::Shape& inputShape() const { return shapeOf(plan_.input); }
    const spec::Shape& outputShape() const { return shapeOf(plan_.output); }

    // In Keras' order, layer by layer.
    void setWeights(const std::vector<Array>& weights) {
        std::size_t next = 0;
        for (const spec::LayerInfo& info : spec::inferShapes(model_)) {
            for (const spec::VariableInfo& variable : info.variables) {
                const Array& values = weights.at(next++);
                std::copy(values.values.begin(), values.values.end(), variables_.values(variable.name).begin());
            }
        }
    }
    // Keras' initial values, with moving statistics, biases and the like (which begin with zeros and ones) moved away from them.
    void initialize() {
        backend::initializeVariables(variables_, model_, 11);
        std::uint64_t stream = 100;
        for (const backend::Variables::Entry& entry : variables_.entries()) {
            const auto random = randomNumbers(++stream);
            const bool is_constant = std::all_of(entry.values.begin(), entry.values.end(), [&](float v) { return v == entry.values[0]; });
            for (std::size_t i = 0; is_constant && i < entry.values.size(); ++i) entry.values[i] += 0.5F * random.uniform(0, i);
        }
    }

    void readWeights(const fs::path& file) {
        std::vector<engine::exporter::MutableVariableView> views;
        for (const backend::Variables::Entry& entry : variables_.entries()) views.push_back({entry.name, entry.shape, entry.values});
        engine::exporter::readOnnxWeights(file, model_, views);
    }

    std::vector<float> of(std::span<const float> input) {
        const std::span<float> x = interpreter_.floats(plan_.input);
        if (x.size() != input.size()) throw std::runtime_error("input: wrong size");
        std::copy(input.begin(), input.end(), x.begin());
        interpreter_.runPhase(plan::Phase::kForward, {.batch = nullptr, .control = {.seed = 5}, .samples = plan_.batch});
        const std::span<const float> y = interpreter_.floats(plan_.output);
        return {y.begin(), y.end()};
    }
    std::string onnx(std::optional<std::int64_t> batch) {
        std::vector<engine::exporter::VariableView> weights;
        for (const backend::Variables::Entry& entry : variables_.entries()) weights.push_back({entry.name, entry.shape, entry.values});
        return engine::exporter::onnxBytes(model_, weights, batch);
    }

private:
    static plan::Plan planOf(const spec::ModelSpec& model, std::int64_t batch) {
        return plan::planMemory(plan::lowerLayers(model, {.batch = batch, .training = false}));
    }
    const spec::Shape& shapeOf(plan::TensorId id) const { return plan_.tensors[static_cast<std::size_t>(id)].shape; }

    spec::ModelSpec model_;
    plan::Plan plan_;
    backend::Variables variables_;
    backend::reference::Interpreter interpreter_;
};

// The size of the vocabulary of a model that looks its input up; 0 of any other.
std::int64_t vocabularyOf(const std::vector<spec::LayerSpec>& layers) {
    for (const spec::LayerSpec& layer : layers) {
        if (layer.class_name == "Embedding" || layer.class_name == "ReversibleEmbedding")
            return spec::settingsOf(layer).getInt("input_dim");
        if (const std::int64_t inner = vocabularyOf(spec::nestedLayers(layer))) return inner;
    }
    return 0;
}

// Ids, or numbers around 0; a third of the rows are zeros, which a mask leaves out.
std::vector<float> inputFor(const spec::ModelSpec& model, const spec::Shape& shape) {
    std::size_t count = 1;
    for (std::int64_t size : shape) count *= static_cast<std::size_t>(size);
    const auto random = randomNumbers(1);
    const std::int64_t vocabulary = vocabularyOf(model.layers);
    const bool has_masking =
        std::any_of(model.layers.begin(), model.layers.end(), [](const spec::LayerSpec& layer) { return layer.class_name == "Masking"; });
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t row = i / static_cast<std::size_t>(shape.back());
        values[i] = vocabulary > 0 ? static_cast<float>(random.below(0, i, static_cast<std::uint64_t>(vocabulary)))
                    : has_masking && random.uniform(1, row) < 1.0F / 3 ? 0
                                                                       : 2 * random.uniform(0, i) - 1;
    }
    return values;
}

class Cases {
public:
    explicit Cases(fs::path folder) : folder_(std::move(folder)) { fs::create_directories(folder_); }

    void add(const std::string& group, const std::string& name, Prediction& prediction, const std::vector<float>& input,
             const Array* keras = nullptr) {
        std::string of_any_batch;
        try {
            of_any_batch = prediction.onnx(std::nullopt);
        } catch (const engine::Error& error) {
            if (error.code() != engine::ErrorCode::kUnimplemented) throw;
            return;  // an op of its can't be told: onnx_test.py names the layers
        }
        const std::string file = std::to_string(cases_.size());
        const std::int64_t batch = prediction.inputShape().front();
        write(file + ".onnx", of_any_batch);
        write(file + ".fixed.onnx", prediction.onnx(batch));
        write(file + ".x.npy", engine::exporter::npyBytes(prediction.inputShape(), input));
        write(file + ".y.npy", engine::exporter::npyBytes(prediction.outputShape(), prediction.of(input)));
        if (keras != nullptr) write(file + ".keras.npy", engine::exporter::npyBytes(keras->shape, keras->values));
        std::set<std::string> classes;
        note(prediction.model().layers, classes);
        cases_.push_back({{"name", name},
                          {"group", group},
                          {"file", file},
                          {"classes", classes},
                          {"batch", batch},
                          {"keras", keras != nullptr},
                          {"read", readAgain(file, prediction, input)}});
    }
    void finish() {
        std::vector<std::string> catalog;
        for (const spec::LayerSchema& schema : spec::layerSchemas()) catalog.emplace_back(schema.class_name);
        write("cases.json", nlohmann::json{{"cases", cases_}, {"catalog", catalog}}.dump(1));
    }

private:
    static void note(const std::vector<spec::LayerSpec>& layers, std::set<std::string>& classes) {
        for (const spec::LayerSpec& layer : layers) {
            classes.insert(layer.class_name);
            note(spec::nestedLayers(layer), classes);
        }
    }
    // What the model in the file makes of the same input: the largest difference, or why it was refused.
    nlohmann::json readAgain(const std::string& file, Prediction& written, const std::vector<float>& input) const {
        nlohmann::json read;
        double largest = 0;
        try {
            for (const char* ending : {".onnx", ".fixed.onnx"}) {
                const fs::path path = folder_ / (file + ending);
                Prediction again(engine::exporter::readOnnxModel(path), written.inputShape().front());
                again.readWeights(path);
                read["layers"] = nlohmann::json::array();
                for (const spec::LayerSpec& layer : again.model().layers) read["layers"].push_back(layer.class_name);
                const std::vector<float> before = written.of(input), after = again.of(input);
                if (again.outputShape() != written.outputShape()) throw std::runtime_error("another shape comes out");
                for (std::size_t i = 0; i < before.size(); ++i) {
                    const double scale = std::max(1.0, std::abs(static_cast<double>(before[i])));
                    if (std::isnan(before[i]) && std::isnan(after[i])) continue;
                    const double difference = std::abs(static_cast<double>(before[i]) - after[i]) / scale;
                    largest = std::isnan(difference) ? 1e9 : std::max(largest, difference);
                }
            }
            read["difference"] = largest;
        } catch (const std::exception& error) {
            read["error"] = error.what();
        }
        return read;
    }
    void write(const std::string& name, const std::string& bytes) { std::ofstream(folder_ / name, std::ios::binary) << bytes; }

    fs::path folder_;
    nlohmann::json cases_ = nlohmann::json::array();
};

// Keras' numbers of a step in training are those of a prediction unless a layer does something else there.
bool predictsAsItTrains(const nlohmann::json& golden) {
    if (!golden.value("training", false)) return true;
    const std::string text = golden.contains("layers") ? golden.at("layers").dump() : golden.dump();
    return text.find("BatchNormalization") == std::string::npos && text.find("ropout") == std::string::npos &&
           text.find("Gaussian") == std::string::npos;
}

void addGolden(Cases& cases, const std::string& file, const nlohmann::json& golden) {
    const Array input = toArray(golden.at("input")), output = toArray(golden.at("output"));
    std::vector<spec::LayerSpec> layers;
    if (golden.contains("layers")) {
        for (const nlohmann::json& one : golden.at("layers")) {
            layers.push_back(tests::support::layer(one.at("class_name"), "layer_" + std::to_string(layers.size()),
                                                   tests::support::toFields(one.at("config"))));
        }
    } else {
        layers.push_back(tests::support::layer(golden.at("class_name"), "layer", tests::support::toFields(golden.at("config"))));
    }
    spec::ModelSpec model = tests::support::model({input.shape.begin() + 1, input.shape.end()}, std::move(layers));
    if (golden.value("ids", false)) model.input_dtype = "int32";
    Prediction prediction(std::move(model), input.shape.front());
    prediction.setWeights(toArrays(golden.at("weights")));
    cases.add(file, golden.at("name"), prediction, input.values, predictsAsItTrains(golden) ? &output : nullptr);
}

void addGoldenFiles(Cases& cases) {
    for (const char* file : {"layers_forward.json", "layers_gradients.json", "image_layers_forward.json", "image_layers_gradients.json",
                             "normalization.json", "recurrent.json", "resizing.json", "standardize.json", "categories.json",
                             "wrappers.json", "time_distributed.json", "volumes.json", "adaptive_pooling.json", "axes.json",
                             "conv_lstm.json", "einsum_dense.json", "conv_lstm_masked.json", "cells.json"}) {
        for (const nlohmann::json& golden : readGolden(file)) addGolden(cases, file, golden);
    }
    const nlohmann::json masks = readGolden("masks.json");
    for (const nlohmann::json& golden : masks.at("layers")) addGolden(cases, "masks.json", golden);
}

void addActivations(Cases& cases) {
    const nlohmann::json golden = readGolden("activations.json");
    const auto x = golden.at("x").get<std::vector<float>>();
    const auto count = static_cast<std::int64_t>(x.size());
    for (const auto& [name, values] : golden.items()) {
        if (name == "x" || plan::findActivation(name) == nullptr) continue;
        Prediction prediction(
            tests::support::model({count}, {tests::support::layer("Activation", "activation", {{"activation", std::string(name)}})}), 1);
        const Array output{{1, count}, values.get<std::vector<float>>()};
        cases.add("activations.json", name, prediction, x, &output);
    }
}

void addInitialized(Cases& cases, const std::string& group, const std::string& name, const spec::ModelSpec& model, std::int64_t batch) {
    Prediction prediction(model, batch);
    prediction.initialize();
    cases.add(group, name, prediction, inputFor(model, prediction.inputShape()));
}

// A class that neither a golden case nor a model of the back-ends' tests has in another place.
void addOthers(Cases& cases) {
    using tests::support::layer;
    const std::string functions[] = {"celu",  "squareplus", "sparsemax",   "log_softmax", "hard_shrink",
                                     "relu6", "hard_silu",  "log_sigmoid", "sparse_plus", "sparse_sigmoid"};
    for (const std::string& function : functions) {
        addInitialized(
            cases, "images", function + " behind a convolution",
            tests::support::model({5, 6, 3}, {layer("Conv2D", "conv", {{"filters", std::int64_t{4}}, {"kernel_size", std::int64_t{3}}}),
                                              layer("Activation", "act", {{"activation", function}})}),
            2);
    }
    addInitialized(cases, "images", "layers that only training knows",
                   tests::support::model(
                       {7}, {layer("Dense", "dense", {{"units", std::int64_t{5}}, {"activation", std::string("selu")}}),
                             layer("AlphaDropout", "alpha", {{"rate", 0.2}}), layer("ActivityRegularization", "size", {{"l1", 0.1}})}),
                   2);
    for (const char* inner : {"exponential", "linear", "hard_tanh", "elu", "hard_sigmoid", "relu", "softsign"}) {
        for (const char* cell : {"SimpleRNN", "LSTM", "GRU"}) {
            addInitialized(
                cases, "recurrent", std::string(cell) + " of " + inner,
                tests::support::model(
                    {4, 3},
                    {layer(cell, "cell", {{"units", std::int64_t{3}}, {"activation", std::string(inner)}, {"return_sequences", true}})}),
                2);
        }
    }
    addInitialized(cases, "images", "a batch normalization of rows",
                   tests::support::model({4, 5, 2}, {layer("BatchNormalization", "rows", {{"axis", std::int64_t{1}}}),
                                                     layer("BatchNormalization", "columns", {{"axis", std::int64_t{2}}}),
                                                     layer("BatchNormalization", "channels")}),
                   2);
    addInitialized(
        cases, "others", "layers that change nothing",
        tests::support::model({5}, {layer("Dropout", "dropout", {{"rate", 0.5}}), layer("GaussianNoise", "noise", {{"stddev", 0.1}})}), 3);
    for (const char* random : {"RandomFlip", "RandomRotation", "RandomZoom", "RandomTranslation"}) {
        spec::Fields config;
        if (std::string(random) == "RandomRotation") config.set("factor", 0.1);
        if (std::string(random) == "RandomZoom" || std::string(random) == "RandomTranslation") config.set("height_factor", 0.1);
        if (std::string(random) == "RandomTranslation") config.set("width_factor", 0.1);
        addInitialized(cases, "others", random, tests::support::model({4, 4, 1}, {layer(random, "random", config)}), 2);
    }
    addInitialized(cases, "others", "layers of colours",
                   tests::support::model({4, 4, 3}, {layer("RandomHue", "hue", {{"factor", 0.1}}), layer("Solarization", "sun")}), 2);
}

void addStarters(Cases& cases) {
    for (const auto& entry : fs::directory_iterator(std::string(TANDEM_RESOURCES) + "/templates")) {
        if (entry.path().extension() != ".tandem") continue;
        std::ifstream stream(entry.path());
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        const spec::RunSpec run = spec::parseProject(text).run;
        if (run.model.layers.empty()) continue;  // an estimator's
        addInitialized(cases, "starter projects", entry.path().stem().string(), run.model, 3);
    }
}

// Of .npy files that NumPy writes: float32, C order.
Array readNpy(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    const std::size_t header = 10 + static_cast<unsigned char>(bytes.at(8)) + 256U * static_cast<unsigned char>(bytes.at(9));
    Array array;
    std::size_t at = bytes.find("'shape': (") + 10;
    while (bytes.at(at) != ')') {
        std::size_t end = 0;
        if (std::isdigit(static_cast<unsigned char>(bytes[at]))) array.shape.push_back(std::stoll(bytes.substr(at, 20), &end));
        at += std::max<std::size_t>(end, 1);
    }
    array.values.resize((bytes.size() - header) / sizeof(float));
    std::memcpy(array.values.data(), bytes.data() + header, array.values.size() * sizeof(float));
    return array;
}

void readForeign(const fs::path& folder) {
    nlohmann::json found = nlohmann::json::object();
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() != ".onnx") continue;
        const std::string name = entry.path().stem().string();
        try {
            const Array x = readNpy(folder / (name + ".x.npy"));
            Prediction prediction(engine::exporter::readOnnxModel(entry.path()), x.shape.front());
            prediction.readWeights(entry.path());
            for (const spec::LayerSpec& layer : prediction.model().layers) found[name]["layers"].push_back(layer.class_name);
            found[name]["input"] = prediction.inputShape();
            std::ofstream(folder / (name + ".y.npy"), std::ios::binary)
                << engine::exporter::npyBytes(prediction.outputShape(), prediction.of(x.values));
        } catch (const std::exception& error) {
            found[name]["error"] = error.what();
        }
    }
    std::ofstream(folder / "read.json") << found.dump(1);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && argv[1] == std::string("--read")) {
        readForeign(argv[2]);
        return 0;
    }
    if (argc != 2) {
        std::cerr << "usage: onnx_cases FOLDER | onnx_cases --read FOLDER\n";
        return 2;
    }
    try {
        Cases cases(argv[1]);
        addGoldenFiles(cases);
        addActivations(cases);
        for (const tests::support::ModelCase& one : tests::support::modelCases()) {
            addInitialized(cases, "models", one.name, one.model, std::max<std::int64_t>(one.batch, 1));
        }
        for (const tests::support::ModelCase& one : tests::support::imageCases()) {
            addInitialized(cases, "models", one.name, one.model, std::max<std::int64_t>(one.batch, 1));
        }
        addOthers(cases);
        addStarters(cases);
        cases.finish();
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
