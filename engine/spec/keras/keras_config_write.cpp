// Tandem's values as Keras' JSON.
#include <string>
#include <vector>

#include "engine/spec/catalog/dtype_policy.h"
#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/keras/known_sizes.h"
#include "engine/spec/keras/tandem_classes.h"
#include "engine/spec/names.h"
#include "engine/spec/project/object_reader.h"
#include "engine/spec/project/project_json.h"

namespace engine::spec {
namespace {

// The module where Keras keeps the class of an object that a field holds.
std::string moduleOf(std::string_view field, std::string_view class_name) {
    if (field.ends_with("initializer")) return "keras.initializers";
    if (field.ends_with("regularizer")) return "keras.regularizers";
    if (field.ends_with("constraint")) return "keras.constraints";
    if (field == "optimizer") return "keras.optimizers";
    if (field == "learning_rate") return "keras.optimizers.schedules";
    if (field == "loss") return "keras.losses";
    if (field == "metrics") return "keras.metrics";
    return findLayerSchema(class_name) != nullptr ? "keras.layers" : "keras";
}

std::string registeredName(std::string_view class_name) {
    return std::string(kTandemPackage) + std::string(class_name);
}

// What the layers inside a layer have from it: Keras writes a policy with each. null: nothing.
Json dressed(std::string_view field, const Json& object, const Json& policy = nullptr);
Json serialized(const std::string& module, const std::string& class_name, Json config);

// Keras' form of what Tandem keeps as one list of integers: ((top, bottom), (left, right)), and None for a size that is the input's.
Json kerasList(std::string_view field, Json list) {
    if (hasSides(field, list.size())) {
        Json axes = Json::array();
        for (std::size_t i = 0; i < list.size(); i += 2) axes.push_back({list[i], list[i + 1]});
        return axes;
    }
    if (isPlainNumber(field, list.size())) return list.front();
    if (takesInputsSize(field)) {
        for (Json& size : list) {
            if (size == -1) size = nullptr;
        }
    }
    return list;
}

// An activation that Keras has no name for, as it writes a function of a program.
Json registeredFunction(const std::string& name) {
    return {{"module", "builtins"}, {"class_name", "function"}, {"config", name}, {"registered_name", registeredName(name)}};
}

// A list of cells is an object of its own there.
Json stackOfCells(const Json& cells, const Json& policy) {
    Json members = Json::array();
    LayerNames names;
    for (Json cell : cells) {
        cell["config"]["name"] = names.next(cell.at("class_name").get<std::string>());
        members.push_back(dressed("cell", cell, policy));
    }
    Json config{{"name", "stacked_rnn_cells"}, {"trainable", true}};
    if (!policy.is_null()) config["dtype"] = policy;
    config["cells"] = std::move(members);
    return serialized("keras.layers", "StackedRNNCells", std::move(config));
}

Json dressedFields(const Json& fields, const Json& policy = nullptr) {
    Json config = Json::object();
    for (const auto& [key, value] : fields.items()) {
        const bool lists_objects = value.is_array() && !value.empty() && value.front().is_object();
        if (value.is_object() && value.contains("class_name")) {
            config[key] = dressed(key, value, policy);
        } else if (lists_objects && key == "cell") {
            config[key] = stackOfCells(value, policy);
        } else if (lists_objects) {
            config[key] = Json::array();
            for (const Json& member : value) config[key].push_back(dressed(key, member, policy));
        } else if (key.ends_with("activation") && value.is_string() && isOfTandem(value.get<std::string>())) {
            config[key] = registeredFunction(value);
        } else if (takesNone(key) && value == kNoChoice) {
            config[key] = nullptr;
        } else if (!value.is_null()) {
            config[key] = value.is_array() ? kerasList(key, value) : value;
        }
    }
    return config;
}

Json serialized(const std::string& module, const std::string& class_name, Json config) {
    if (isOfTandem(class_name)) {
        return {{"module", nullptr},
                {"class_name", class_name},
                {"config", std::move(config)},
                {"registered_name", registeredName(class_name)}};
    }
    return {{"module", module}, {"class_name", class_name}, {"config", std::move(config)}, {"registered_name", nullptr}};
}

// The fields that Keras asks for, to make a layer or an initializer or to read one, where Tandem has a default.
Json askedFields(std::string_view module, std::string_view class_name) {
    const bool is_layer = module == "keras.layers";
    std::vector<FieldSchema> rows;
    if (const LayerSchema* schema = is_layer ? findLayerSchema(class_name) : nullptr; schema != nullptr) rows = schema->fields;
    if (const ObjectSchema* schema = is_layer ? nullptr : findSchema(initializerSchemas(), class_name); schema != nullptr) {
        rows = schema->fields;
    }
    Json config = Json::object();
    for (const FieldSchema& row : rows) {
        const bool is_of_texts = row.name == "standardize" || row.name == "split" || row.name == "ngrams";
        const bool is_asked =
            row.name == "pool_size" || is_of_texts || (class_name == "Rescaling" && row.name == "offset") || class_name == "Constant";
        if (is_asked) config.update(fieldsJson({{row.name, row.fallback}}));
    }
    return config;
}

// {"class_name", "config"} with what Keras' deserialization asks for.
Json dressed(std::string_view field, const Json& object, const Json& policy) {
    const std::string class_name = object.at("class_name").get<std::string>();
    const std::string module = moduleOf(field, class_name);
    const bool is_layer = module == "keras.layers";  // and no initializer of a layer's name, such as Identity
    Json config = askedFields(module, class_name);
    config.update(dressedFields(object.at("config"), policy));
    for (const auto& [key, value] : object.at("config").items()) {
        if (value.is_null() && nullIsOff(class_name, key)) config[key] = nullptr;
    }
    if (is_layer && !config.contains("name")) {
        config["name"] = snakeCase(class_name);  // of a wrapped layer
    }
    if (is_layer && !policy.is_null() && !config.contains("dtype")) {
        config["dtype"] = policy;
    }
    return serialized(module, class_name, std::move(config));
}

// Plain float32 is a text, as Keras 2 reads it, too.
Json policyJson(const std::string& policy) {
    if (policy == kFloat32Policy) return policy;
    return {{"module", "keras"}, {"class_name", "DTypePolicy"}, {"config", {{"name", policy}}}, {"registered_name", nullptr}};
}

Json batchShape(const ModelSpec& model) {
    Json shape = Json::array({nullptr});
    for (const std::int64_t size : kerasInputShape(model)) {
        shape.push_back(size);
    }
    return shape;
}

std::string freeInputName(const ModelSpec& model) {
    std::vector<std::string> taken;
    for (const LayerSpec& layer : model.layers) {
        taken.push_back(layer.name);
    }
    return automaticLayerName("InputLayer", taken);
}

Json sequentialConfig(const ModelSpec& as_it_is) {
    const ModelSpec model = withKnownSizes(as_it_is);
    // batch_input_shape: Keras 3 takes both of its names, Keras 2 only this one.
    Json layers = Json::array(
        {{{"module", "keras.layers"},
          {"class_name", "InputLayer"},
          {"config",
           {{"batch_input_shape", batchShape(model)}, {"dtype", model.input_dtype}, {"sparse", false}, {"name", freeInputName(model)}}},
          {"registered_name", nullptr}}});
    for (const LayerSpec& layer : model.layers) {
        Json config{{"name", layer.name}, {"dtype", policyJson(layerPolicy(model, layer))}};
        if (!takesNoLayerArguments(layer.class_name)) config["trainable"] = true;
        if (hasTypeOfItsOwn(layer.class_name)) {
            config["dtype"] = policyJson(settingsOf(layer).getString("output_mode") == "int" ? "int64" : std::string(kFloat32Policy));
        }
        config.update(askedFields("keras.layers", layer.class_name));
        Fields own = layer.config;
        own.erase("dtype");
        if (takesNoLayerArguments(layer.class_name)) own.erase("trainable");
        const bool has_members = !chainFields(layer.class_name).empty();
        config.update(dressedFields(fieldsJson(own), has_members ? config["dtype"] : Json(nullptr)));
        layers.push_back(serialized("keras.layers", layer.class_name, std::move(config)));
    }
    return {{"name", model.name}, {"layers", std::move(layers)}};
}

// compile()'s arguments. What a project holds of them is read back from its own JSON, whatever types the metrics have there.
Json compileParts(const CompileSpec& compile) {
    RunSpec run;
    run.compile = compile;
    Json own = toJson(run).at("compile");
    const auto metrics = [&own](const char* list) {
        Json dressed_metrics = Json::array();
        for (const Json& metric : own.value(list, Json::array())) {
            dressed_metrics.push_back(metric.is_object() ? dressed("metrics", metric) : metric);
        }
        return dressed_metrics;
    };
    Json optimizer = dressed("optimizer", own.at("optimizer"));
    if (compile.loss_scale) {
        optimizer = {{"module", "keras.optimizers"},
                     {"class_name", "LossScaleOptimizer"},
                     {"config",
                      {{"name", "loss_scale_optimizer"},
                       {"inner_optimizer", std::move(optimizer)},
                       {"initial_scale", compile.loss_scale->initial_scale},
                       {"dynamic_growth_steps", compile.loss_scale->dynamic_growth_steps}}},
                     {"registered_name", nullptr}};
    }
    return {{"optimizer", std::move(optimizer)},
            {"loss", dressed("loss", own.at("loss"))},
            {"metrics", metrics("metrics")},
            {"weighted_metrics", compile.weighted_metrics.empty() ? Json(nullptr) : metrics("weighted_metrics")}};
}

}  // namespace

bool isOfTandem(std::string_view class_name) {
    return !tandemClassText(class_name).empty();
}

bool takesNoLayerArguments(std::string_view class_name) {
    return class_name.starts_with("SpatialDropout") || class_name == "Discretization" || class_name == "IntegerLookup" ||
           class_name == "StringLookup";
}

bool hasTypeOfItsOwn(std::string_view class_name) {
    return class_name == "Hashing";
}

std::string toKerasConfig(const ModelSpec& model, const CompileSpec* compile) {
    Json root{{"module", "keras"},
              {"class_name", "Sequential"},
              {"config", sequentialConfig(model)},
              {"registered_name", nullptr},
              {"build_config", {{"input_shape", batchShape(model)}}}};
    if (compile != nullptr) {
        Json parts = compileParts(*compile);
        parts["loss_weights"] = nullptr;
        parts["run_eagerly"] = false;
        parts["steps_per_execution"] = 1;
        parts["jit_compile"] = false;
        root["compile_config"] = std::move(parts);
    }
    return root.dump();
}

std::string toKerasModelConfig(const ModelSpec& model) {
    Json root{{"class_name", "Sequential"}, {"config", sequentialConfig(model)}};
    for (Json& layer : root["config"]["layers"]) {
        if (layer["registered_name"].is_string()) layer["class_name"] = layer["registered_name"];  // Keras 2's form knows no other name
        layer.erase("module");
        layer.erase("registered_name");
        if (Json& config = layer["config"]; config.contains("dtype") && config["dtype"].is_object()) {
            config["dtype"] = config["dtype"]["config"]["name"];
        }
    }
    return root.dump();
}

std::string toKerasTrainingConfig(const CompileSpec& compile) {
    const Json parts = compileParts(compile);
    const Json& optimizer = parts.at("optimizer");
    return Json{{"loss", parts.at("loss")},
                {"metrics", parts.at("metrics")},
                {"weighted_metrics", parts.at("weighted_metrics")},
                {"loss_weights", nullptr},
                {"optimizer_config", {{"class_name", optimizer.at("class_name")}, {"config", optimizer.at("config")}}}}
        .dump();
}

}  // namespace engine::spec
