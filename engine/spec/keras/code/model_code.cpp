#include "engine/spec/keras/code/model_code.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/optimizer_table.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/field_schema.h"
#include "engine/spec/keras/code/object_calls.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/names.h"
#include "engine/spec/project/project_json.h"

namespace engine::spec::code {
namespace {

void note(std::vector<CodeNote>& notes, Severity severity, const Fault& fault) {
    notes.push_back({severity, {fault.line, fault.line}, fault.column, fault.message});
}

bool isSizes(const Json& value) {
    return value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& size) { return size.is_number_integer(); });
}

// (28, 28, 1), or (None, 28, 28, 1) where the batch stands in front.
std::optional<Shape> shapeOf(Json sizes, bool batch) {
    if (sizes.is_number_integer()) sizes = Json::array({sizes});
    if (!sizes.is_array() || (batch && sizes.empty())) return std::nullopt;
    if (batch) sizes.erase(0);
    return isSizes(sizes) ? std::optional(sizes.get<Shape>()) : std::nullopt;
}

const Node* argumentOf(const Node& call, std::string_view name) {
    for (std::size_t i = 0; i < call.keywords.size(); ++i) {
        if (call.keywords[i] == name) return &call.items[i + 1];
    }
    return nullptr;
}

// TF-Slim: padding SAME and relu where nothing is said, a pool's stride is 2.
struct SlimLayer {
    std::string_view name, class_name;
    std::array<std::string_view, 3> positional;
    bool weighted, padded;
};
constexpr std::array<SlimLayer, 6> kSlimLayers{{{"conv2d", "Conv2D", {"filters", "kernel_size", "strides"}, true, true},
                                                {"max_pool2d", "MaxPooling2D", {"pool_size", "strides", "padding"}, false, false},
                                                {"avg_pool2d", "AveragePooling2D", {"pool_size", "strides", "padding"}, false, false},
                                                {"flatten", "Flatten", {"", "", ""}, false, false},
                                                {"fully_connected", "Dense", {"units", "activation", ""}, true, false},
                                                {"dropout", "Dropout", {"rate", "", ""}, false, false}}};

const SlimLayer* slimLayer(const Node& node) {
    const std::string_view called = calledName(node);
    if (!called.starts_with("slim.") && called.find("contrib.slim.") == std::string_view::npos &&
        !called.starts_with("tf.contrib.layers.")) {
        return nullptr;
    }
    const auto found =
        std::find_if(kSlimLayers.begin(), kSlimLayers.end(), [&](const SlimLayer& row) { return row.name == lastPart(called); });
    return found == kSlimLayers.end() ? nullptr : &*found;
}

// slim's call in Keras' words.
Node kerasCall(const Node& call, const SlimLayer& row) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kWords{{{"num_outputs", "filters"},
                                                                                          {"kernel_size", "kernel_size"},
                                                                                          {"stride", "strides"},
                                                                                          {"padding", "padding"},
                                                                                          {"activation_fn", "activation"},
                                                                                          {"scope", "name"},
                                                                                          {"rate", "dilation_rate"},
                                                                                          {"keep_prob", "rate"},
                                                                                          {"trainable", "trainable"}}};
    Node keras;
    keras.kind = Node::Kind::kCall;
    keras.line = call.line;
    keras.column = call.column;
    keras.last_line = call.last_line;
    keras.items.emplace_back();
    keras.items[0].kind = Node::Kind::kName;
    keras.items[0].text = std::string(row.class_name);
    const auto add = [&](std::string name, Node value) {
        if (name == "padding" && value.kind == Node::Kind::kText) {
            std::transform(value.text.begin(), value.text.end(), value.text.begin(),
                           [](char c) { return static_cast<char>(std::tolower(c)); });
        }
        if (row.class_name == "Dropout" && name == "rate" && value.isNumber()) {
            value.real = 1 - value.number();
            value.kind = Node::Kind::kReal;
        }
        if (name == "activation" && value.kind == Node::Kind::kNone) return;
        keras.items.push_back(std::move(value));
        keras.keywords.push_back(std::move(name));
    };
    for (std::size_t i = 1; i < call.keywords.size(); ++i) {
        const std::string& keyword = call.keywords[i];
        const auto known = std::find_if(kWords.begin(), kWords.end(), [&](const auto& pair) { return pair.first == keyword; });
        std::string name = keyword.empty() ? std::string(i <= row.positional.size() ? row.positional[i - 1] : "") : keyword;
        if (known != kWords.end()) name = std::string(known->second);
        if (row.class_name == "Dense" && name == "filters") name = "units";
        if (row.padded == false && row.weighted == false && name == "kernel_size") name = "pool_size";
        add(std::move(name), call.items[i + 1]);
    }
    const auto addText = [&](const char* name, const char* text) {
        Node value;
        value.kind = Node::Kind::kText;
        value.text = text;
        value.line = call.line;
        value.column = call.column;
        add(name, std::move(value));
    };
    if (row.weighted && argumentOf(call, "activation_fn") == nullptr && argumentOf(keras, "activation") == nullptr)
        addText("activation", "relu");
    if (row.padded && argumentOf(keras, "padding") == nullptr) addText("padding", "same");
    if (row.class_name == "Dropout" && argumentOf(keras, "rate") == nullptr) {
        Node half;
        half.kind = Node::Kind::kReal;
        half.real = 0.5;
        add("rate", std::move(half));
    }
    return keras;
}

class ModelBuilder {
public:
    ModelBuilder(const ModelCode& code, std::vector<CodeNote>& notes) : code_(code), notes_(notes), shape_(code.input_shape) {}

    bool build(RunSpec& run, std::vector<CodeLines>& lines) {
        for (const auto& layer : code_.layers.entries()) readLayer(*layer);
        takeTexts();
        if (!shape_ && !failed_) {
            if (run.model.input_shape.empty()) {
                fail({code_.at.first, code_.column, "expected an input shape (input_shape=…, keras.Input or build), got none"});
            }
            shape_ = run.model.input_shape;
        }
        if (failed_) return false;
        if (!layers_.empty()) shape_ = inputShapeOfKeras(*shape_, dtype_, layers_.front().value("class_name", ""));
        Json model{{"input_shape", *shape_}, {"input_dtype", dtype_}, {"layers", layers_}};
        if (code_.name && code_.name->kind == Node::Kind::kText) model["name"] = code_.name->text;
        RunSpec read;
        Diagnostics diagnostics;
        fromJson({{"model", std::move(model)}}, read, diagnostics);
        for (const Diagnostic& diagnostic : diagnostics) {
            fail({code_.at.first, code_.column, diagnostic.path + ": " + diagnostic.message});
        }
        if (failed_) return false;
        for (std::size_t i = 0; i < read.model.layers.size(); ++i) {
            LayerSpec& layer = read.model.layers[i];
            cleanConfig(layer.config, Family::kLayer, layer.class_name, layer.name, calls_[i], notes_);
        }
        run.model = std::move(read.model);
        lines = lines_;
        return true;
    }

private:
    // Of the input of a layer that takes texts code need not say what its shape and type are.
    void takeTexts() {
        if (shape_ || layers_.empty()) return;
        if (!takesTexts(LayerSpec{layers_.front().value("class_name", ""), "first", {}})) return;
        shape_ = Shape{1};
        dtype_ = kTextInput;
    }

    void fail(const Fault& fault) {
        note(notes_, Severity::kError, fault);
        failed_ = true;
    }

    void readShape(const Node& value, bool batch) {
        Fault fault;
        const std::optional<Json> sizes = valueJson(value, "", fault);
        const std::optional<Shape> shape = sizes ? shapeOf(*sizes, batch) : std::nullopt;
        if (!shape) {
            fail({value.line, value.column, "expected fixed sizes of the input such as (28, 28, 1), got " + nodeText(value)});
        } else if (!shape_ || shape_ == code_.input_shape) {
            shape_ = shape;
        }
    }

    // The arguments that say what comes into the model; true where `name` is one.
    bool readInput(std::string_view name, const Node& value, bool own_field) {
        if (own_field) return false;
        if (name == "input_shape" || name == "shape" || name == "input_dim") {
            readShape(value, false);
        } else if (name == "batch_input_shape" || name == "batch_shape") {
            readShape(value, true);
        } else if (name == "input_length") {
            if (value.kind == Node::Kind::kInt) readShape(value, false);
        } else {
            return false;
        }
        return true;
    }

    void readInputLayer(const Node& call) {
        std::vector<ArgumentFault> faults;
        for (const Argument& argument : namedArguments(call, {"shape"}, faults)) {
            if (readInput(argument.name, *argument.value, false)) continue;
            Fault fault;
            const std::optional<Json> value = valueJson(*argument.value, "", fault);
            if (argument.name == "dtype" && value && value->is_string()) dtype_ = inputTypeOfKeras(value->get<std::string>());
        }
    }

    void readLayer(const LayerCode& layer) {
        Node call = layer.call;
        if (layer.slim) call = kerasCall(call, *slimLayer(call));
        if (isInputCall(call)) return readInputLayer(call);
        const std::string class_name = classOf(Family::kLayer, calledName(call));
        const LayerSchema* schema = findLayerSchema(class_name);
        if (call.kind != Node::Kind::kCall || schema == nullptr) {
            const std::string got = class_name.empty() ? nodeText(call) : class_name;
            const std::string expected = call.kind == Node::Kind::kCall && !class_name.empty()
                                             ? unknownLayerText(got)
                                             : "expected a layer such as Dense(10), got " + got;
            return fail({call.line, call.column, expected});
        }
        const bool first = layers_.empty();
        takeInputArguments(call, *schema, first);
        std::vector<ArgumentFault> faults;
        Json json = objectCallJson(call, Family::kLayer, faults);
        for (const ArgumentFault& fault : faults) {
            // A known argument that can't be read is an error: without what it says it would be another layer.
            const bool known =
                std::any_of(schema->fields.begin(), schema->fields.end(), [&](const FieldSchema& row) { return row.name == fault.name; });
            if (known) {
                fail(fault.fault);
            } else {
                note(notes_, Severity::kWarning, fault.fault);
            }
        }
        Json config = std::move(json["config"]);
        nameObjects(config, schema->fields);
        const std::string name = config.contains("name") && config["name"].is_string() ? config["name"].get<std::string>() : "";
        config.erase("name");
        json["config"] = std::move(config);
        json["name"] = name;
        layers_.push_back(std::move(json));
        calls_.push_back(std::move(call));
        lines_.push_back(layer.lines);
    }

    void takeInputArguments(Node& call, const LayerSchema& schema, bool first) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < call.keywords.size(); ++i) {
            const std::string& name = call.keywords[i];
            const bool own =
                std::any_of(schema.fields.begin(), schema.fields.end(), [&](const FieldSchema& row) { return row.name == name; });
            const bool input = name == "input_shape" || name == "input_dim" || name == "batch_input_shape" || name == "input_length" ||
                               name == "batch_shape";
            if (input && !own) {
                if (first) readInput(name, call.items[i + 1], false);
                continue;
            }
            if (kept != i) {
                call.items[kept + 1] = std::move(call.items[i + 1]);
                call.keywords[kept] = std::move(call.keywords[i]);
            }
            ++kept;
        }
        call.items.resize(kept + 1);
        call.keywords.resize(kept);
    }

    static void nameObjectsOfMember(Json& member) {
        const LayerSchema* schema = member.is_object() ? findLayerSchema(member.value("class_name", "")) : nullptr;
        if (schema != nullptr && member.contains("config")) nameObjects(member["config"], schema->fields);
    }

    // Initializers, regularizers and constraints by their text become the classes that the text means; one size stands for all of two or
    // three.
    static void nameObjects(Json& config, const std::vector<FieldSchema>& fields) {
        for (const FieldSchema& row : fields) {
            if (!config.contains(row.name)) continue;
            Json& value = config[row.name];
            const bool has_default = !std::holds_alternative<std::monostate>(row.fallback);
            if (row.kind == FieldKind::kIntList && value.is_null() && has_default) value = Json::array();  // no axis
            if (numbersIn(row.kind) > 1 && value.is_number_integer()) value = Json(std::vector<Json>(numbersIn(row.kind), value));
            if (row.kind == FieldKind::kLayerList && value.is_array()) std::for_each(value.begin(), value.end(), nameObjectsOfMember);
            if (row.kind == FieldKind::kLayerList && value.is_object()) nameObjectsOfMember(value);
            if (row.kind != FieldKind::kObject || !value.is_string()) continue;
            const Family family = familyOf(row.name);
            if (family == Family::kLayer || family == Family::kSchedule) continue;
            value = {{"class_name", classOf(family, value.get<std::string>())}, {"config", Json::object()}};
        }
    }

    const ModelCode& code_;
    std::vector<CodeNote>& notes_;
    std::optional<Shape> shape_;
    std::string dtype_ = "float32";
    Json layers_ = Json::array();
    std::vector<Node> calls_;
    std::vector<CodeLines> lines_;
    bool failed_ = false;
};

}  // namespace

bool isInputCall(const Node& node) {
    const std::string_view name = lastPart(calledName(node));
    return name == "Input" || name == "InputLayer";
}

bool isLayerCall(const Node& node) {
    return isInputCall(node) || findLayerSchema(classOf(Family::kLayer, calledName(node))) != nullptr;
}

bool isSlimCall(const Node& node) {
    return slimLayer(node) != nullptr && !node.keywords.empty() && node.keywords.front().empty();
}

std::optional<Shape> reshapedTo(const Node& node) {
    if (calledName(node) != "tf.reshape" || node.items.size() < 3) return std::nullopt;
    Fault fault;
    const std::optional<Json> sizes = valueJson(node.items[2], "", fault);
    return sizes ? shapeOf(*sizes, true) : std::nullopt;
}

void cleanConfig(Fields& config, Family family, const std::string& class_name, const std::string& owner, const Node& call,
                 std::vector<CodeNote>& notes) {
    const std::vector<FieldSchema>& schema = *fieldsOf(family, class_name);
    std::vector<ArgumentFault> reported;
    const std::vector<Argument> arguments = namedArguments(call, positionalNames(family, class_name), reported);
    for (const FieldFault& fault : checkFields(config, schema)) {
        const auto argument =
            std::find_if(arguments.begin(), arguments.end(), [&](const Argument& one) { return one.name == fault.field; });
        const Node& at = argument != arguments.end() ? *argument->value : call;
        const Severity severity = family == Family::kLayer ? Severity::kError : Severity::kWarning;  // it would be another layer
        note(notes, severity, {at.line, at.column, owner + ": " + fault.field + ": " + fault.message});
        if (fault.index < 0) config.erase(fault.field);
    }
    Fields clean;
    const auto take = [&](std::string_view name) {
        const FieldValue* value = config.find(name);
        if (value != nullptr && !std::holds_alternative<std::monostate>(*value)) clean.set(name, *value);
    };
    for (const FieldSchema& row : schema) {
        take(row.name);
        const bool null_counts = family == Family::kOptimizer && (nullIsOff(class_name, row.name) || nullIsRefused(class_name, row.name));
        const FieldValue* value = config.find(row.name);
        if (null_counts && value != nullptr) clean.set(row.name, *value);
    }
    take("name");
    if (family == Family::kLayer && !hasTypeOfItsOwn(class_name)) take("dtype");  // a policy of the layer's own
    if (const FieldValue* trainable = config.find("trainable"); trainable != nullptr && *trainable == FieldValue(false)) take("trainable");
    config = std::move(clean);
    dropDefaults(config, schema);
}

bool buildModel(const ModelCode& code, RunSpec& run, std::vector<CodeLines>& lines, std::vector<CodeNote>& notes) {
    return ModelBuilder(code, notes).build(run, lines);
}

}  // namespace engine::spec::code
