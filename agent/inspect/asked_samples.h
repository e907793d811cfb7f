// The samples that a question to the engine means.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/spec/project/run_spec.h"

namespace agent::worker {

// `which` as of spec::PredictQuestion; `base`: where the project's relative files lie. Throws Error for a set without test samples, and for
// a file that can't be read or holds no samples.
std::shared_ptr<const engine::data::Samples> samplesOf(const std::string& which, const engine::spec::RunSpec& run,
                                                       const std::vector<std::filesystem::path>& dataset_folders,
                                                       const std::filesystem::path& base);

}  // namespace agent::worker
