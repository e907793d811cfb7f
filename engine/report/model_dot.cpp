#include "engine/report/model_dot.h"

#include <string_view>
#include <vector>

#include "engine/spec/catalog/layer_catalog.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/settings.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/project/model_summary.h"
#include "engine/spec/shape.h"

namespace engine::report {
namespace {

// A string of Graphviz' in double quotes.
std::string dotText(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

// Text in a field of a record, inside double quotes: braces, bars and angle brackets divide a record, and a line ends the string's line.
std::string fieldText(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\n' || c == '\r') {
            out += ' ';
            continue;
        }
        if (std::string_view("{}|<>\"\\").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

// "Dense", or "TimeDistributed(Dense)" of a layer with a layer in it, or all that it holds in chains.
std::string classText(const spec::LayerSpec& layer) {
    std::string inside;
    for (const std::string& field : spec::chainFields(layer.class_name)) {
        for (const spec::LayerSpec& member : spec::chainOf(layer, field)) inside += (inside.empty() ? "" : ", ") + classText(member);
    }
    const std::vector<spec::LayerSpec> nested = spec::nestedLayers(layer);
    if (inside.empty() && spec::isWrapper(layer) && !nested.empty()) inside = nested.front().class_name;
    return inside.empty() ? layer.class_name : layer.class_name + "(" + inside + ")";
}

// What the layer does with its output, its class's default included; empty where it does nothing or has no such field. A function that is
// an object of its own is told by its class.
std::string activationOf(const spec::LayerSpec& layer) {
    if (spec::findLayerSchema(layer.class_name) == nullptr) return {};
    const spec::Settings settings = spec::settingsOf(layer);
    const spec::FieldValue* activation = settings.has("activation") ? settings.find("activation") : nullptr;
    if (activation == nullptr) return {};
    if (const auto* name = std::get_if<std::string>(activation)) return *name == "linear" ? "" : *name;
    const auto* box = std::get_if<spec::ObjectBox>(activation);
    return box == nullptr ? "" : box->get().class_name;
}

// The fields of a layer's box, one below the other.
std::string boxLabel(const spec::LayerSpec& layer, const spec::LayerInfo& info, const DotOptions& options) {
    std::vector<std::string> rows{layer.name + " (" + classText(layer) + ")"};
    if (const std::string activation = activationOf(layer); options.show_layer_activations && !activation.empty()) {
        rows.push_back("activation: " + activation);
    }
    if (options.show_shapes) {
        const bool known = info.known;
        rows.push_back("input: " + (known ? spec::batchShapeText(info.input_shape) : "?"));
        rows.push_back("output: " + (known ? spec::batchShapeText(info.output_shape) : "?"));
    }
    if (options.show_params) rows.push_back("params: " + (info.known ? spec::countText(info.parameters) : "?"));
    std::string label;
    for (const std::string& row : rows) label += (label.empty() ? "" : "|") + fieldText(row);
    // The braces turn a record's fields by a right angle against the direction of the graph.
    return options.left_to_right ? label : "{" + label + "}";
}

}  // namespace

std::string modelDot(const spec::ModelSpec& model, const DotOptions& options) {
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(model);
    std::string text = "digraph " + dotText(model.name) + " {\n";
    text += std::string("  rankdir=") + (options.left_to_right ? "LR" : "TB") + ";\n";
    text += "  node [shape=record, fontname=\"Helvetica\", fontsize=10];\n";
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        text += "  layer" + std::to_string(i) + " [label=\"" + boxLabel(model.layers[i], infos[i], options) + "\"];\n";
    }
    for (std::size_t i = 1; i < model.layers.size(); ++i) {
        text += "  layer" + std::to_string(i - 1) + " -> layer" + std::to_string(i) + ";\n";
    }
    return text + "}\n";
}

}  // namespace engine::report
