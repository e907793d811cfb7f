// Files that the command line names in a setting.
#pragma once

#include <filesystem>
#include <string_view>

#include "engine/spec/project/run_spec.h"

namespace agent::convert {

// Whether a file is there below `folder`; one whose last part is a pattern ("train-*.tfrecord"): whether its folder is.
bool liesBelow(const std::filesystem::path& folder, const std::filesystem::path& file);

// engine::spec::applySetting, and a relative file that it names becomes absolute where it lies below `folder`, the working one: it is the
// user's own word, not the project's. Others are looked for as those of the project.
engine::spec::Diagnostics applySettingIn(const std::filesystem::path& folder, engine::spec::RunSpec& run,
                                         std::string_view path_equals_value);

}  // namespace agent::convert
