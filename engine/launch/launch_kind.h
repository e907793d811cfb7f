// The kinds of files by which something else starts the tasks of a project: a row each, for whatever offers them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "engine/launch/launch_job.h"
#include "engine/spec/project/run_spec.h"

namespace engine::launch {

struct LaunchKind {
    std::string_view name, what;  // as --kind takes it; a few words of help
    // The text. Throws Error(kInvalidArgument) as checkLaunchJob().
    std::string (*write)(const LaunchJob&, const spec::RunSpec&);
    // The name that the text's own instructions have for its file.
    std::string (*file_name)(const LaunchJob&);
    bool takes_text = false;         // the project goes along as text
    std::string_view own_options{};  // beside those that all kinds have, with a blank around each
};

std::span<const LaunchKind> launchKinds();
// Null for another name.
const LaunchKind* findLaunchKind(std::string_view name);
// True when that kind uses the option, such as "--partition".
bool takes(const LaunchKind& kind, std::string_view option);

}  // namespace engine::launch
