// Every mistake of a project at once, before anything starts. The same sentences in the studio and on the command line.
#pragma once

#include <string>

#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

// Pure: touches no file and no network. Files and data sets are checked by the reader that opens them.
Diagnostics validate(const RunSpec& run);

// A file that the command line names for the weights, which may lie anywhere: whether its ending is one of Keras'. Empty: none is named.
Diagnostics checkWeightsFile(const std::string& file);

}  // namespace engine::spec
