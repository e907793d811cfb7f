// The section "data" of a project file. Only files of this folder include it.
#pragma once

#include "engine/spec/diagnostic.h"
#include "engine/spec/json_text.h"
#include "engine/spec/project/data_spec.h"

namespace engine::spec {

void readData(const Json& value, DataSpec& data, Diagnostics& diagnostics);

// What belongs to other formats than the project's, or came later and is at its default, is left out.
Json dataJson(const DataSpec& data);

}  // namespace engine::spec
