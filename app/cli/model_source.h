// Which trained model a user means.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/verb.h"

namespace app::cli {

inline constexpr const char* kModelHelp = "a project (file, or name of a starter project), a run's folder, or a run's id";
inline constexpr const char* kCheckpointHelp =
    "of a run: a name such as ckpt_3 (default: the latest); else a folder with a file `checkpoint`, a prefix, or a .keras, .weights.h5 or "
    ".h5 file";

struct ModelSource {
    std::filesystem::path project;     // a project file, or the run.json of a run
    std::filesystem::path checkpoint;  // for tandem-worker: a folder, a prefix or a Keras file
};

// `target`: a project (file, or name of a starter project), a run's folder, or a run's id. `checkpoint`: of a run the latest one when
// empty, and a name such as ckpt_3 lies in its folder of checkpoints; a project needs one. The project's `settings` are checked. nullopt
// after saying what is missing; context.exit_code is then set.
std::optional<ModelSource> findModel(Context& context, const std::string& target, const std::string& checkpoint,
                                     const std::vector<std::string>& settings);

}  // namespace app::cli
