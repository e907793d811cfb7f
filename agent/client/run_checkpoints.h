// The checkpoints that lie in a run's folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/spec/events/checkpoint_list.h"

namespace agent::client {

// Returns the checkpoints whose files are there, oldest first. They are those of the folder's list (engine/spec/events/checkpoint_list.h).
// A run from before there was such a list has every file of such a form in its folder, by time and by what the project calls them. Empty
// for a folder that can't be read.
std::vector<engine::spec::ListedCheckpoint> checkpointsOf(const std::filesystem::path& run_dir);

// The checkpoint that `word` means, absolute, for tandem-worker: "latest" or nothing, "best", an epoch or a name as findCheckpoint() finds
// them, else a path of a prefix, of a folder with a file `checkpoint` or of a Keras file, from the working folder or below the run's.
// Throws Error(kNotFound) naming those that there are.
std::filesystem::path chosenCheckpoint(const std::filesystem::path& run_dir, const std::string& word);

// The place where a branch of a run begins.
struct BranchPoint {
    std::filesystem::path file;  // absolute
    std::int64_t step = 0;       // of the run, as its list of checkpoints says; 0: not known
};
// With `step`: returns the newest checkpoint behind no more steps than that; weights alone (.weights.h5) are passed over. Without it:
// returns what `word` means, "backup", or as chosenCheckpoint(); an empty word means the backup where the run has one (then it was
// interrupted), else the latest checkpoint. Throws Error(kNotFound) naming those that there are, without `step` also when the chosen file
// is weights alone.
BranchPoint branchPoint(const std::filesystem::path& run_dir, const std::string& word, std::optional<std::int64_t> step);

}  // namespace agent::client
