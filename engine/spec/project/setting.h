// `--set PATH=VALUE` of the command line, as a text; what it does is applySetting()'s (run_spec.h).
#pragma once

#include <string_view>

namespace engine::spec {

// True when a text is of the form PATH=VALUE, whatever the path leads to.
bool isSetting(std::string_view path_equals_value);

}  // namespace engine::spec
