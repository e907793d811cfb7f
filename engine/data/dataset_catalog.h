// Finds data sets: by name in the folders where shipped and downloaded ones lie, or by the files that a project names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/spec/run_spec.h"

namespace engine::data {

// Folders to look in, first to last: TANDEM_DATA_DIR, ../share/tandem/datasets beside the running program, $XDG_CACHE_HOME/tandem/datasets
// (or ~/.cache), and the installed /usr/local/share and /usr/share. Only those that exist.
std::vector<std::filesystem::path> datasetFolders();

// Names that loadDataset() finds in `folders`, each once.
std::vector<std::string> availableDatasets(const std::vector<std::filesystem::path>& folders);

// Reads the set that `data` names; training and test files at the same time, on two threads. "idx": the project's own files, relative ones
// below `base`. Else <folder>/<name> with MNIST's file names (packed or not; also torchvision's MNIST/raw layout).
// Errors: kNotFound naming every folder that was searched, and those of readIdxPair.
Dataset loadDataset(const spec::DataSpec& data, const std::vector<std::filesystem::path>& folders, const std::filesystem::path& base = {});

}  // namespace engine::data
