#include "engine/script/torch/model_program.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <vector>

#include "engine/script/python_text.h"
#include "engine/script/torch/layer_rows.h"
#include "engine/script/torch/program_text.h"
#include "engine/script/torch/torch_blocks.h"
#include "engine/script/torch/training_rows.h"
#include "engine/spec/catalog/nested_layers.h"
#include "engine/spec/catalog/object_schema.h"
#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/keras/python/python_literal.h"
#include "engine/spec/project/logged_metrics.h"

namespace engine::script::torch {
namespace {

std::string join(const std::vector<std::string>& lines, int columns) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return indented(text, columns);
}

// Words that a module has already.
bool isTaken(const std::string& name) {
    static const std::set<std::string, std::less<>> kWords{"type",
                                                           "to",
                                                           "train",
                                                           "eval",
                                                           "forward",
                                                           "half",
                                                           "float",
                                                           "double",
                                                           "cpu",
                                                           "cuda",
                                                           "apply",
                                                           "modules",
                                                           "children",
                                                           "share_memory",
                                                           "buffers",
                                                           "parameters",
                                                           "training",
                                                           "class",
                                                           "def",
                                                           "for",
                                                           "if",
                                                           "in",
                                                           "is",
                                                           "not",
                                                           "or",
                                                           "and",
                                                           "pass",
                                                           "return",
                                                           "lambda",
                                                           "from",
                                                           "import",
                                                           "global",
                                                           "while",
                                                           "with",
                                                           "as",
                                                           "del",
                                                           "try",
                                                           "None",
                                                           "True",
                                                           "False",
                                                           "compile",
                                                           "dump_patches",
                                                           "call_super_init"};
    return kWords.contains(name);
}

std::string variableLine(const VariableRow& row) {
    std::string axes = "None";
    if (!row.axes.empty()) {
        axes.clear();
        for (const int axis : row.axes) axes += (axes.empty() ? "(" : ", ") + std::to_string(axis);
        axes += ")";
    }
    return "    Variable(" + spec::pythonText(row.name) + ", " + spec::pythonText(row.parameter) + ", " + pyTuple(row.shape) + ", " + axes +
           ", lambda shape: " + row.start + ", " + pyBool(row.is_fixed && !row.is_statistic) + "),\n";
}

// An LSTM's forget gate begins with ones.
void setForgetBias(const spec::ModelSpec& model, VariableRow& row) {
    for (const spec::LayerSpec& layer : model.layers) {
        for (const spec::LayerSpec& owner : spec::owningLayers(layer)) {
            if (!owner.class_name.starts_with("LSTM") || row.name != owner.name + "/bias" || row.shape.size() != 1) continue;
            if (!spec::settingsOf(owner).getBool("unit_forget_bias")) continue;
            const std::string units = std::to_string(row.shape[0] / 4), two = std::to_string(row.shape[0] / 2);
            row.start = "torch.cat([torch.zeros(" + units + "), torch.ones(" + units + "), torch.zeros(" + two + ")])";
        }
    }
}

}  // namespace

LogitModel logitModel(const spec::RunSpec& run) {
    LogitModel result{run.model};
    std::vector<spec::LayerSpec>& layers = result.model.layers;
    std::size_t count = layers.size();
    while (count > 0 && layers[count - 1].class_name == "ActivityRegularization") --count;  // it hands on what it gets
    if (count == 0) return result;
    spec::LayerSpec& last = layers[count - 1];
    const bool is_function = last.class_name == "Softmax" || last.class_name == "Activation";
    // The activation of a recurrent layer is one within it.
    if (!is_function && spec::settingsOf(last).has("return_sequences")) return result;
    const std::string activation = last.class_name == "Softmax" ? "softmax" : last.config.getString("activation", "");
    std::vector<std::string> wanted{activationBefore(run.compile.loss.class_name, run.compile.loss.config)};
    for (const spec::LoggedMetric& metric : spec::loggedMetrics(run.compile)) {
        wanted.push_back(activationBefore(spec::canonicalClass(spec::metricSchemas(), metric.metric.name), metric.metric.config));
    }
    if (activation.empty() || std::find(wanted.begin(), wanted.end(), activation) == wanted.end()) return result;
    result.activation = activation;
    result.from = count - 1;
    if (is_function) {
        layers.erase(layers.begin() + static_cast<std::ptrdiff_t>(result.from));
    } else {
        last.config.erase("activation");
    }
    return result;
}

std::string writeModel(const LogitModel& made, ModelWriter& writer, spec::Diagnostics& findings) {
    const spec::ModelSpec& model = made.model;
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(model);
    std::set<std::string> names;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const spec::LayerSpec& layer = model.layers[i];
        std::string name = pyName(layer.name);
        while (isTaken(name) || !names.insert(name).second) name += "_layer";
        const Place place{layer, infos[i], spec::settingsOf(layer), name, "model.layers[" + std::to_string(i) + "]"};
        if (i >= made.from) writer.setPenalised(made.activation);
        writeLayer(writer, place);
        const bool begins = layer.class_name == "Embedding" || layer.class_name == "ReversibleEmbedding" || layer.class_name == "Masking";
        if (!begins && infos[i].output_mask && infos[i].input_mask != infos[i].output_mask) {
            writer.refuse(place, "expected the mask of its input to stay as it is, got another one");
        }
        if (i + 1 == model.layers.size() && infos[i].output_mask)
            writer.refuse(place, "expected an output without a mask, got one with a mask");
    }
    writer.turn(Axes::kChannelsLast, infos.empty() ? 1 : infos.back().output_shape.size());
    std::string blocks, variables;
    for (const Block& block : modelBlocks()) {
        if (writer.blocks().contains(block.name)) blocks += block.text;
    }
    for (VariableRow row : writer.variables()) {
        setForgetBias(model, row);
        variables += variableLine(row);
    }
    if (model.dtype_policy != spec::ModelSpec().dtype_policy) {
        findings.push_back({spec::Severity::kError, "model.dtype_policy",
                            "expected float32, the only one of the program in PyTorch, got " + model.dtype_policy, ""});
    }
    return filled(kProgramModel,
                  {{"BLOCKS", blocks},
                   {"DECLARATIONS", join(writer.declarations(), 8)},
                   {"FORWARD", (writer.penalisesOutputs() ? "        self.of_outputs = 0.0\n" : "") + join(writer.forwardLines(), 8)},
                   {"VARIABLES", variables}});
}

// Statements over a variable in Keras' order, one a variable that asks for it.
std::string penaltyFunction(const ModelWriter& writer) {
    std::string body;
    for (const VariableRow& row : writer.variables()) {
        if (row.penalty.empty()) continue;
        body += "    w = model.get_parameter(" + spec::pythonText(row.parameter) + ")  # " + row.name + "\n    total = total + " +
                row.penalty + "\n";
    }
    if (body.empty() && !writer.penalisesOutputs()) return body;
    return "def penalty_of(model):\n    \"\"\"What regularizers add to the loss.\"\"\"\n    total = " +
           std::string(writer.penalisesOutputs() ? "model.of_outputs  # what the layers put out last" : "0.0") + "\n" + body +
           "    return total\n\n\n";
}

std::string constrainFunction(const ModelWriter& writer) {
    std::string body;
    for (const VariableRow& row : writer.variables()) {
        if (row.constraint.empty()) continue;
        body += "    hold(" + spec::pythonText(row.name) + ", lambda w: " + row.constraint + ")\n";
    }
    if (body.empty()) return body;
    return R"py(@torch.no_grad()
def constrain(model):
    """What weights are held to after every step."""
    def hold(wanted, constraint):
        for name, parameter, shape, axes, *_ in VARIABLES:
            if name == wanted:
                w = model.get_parameter(parameter)
                values = constraint(in_keras_order(w, shape, axes))
                w.copy_((values.permute(axes) if axes else values).reshape(w.shape))

)py" + body +
           "\n\n";
}

}  // namespace engine::script::torch
