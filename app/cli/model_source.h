// Which trained model a user means.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/project_source.h"
#include "app/cli/verb.h"

namespace app::cli {

inline constexpr const char* kSamplesHelp =
    "test or train (the project's sets as a whole), or a file of samples (.npy, .npz with x, IDX; of a model that "
    "takes texts, one a line); the project's data.scale applies";
inline constexpr const char* kModelHelp = "a project (file, or name of a starter project), a run's folder, or a run's id";
inline constexpr const char* kCheckpointHelp =
    "of a run: latest (default), best, an epoch such as 3, or a name such as ckpt_3 or model.keras; else a folder with a file "
    "`checkpoint`, a prefix, or a .keras, .weights.h5, .h5 or .onnx file";

struct ModelSource {
    EngineProject project;             // of a project file, or of the run.json of a run
    std::filesystem::path checkpoint;  // absolute: a folder, a prefix or a Keras file
};

// `target`: a project (file, or name of a starter project), a run's folder, or a run's id. `checkpoint`: of a run
// as agent::client::chosenCheckpoint() takes it; a project needs one. The project's `settings` are checked. nullopt
// after saying what is missing; context.exit_code is then set.
std::optional<ModelSource> findModel(Context& context, const std::string& target, const std::string& checkpoint,
                                     const std::vector<std::string>& settings);

}  // namespace app::cli
