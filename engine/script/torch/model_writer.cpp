#include "engine/script/torch/model_writer.h"

#include <algorithm>
#include <optional>
#include <span>
#include <variant>

#include "engine/script/python_text.h"
#include "engine/script/torch/layer_rows.h"
#include "engine/spec/catalog/axis_order.h"
#include "engine/spec/catalog/lookup_table.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/keras/python/python_literal.h"

namespace engine::script::torch {
namespace {

using spec::FieldValue;
using spec::ObjectSpec;
using spec::Settings;

// The object of a field, by the class that its name means: projects may have the name alone, and one of Keras' other ones.
std::optional<ObjectSpec> objectIn(const Settings& settings, const std::string& field, std::span<const spec::ObjectSchema> schemas) {
    if (!settings.has(field)) return std::nullopt;
    const FieldValue* value = settings.find(field);
    if (value == nullptr) return std::nullopt;
    ObjectSpec object;
    if (const auto* box = std::get_if<spec::ObjectBox>(value)) {
        object = box->get();
    } else if (const auto* text = std::get_if<std::string>(value)) {
        object.class_name = *text;
    } else {
        return std::nullopt;
    }
    object.class_name = spec::canonicalClass(schemas, object.class_name);
    return object;
}

std::string startOf(const ObjectSpec& object, ModelWriter& writer) {
    const Settings settings = spec::settingsOf(spec::initializerSchemas(), object);
    const std::string& name = object.class_name;
    const auto number = [&](const char* field) { return pyNumber(settings.getDouble(field)); };
    if (name == "Zeros") return "torch.zeros(shape)";
    if (name == "Ones") return "torch.ones(shape)";
    if (name == "Constant") return "torch.full(shape, " + number("value") + ")";
    if (name == "Identity") return number("gain") + " * torch.eye(*shape)";
    if (name == "RandomNormal") return "torch.randn(shape) * " + number("stddev") + " + " + number("mean");
    if (name == "RandomUniform") return "torch.empty(shape).uniform_(" + number("minval") + ", " + number("maxval") + ")";
    if (name == "TruncatedNormal") {
        writer.need("truncated_normal");
        return "truncated_normal(shape, " + number("stddev") + ") + " + number("mean");
    }
    if (name == "Orthogonal") {
        writer.need("orthogonal");
        return "orthogonal(shape, " + number("gain") + ")";
    }
    writer.need("truncated_normal");
    writer.need("variance_scaling");
    if (name == "VarianceScaling") {
        return "variance_scaling(shape, " + number("scale") + ", " + spec::pythonText(settings.getString("mode")) + ", " +
               spec::pythonText(settings.getString("distribution")) + ")";
    }
    // Glorot…, He…, Lecun… and Uniform or Normal.
    const bool glorot = name.starts_with("Glorot"), he = name.starts_with("He");
    return "variance_scaling(shape, " + std::string(he ? "2.0" : "1.0") + ", " + (glorot ? "'fan_avg'" : "'fan_in'") + ", " +
           (name.ends_with("Uniform") ? "'uniform'" : "'truncated_normal'") + ")";
}

// l1 and l2 of what is called `name`; empty where there are none.
std::string sizePenalty(const Settings& settings, const std::string& name) {
    std::string text;
    if (settings.has("l1") && settings.getDouble("l1") != 0) text = pyNumber(settings.getDouble("l1")) + " * " + name + ".abs().sum()";
    if (settings.has("l2") && settings.getDouble("l2") != 0) {
        text += (text.empty() ? "" : " + ") + pyNumber(settings.getDouble("l2")) + " * " + name + ".square().sum()";
    }
    return text;
}

std::string penaltyOf(const ObjectSpec& object, const VariableRow& row, ModelWriter& writer) {
    const Settings settings = spec::settingsOf(spec::regularizerSchemas(), object);
    std::string text = sizePenalty(settings, "w");
    if (settings.has("factor") && settings.getDouble("factor") != 0) {
        const bool of_rows = settings.getString("mode") == "rows", is_turned = row.axes == decltype(row.axes){1, 0};
        writer.need("orthogonal_penalty");
        text = pyNumber(settings.getDouble("factor")) + " * orthogonal_penalty(w" + (of_rows == is_turned ? ".t()" : "") + ")";
    }
    return text;
}

std::string constraintOf(const ObjectSpec& object, ModelWriter& writer) {
    const Settings settings = spec::settingsOf(spec::constraintSchemas(), object);
    if (object.class_name == "NonNeg") return "w.clamp(min=0)";
    const std::vector<std::int64_t> axes = settings.getInts("axis");
    const std::string axis = pyTuple(axes.empty() ? spec::Shape{0} : spec::Shape(axes));
    if (object.class_name == "UnitNorm") return "w / (1e-7 + w.square().sum(" + axis + ", keepdim=True).sqrt())";
    writer.need("min_max_norm");
    if (object.class_name == "MaxNorm") return "min_max_norm(w, 0.0, " + pyNumber(settings.getDouble("max_value")) + ", 1.0, " + axis + ")";
    return "min_max_norm(w, " + pyNumber(settings.getDouble("min_value")) + ", " + pyNumber(settings.getDouble("max_value")) + ", " +
           pyNumber(settings.getDouble("rate")) + ", " + axis + ")";
}

}  // namespace

void ModelWriter::turn(Axes axes, std::size_t rank) {
    if (axes_ == axes || rank < 2) {
        axes_ = axes;
        return;
    }
    const bool first = axes == Axes::kChannelsFirst;
    std::string places;
    for (std::size_t axis = 1; axis < rank; ++axis) places += ", " + std::to_string(first ? axis : axis + 1);
    const std::string order = first ? "0, " + std::to_string(rank) + places : "0" + places + ", 1";
    say("x = x.permute(" + order + ")" + (first ? "  # channels first, as PyTorch has them" : "  # channels last, as Keras has them"));
    axes_ = axes;
}

void ModelWriter::penaliseOutput(const spec::Settings& settings) {
    const std::string penalty = sizePenalty(settings, penalised_.empty() ? "x" : activationCall(*this, penalised_, "x", axes_));
    if (penalty.empty()) return;
    say("self.of_outputs = self.of_outputs + (" + penalty + ") / len(x)  # of a sample, as Keras");
    penalises_outputs_ = true;
}

void ModelWriter::addVariable(const Place& place, const std::string& name, const std::string& parameter, std::vector<int> axes,
                              std::string_view field) {
    const std::string whole = place.layer.name + "/" + name;
    const auto found = std::find_if(place.info.variables.begin(), place.info.variables.end(),
                                    [&](const spec::VariableInfo& one) { return one.name == whole; });
    if (found == place.info.variables.end()) return;
    const std::string word(field.empty() ? std::string_view(name) : field);
    VariableRow row{.name = whole, .parameter = parameter, .shape = found->shape, .axes = std::move(axes), .start = "torch.zeros(shape)"};
    row.is_statistic = name.starts_with("moving_");
    row.is_fixed = !found->trainable;
    if (const auto object = objectIn(place.settings, word + "_initializer", spec::initializerSchemas()))
        row.start = startOf(*object, *this);
    constexpr std::string_view kByVariance = "variance_scaling(shape";
    if (!found->matrix.empty() && row.start.starts_with(kByVariance)) {
        row.start = "variance_scaling((" + pyTuple(found->matrix) + ")" + row.start.substr(kByVariance.size()) + ".reshape(shape)";
    }
    if (name == "scale" || name == "variance") row.start = "torch.ones(shape)";
    if (name == "idf_weights") {
        const std::vector<float> weights = spec::idfWeights(place.settings);
        row.start = "torch.tensor(" + pyList({weights.begin(), weights.end()}) + ")";
    }
    if (const auto object = objectIn(place.settings, word + "_regularizer", spec::regularizerSchemas()))
        row.penalty = penaltyOf(*object, row, *this);
    if (const auto object = objectIn(place.settings, word + "_constraint", spec::constraintSchemas()))
        row.constraint = constraintOf(*object, *this);
    variables_.push_back(std::move(row));
}

void ModelWriter::addBuffer(const Place& place, const std::string& name, const std::string& buffer, std::string_view field) {
    const std::size_t before = variables_.size();
    addVariable(place, name, buffer, {}, field);
    for (std::size_t i = before; i < variables_.size(); ++i) {
        variables_[i].is_statistic = true;
        variables_[i].penalty.clear();
        variables_[i].constraint.clear();
    }
}

void ModelWriter::refuse(const Place& place, const std::string& sentence) {
    findings_.push_back({spec::Severity::kError, place.path, place.layer.class_name + " \"" + place.layer.name + "\": " + sentence, ""});
}

std::string activationCall(ModelWriter& writer, const std::string& activation, const std::string& x, Axes axes) {
    const std::string dim = axes == Axes::kChannelsFirst ? "1" : "-1";
    struct ActivationRow {
        std::string_view name, call;
    };
    static constexpr ActivationRow kRows[] = {
        {"linear", ""},
        {"relu", "F.relu({{X}})"},
        {"relu6", "F.relu6({{X}})"},
        {"leaky_relu", "F.leaky_relu({{X}}, 0.2)"},
        {"elu", "F.elu({{X}})"},
        {"selu", "selu({{X}})"},
        {"celu", "celu({{X}})"},
        {"gelu", "F.gelu({{X}})"},
        {"gelu_approximate", "F.gelu({{X}}, approximate='tanh')"},
        {"sigmoid", "torch.sigmoid({{X}})"},
        {"hard_sigmoid", "F.hardsigmoid({{X}})"},
        {"tanh", "torch.tanh({{X}})"},
        {"hard_tanh", "torch.clamp({{X}}, -1, 1)"},
        {"softmax", "F.softmax({{X}}, {{DIM}})"},
        {"log_softmax", "F.log_softmax({{X}}, {{DIM}})"},
        {"sparsemax", "sparsemax({{X}}, {{DIM}})"},
        {"softplus", "F.softplus({{X}})"},
        {"softsign", "F.softsign({{X}})"},
        {"silu", "F.silu({{X}})"},
        {"swish", "F.silu({{X}})"},
        {"hard_silu", "hard_silu({{X}})"},
        {"hard_swish", "hard_silu({{X}})"},
        {"mish", "F.mish({{X}})"},
        {"exponential", "torch.exp({{X}})"},
        {"log_sigmoid", "F.logsigmoid({{X}})"},
        {"tanh_shrink", "F.tanhshrink({{X}})"},
        {"soft_shrink", "F.softshrink({{X}}, 0.5)"},
        {"hard_shrink", "F.hardshrink({{X}}, 0.5)"},
        {"squareplus", "squareplus({{X}})"},
        {"sparse_plus", "sparse_plus({{X}})"},
        {"sparse_sigmoid", "sparse_sigmoid({{X}})"},
    };
    for (const ActivationRow& row : kRows) {
        if (row.name != activation) continue;
        // No functions of PyTorch's.
        for (const std::string_view block : {"celu", "hard_silu", "selu", "sparsemax", "squareplus", "sparse_plus", "sparse_sigmoid"}) {
            if (row.call.starts_with(std::string(block) + "(")) writer.need(block);
        }
        return filled(row.call, {{"X", x}, {"DIM", dim}});
    }
    return {};
}

const LayerRow* findLayerRow(std::string_view class_name) {
    static const std::vector<LayerRow> table = [] {
        std::vector<LayerRow> all;
        for (const auto& rows : {convolutionRows(), normalizationRows(), recurrentRows(), residualRows(), shapeRows(), elementRows()}) {
            all.insert(all.end(), rows.begin(), rows.end());
        }
        return all;
    }();
    const auto found = std::find_if(table.begin(), table.end(), [&](const LayerRow& row) { return row.class_name == class_name; });
    return found == table.end() ? nullptr : &*found;
}

namespace {

void sayOrder(ModelWriter& writer, const std::vector<int>& order, const char* comment) {
    if (order.empty()) return;
    std::string axes = "0";
    for (const int axis : order) axes += ", " + std::to_string(axis + 1);
    writer.say("x = x.permute(" + axes + ")" + comment);
}

// A layer that works on other axes than the last ones is written as if these were the last, between two turns.
void writeInOrder(ModelWriter& writer, const Place& place, const LayerRow& row) {
    const std::size_t rank = place.info.input_shape.size();
    const spec::AxisOrder order = spec::axisOrderOf(place.layer, rank, place.info.output_shape.size());
    if (order.input.empty() && order.output.empty()) {
        row.write(writer, place);
        return;
    }
    spec::LayerInfo seen = place.info;
    seen.input_shape = spec::inOrder(place.info.input_shape, order.input);
    for (std::size_t i = 0; i < order.output.size(); ++i) {
        seen.output_shape[static_cast<std::size_t>(order.output[i])] = place.info.output_shape[i];
    }
    writer.turn(Axes::kChannelsLast, rank);
    sayOrder(writer, order.input, "  # the axes that the layer works on last");
    row.write(writer, {place.layer, seen, place.settings, place.name, place.path});
    writer.turn(Axes::kChannelsLast, seen.output_shape.size());
    sayOrder(writer, order.output, "  # and back");
}

}  // namespace

void writeLayer(ModelWriter& writer, const Place& place) {
    const LayerRow* row = findLayerRow(place.layer.class_name);
    if (row == nullptr) {
        writer.refuse(place, "expected a layer that PyTorch has an equal for, got " + place.layer.class_name);
        return;
    }
    if (const FieldValue* dtype = place.layer.config.find("dtype"); dtype != nullptr && *dtype != FieldValue(std::string("float32"))) {
        writer.refuse(place, "expected dtype float32, the only one of the program in PyTorch, got another");
        return;
    }
    writeInOrder(writer, place, *row);
    const auto activity = objectIn(place.settings, "activity_regularizer", spec::regularizerSchemas());
    if (!activity || place.layer.class_name == "SimpleRNN") return;  // of which Keras takes one and adds nothing
    writer.penaliseOutput(spec::settingsOf(spec::regularizerSchemas(), *activity));
}

}  // namespace engine::script::torch
