// Whether a run's folder holds a finished run: told by a file that its chief writes when training is done.
#pragma once

#include <filesystem>
#include <string>

#include "engine/spec/run_spec.h"

namespace agent::convert {

// Written by the chief, gone while a run goes on: {"checkpoint": "checkpoints/ckpt_2", "weights_sha256": "..."}.
inline constexpr const char* kFinishedFile = "finished.json";

// Why `run` may not begin in `folder`: what a finished run left there would be overwritten. Empty when there is none, and when the callback
// BackupAndRestore has kept a backup to go on from. `known_finished`: somebody else knows that the last run there was done.
std::string finishedRunIn(const std::filesystem::path& folder, const engine::spec::RunSpec& run, bool known_finished = false);

// Removes the checkpoints, the backup and the mark of a run's folder, so that `run` begins anew. Any other folder stays as it is. Throws
// Error(kPermissionDenied) naming what can't be removed.
void forgetRun(const std::filesystem::path& folder, const engine::spec::RunSpec& run);

}  // namespace agent::convert
