#include "engine/spec/keras/code/write/object_nodes.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <variant>

#include "engine/spec/catalog/field_check.h"
#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/keras/checkpoint_path.h"
#include "engine/spec/keras/code/written_parts.h"
#include "engine/spec/keras/keras_config.h"
#include "engine/spec/keras/tandem_classes.h"
#include "engine/spec/names.h"

namespace engine::spec::code {
namespace {

// The fields that Keras asks for although a default is known here.
bool isAlwaysWritten(std::string_view class_name, std::string_view field) {
    if (class_name.starts_with("AveragePooling") && field == "pool_size") return true;
    return (class_name == "ModelCheckpoint" && field == "filepath") || (class_name == "BackupAndRestore" && field == "backup_dir");
}

}  // namespace

Node leafNode(Node::Kind kind, std::string text) {
    Node node;
    node.kind = kind;
    node.text = std::move(text);
    return node;
}

Node wordNode(std::string name) {
    return leafNode(Node::Kind::kName, std::move(name));
}

Node numberNode(std::int64_t value) {
    Node node = leafNode(Node::Kind::kInt);
    node.whole = value;
    return node;
}

Node realNumberNode(double value) {
    Node node = leafNode(Node::Kind::kReal);
    node.real = value;
    return node;
}

Node listNode(Node::Kind kind, std::vector<Node> items) {
    Node node = leafNode(kind);
    node.items = std::move(items);
    return node;
}

void addCallArgument(Node& call, std::string keyword, Node value) {
    call.items.push_back(std::move(value));
    call.keywords.push_back(std::move(keyword));
}

Node valueNode(const FieldValue& value, std::string_view field) {
    struct Visitor {
        std::string_view field;
        Node operator()(std::monostate) const { return leafNode(Node::Kind::kNone); }
        Node operator()(bool flag) const {
            Node node = leafNode(Node::Kind::kBool);
            node.flag = flag;
            return node;
        }
        Node operator()(std::int64_t number) const { return numberNode(number); }
        Node operator()(double number) const { return realNumberNode(number); }
        Node operator()(const std::string& text) const {
            if (takesNone(field) && text == kNoChoice) return leafNode(Node::Kind::kNone);
            return leafNode(field.ends_with("activation") && isOfTandem(text) ? Node::Kind::kName : Node::Kind::kText, text);
        }
        Node operator()(const std::vector<std::int64_t>& numbers) const {
            if (isPlainNumber(field, numbers.size())) return numberNode(numbers.front());
            std::vector<Node> items;
            for (const std::int64_t number : numbers) {
                items.push_back(takesInputsSize(field) && number == -1 ? leafNode(Node::Kind::kNone) : numberNode(number));
            }
            if (hasSides(field, numbers.size())) {
                std::vector<Node> axes;
                for (std::size_t i = 0; i < items.size(); i += 2) axes.push_back(listNode(Node::Kind::kTuple, {items[i], items[i + 1]}));
                return listNode(Node::Kind::kTuple, std::move(axes));
            }
            return listNode(Node::Kind::kTuple, std::move(items));
        }
        Node operator()(const std::vector<double>& numbers) const {
            if (isPlainNumber(field, numbers.size())) return realNumberNode(numbers.front());
            std::vector<Node> items;
            for (const double number : numbers) items.push_back(realNumberNode(number));
            return listNode(Node::Kind::kList, std::move(items));
        }
        Node operator()(const std::vector<std::string>& texts) const {
            std::vector<Node> items;
            for (const std::string& text : texts) items.push_back(leafNode(Node::Kind::kText, text));
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

void addFields(Node& call, const std::string& class_name, const Fields& config, Family family) {
    const std::vector<FieldSchema>* fields = fieldsOf(family, class_name);
    if (fields == nullptr) {
        for (const auto& [name, value] : config.entries()) addCallArgument(call, name, valueNode(value, name));
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
        const bool is_even = numbersIn(row.kind) > 1 && !wantsBothNumbers(row.name) && sizes != nullptr &&
                             sizes->size() == numbersIn(row.kind) &&
                             std::count(sizes->begin(), sizes->end(), sizes->front()) == std::ssize(*sizes);
        addCallArgument(call, in_front ? "" : row.name, is_even ? numberNode(sizes->front()) : valueNode(*written, row.name));
    }
    for (const auto& [name, value] : config.entries()) {
        if (name == "trainable" && takesNoLayerArguments(class_name)) continue;  // it has no weights
        if (name == "dtype" && hasTypeOfItsOwn(class_name)) continue;
        const bool known =
            std::any_of(fields->begin(), fields->end(), [&, &field = name](const FieldSchema& row) { return row.name == field; });
        if (!known && !std::holds_alternative<std::monostate>(value)) addCallArgument(call, name, valueNode(value, name));
    }
}

Node objectNode(const ObjectSpec& object, Family family) {
    const bool by_name = family == Family::kInitializer || family == Family::kRegularizer || family == Family::kConstraint;
    const bool text = by_name && object.config.empty();
    if (text) return leafNode(Node::Kind::kText, snakeCase(object.class_name));
    const bool is_defined_here = object.class_name == kPrintLr || (family == Family::kLayer && isOfTandem(object.class_name));
    Node call = calledNode((is_defined_here ? "" : modulePath(family)) + object.class_name);
    if (object.class_name == kPrintLr) return call;  // its words stand in its class
    addFields(call, object.class_name, object.config, family);
    return call;
}

}  // namespace engine::spec::code
