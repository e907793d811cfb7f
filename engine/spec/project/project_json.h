// RunSpec and JSON values: what parseProject, toProjectJson and applySetting share.
#pragma once

#include <string>

#include "engine/spec/json_text.h"
#include "engine/spec/project/run_spec.h"

namespace engine::spec {

Json toJson(const RunSpec& run);
// Reads a project of the present version. Every problem is reported; `run` gets what could be read, defaults for the rest.
void fromJson(const Json& project, RunSpec& run, Diagnostics& diagnostics);

}  // namespace engine::spec
