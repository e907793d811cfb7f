#include "engine/export/tensor_board/run_pages.h"

#include <algorithm>
#include <cstdint>

#include "engine/spec/catalog/shape_inference.h"
#include "engine/spec/keras/keras_config.h"

namespace engine::exporter {
namespace {

std::string shapeText(const spec::Shape& shape) {
    std::string text = "(None";
    for (const std::int64_t size : shape) text += ", " + (size < 0 ? std::string("None") : std::to_string(size));
    return text + ")";
}

std::string layerTable(const spec::ModelSpec& model) {
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(model);
    std::string text = "| layer | class | output shape | parameters |\n| --- | --- | --- | --- |\n";
    std::int64_t all = 0;
    for (std::size_t i = 0; i < model.layers.size() && i < infos.size(); ++i) {
        const spec::LayerSpec& layer = model.layers[i];
        text += "| " + layer.name + " | " + layer.class_name + " | " + (infos[i].known ? shapeText(infos[i].output_shape) : "?") + " | " +
                std::to_string(infos[i].parameters) + " |\n";
        all += infos[i].parameters;
    }
    return text + "| | | all | " + std::to_string(all) + " |\n";
}

// Markdown shows lines that begin with four spaces as they are.
std::string asCode(const std::string& text) {
    std::string code = "    ";
    for (const char letter : text) {
        code += letter;
        if (letter == '\n') code += "    ";
    }
    return code;
}

}  // namespace

void addProjectText(EventFile& file, const spec::RunSpec& run) {
    file.addText("project", 0, asCode(spec::toProjectJson(run)));
    file.addText("model", 0, layerTable(run.model));
}

void addModelGraph(EventFile& file, const spec::ModelSpec& model) {
    file.addKerasModel("keras", spec::toKerasModelConfig(model));
    std::vector<GraphNode> nodes;
    const auto withBatch = [](const spec::Shape& shape) {
        std::vector<std::int64_t> sizes{-1};
        sizes.insert(sizes.end(), shape.begin(), shape.end());
        return sizes;
    };
    nodes.push_back({.name = "input", .op = "Input", .inputs = {}, .shape = withBatch(model.input_shape)});
    const std::vector<spec::LayerInfo> infos = spec::inferShapes(model);
    for (std::size_t i = 0; i < model.layers.size() && i < infos.size(); ++i) {
        if (!infos[i].known) break;
        const std::string before = nodes.back().name;
        const std::string& name = model.layers[i].name;
        std::vector<std::string> inputs{before};
        for (const spec::VariableInfo& variable : infos[i].variables) {
            // "conv2d/kernel" below "sequential": a node inside of the layer's.
            const std::string own = variable.name.substr(variable.name.rfind('/') + 1);
            nodes.push_back(
                {.name = name + "/" + own, .op = "VariableV2", .inputs = {}, .shape = {variable.shape.begin(), variable.shape.end()}});
            inputs.push_back(nodes.back().name);
        }
        nodes.push_back({.name = name + "/" + model.layers[i].class_name,
                         .op = model.layers[i].class_name,
                         .inputs = std::move(inputs),
                         .shape = withBatch(infos[i].output_shape)});
    }
    file.addGraph(nodes);
}

std::vector<std::pair<std::string, Hyperparameter>> hyperparametersOf(const spec::RunSpec& run) {
    std::vector<std::pair<std::string, Hyperparameter>> all;
    const auto number = [](auto value) { return Hyperparameter(static_cast<double>(value)); };
    all.emplace_back("optimizer", run.compile.optimizer.class_name);
    for (const auto& [name, value] : run.compile.optimizer.config.entries()) {
        if (const auto* real = std::get_if<double>(&value)) all.emplace_back(name, *real);
        if (const auto* whole = std::get_if<std::int64_t>(&value)) all.emplace_back(name, number(*whole));
        if (const auto* flag = std::get_if<bool>(&value)) all.emplace_back(name, *flag);
        if (const spec::ObjectSpec* object = run.compile.optimizer.config.getObject(name)) all.emplace_back(name, object->class_name);
    }
    all.emplace_back("loss", run.compile.loss.class_name);
    all.emplace_back("batch_size_per_replica", number(run.data.batch_size_per_replica));
    all.emplace_back("epochs", number(run.fit.epochs));
    all.emplace_back("seed", number(run.fit.seed));
    all.emplace_back("dataset", run.data.dataset);
    all.emplace_back("strategy", run.strategy.name);
    all.emplace_back("workers", number(std::max<std::size_t>(1, run.cluster.spec.trainingTasks().size())));
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return all;
}

void addHyperparameters(EventFile& file, const spec::RunSpec& run) {
    file.addSessionStart(hyperparametersOf(run));
}

}  // namespace engine::exporter
