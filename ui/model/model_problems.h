// SPDX-License-Identifier: GPL-3.0-or-later
// Which node of the model's canvas a finding is about: the same answer for the mark on the canvas, the card beside it and a click in the
// list of problems.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/diagnostic.h"

namespace ui::session {
class Project;
}

namespace ui::views {

struct ModelPlace {
    int node = 0;     // 0 the input, then the layers from 1, then compile, which holds the settings of fit() too
    QString field{};  // the setting to blame ("kernel_size", "early_stopping.monitor"); empty: the node as a whole
    friend bool operator==(const ModelPlace&, const ModelPlace&) = default;
};

// Returns the place that a diagnostic's path ("model.layers[2].units") names in a model of `layers` layers; nullopt when no node stands for
// it.
std::optional<ModelPlace> modelPlaceOf(const std::string& path, int layers);

// problemsOf() returns the errors and warnings of the open project about a node, errors first, else in the check's order; problemsByNode()
// those of every node, input to compile. The pointers live until the next change of the project.
std::vector<std::vector<const engine::spec::Diagnostic*>> problemsByNode(const session::Project& project);
std::vector<const engine::spec::Diagnostic*> problemsOf(const session::Project& project, int node);

}  // namespace ui::views
