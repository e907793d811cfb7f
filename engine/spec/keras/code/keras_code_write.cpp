// A project's parts as trees of Python, and trees as lines that keep a width.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <utility>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/layer_names.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/texts/text_layer.h"
#include "engine/spec/keras/checkpoint_path.h"
#include "engine/spec/keras/code/fit_numbers.h"
#include "engine/spec/keras/code/object_calls.h"
#include "engine/spec/keras/code/python_imports.h"
#include "engine/spec/keras/code/written_parts.h"
#include "engine/spec/keras/keras_code.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/keras/known_sizes.h"
#include "engine/spec/keras/python/python_tree.h"
#include "engine/spec/keras/tandem_classes.h"
#include "engine/spec/names.h"

namespace engine::spec {
namespace {

using namespace code;

constexpr std::string_view kScheduler = "LearningRateScheduler", kPrintLr = "PrintLR", kRateFunction = "decay";

// ---- trees -----------------------------------------------------------------------------------------------------------

Node leaf(Node::Kind kind, std::string text = {}) {
    Node node;
    node.kind = kind;
    node.text = std::move(text);
    return node;
}
Node nameNode(std::string name) {
    return leaf(Node::Kind::kName, std::move(name));
}
Node wholeNode(std::int64_t value) {
    Node node = leaf(Node::Kind::kInt);
    node.whole = value;
    return node;
}
Node realNode(double value) {
    Node node = leaf(Node::Kind::kReal);
    node.real = value;
    return node;
}
Node listNode(Node::Kind kind, std::vector<Node> items) {
    Node node = leaf(kind);
    node.items = std::move(items);
    return node;
}
Node callNode(std::string name) {
    Node node = leaf(Node::Kind::kCall);
    node.items.push_back(nameNode(std::move(name)));
    return node;
}
void addArgument(Node& call, std::string keyword, Node value) {
    call.items.push_back(std::move(value));
    call.keywords.push_back(std::move(keyword));
}

Node objectNode(const ObjectSpec& object, Family family);

// A field's value. Lists of integers are tuples in Keras' shapes and sizes.
Node valueNode(const FieldValue& value, std::string_view field) {
    struct Visitor {
        std::string_view field;
        Node operator()(std::monostate) const { return leaf(Node::Kind::kNone); }
        Node operator()(bool flag) const {
            Node node = leaf(Node::Kind::kBool);
            node.flag = flag;
            return node;
        }
        Node operator()(std::int64_t number) const { return wholeNode(number); }
        Node operator()(double number) const { return realNode(number); }
        Node operator()(const std::string& text) const {
            if (takesNone(field) && text == kNoChoice) return leaf(Node::Kind::kNone);
            return leaf(field.ends_with("activation") && isOfTandem(text) ? Node::Kind::kName : Node::Kind::kText, text);
        }
        Node operator()(const std::vector<std::int64_t>& numbers) const {
            if (field == "salt" && numbers.size() == 1) return wholeNode(numbers.front());  // Keras takes a list of two alone
            std::vector<Node> items;
            for (const std::int64_t number : numbers) {
                items.push_back(takesInputsSize(field) && number == -1 ? leaf(Node::Kind::kNone) : wholeNode(number));
            }
            if (hasSides(field, numbers.size())) {
                std::vector<Node> axes;
                for (std::size_t i = 0; i < items.size(); i += 2) axes.push_back(listNode(Node::Kind::kTuple, {items[i], items[i + 1]}));
                return listNode(Node::Kind::kTuple, std::move(axes));
            }
            return listNode(Node::Kind::kTuple, std::move(items));
        }
        Node operator()(const std::vector<double>& numbers) const {
            const bool is_moment = field == "mean" || field == "variance";  // of a Normalization, which may have no axis for a list
            if (is_moment && numbers.size() == 1) return realNode(numbers.front());
            std::vector<Node> items;
            for (const double number : numbers) items.push_back(realNode(number));
            return listNode(Node::Kind::kList, std::move(items));
        }
        Node operator()(const std::vector<std::string>& texts) const {
            std::vector<Node> items;
            for (const std::string& text : texts) items.push_back(leaf(Node::Kind::kText, text));
            return listNode(Node::Kind::kList, std::move(items));
        }
        Node operator()(const ObjectBox& box) const { return objectNode(box.get(), familyOf(field)); }
        Node operator()(const std::vector<ObjectBox>& boxes) const {
            std::vector<Node> items;
            for (const ObjectBox& box : boxes) items.push_back((*this)(box));
            return listNode(Node::Kind::kList, std::move(items));
        }
    };
    return std::visit(Visitor{field}, value);
}

std::string modulePath(Family family) {
    switch (family) {
        case Family::kLayer:
        case Family::kMix:
            return "layers.";
        case Family::kOptimizer:
            return "keras.optimizers.";
        case Family::kSchedule:
            return "keras.optimizers.schedules.";
        case Family::kLoss:
            return "keras.losses.";
        case Family::kMetric:
            return "keras.metrics.";
        case Family::kRegularizer:
            return "keras.regularizers.";
        case Family::kConstraint:
            return "keras.constraints.";
        case Family::kInitializer:
            return "keras.initializers.";
        case Family::kCallback:
            return "keras.callbacks.";
    }
    return {};
}

// The fields that Keras asks for although a default is known here.
bool isAlwaysWritten(std::string_view class_name, std::string_view field) {
    if (class_name.starts_with("AveragePooling") && field == "pool_size") return true;
    return (class_name == "ModelCheckpoint" && field == "filepath") || (class_name == "BackupAndRestore" && field == "backup_dir");
}

// Required fields in front come by position, as people write them; the others by name where they differ from the default.
void addFields(Node& call, const std::string& class_name, const Fields& config, Family family) {
    const std::vector<FieldSchema>* fields = fieldsOf(family, class_name);
    if (fields == nullptr) {
        for (const auto& [name, value] : config.entries()) addArgument(call, name, valueNode(value, name));
        return;
    }
    const std::size_t positional = positionalNames(family, class_name).size();
    bool in_front = true;
    for (std::size_t i = 0; i < fields->size(); ++i) {
        const FieldSchema& row = (*fields)[i];
        const FieldValue* value = config.find(row.name);
        const bool always = isAlwaysWritten(class_name, row.name);
        const FieldValue* written = value != nullptr || !always ? value : &row.fallback;
        const FieldValue file = class_name == "ModelCheckpoint" && row.name == "filepath" ? kerasFilepath(config) : FieldValue();
        if (std::holds_alternative<std::string>(file)) written = &file;
        in_front = in_front && row.required && written != nullptr && i < positional && family != Family::kSchedule;
        if (written == nullptr || (*written == row.fallback && !row.required && !always)) continue;
        const auto* sizes = std::get_if<std::vector<std::int64_t>>(written);
        const bool is_even = numbersIn(row.kind) > 1 && sizes != nullptr && sizes->size() == numbersIn(row.kind) &&
                             std::count(sizes->begin(), sizes->end(), sizes->front()) == std::ssize(*sizes);
        addArgument(call, in_front ? "" : row.name, is_even ? wholeNode(sizes->front()) : valueNode(*written, row.name));
    }
    for (const auto& [name, value] : config.entries()) {
        if (name == "trainable" && takesNoLayerArguments(class_name)) continue;  // it has no weights
        if (name == "dtype" && hasTypeOfItsOwn(class_name)) continue;
        const bool known =
            std::any_of(fields->begin(), fields->end(), [&, &field = name](const FieldSchema& row) { return row.name == field; });
        if (!known && !std::holds_alternative<std::monostate>(value)) addArgument(call, name, valueNode(value, name));
    }
}

Node objectNode(const ObjectSpec& object, Family family) {
    const bool by_name = family == Family::kInitializer || family == Family::kRegularizer || family == Family::kConstraint;
    const bool text = by_name && object.config.empty();
    if (text) return leaf(Node::Kind::kText, snakeCase(object.class_name));
    const bool is_defined_here = object.class_name == kPrintLr || (family == Family::kLayer && isOfTandem(object.class_name));
    Node call = callNode((is_defined_here ? "" : modulePath(family)) + object.class_name);
    if (object.class_name == kPrintLr) return call;  // its words stand in its class
    addFields(call, object.class_name, object.config, family);
    return call;
}

// ---- lines -----------------------------------------------------------------------------------------------------------

std::string realText(double value) {
    if (std::isnan(value)) return "float('nan')";
    if (std::isinf(value)) return value < 0 ? "-float('inf')" : "float('inf')";
    std::array<char, 40> buffer{};
    const auto text = [&](std::chars_format format) {
        const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
        return end.ec == std::errc() ? std::string(buffer.data(), end.ptr) : std::string();
    };
    std::string power = text(std::chars_format::scientific);
    if (const std::size_t e = power.find('e'); e != std::string::npos) {  // 1e-03 -> 1e-3, 2e+06 -> 2e6
        std::string exponent = power.substr(e + 1);
        const bool negative = exponent[0] == '-';
        exponent.erase(0, std::min(exponent.find_first_not_of("+-0"), exponent.size() - 1));
        power = power.substr(0, e) + (negative ? "e-" : "e") + exponent;
    }
    std::string plain = text(std::chars_format::fixed);
    if (plain.find('.') == std::string::npos && !plain.empty()) plain += ".0";
    return plain.empty() || power.size() < plain.size() ? power : plain;
}

std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'' || c == '\\') result.push_back('\\');
        if (c == '\n') {
            result += "\\n";
        } else if (static_cast<unsigned char>(c) < 0x20) {
            constexpr std::string_view kDigits = "0123456789abcdef";
            result += "\\x";
            result.push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
            result.push_back(kDigits[static_cast<unsigned char>(c) & 15]);
        } else {
            result.push_back(c);
        }
    }
    return result + "'";
}

std::string oneLine(const Node& node);

std::string joined(const std::vector<Node>& items) {
    std::string text;
    for (const Node& item : items) text += (text.empty() ? "" : ", ") + oneLine(item);
    return text;
}

std::string argumentText(const Node& call, std::size_t i) {
    const std::string& keyword = call.keywords[i];
    return (keyword.empty() ? "" : keyword + "=") + oneLine(call.items[i + 1]);
}

std::string oneLine(const Node& node) {
    switch (node.kind) {
        case Node::Kind::kReal:
            return realText(node.real);
        case Node::Kind::kText:
            return quoted(node.text);
        case Node::Kind::kTuple:
            return "(" + joined(node.items) + (node.items.size() == 1 ? ",)" : ")");
        case Node::Kind::kList:
            return "[" + joined(node.items) + "]";
        case Node::Kind::kDict: {
            std::string text;
            for (std::size_t i = 0; i + 1 < node.items.size(); i += 2) {
                text += (i == 0 ? "" : ", ") + oneLine(node.items[i]) + ": " + oneLine(node.items[i + 1]);
            }
            return "{" + text + "}";
        }
        case Node::Kind::kCall: {
            std::string text;
            for (std::size_t i = 0; i < node.keywords.size(); ++i) text += (i == 0 ? "" : ", ") + argumentText(node, i);
            return node.items[0].text + "(" + text + ")";
        }
        default:
            return nodeText(node);
    }
}

std::size_t columns(std::string_view text) {  // of its last line; a character of UTF-8 counts once
    const std::string_view last = text.substr(text.rfind('\n') + 1);
    return static_cast<std::size_t>(
        std::count_if(last.begin(), last.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

class Printer {
public:
    explicit Printer(const CodeLayout& layout) : layout_(layout) {}

    // Appends `prefix`, the tree and `behind` where `text` stands; what goes on below is indented from `indent` columns.
    void append(std::string& text, const std::string& prefix, const Node& node, int indent, const std::string& behind) const {
        const std::string line = prefix + oneLine(node);
        const std::size_t room = static_cast<std::size_t>(std::max(layout_.width, 20));
        if (columns(text) + columns(line) + behind.size() <= room) {
            text += line + behind;
            return;
        }
        text += prefix;
        if (node.kind == Node::Kind::kCall && !node.keywords.empty()) {
            appendCall(text, node, indent, behind);
        } else if ((node.kind == Node::Kind::kList || node.kind == Node::Kind::kTuple) && !node.items.empty()) {
            appendList(text, node, indent, behind);
        } else {
            text += oneLine(node) + behind;
        }
    }

private:
    static std::string spaces(int count) { return std::string(static_cast<std::size_t>(std::max(count, 0)), ' '); }

    void appendCall(std::string& text, const Node& call, int indent, const std::string& behind) const {
        std::string name = call.items[0].text;
        const std::size_t room = static_cast<std::size_t>(std::max(layout_.width, 20));
        int inner = indent + layout_.indent;
        // A long name is broken before its last dot: brackets stand around it.
        if (columns(text) + name.size() + 1 > room && name.find('.') != std::string::npos) {
            const std::size_t dot = name.rfind('.');
            text += name.substr(0, dot) + "\n" + spaces(inner);
            name.erase(0, dot);
            inner += layout_.indent;
        }
        text += name + "(";
        const std::size_t hang = columns(text);
        bool fills = true;
        for (std::size_t i = 0; i < call.keywords.size(); ++i)
            fills = fills && hang + argumentText(call, i).size() + 1 + behind.size() <= room;
        if (fills) {
            for (std::size_t i = 0; i < call.keywords.size(); ++i) {
                const std::string argument = argumentText(call, i);
                const bool last = i + 1 == call.keywords.size();
                const std::string end = last ? ")" + behind : ",";
                if (i > 0) {
                    const bool fits = columns(text) + 1 + argument.size() + end.size() <= room;
                    text += fits ? " " : "\n" + spaces(static_cast<int>(hang));
                }
                text += argument + end;
            }
            return;
        }
        for (std::size_t i = 0; i < call.keywords.size(); ++i) {
            const bool last = i + 1 == call.keywords.size();
            text += "\n" + spaces(inner);
            append(text, call.keywords[i].empty() ? "" : call.keywords[i] + "=", call.items[i + 1], inner, last ? ")" + behind : ",");
        }
    }

    void appendList(std::string& text, const Node& list, int indent, const std::string& behind) const {
        const bool tuple = list.kind == Node::Kind::kTuple;
        const std::string end = tuple ? (list.items.size() == 1 ? ",)" : ")") : "]";
        text += tuple ? "(" : "[";
        const int inner = indent + layout_.indent;
        for (std::size_t i = 0; i < list.items.size(); ++i) {
            text += "\n" + spaces(inner);
            append(text, "", list.items[i], inner, i + 1 == list.items.size() ? end + behind : ",");
        }
    }

    const CodeLayout& layout_;
};

// ---- parts -----------------------------------------------------------------------------------------------------------

constexpr std::string_view kModelTarget = "model = ";

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
    for (const std::int64_t size : shape) sizes.push_back(wholeNode(size));
    return listNode(Node::Kind::kTuple, std::move(sizes));
}

Node layerNode(const LayerSpec& layer, bool named_by_keras) {
    Node call = callNode((isOfTandem(layer.class_name) ? "" : modulePath(Family::kLayer)) + layer.class_name);
    addFields(call, layer.class_name, layer.config, Family::kLayer);
    if (!named_by_keras) addArgument(call, "name", leaf(Node::Kind::kText, layer.name));
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
        Node input = callNode("keras.Input");
        addArgument(input, "shape", shapeNode(kerasInputShape(model)));
        if (model.input_dtype != "float32") addArgument(input, "dtype", leaf(Node::Kind::kText, model.input_dtype));
        layers.push_back(std::move(input));
    }
    const std::vector<bool> automatic = namedByKeras(model);
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        Node call = layerNode(model.layers[i], automatic[i]);
        if (i == 0 && !says_input) addArgument(call, "input_shape", shapeNode(model.input_shape));
        layers.push_back(std::move(call));
    }
    std::string text;
    if (model.dtype_policy != ModelSpec().dtype_policy)
        text += "keras.mixed_precision.set_global_policy(" + quoted(model.dtype_policy) + ")\n";
    text += std::string(kModelTarget) + "keras.Sequential([\n";
    for (std::size_t i = 0; i < layers.size(); ++i) {
        text += indent;
        printer.append(text, "", layers[i], layout.indent, i + 1 == layers.size() ? "" : ",");
        text += "\n";
    }
    text += "]";
    if (model.name != "sequential") text += ", name=" + quoted(model.name);
    return text + ")\n";
}

Node metricNode(const MetricSpec& metric) {
    if (metric.config.empty()) return leaf(Node::Kind::kText, metric.name);
    const std::string class_name = classOf(Family::kMetric, metric.name);
    Node call = callNode(modulePath(Family::kMetric) + class_name);
    Fields config = metric.config;
    const FieldValue* name = config.find("name");
    if (name != nullptr && *name == FieldValue(snakeCase(class_name))) config.erase("name");
    addFields(call, class_name, config, Family::kMetric);
    return call;
}

}  // namespace

Node code::compileCall(const RunSpec& run) {
    Node call = callNode("model.compile");
    Node optimizer = objectNode(run.compile.optimizer, Family::kOptimizer);
    if (const std::optional<LossScaleSpec>& scale = run.compile.loss_scale) {
        Node scaled = callNode("keras.optimizers.LossScaleOptimizer");
        addArgument(scaled, "inner_optimizer", std::move(optimizer));
        addArgument(scaled, "initial_scale", realNode(scale->initial_scale));
        addArgument(scaled, "dynamic_growth_steps", wholeNode(scale->dynamic_growth_steps));
        optimizer = std::move(scaled);
    }
    addArgument(call, "optimizer", std::move(optimizer));
    addArgument(call, "loss", objectNode(run.compile.loss, Family::kLoss));
    std::vector<Node> metrics;
    for (const MetricSpec& metric : run.compile.metrics) metrics.push_back(metricNode(metric));
    if (!metrics.empty()) addArgument(call, "metrics", listNode(Node::Kind::kList, std::move(metrics)));
    std::vector<Node> weighted;
    for (const MetricSpec& metric : run.compile.weighted_metrics) weighted.push_back(metricNode(metric));
    if (!weighted.empty()) addArgument(call, "weighted_metrics", listNode(Node::Kind::kList, std::move(weighted)));
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
           indent + indent + "print(" + quoted(std::as_const(format)) + (values.empty() ? "" : ".format(" + values + ")") + ")\n";
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
    const ObjectSpec* scheduler = callbackOf(run, kScheduler);
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
    text += "def " + std::string(kRateFunction) + (late ? "(epoch, lr):\n" : "(epoch):\n");
    if (count == 1 && !late) return text + indent + "return " + realText(rates[0]) + "\n";
    std::string word = "if";
    const auto branch = [&](std::int64_t until, const std::string& rate) {
        text += indent + word + " epoch < " + std::to_string(until) + ": return " + rate + "\n";
        word = "elif";
    };
    if (late) branch(epochs->front(), "lr");
    for (std::size_t i = 0; i + 1 < count; ++i) branch((*epochs)[i + 1], realText(rates[i]));
    return text + indent + "else: return " + realText(rates[count - 1]) + "\n";
}

}  // namespace

Node code::fitCall(const RunSpec& run, const CodeLayout& layout) {
    const FitSpec plain;
    Node call = callNode("model.fit");
    addArgument(call, "", nameNode("train_dataset"));
    for (const auto& [name, field] : kFitNumbers) {
        const bool listed = name == "validation_freq" && !run.fit.validation_epochs.empty();
        if (listed) {
            std::vector<Node> epochs;
            for (const std::int64_t epoch : run.fit.validation_epochs) epochs.push_back(wholeNode(epoch));
            addArgument(call, std::string(name), listNode(Node::Kind::kList, std::move(epochs)));
        } else if (run.fit.*field != plain.*field) {
            addArgument(call, std::string(name), wholeNode(run.fit.*field));
        }
    }
    if (!run.fit.class_weight.empty()) {
        Node weights = leaf(Node::Kind::kDict);
        for (const auto& [label, weight] : run.fit.class_weight) {
            weights.items.push_back(wholeNode(label));
            weights.items.push_back(realNode(weight));
        }
        addArgument(call, "class_weight", std::move(weights));
    }
    std::vector<Node> callbacks;
    for (const ObjectSpec& callback : run.callbacks) {
        if (callback.class_name != kScheduler) {
            callbacks.push_back(objectNode(callback, Family::kCallback));
            continue;
        }
        if (writeSchedule(run, layout).empty()) continue;
        Node scheduler = callNode(modulePath(Family::kCallback) + callback.class_name);
        addArgument(scheduler, "", nameNode(std::string(kRateFunction)));
        if (const FieldValue* verbose = callback.config.find("verbose"); verbose != nullptr && *verbose != FieldValue(std::int64_t{0})) {
            addArgument(scheduler, "verbose", valueNode(*verbose, "verbose"));
        }
        callbacks.push_back(std::move(scheduler));
    }
    if (!callbacks.empty()) addArgument(call, "callbacks", listNode(Node::Kind::kList, std::move(callbacks)));
    return call;
}

namespace {

std::string writeFit(const RunSpec& run, const CodeLayout& layout, const std::string& validation) {
    std::string text;
    Node call = fitCall(run, layout);
    if (!validation.empty()) {
        call.items.insert(call.items.begin() + 2, nameNode(validation));
        call.keywords.insert(call.keywords.begin() + 1, "validation_data");
    }
    Printer(layout).append(text, "", call, 0, "");
    return text + "\n";
}

}  // namespace

std::string code::nodeLine(const Node& node) {
    return oneLine(node);
}

std::string code::argumentLine(const Node& call, std::size_t i) {
    return argumentText(call, i);
}

std::string code::objectCall(const ObjectSpec& object, Family family) {
    return oneLine(objectNode(object, family));
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

std::string code::argumentBlock(const Node& call, std::size_t i, const CodeLayout& layout, int column) {
    std::string text(static_cast<std::size_t>(std::max(column, 0)), ' ');
    Printer(layout).append(text, call.keywords[i].empty() ? "" : call.keywords[i] + "=", call.items[i + 1], column, "");
    return text.substr(static_cast<std::size_t>(std::max(column, 0)));
}

std::string code::statementLines(const std::string& prefix, const Node& node, const CodeLayout& layout) {
    std::string text;
    Printer(layout).append(text, prefix, node, 0, "");
    return text + "\n";
}

Node code::numberNode(std::int64_t value) {
    return wholeNode(value);
}
Node code::wordNode(std::string name) {
    return nameNode(std::move(name));
}
void code::addCallArgument(Node& call, std::string keyword, Node value) {
    addArgument(call, std::move(keyword), std::move(value));
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
