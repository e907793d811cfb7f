// What TensorBoard shows of a run beside its curves: the project as text, its model as a graph with shapes, its settings as
// hyperparameters.
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/export/event_file.h"
#include "engine/spec/project/run_spec.h"

namespace engine::exporter {

// Throw as EventFile does.

// The page Text: the project as its file has it, and Keras' view of the model as a table of layers, shapes and parameters.
void addProjectText(EventFile& file, const spec::RunSpec& run);
// The page Graphs: Keras' model.to_json(), and the layers as a graph whose edges have their shapes.
void addModelGraph(EventFile& file, const spec::ModelSpec& model);
// The page HParams: the start of a session with these.
void addHyperparameters(EventFile& file, const spec::RunSpec& run);

using Hyperparameter = std::variant<double, bool, std::string>;
// Optimizer with its settings that are no objects, loss, batch, epochs, seed, data set, strategy, workers; in order of name.
std::vector<std::pair<std::string, Hyperparameter>> hyperparametersOf(const spec::RunSpec& run);

}  // namespace engine::exporter
