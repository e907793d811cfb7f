// Finds data sets: by name in the folders where shipped and downloaded ones lie, or by the files that a project names.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/data/download.h"
#include "engine/spec/project/run_spec.h"

namespace engine::data {

// Folders to look in, first to last: TANDEM_DATA_DIR, ../share/tandem/datasets beside the running program, $XDG_CACHE_HOME/tandem/datasets
// (or ~/.cache), and the installed /usr/local/share and /usr/share. Only those that exist are returned.
std::vector<std::filesystem::path> datasetFolders();

// The folder that downloads go to: the third of these, whether it exists or not. Empty when neither XDG_CACHE_HOME nor HOME is set.
std::filesystem::path downloadFolder();

// Names that loadDataset() finds in `folders` or makes, each once.
std::vector<std::string> availableDatasets(const std::vector<std::filesystem::path>& folders);

struct LoadHooks {
    std::filesystem::path download_folder;               // empty: nothing is fetched
    DownloadHooks download;                              // its log also hears of records that are skipped
    std::string how_to_fetch = "data.download to true";  // what to set, for the error of a set that is missing and not fetched
};

// Reads the set that `data` names. A name: <folder>/<name> with the files' own names (packed or not; also torchvision's and the archives'
// folders), else fetched when data.download allows it. A format: the project's own files, relative ones below `base` or, where they are not
// there, below one of the folders.
// Samples that are decoded on request get a cache in memory where data.cache asks for one and it fits into half of the computer's.
// Errors: kNotFound naming every folder that was searched, those of the readers and of fetchFiles.
Dataset loadDataset(const spec::DataSpec& data, const std::vector<std::filesystem::path>& folders, const std::filesystem::path& base = {},
                    const LoadHooks& hooks = {});

// The same for a run: where its model takes texts (spec::textLayer) and the set is one of texts, the samples are what the first layer makes
// of them, by a vocabulary that it takes from the samples that are trained with where it has none (Dataset::adapted, which the run is to
// have then: takeAdapted()). Every task takes the same. Errors beside those: kInvalidArgument for a layer that does not fit, kDataLoss
// where no word was there.
Dataset loadRunDataset(const spec::RunSpec& run, const std::vector<std::filesystem::path>& folders, const std::filesystem::path& base = {},
                       const LoadHooks& hooks = {});
// Gives the run the layer that was adapted, if one was; returns a line for the log, empty where none was.
std::string takeAdapted(spec::RunSpec& run, const Dataset& dataset);

}  // namespace engine::data
