// The files that a project names, for an agent, which works in another folder.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "engine/spec/project/run_spec.h"

namespace agent::client {

// fit.initial_weights becomes absolute below `folder`, the project's; and so do the data's own files that lie there (others are looked for
// among the data sets).
void resolveFiles(engine::spec::RunSpec& run, const std::filesystem::path& folder);

// A setting of the command line, PATH=VALUE: engine::spec::applySetting, and a file that it names is one of the working folder, where it is
// there.
engine::spec::Diagnostics applySettingHere(engine::spec::RunSpec& run, std::string_view path_equals_value);

// $TANDEM_DATA_DIR, absolute; empty when it is not set. The agent may have been started without it, or elsewhere.
std::string dataFolder();

}  // namespace agent::client
