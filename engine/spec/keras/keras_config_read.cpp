// Keras' JSON to Tandem's values: what Keras adds is taken away, then the project's own reader and checks see the rest.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/names.h"
#include "engine/spec/project/object_reader.h"
#include "engine/spec/project/project_json.h"
#include "engine/spec/validate/validate_parts.h"

namespace engine::spec {
namespace {

const Json* member(const Json& object, const char* key) {
    if (!object.is_object()) {
        return nullptr;
    }
    const auto found = object.find(key);
    return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string textOf(const Json& object, const char* key) {
    const Json* value = member(object, key);
    return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

// Keys that Keras writes and that change nothing at this value; a null one stands for any value. Looked at where the schema of a class
// lacks the key.
const std::map<std::string, Json>& neutralKeys() {
    static const std::map<std::string, Json> keys{{"trainable", true},
                                                  {"data_format", "channels_last"},
                                                  {"groups", 1},
                                                  {"axis", -1},
                                                  {"synchronized", false},
                                                  {"renorm", false},
                                                  {"renorm_momentum", {}},
                                                  {"rms_scaling", false},
                                                  {"mask_zero", false},
                                                  {"sparse", false},
                                                  {"ragged", false},
                                                  {"optional", false},
                                                  {"stateful", false},
                                                  {"return_state", false},
                                                  {"time_major", false},
                                                  {"zero_output_for_mask", false},
                                                  {"unroll", {}},
                                                  {"implementation", {}},
                                                  {"use_cudnn", {}},
                                                  {"interpolation", "nearest"},
                                                  {"use_ema", false},
                                                  {"ema_momentum", {}},
                                                  {"jit_compile", {}},
                                                  {"is_legacy_optimizer", {}},
                                                  {"autocast", {}},
                                                  {"input_axes", {}},
                                                  {"output_axes", {}},
                                                  {"seed", {}},
                                                  {"input_length", {}},
                                                  {"num_bins", {}},
                                                  {"vocabulary_size", {}},
                                                  {"build_input_shape", {}},
                                                  {"batch_input_shape", {}},
                                                  {"batch_size", {}},
                                                  {"noise_shape", {}}};
    return keys;
}

bool saysNothing(const std::string& key, const Json& value) {
    if (value.is_null() || key == "name") {
        return true;
    }
    const auto found = neutralKeys().find(key);
    return found != neutralKeys().end() && (found->second.is_null() || found->second == value);
}

// float32 values appear as their double expansion (0.0010000000474974513): the shortest text that is the same float.
double shortestSingle(double value) {
    if (!std::isfinite(value) || static_cast<double>(static_cast<float>(value)) != value) {
        return value;
    }
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(value)).ptr;
    double read = value;
    std::from_chars(text.data(), end, read);
    return read;
}

std::string plainClass(std::string name) {
    constexpr std::string_view kCustom = "Custom>";  // Keras 2's registered names
    for (const std::string_view package : {kCustom, kTandemPackage}) {
        if (name.starts_with(package)) {
            name.erase(0, package.size());
        }
    }
    return name == "OrthogonalInitializer" ? "Orthogonal" : name == "IdentityInitializer" ? "Identity" : name;
}

Json cleanValue(const Json& value);

Json cleanConfig(const Json& config, std::span<const FieldSchema> schema) {
    Json clean = Json::object();
    for (const auto& [key, value] : config.items()) {
        const bool known = std::any_of(schema.begin(), schema.end(), [&key = key](const FieldSchema& row) { return row.name == key; });
        if (key == "dtype" && !known) {
            continue;  // looked at by its own
        }
        if (known && value.is_null() && takesNone(key)) {
            clean[key] = kNoChoice;
        } else if (known ? !value.is_null() : !saysNothing(key, value)) {
            clean[key] = cleanValue(value);
        }
    }
    return clean;
}

// An RNN's StackedRNNCells as a project has them: the list of its cells, which are frozen where it is.
void unpackStack(Json& config) {
    const Json* cell = member(config, "cell");
    const Json* stack = cell == nullptr || textOf(*cell, "class_name") != "StackedRNNCells" ? nullptr : member(*cell, "config");
    const Json* listed = stack == nullptr ? nullptr : member(*stack, "cells");
    if (listed == nullptr || !listed->is_array()) return;
    const bool is_frozen = stack->value("trainable", Json()) == Json(false);
    Json cells = *listed;
    for (Json& one : cells) {
        if (is_frozen && member(one, "config") != nullptr && one["config"].is_object()) one["config"]["trainable"] = false;
    }
    config["cell"] = std::move(cells);
}

// A layer's fields by their present names: Keras 2 called LeakyReLU's slope alpha, wrote a kernel's initializer, regularizer and constraint
// beside those of the two kernels that SeparableConv2D and DepthwiseConv2D have, and the kind of a generator of random numbers.
Json inPresentWords(const std::string& class_name, Json config) {
    if (class_name == "RNN") unpackStack(config);
    if (class_name == "LeakyReLU" && config.contains("alpha") && !config.contains("negative_slope")) {
        config["negative_slope"] = config["alpha"];
        config.erase("alpha");
    }
    if (class_name == "SeparableConv2D" || class_name == "DepthwiseConv2D" || class_name == "SeparableConv1D") {
        for (const char* key : {"kernel_initializer", "kernel_regularizer", "kernel_constraint"}) config.erase(key);
    }
    // Keras writes both where adapt() found the boundaries, and takes the boundaries.
    if (class_name == "Discretization" && config.contains("bin_boundaries") && config["bin_boundaries"].is_array())
        config.erase("num_bins");
    config.erase("rng_type");
    return config;
}

// Nested objects without what Keras' serialization adds; functions by their name.
Json cleanValue(const Json& value) {
    if (value.is_number_float()) {
        return shortestSingle(value.get<double>());
    }
    if (value.is_array() && !value.empty() && value.front().is_object()) {
        Json list = Json::array();
        for (const Json& entry : value) list.push_back(cleanValue(entry));
        return list;
    }
    if (!value.is_object()) {
        return value;
    }
    const Json* config = member(value, "config");
    if (textOf(value, "class_name") == "function" && config != nullptr && config->is_string()) {
        return *config;
    }
    if (!value.contains("class_name")) {
        return value;
    }
    if (textOf(value, "class_name") == "__numpy__" && config != nullptr && member(*config, "value") != nullptr) {
        return cleanValue(*member(*config, "value"));  // an array, as Keras writes what it keeps in one
    }
    const std::string class_name = plainClass(textOf(value, "class_name"));
    std::span<const FieldSchema> fields;
    if (const LayerSchema* layer = findLayerSchema(class_name)) {
        fields = layer->fields;
    } else if (const ObjectSchema* constraint = findSchema(constraintSchemas(), class_name)) {
        fields = constraint->fields;
    }
    return {
        {"class_name", class_name},
        {"config", config == nullptr || !config->is_object() ? Json::object() : cleanConfig(inPresentWords(class_name, *config), fields)}};
}

// "float32" of a text or of a policy object.
std::string dtypeName(const Json& config) {
    const Json* dtype = member(config, "dtype");
    if (dtype == nullptr) {
        return "float32";
    }
    if (dtype->is_string()) {
        return dtype->get<std::string>();
    }
    const Json* policy = member(*dtype, "config");
    return policy == nullptr ? kindOf(*dtype) : textOf(*policy, "name");
}

class ModelReader {
public:
    ModelReader(const Json& root, Diagnostics& diagnostics) : root_(root), diagnostics_(diagnostics) {}

    // The model as a project holds it; nullopt after an error.
    std::optional<Json> read() {
        const std::string class_name = textOf(root_, "class_name");
        const Json* config = member(root_, "config");
        if (config == nullptr || (class_name != "Sequential" && class_name != "Functional" && class_name != "Model")) {
            error("class_name",
                  "expected a model of class Sequential or Functional, got " + (class_name.empty() ? std::string("none") : class_name));
            return std::nullopt;
        }
        const Json* layers = config->is_array() ? config : member(*config, "layers");
        if (layers == nullptr || !layers->is_array()) {
            error("config.layers", "expected a list of layers, got none");
            return std::nullopt;
        }
        std::vector<std::size_t> order = class_name == "Sequential" ? everyIndex(*layers) : chain(*config, *layers);
        findInput(*config, *layers);
        for (const std::size_t index : order) {
            readLayer((*layers)[index], "config.layers[" + std::to_string(index) + "]");
        }
        if (input_shape_.is_null() && !failed_) {
            error("config.layers", "expected an input shape (an InputLayer or build_input_shape), got none: the model was not built");
        }
        if (failed_) {
            return std::nullopt;
        }
        if (!layers_.empty()) {
            input_shape_ = inputShapeOfKeras(input_shape_.get<Shape>(), input_dtype_, textOf(layers_.front(), "class_name"));
        }
        const std::string policy = takePolicy();
        const std::string name = textOf(*config, "name");
        return Json{{"name", name.empty() ? "sequential" : name},
                    {"input_shape", input_shape_},
                    {"input_dtype", input_dtype_},
                    {"dtype_policy", policy},
                    {"layers", layers_}};
    }

private:
    void error(const std::string& path, const std::string& message) {
        diagnostics_.push_back({Severity::kError, path, message, ""});
        failed_ = true;
    }

    static std::vector<std::size_t> everyIndex(const Json& layers) {
        std::vector<std::size_t> all(layers.size());
        for (std::size_t i = 0; i < all.size(); ++i) {
            all[i] = i;
        }
        return all;
    }

    static std::string nameOf(const Json& layer) {
        const std::string name = textOf(layer, "name");
        const Json* config = member(layer, "config");
        return name.empty() && config != nullptr ? textOf(*config, "name") : name;
    }

    // The layers that a layer of a Functional model takes its input from. Keras 3: one {"args": [T, …], "kwargs"} a call, T a tensor with
    // keras_history [layer, node, tensor]. Keras 2: one list of [layer, node, tensor, kwargs] a call.
    static std::vector<std::string> sources(const Json& layer) {
        std::vector<std::string> names;
        const Json* nodes = member(layer, "inbound_nodes");
        if (nodes != nullptr) {
            collectSources(*nodes, names);
        }
        return names;
    }
    static void collectSources(const Json& value, std::vector<std::string>& names) {
        if (value.is_array() && value.size() >= 3 && value[0].is_string() && value[1].is_number_integer()) {
            names.push_back(value[0].get<std::string>());
            return;
        }
        if (value.is_structured()) {
            for (const auto& [key, entry] : value.items()) {
                collectSources(entry, names);
            }
        }
    }

    // A Functional model's layers from input to output; reports what makes it no chain.
    std::vector<std::size_t> chain(const Json& config, const Json& layers) {
        std::map<std::string, std::size_t> by_name;
        std::vector<std::vector<std::string>> inputs;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            by_name[nameOf(layers[i])] = i;
            inputs.push_back(sources(layers[i]));
            if (inputs[i].size() > 1) {
                error("config.layers[" + std::to_string(i) + "]", nameOf(layers[i]) + ": expected one input, got " +
                                                                      std::to_string(inputs[i].size()) +
                                                                      ": only chains of layers can be taken");
            }
        }
        std::vector<std::string> outputs;
        if (const Json* listed = member(config, "output_layers")) {
            collectSources(*listed, outputs);
        }
        if (outputs.size() != 1 || !by_name.contains(outputs.front())) {
            error("config.output_layers", "expected one output, got " + std::to_string(outputs.size()));
        }
        if (failed_) {
            return {};
        }
        std::vector<std::size_t> order{by_name.at(outputs.front())};
        while (!inputs[order.back()].empty()) {
            const auto source = by_name.find(inputs[order.back()].front());
            if (source == by_name.end() || order.size() >= layers.size()) {
                error("config.layers[" + std::to_string(order.back()) + "]",
                      nameOf(layers[order.back()]) + ": expected a layer of this model as its input, got " + inputs[order.back()].front());
                return {};
            }
            order.push_back(source->second);
        }
        if (order.size() != layers.size()) {
            error("config.layers", "expected one chain of layers, got " + std::to_string(layers.size()) + " layers of which " +
                                       std::to_string(order.size()) + " lead to the output");
            return {};
        }
        std::reverse(order.begin(), order.end());
        return order;
    }

    void takeInput(const Json& holder, const std::string& path) {
        for (const char* key : {"batch_shape", "batch_input_shape", "build_input_shape", "input_shape"}) {
            const Json* shape = member(holder, key);
            if (shape == nullptr || !shape->is_array() || shape->empty() || !input_shape_.is_null()) {
                continue;
            }
            Json sizes = Json::array();
            for (std::size_t i = 1; i < shape->size(); ++i) {
                if (!integerOf((*shape)[i])) {
                    error(path + "." + key, "expected fixed sizes behind the batch axis, got " + shape->dump());
                    return;
                }
                sizes.push_back((*shape)[i]);
            }
            input_shape_ = std::move(sizes);
        }
    }

    void findInput(const Json& config, const Json& layers) {
        for (std::size_t i = 0; i < layers.size() && input_shape_.is_null(); ++i) {
            const Json* own = member(layers[i], "config");
            if (own != nullptr && (i == 0 || textOf(layers[i], "class_name") == "InputLayer")) {
                takeInput(*own, "config.layers[" + std::to_string(i) + "]");
                if (const std::string dtype = textOf(*own, "dtype"); textOf(layers[i], "class_name") == "InputLayer" && !dtype.empty()) {
                    input_dtype_ = inputTypeOfKeras(dtype);
                }
            }
        }
        takeInput(config, "config");
        if (const Json* build = member(root_, "build_config")) {
            takeInput(*build, "build_config");
        }
    }

    void readLayer(const Json& layer, const std::string& path) {
        const std::string class_name = plainClass(textOf(layer, "class_name"));
        if (class_name == "InputLayer") {
            return;
        }
        const Json* config = member(layer, "config");
        const std::string name = nameOf(layer);
        const LayerSchema* schema = findLayerSchema(class_name);
        if (schema == nullptr) {
            error(path, (name.empty() ? std::string("a layer") : name) + ": " + unknownLayerText(class_name.empty() ? "none" : class_name));
            return;
        }
        Json fields = Json::object();
        if (config != nullptr && config->is_object()) {
            if (config->contains("merge_mode") && config->at("merge_mode").is_null()) {
                error(path + ".merge_mode", name + ": expected concat, sum, ave or mul, got null: two outputs");
            }
            fields = cleanConfig(inPresentWords(class_name, *config), schema->fields);
            const std::string dtype = hasTypeOfItsOwn(class_name) ? std::string() : dtypeName(*config);
            if (!dtype.empty() && !isKnownPolicy(dtype)) {
                const Diagnostic unknown = unknownPolicy(path + ".dtype", dtype);
                error(unknown.path, name + ": " + unknown.message);
            }
            fields["dtype"] = dtype;
        }
        layers_.push_back({{"class_name", class_name}, {"name", name}, {"config", std::move(fields)}});
    }

    // Keras writes a policy with each layer. The model's is mixed where any layer's is; only layers that differ keep their own.
    std::string takePolicy() {
        const auto own = [](const Json& layer) { return textOf(layer.at("config"), "dtype"); };
        const auto mixed = std::find_if(layers_.begin(), layers_.end(),
                                        [&](const Json& layer) { return !own(layer).empty() && own(layer) != kFloat32Policy; });
        const std::string policy = mixed == layers_.end() ? std::string(kFloat32Policy) : own(*mixed);
        for (Json& layer : layers_) {
            const std::string of_layer = own(layer);
            if (hasTypeOfItsOwn(textOf(layer, "class_name"))) {
                layer["config"].erase("dtype");
            } else if (of_layer.empty() ? policy == kFloat32Policy : of_layer == policy) {
                layer["config"].erase("dtype");
            } else {
                layer["config"]["dtype"] = of_layer.empty() ? std::string(kFloat32Policy) : of_layer;
            }
        }
        return policy;
    }

    const Json& root_;
    Diagnostics& diagnostics_;
    bool failed_ = false;
    Json input_shape_;
    std::string input_dtype_ = "float32";
    Json layers_ = Json::array();
};

// One of compile()'s objects: its class, or the class with what differs from the default.
Json cleanObject(const Json& value, std::span<const ObjectSchema> schemas) {
    const Json clean = cleanValue(value);
    if (!clean.is_object() || !value.is_object() || !value.contains("class_name")) {
        return clean;
    }
    const std::string class_name = canonicalClass(schemas, textOf(clean, "class_name"));
    const ObjectSchema* schema = findSchema(schemas, class_name);
    const Json* config = member(value, "config");
    if (config == nullptr || !config->is_object()) return {{"class_name", class_name}, {"config", Json::object()}};
    Json own = cleanConfig(*config, schema == nullptr ? std::span<const FieldSchema>{} : schema->fields);
    for (const auto& [key, field] : config->items()) {
        if (field.is_null() && nullIsOff(class_name, key)) own[key] = nullptr;
    }
    return {{"class_name", class_name}, {"config", std::move(own)}};
}

// The value for one output, whichever way it was written.
const Json& onlyEntry(const Json& value) {
    const bool holds_one = (value.is_array() || (value.is_object() && !value.contains("class_name"))) && value.size() == 1;
    return holds_one ? onlyEntry(*value.begin()) : value;
}

void collectMetrics(const Json& value, Json& metrics) {
    if (value.is_array() || (value.is_object() && !value.contains("class_name"))) {
        for (const auto& [key, entry] : value.items()) {
            collectMetrics(entry, metrics);
        }
    } else if (!value.is_null()) {
        const Json clean = cleanValue(value);
        const Json* config = member(clean, "config");
        metrics.push_back(clean.is_object() && (config == nullptr || config->empty()) ? clean["class_name"] : clean);
    }
}

Json compileJson(const Json& config) {
    Json compile = Json::object();
    const Json* optimizer = member(config, "optimizer");
    optimizer = optimizer == nullptr ? member(config, "optimizer_config") : optimizer;
    if (optimizer != nullptr && textOf(*optimizer, "class_name") == "LossScaleOptimizer") {
        const Json* scaling = member(*optimizer, "config");
        Json scale = Json::object();
        for (const char* field : {"initial_scale", "dynamic_growth_steps"}) {
            const Json* value = scaling == nullptr ? nullptr : member(*scaling, field);
            if (value != nullptr && value->is_number()) {
                scale[field] = *value;
            }
        }
        compile["loss_scale"] = std::move(scale);
        optimizer = scaling == nullptr ? nullptr : member(*scaling, "inner_optimizer");
    }
    if (optimizer != nullptr) {
        compile["optimizer"] = cleanObject(*optimizer, optimizerSchemas());
        if (Json& own = compile["optimizer"]; own.is_object() && own["config"].contains("learning_rate")) {
            Json& rate = own["config"]["learning_rate"];
            rate = rate.is_object() ? cleanObject(rate, scheduleSchemas()) : rate;
        }
    }
    if (const Json* loss = member(config, "loss")) {
        compile["loss"] = cleanObject(onlyEntry(*loss), lossSchemas());
    }
    for (const char* list : {"metrics", "weighted_metrics"}) {
        Json metrics = Json::array();
        if (const Json* listed = member(config, list)) {
            collectMetrics(*listed, metrics);
        }
        compile[list] = std::move(metrics);
    }
    return compile;
}

// Reads the parts of `compile` that are understood. Metrics that are not are left out, with a warning each; an optimizer or a loss that is
// not is an error: another one in its place would train another model.
CompileSpec readCompile(const ModelSpec& model, Json compile, Diagnostics& diagnostics) {
    for (;;) {
        RunSpec run;
        run.model = model;
        Diagnostics found;
        fromJson({{"compile", compile}}, run, found);
        run.model = model;
        if (!hasErrors(found)) {
            validateCompile(run, found);
        }
        const auto error = std::find_if(found.begin(), found.end(), [](const Diagnostic& d) { return d.severity == Severity::kError; });
        if (error == found.end()) {
            return run.compile;
        }
        const std::string part = error->path.substr(0, error->path.find_first_of(".[", std::string_view("compile.").size()));
        const bool trains = part == "compile.optimizer" || part == "compile.loss" || part == "compile.loss_scale";
        Diagnostic found_here = *error;
        found_here.severity = trains ? Severity::kError : Severity::kWarning;
        found_here.fix =
            trains ? "Save the model without its compile settings, or compile it with one that is known here." : "It is left out.";
        diagnostics.push_back(std::move(found_here));
        if (compile.erase(part.substr(std::min(part.size(), std::string_view("compile.").size()))) == 0) {
            return {};  // the default itself does not fit this model; validate() says so when it is used
        }
    }
}

std::optional<Json> parseText(std::string_view text, const char* what, Diagnostics& diagnostics) {
    const auto refuse = [&](const std::string& message) {
        diagnostics.push_back({Severity::kError, what, message, ""});
        return std::nullopt;
    };
    JsonText parsed = parseJson(text);
    if (!parsed.value) {
        return refuse("expected JSON, got a mistake at " + parsed.error);
    }
    if (!parsed.value->is_object()) {
        return refuse("expected a JSON object, got " + shortText(*parsed.value));
    }
    return std::move(parsed.value);
}

}  // namespace

std::string inputTypeOfKeras(std::string_view dtype) {
    return dtype == "int64" ? "int32" : std::string(dtype);
}

KerasConfig parseKerasConfig(std::string_view model_config, std::string_view training_config,
                             const std::function<void(ModelSpec&)>& complete) {
    KerasConfig result;
    const auto root = parseText(model_config, "model", result.diagnostics);
    if (!root) {
        return result;
    }
    const auto model = ModelReader(*root, result.diagnostics).read();
    if (!model) {
        return result;
    }
    RunSpec run;
    fromJson({{"model", *model}}, run, result.diagnostics);
    result.model = std::move(run.model);
    for (LayerSpec& layer : result.model.layers) {
        dropDefaults(layer.config, findLayerSchema(layer.class_name)->fields);
    }
    if (!hasErrors(result.diagnostics)) {
        if (complete) {
            complete(result.model);
        }
        validateModel(result.model, result.diagnostics);
    }
    if (hasErrors(result.diagnostics)) {
        return result;
    }
    std::optional<Json> training;
    if (!training_config.empty()) {
        training = parseText(training_config, "training_config", result.diagnostics);
    } else if (const Json* compile = member(*root, "compile_config"); compile != nullptr && compile->is_object() && !compile->empty()) {
        training = *compile;
    }
    if (training) {
        result.compile = readCompile(result.model, compileJson(*training), result.diagnostics);
        if (result.model.dtype_policy == kMixedFloat16Policy && result.compile->loss_scale == LossScaleSpec{}) {
            result.compile->loss_scale.reset();  // what such a model has by itself
        }
        if (const ObjectSchema* schema = findSchema(optimizerSchemas(), result.compile->optimizer.class_name)) {
            dropDefaults(result.compile->optimizer.config, schema->fields);
        }
        if (const ObjectSchema* schema = findSchema(lossSchemas(), result.compile->loss.class_name)) {
            dropDefaults(result.compile->loss.config, schema->fields);
        }
    }
    return result;
}

}  // namespace engine::spec
