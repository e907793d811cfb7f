// What of a run's own files can be known before a task starts.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/spec/diagnostic.h"
#include "engine/spec/project/run_spec.h"

namespace engine::train {

struct InputCheckOptions {
    std::vector<std::filesystem::path> dataset_folders;
    std::filesystem::path base;            // of relative files of the data
    std::filesystem::path run_folder{};    // where a backup may lie to go on from; none when empty
    std::filesystem::path weights_file{};  // TrainerOptions::weights_file
};

// Errors that a task would end with, each with its field and file: fit.initial_weights that are missing, damaged or another model's, or
// behind which no epoch is left; data of which the labels do not fit the loss, or the samples the input; a backup of another project in the
// run's folder; fit.save_weights where nothing can be written. Requires a valid run.
//
// Only what is read in some ten milliseconds: sets of the project's own files below kMostDataBytes as a whole; of larger ones the labels of
// IDX and NPY with the samples' shape, and the classes of an image folder; weights up to kMostWeightBytes. Nothing is fetched.
spec::Diagnostics checkInputs(const spec::RunSpec& run, const InputCheckOptions& options);

inline constexpr std::int64_t kMostDataBytes = std::int64_t{8} << 20;
inline constexpr std::int64_t kMostWeightBytes = std::int64_t{64} << 20;

// Checks both parts of a set beside the model of a valid run; `one_hot` as data::checkAgainstModel's. Throws Error(kInvalidArgument).
void checkDataset(const spec::RunSpec& run, const data::Dataset& dataset, std::int64_t one_hot);

}  // namespace engine::train
