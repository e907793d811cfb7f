// The statements that make a project's parts: model, compile, the rates by epoch, fit.
#include <algorithm>
#include <functional>
#include <utility>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/metric_spec.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/keras/code/fit_numbers.h"
#include "engine/spec/keras/code/object_calls.h"
#include "engine/spec/keras/code/write/node_lines.h"
#include "engine/spec/keras/code/write/object_nodes.h"
#include "engine/spec/keras/code/written_parts.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/keras/known_sizes.h"
#include "engine/spec/keras/python/python_literal.h"
#include "engine/spec/keras/tandem_classes.h"

namespace engine::spec {
namespace {

using namespace code;

constexpr std::string_view kWrittenScheduler = "LearningRateScheduler", kWrittenRateFunction = "decay";

constexpr std::string_view kWrittenModelTarget = "model = ";

// Counts the layers that are made before the one that holds them.
void countInside(const Fields& config, LayerNames& counted) {
    for (const auto& [name, value] : config.entries()) {
        if (name.ends_with("_initializer")) continue;  // Identity is the name of one, too
        std::vector<ObjectBox> inside = config.getObjects(name);
        if (const auto* box = std::get_if<ObjectBox>(&value)) inside.push_back(*box);
        for (const ObjectBox& one : inside) {
            if (findLayerSchema(one.get().class_name) == nullptr) continue;
            countInside(one.get().config, counted);
            counted.next(one.get().class_name);
        }
    }
}

// Layers whose names Keras would give by itself; the others need to say theirs.
std::vector<bool> namedByKeras(const ModelSpec& model) {
    std::vector<bool> automatic(model.layers.size(), true);
    for (bool changed = true; changed;) {
        changed = false;
        LayerNames taken, counted;
        for (std::size_t i = 0; i < model.layers.size(); ++i) {
            if (!automatic[i]) taken.take(model.layers[i].name);
        }
        for (std::size_t i = 0; i < model.layers.size(); ++i) {
            const LayerSpec& layer = model.layers[i];
            countInside(layer.config, counted);
            if (!automatic[i]) continue;
            // Here a name that is taken is passed over, in Keras it is counted.
            const std::string here = taken.next(layer.class_name), keras = counted.next(layer.class_name);
            if (here != layer.name || keras != layer.name) {
                automatic[i] = false;
                changed = true;
            }
        }
    }
    return automatic;
}

Node shapeNode(const Shape& shape) {
    std::vector<Node> sizes;
    for (const std::int64_t size : shape) sizes.push_back(numberNode(size));
    return listNode(Node::Kind::kTuple, std::move(sizes));
}

Node layerNode(const LayerSpec& layer, bool named_by_keras) {
    Node call = calledNode((isOfTandem(layer.class_name) ? "" : modulePath(Family::kLayer)) + layer.class_name);
    addFields(call, layer.class_name, layer.config, Family::kLayer);
    if (!named_by_keras) addCallArgument(call, "name", leafNode(Node::Kind::kText, layer.name));
    return call;
}

std::string writeModel(const RunSpec& run, const CodeLayout& layout) {
    const ModelSpec model = withKnownSizes(run.model);
    const Printer printer(layout);
    const std::string indent(static_cast<std::size_t>(layout.indent), ' ');
    std::vector<Node> layers;
    const bool says_input = model.layers.empty() || model.input_dtype != "float32" ||
                            findLayerSchema(model.layers.front().class_name) == nullptr ||
                            takesNoLayerArguments(model.layers.front().class_name);
    if (says_input) {
        Node input = calledNode("keras.Input");
        addCallArgument(input, "shape", shapeNode(kerasInputShape(model)));
        if (model.input_dtype != "float32") addCallArgument(input, "dtype", leafNode(Node::Kind::kText, model.input_dtype));
        layers.push_back(std::move(input));
    }
    const std::vector<bool> automatic = namedByKeras(model);
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        Node call = layerNode(model.layers[i], automatic[i]);
        if (i == 0 && !says_input) addCallArgument(call, "input_shape", shapeNode(model.input_shape));
        layers.push_back(std::move(call));
    }
    std::string text;
    if (model.dtype_policy != ModelSpec().dtype_policy)
        text += "keras.mixed_precision.set_global_policy(" + pythonText(model.dtype_policy) + ")\n";
    text += std::string(kWrittenModelTarget) + "keras.Sequential([\n";
    for (std::size_t i = 0; i < layers.size(); ++i) {
        text += indent;
        printer.append(text, "", layers[i], layout.indent, i + 1 == layers.size() ? "" : ",");
        text += "\n";
    }
    text += "]";
    if (model.name != "sequential") text += ", name=" + pythonText(model.name);
    return text + ")\n";
}

Node metricNode(const MetricSpec& metric) {
    if (metric.config.empty()) return leafNode(Node::Kind::kText, metric.name);
    const std::string class_name = classOf(Family::kMetric, metric.name);
    Node call = calledNode(modulePath(Family::kMetric) + class_name);
    Fields config = metric.config;
    const FieldValue* name = config.find("name");
    if (name != nullptr && *name == FieldValue(usualLogName(class_name))) config.erase("name");
    addFields(call, class_name, config, Family::kMetric);
    return call;
}

}  // namespace

Node code::compileCall(const RunSpec& run) {
    Node call = calledNode("model.compile");
    Node optimizer = objectNode(run.compile.optimizer, Family::kOptimizer);
    if (const std::optional<LossScaleSpec>& scale = run.compile.loss_scale) {
        Node scaled = calledNode("keras.optimizers.LossScaleOptimizer");
        addCallArgument(scaled, "inner_optimizer", std::move(optimizer));
        addCallArgument(scaled, "initial_scale", realNumberNode(scale->initial_scale));
        addCallArgument(scaled, "dynamic_growth_steps", numberNode(scale->dynamic_growth_steps));
        optimizer = std::move(scaled);
    }
    addCallArgument(call, "optimizer", std::move(optimizer));
    addCallArgument(call, "loss", objectNode(run.compile.loss, Family::kLoss));
    std::vector<Node> metrics;
    for (const MetricSpec& metric : run.compile.metrics) metrics.push_back(metricNode(metric));
    if (!metrics.empty()) addCallArgument(call, "metrics", listNode(Node::Kind::kList, std::move(metrics)));
    std::vector<Node> weighted;
    for (const MetricSpec& metric : run.compile.weighted_metrics) weighted.push_back(metricNode(metric));
    if (!weighted.empty()) addCallArgument(call, "weighted_metrics", listNode(Node::Kind::kList, std::move(weighted)));
    return call;
}

namespace {

std::string writeCompile(const RunSpec& run, const CodeLayout& layout) {
    const Node call = compileCall(run);
    // An argument a line, as compile() is read best.
    const std::string indent(static_cast<std::size_t>(layout.indent), ' ');
    std::string text = "model.compile(";
    for (std::size_t i = 0; i < call.keywords.size(); ++i) {
        text += "\n" + indent;
        Printer(layout).append(text, call.keywords[i] + "=", call.items[i + 1], layout.indent, i + 1 == call.keywords.size() ? ")" : ",");
    }
    return text + "\n";
}

const ObjectSpec* callbackOf(const RunSpec& run, std::string_view class_name) {
    const auto found =
        std::find_if(run.callbacks.begin(), run.callbacks.end(), [&](const ObjectSpec& c) { return c.class_name == class_name; });
    return found == run.callbacks.end() ? nullptr : &*found;
}

// Keras has no such callback: the code that names it defines it.
std::string writePrintLr(const RunSpec& run, const CodeLayout& layout) {
    const ObjectSpec* callback = callbackOf(run, kPrintLr);
    if (callback == nullptr) return {};
    const std::string text = callbackSettings(*callback).getString("text");
    // {epoch}, {index} and {rate} by their values, in the order in which they stand.
    std::string format, values;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t open = std::min(text.find('{', at), text.size()), close = text.find('}', open);
        format += text.substr(at, open - at);
        if (close == std::string::npos) break;
        const std::string field = text.substr(open + 1, close - open - 1);
        const std::string name = field.substr(0, field.find(':'));
        const std::string value = name == "epoch" ? "epoch + 1" : name == "index" ? "epoch" : name == "rate" ? "float(rate)" : "";
        if (!value.empty()) {
            format += "{" + (field.size() > name.size() ? field.substr(name.size()) : std::string()) + "}";
            values += (values.empty() ? "" : ", ") + value;
        }
        at = close + 1;
    }
    const std::string indent(static_cast<std::size_t>(layout.indent), ' ');
    return "class " + std::string(kPrintLr) + "(keras.callbacks.Callback):\n" +  //
           indent + "def on_epoch_end(self, epoch, logs=None):\n" +              //
           indent + indent + "rate = self.model.optimizer.learning_rate\n" +     //
           indent + indent + "print(" + pythonText(std::as_const(format)) + (values.empty() ? "" : ".format(" + values + ")") + ")\n";
}

// Of the layers of the model, those within others, too, and of their activations.
void addClasses(const std::vector<LayerSpec>& layers, std::vector<std::string>& names) {
    for (const LayerSpec& layer : layers) {
        if (isOfTandem(layer.class_name)) names.push_back(layer.class_name);
        for (const auto& [name, value] : layer.config.entries()) {
            const auto* text = std::get_if<std::string>(&value);
            if (name.ends_with("activation") && text != nullptr && isOfTandem(*text)) names.push_back(*text);
        }
        addClasses(nestedLayers(layer), names);
    }
}

std::string writeSchedule(const RunSpec& run, const CodeLayout& layout) {
    const ObjectSpec* scheduler = callbackOf(run, kWrittenScheduler);
    if (scheduler == nullptr) return {};
    const auto* epochs = std::get_if<std::vector<std::int64_t>>(scheduler->config.find("epochs"));
    const auto* reals = std::get_if<std::vector<double>>(scheduler->config.find("rates"));
    const auto* wholes = std::get_if<std::vector<std::int64_t>>(scheduler->config.find("rates"));
    std::vector<double> rates = reals != nullptr ? *reals : std::vector<double>();
    if (wholes != nullptr) rates.assign(wholes->begin(), wholes->end());
    const std::size_t count = epochs == nullptr ? 0 : std::min(epochs->size(), rates.size());
    if (count == 0) return {};
    const std::string indent(static_cast<std::size_t>(layout.indent), ' ');
    std::string text;
    const bool late = epochs->front() > 0;  // until then the optimizer's rate stays
    text += "def " + std::string(kWrittenRateFunction) + (late ? "(epoch, lr):\n" : "(epoch):\n");
    if (count == 1 && !late) return text + indent + "return " + pythonNumber(rates[0]) + "\n";
    std::string word = "if";
    const auto branch = [&](std::int64_t until, const std::string& rate) {
        text += indent + word + " epoch < " + std::to_string(until) + ": return " + rate + "\n";
        word = "elif";
    };
    if (late) branch(epochs->front(), "lr");
    for (std::size_t i = 0; i + 1 < count; ++i) branch((*epochs)[i + 1], pythonNumber(rates[i]));
    return text + indent + "else: return " + pythonNumber(rates[count - 1]) + "\n";
}

}  // namespace

Node code::fitCall(const RunSpec& run, const CodeLayout& layout) {
    const FitSpec plain;
    Node call = calledNode("model.fit");
    addCallArgument(call, "", wordNode("train_dataset"));
    for (const auto& [name, field] : kFitNumbers) {
        const bool listed = name == "validation_freq" && !run.fit.validation_epochs.empty();
        if (listed) {
            std::vector<Node> epochs;
            for (const std::int64_t epoch : run.fit.validation_epochs) epochs.push_back(numberNode(epoch));
            addCallArgument(call, std::string(name), listNode(Node::Kind::kList, std::move(epochs)));
        } else if (run.fit.*field != plain.*field) {
            addCallArgument(call, std::string(name), numberNode(run.fit.*field));
        }
    }
    if (!run.fit.class_weight.empty()) {
        Node weights = leafNode(Node::Kind::kDict);
        for (const auto& [label, weight] : run.fit.class_weight) {
            weights.items.push_back(numberNode(label));
            weights.items.push_back(realNumberNode(weight));
        }
        addCallArgument(call, "class_weight", std::move(weights));
    }
    std::vector<Node> callbacks;
    for (const ObjectSpec& callback : run.callbacks) {
        if (callback.class_name != kWrittenScheduler) {
            callbacks.push_back(objectNode(callback, Family::kCallback));
            continue;
        }
        if (writeSchedule(run, layout).empty()) continue;
        Node scheduler = calledNode(modulePath(Family::kCallback) + callback.class_name);
        addCallArgument(scheduler, "", wordNode(std::string(kWrittenRateFunction)));
        if (const FieldValue* verbose = callback.config.find("verbose"); verbose != nullptr && *verbose != FieldValue(std::int64_t{0})) {
            addCallArgument(scheduler, "verbose", valueNode(*verbose, "verbose"));
        }
        callbacks.push_back(std::move(scheduler));
    }
    if (!callbacks.empty()) addCallArgument(call, "callbacks", listNode(Node::Kind::kList, std::move(callbacks)));
    return call;
}

namespace {

std::string writeFit(const RunSpec& run, const CodeLayout& layout, const std::string& validation) {
    std::string text;
    Node call = fitCall(run, layout);
    if (!validation.empty()) {
        call.items.insert(call.items.begin() + 2, wordNode(validation));
        call.keywords.insert(call.keywords.begin() + 1, "validation_data");
    }
    Printer(layout).append(text, "", call, 0, "");
    return text + "\n";
}

}  // namespace

std::string code::objectCall(const ObjectSpec& object, Family family) {
    return nodeLine(objectNode(object, family));
}

std::string code::writeModelPart(const RunSpec& run, const CodeLayout& layout) {
    return writeModel(run, layout);
}
std::string code::writeClassPart(const RunSpec& run, std::string_view class_name, const CodeLayout& layout) {
    std::vector<std::string> names;
    addClasses(run.model.layers, names);
    if (std::find(names.begin(), names.end(), class_name) == names.end()) return {};
    constexpr std::size_t kOwnIndent = 4;
    const std::string_view own = tandemClassText(class_name);
    std::string text;
    for (std::size_t at = 0; at < own.size();) {
        const std::size_t end = own.find('\n', at) + 1;
        const std::string_view line = own.substr(at, end - at);
        const std::size_t margin = std::min(line.find_first_not_of(' '), line.size());
        text += std::string(margin / kOwnIndent * static_cast<std::size_t>(std::max(layout.indent, 1)), ' ');
        text += line.substr(margin);
        at = end;
    }
    return text;
}
std::string code::writeClassesPart(const RunSpec& run, const CodeLayout& layout) {
    std::string text;
    for (const std::string_view name : tandemClasses()) {
        const std::string one = writeClassPart(run, name, layout);
        if (!one.empty()) text += (text.empty() ? "" : "\n") + one;
    }
    return text;
}
std::string code::writeCompilePart(const RunSpec& run, const CodeLayout& layout) {
    return writeCompile(run, layout);
}
std::string code::writePrintLrPart(const RunSpec& run, const CodeLayout& layout) {
    return writePrintLr(run, layout);
}
std::string code::writeSchedulePart(const RunSpec& run, const CodeLayout& layout) {
    return writeSchedule(run, layout);
}
std::string code::writeFitPart(const RunSpec& run, const CodeLayout& layout, const std::string& validation) {
    return writeFit(run, layout, validation);
}

std::string writeLayersCode(const std::vector<LayerSpec>& layers, const CodeLayout& layout) {
    const Printer printer(layout);
    std::string text;
    for (const LayerSpec& layer : layers) {
        printer.append(text, "", layerNode(layer, isAutomaticLayerName(layer.class_name, layer.name)), 0, ",");
        text += "\n";
    }
    return text;
}

}  // namespace engine::spec
