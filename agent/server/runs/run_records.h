// The runs that folders tell of: what the index of runs is built from when it is lost.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agent/history/run_store.h"

namespace agent::server {

// A run that has begun in a folder after another one leaves that one its journal, as journal-ID.
std::filesystem::path keptJournal(const engine::run::RunInfo& run);
// The journal of a run, wherever it lies in the run's folder. Throws Error(kNotFound) naming what is gone: the folder or the journal.
std::filesystem::path journalOf(const engine::run::RunInfo& run);

// Returns the record that a journal carries, with the folder that it lies in; nullopt without one (a journal of an older version, or
// damaged).
std::optional<engine::run::RunInfo> recordInJournal(const std::filesystem::path& journal);

// Returns the records of every journal in a run's folder. A folder whose journals have none gives one record of its files (a project, a
// mark of its end), with the folder's name as its id.
std::vector<engine::run::RunInfo> recordsInFolder(const std::filesystem::path& folder);

// Returns the records of all folders below `runs_dir`, and of those elsewhere that rememberElsewhere() has noted there.
std::vector<engine::run::RunInfo> recordsBelow(const std::filesystem::path& runs_dir);

// Notes in RUNS_DIR/elsewhere, a path a line, that runs lie in a folder that is not below `runs_dir`. False when it can't be written.
bool rememberElsewhere(const std::filesystem::path& runs_dir, const std::filesystem::path& folder);

}  // namespace agent::server
