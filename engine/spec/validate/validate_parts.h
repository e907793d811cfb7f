// The parts of validate(), one a section of the project. Only files below engine/spec include it.
#pragma once

#include <string>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

void validateModel(const ModelSpec& model, Diagnostics& diagnostics);
void validateData(const RunSpec& run, Diagnostics& diagnostics);     // with the loss, which says what labels it takes
void validateDataset(const RunSpec& run, Diagnostics& diagnostics);  // which set, its files; with the workers that share them
void validateCompile(const RunSpec& run, Diagnostics& diagnostics);  // with the last layer that the loss looks at
void validateFit(const FitSpec& fit, Diagnostics& diagnostics);
void validateCallbacks(const RunSpec& run, Diagnostics& diagnostics);  // with the names of what is logged
void validateStrategy(const RunSpec& run, Diagnostics& diagnostics);
void validateCluster(const RunSpec& run, Diagnostics& diagnostics);
void validateEstimator(const RunSpec& run, Diagnostics& diagnostics);  // where the project has one

// Files of a run lie in its folder, beside those that the run writes for itself.
void checkRunFile(const std::string& file, const std::string& path, const std::string& fix, Diagnostics& diagnostics);

}  // namespace engine::spec
