#include "engine/spec/keras/code/object_calls.h"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/names.h"

namespace engine::spec::code {
namespace {

using NamePair = std::pair<std::string_view, std::string_view>;

// Keras' second names of layers.
constexpr std::array<NamePair, 14> kLayerNames{{{"MaxPool1D", "MaxPooling1D"},
                                                {"MaxPool2D", "MaxPooling2D"},
                                                {"AvgPool1D", "AveragePooling1D"},
                                                {"AvgPool2D", "AveragePooling2D"},
                                                {"GlobalMaxPool1D", "GlobalMaxPooling1D"},
                                                {"GlobalMaxPool2D", "GlobalMaxPooling2D"},
                                                {"GlobalAvgPool1D", "GlobalAveragePooling1D"},
                                                {"GlobalAvgPool2D", "GlobalAveragePooling2D"},
                                                {"Convolution1D", "Conv1D"},
                                                {"Convolution2D", "Conv2D"},
                                                {"Convolution2DTranspose", "Conv2DTranspose"},
                                                {"SeparableConvolution2D", "SeparableConv2D"},
                                                {"DepthwiseConvolution2D", "DepthwiseConv2D"},
                                                {"Deconvolution2D", "Conv2DTranspose"}}};
// TensorFlow 1's optimizers: those whose class is another one's.
constexpr std::array<NamePair, 2> kOptimizerNames{{{"GradientDescentOptimizer", "SGD"}, {"MomentumOptimizer", "SGD"}}};

// TensorFlow 1's functions that make a rate of the global step, with their arguments by position. The step and the function's own name say
// nothing to Keras' class.
struct StepFunction {
    std::string_view function, class_name;
    std::vector<std::string> arguments;
};
const std::vector<StepFunction>& stepFunctions() {
    static const std::vector<StepFunction> kFunctions{
        {"exponential_decay", "ExponentialDecay", {"learning_rate", "global_step", "decay_steps", "decay_rate", "staircase", "name"}},
        {"inverse_time_decay", "InverseTimeDecay", {"learning_rate", "global_step", "decay_steps", "decay_rate", "staircase", "name"}},
        {"polynomial_decay",
         "PolynomialDecay",
         {"learning_rate", "global_step", "decay_steps", "end_learning_rate", "power", "cycle", "name"}},
        {"cosine_decay", "CosineDecay", {"learning_rate", "global_step", "decay_steps", "alpha", "name"}},
        {"cosine_decay_restarts",
         "CosineDecayRestarts",
         {"learning_rate", "global_step", "first_decay_steps", "t_mul", "m_mul", "alpha", "name"}},
        {"piecewise_constant", "PiecewiseConstantDecay", {"x", "boundaries", "values", "name"}},
        {"piecewise_constant_decay", "PiecewiseConstantDecay", {"x", "boundaries", "values", "name"}}};
    return kFunctions;
}
const StepFunction* stepFunctionOf(std::string_view name) {
    const auto& all = stepFunctions();
    const auto found = std::find_if(all.begin(), all.end(), [&](const StepFunction& row) { return row.function == lastPart(name); });
    return found == all.end() ? nullptr : &*found;
}
const StepFunction* stepFunctionOfClass(std::string_view class_name) {
    const auto& all = stepFunctions();
    const auto found = std::find_if(all.begin(), all.end(), [&](const StepFunction& row) { return row.class_name == class_name; });
    return found == all.end() ? nullptr : &*found;
}

// The step of a rate is the one that an optimizer counts by itself: a variable of the text, or what TensorFlow has for it. A calculation
// with it is another count.
bool isGlobalStep(const Node& node) {
    if (node.kind == Node::Kind::kName) return true;
    static constexpr std::array<std::string_view, 5> kMakers{"get_global_step", "get_or_create_global_step", "create_global_step",
                                                             "Variable", "get_variable"};
    return std::find(kMakers.begin(), kMakers.end(), lastPart(calledName(node))) != kMakers.end();
}

std::span<const ObjectSchema> schemasOf(Family family) {
    switch (family) {
        case Family::kOptimizer:
            return optimizerSchemas();
        case Family::kSchedule:
            return scheduleSchemas();
        case Family::kLoss:
            return lossSchemas();
        case Family::kMetric:
            return metricSchemas();
        case Family::kRegularizer:
            return regularizerSchemas();
        case Family::kConstraint:
            return constraintSchemas();
        case Family::kCallback:
            return callbackSchemas();
        case Family::kInitializer:
            return initializerSchemas();
        case Family::kMix:
            return mixSchemas();
        case Family::kLayer:
            return {};
    }
    return {};
}

std::string_view otherName(std::span<const NamePair> pairs, std::string_view name) {
    const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const NamePair& pair) { return pair.first == name; });
    return found == pairs.end() ? name : found->second;
}

// True for metrics that take their name first.
bool namedFirst(const std::string& metric) {
    return !(metric.find("TopK") != std::string::npos || metric == "AUC" || metric == "Precision" || metric == "Recall" ||
             metric == "F1Score" || metric == "FBetaScore" || metric == "R2Score" || metric.ends_with("IoU") ||
             metric.find("AtRecall") != std::string::npos || metric.find("AtPrecision") != std::string::npos ||
             metric.find("AtS") != std::string::npos || metric.ends_with("Positives") || metric.ends_with("Negatives"));
}

// How many fields of a class stand in Keras' order, found by the field behind which they leave it.
std::size_t agreeing(Family family, const std::vector<FieldSchema>& fields) {
    const auto behind = [&](std::string_view name) {
        const auto found = std::find_if(fields.begin(), fields.end(), [&](const FieldSchema& row) { return row.name == name; });
        return found == fields.end() ? fields.size() : static_cast<std::size_t>(found - fields.begin()) + 1;
    };
    if (family == Family::kLayer) {
        const std::size_t padding = behind("padding");
        const bool goes_on = padding < fields.size() && (fields[padding].name == "expand_dims" || fields[padding].name == "data_format");
        return goes_on ? padding + 1 : padding;
    }
    if (family == Family::kMix) return std::min(behind("alpha"), behind("seed"));                  // of MixUp then data_format
    if (family == Family::kSchedule) return behind("alpha");                                       // then name
    if (family == Family::kLoss) return std::min(behind("label_smoothing"), behind("reduction"));  // then axis, then name
    if (family == Family::kMetric) {                                                               // name before it
        const auto ignored = std::find_if(fields.begin(), fields.end(), [](const FieldSchema& row) { return row.name == "ignore_class"; });
        return static_cast<std::size_t>(ignored - fields.begin());
    }
    return fields.size();
}

bool isModulePath(std::string_view name) {
    static constexpr std::array<std::string_view, 12> kRoots{"tf",      "tensorflow",   "keras",        "K",
                                                             "layers",  "nn",           "losses",       "activations",
                                                             "metrics", "initializers", "regularizers", "constraints"};
    const std::string_view root = name.substr(0, name.find('.'));
    return name.find('.') != std::string_view::npos && std::find(kRoots.begin(), kRoots.end(), root) != kRoots.end();
}

std::string expectedValue(const Node& node) {
    return "expected a value that the text itself gives, got " + nodeText(node);
}

std::optional<Json> listJson(const Node& node, std::string_view field, Fault& fault) {
    Json list = Json::array();
    for (const Node& item : node.items) {
        std::optional<Json> value = valueJson(item, field, fault);
        if (!value) return std::nullopt;
        list.push_back(*std::move(value));
    }
    return list;
}

// The list of cells in a call of StackedRNNCells, which says nothing else; nullptr where the call says more.
const Node* cellsOf(const Node& call) {
    const bool is_list = call.items.size() == 2 && (call.keywords.front().empty() || call.keywords.front() == "cells");
    return is_list && lastPart(calledName(call)) == "StackedRNNCells" ? &call.items[1] : nullptr;
}

std::optional<Json> dictJson(const Node& node, std::string_view field, Fault& fault) {
    Json object = Json::object();
    for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
        const Node& key = node.items[i];
        if (key.kind != Node::Kind::kText && key.kind != Node::Kind::kInt) {
            fault = {key.line, key.column, "expected a text or a whole number as a key, got " + nodeText(key)};
            return std::nullopt;
        }
        std::optional<Json> value = valueJson(node.items[i + 1], field, fault);
        if (!value) return std::nullopt;
        object[key.kind == Node::Kind::kText ? key.text : std::to_string(key.whole)] = *std::move(value);
    }
    return object;
}

}  // namespace

Family familyOf(std::string_view field) {
    if (field.ends_with("_initializer")) return Family::kInitializer;
    if (field.ends_with("_regularizer")) return Family::kRegularizer;
    if (field.ends_with("_constraint")) return Family::kConstraint;
    static constexpr std::array<std::string_view, 5> kLayerFields{"layer", "backward_layer", "layers", "shortcut", "cell"};
    const bool holds_layers = std::find(kLayerFields.begin(), kLayerFields.end(), field) != kLayerFields.end();
    return holds_layers ? Family::kLayer : Family::kSchedule;
}

std::string classOf(Family family, std::string_view name) {
    name = lastPart(name);
    if (family == Family::kLayer) {
        return std::string(otherName(kLayerNames, name));
    }
    if (family == Family::kOptimizer) {
        name = otherName(kOptimizerNames, name);
        constexpr std::string_view kEnd = "Optimizer";
        if (name.ends_with(kEnd) && name.size() > kEnd.size()) name.remove_suffix(kEnd.size());
    }
    if (family == Family::kSchedule) {
        if (const StepFunction* row = stepFunctionOf(name)) name = row->class_name;
    }
    return canonicalClass(schemasOf(family), name);
}

const std::vector<FieldSchema>* fieldsOf(Family family, const std::string& class_name) {
    if (family == Family::kLayer) {
        const LayerSchema* schema = findLayerSchema(class_name);
        return schema == nullptr ? nullptr : &schema->fields;
    }
    const ObjectSchema* schema = findSchema(schemasOf(family), class_name);
    return schema == nullptr ? nullptr : &schema->fields;
}

bool isKnown(Family family, const std::string& class_name) {
    return fieldsOf(family, class_name) != nullptr;
}

std::vector<std::string> positionalNames(Family family, const std::string& class_name) {
    std::vector<std::string> names;
    const std::vector<FieldSchema>* fields = fieldsOf(family, class_name);
    if (fields == nullptr) return names;
    if (family == Family::kMetric && namedFirst(class_name)) return {"name"};
    for (std::size_t i = 0; i < agreeing(family, *fields); ++i) {
        names.push_back((*fields)[i].name);
    }
    if (family == Family::kMetric) names.emplace_back("name");
    return names;
}

std::vector<Argument> namedArguments(const Node& call, const std::vector<std::string>& positional, std::vector<ArgumentFault>& faults) {
    std::vector<Argument> arguments;
    for (std::size_t i = 0; i < call.keywords.size(); ++i) {
        const Node& value = call.items[i + 1];
        const std::string& keyword = call.keywords[i];
        const auto refuse = [&](const std::string& message) { faults.push_back({"", {value.line, value.column, message}}); };
        if (keyword.starts_with('*')) {
            refuse("expected arguments one by one, got " + keyword + nodeText(value));
        } else if (!keyword.empty()) {
            arguments.push_back({keyword, &value});
        } else if (i < positional.size()) {
            arguments.push_back({positional[i], &value});
        } else {
            refuse("expected " + std::to_string(positional.size()) + " arguments by position, got one more: " + nodeText(value));
        }
    }
    return arguments;
}

std::optional<Json> valueJson(const Node& node, std::string_view field, Fault& fault) {
    switch (node.kind) {
        case Node::Kind::kNone:
            return Json(nullptr);
        case Node::Kind::kBool:
            return Json(node.flag);
        case Node::Kind::kInt:
            return Json(node.whole);
        case Node::Kind::kReal:
            return Json(node.real);
        case Node::Kind::kText:
            return Json(node.text);
        case Node::Kind::kTuple:
        case Node::Kind::kList:
            return listJson(node, field, fault);
        case Node::Kind::kDict:
            return dictJson(node, field, fault);
        case Node::Kind::kName:
            if (isModulePath(node.text)) return Json(std::string(lastPart(node.text)));
            if (field.ends_with("activation") && isOfTandem(node.text)) return Json(node.text);
            break;
        case Node::Kind::kCall:
            if (const Node* cells = field == "cell" ? cellsOf(node) : nullptr) return valueJson(*cells, field, fault);
            if (const std::string_view name = calledName(node); !name.empty()) {
                const Family family = familyOf(field);
                if (isKnown(family, classOf(family, name))) {
                    std::vector<ArgumentFault> faults;
                    Json object = objectCallJson(node, family, faults);
                    if (faults.empty()) return object;
                    fault = faults.front().fault;
                    return std::nullopt;
                }
            }
            break;
        default:
            break;
    }
    fault = {node.line, node.column, expectedValue(node)};
    return std::nullopt;
}

Node withRateFunctions(Node call) {
    for (Node& item : call.items) item = withRateFunctions(std::move(item));
    const std::string_view name = calledName(call);
    if (name.find("schedules.") == std::string_view::npos) return call;
    const StepFunction* row = stepFunctionOfClass(lastPart(name));
    if (row == nullptr) return call;
    const std::string step = row->arguments.front() == "x" ? "x" : "global_step";
    call.items[0].text = "tf.compat.v1.train." + std::string(row->function);
    std::replace(call.keywords.begin(), call.keywords.end(), std::string("initial_learning_rate"), std::string("learning_rate"));
    Node counted;
    counted.kind = Node::Kind::kCall;
    counted.items.emplace_back();
    counted.items[0].kind = Node::Kind::kName;
    counted.items[0].text = "tf.compat.v1.train.get_or_create_global_step";
    const std::ptrdiff_t at = step == "x" || call.keywords.empty() ? 0 : 1;  // behind the first rate
    call.keywords.insert(call.keywords.begin() + at, step);
    call.items.insert(call.items.begin() + at + 1, std::move(counted));
    return call;
}

Json objectCallJson(const Node& call, Family family, std::vector<ArgumentFault>& faults) {
    const std::string class_name = classOf(family, calledName(call));
    const std::vector<FieldSchema>* fields = fieldsOf(family, class_name);
    Json config = Json::object();
    const StepFunction* function = family == Family::kSchedule ? stepFunctionOf(calledName(call)) : nullptr;
    const std::vector<std::string> positional = function == nullptr ? positionalNames(family, class_name) : function->arguments;
    for (const Argument& argument : namedArguments(call, positional, faults)) {
        std::string name = argument.name;
        if (function != nullptr && (name == "global_step" || name == "x")) {
            if (isGlobalStep(*argument.value)) continue;
            const Node& step = *argument.value;
            faults.push_back({name, {step.line, step.column, name + ": expected the global step alone, got " + nodeText(step)}});
            continue;
        }
        if (function != nullptr && name == "learning_rate") name = "initial_learning_rate";
        if (function != nullptr && name == "name") continue;
        if (class_name == "LeakyReLU" && name == "alpha") name = "negative_slope";  // Keras 2
        if (family == Family::kOptimizer) {                                         // names of Keras 2 and of TensorFlow 1
            name = name == "lr" ? "learning_rate" : name == "beta1" ? "beta_1" : name == "beta2" ? "beta_2" : name;
            if (name == "use_locking" || name == "jit_compile" || name == "name") continue;
        }
        const bool known = fields == nullptr || name == "name" || name == "trainable" ||
                           std::any_of(fields->begin(), fields->end(), [&](const FieldSchema& row) { return row.name == name; });
        if (!known) {
            static constexpr std::array<std::string_view, 5> kNeutral{"dtype", "data_format", "axis", "use_ema", "verbose"};
            const bool neutral = argument.value->kind == Node::Kind::kNone ||
                                 std::find(kNeutral.begin(), kNeutral.end(), std::string_view(name)) != kNeutral.end();
            if (!neutral) {
                faults.push_back(
                    {name,
                     {argument.value->line, argument.value->column, "expected no argument " + name + " of " + class_name + ", got one"}});
                continue;
            }
            if (argument.value->kind == Node::Kind::kNone || name == "verbose") continue;
            if (name == "dtype" && family != Family::kLayer) continue;
        }
        Fault fault;
        if (std::optional<Json> value = valueJson(*argument.value, name, fault)) {
            config[name] = value->is_null() && takesNone(name) ? Json(kNoChoice) : *std::move(value);
        } else {
            fault.message = name + ": " + fault.message;
            faults.push_back({name, std::move(fault)});
        }
    }
    return {{"class_name", class_name}, {"config", std::move(config)}};
}

}  // namespace engine::spec::code
