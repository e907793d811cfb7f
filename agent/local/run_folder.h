// The files of a run's folder that tell how far the run is: its project, its backup, the chief's mark of its end, notes of its parts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/cluster/smaller_cluster.h"
#include "engine/spec/project/cluster_spec.h"
#include "engine/spec/project/run_spec.h"

namespace agent::convert {

// The chief writes it when training is done, and it is gone while a run goes on: {"checkpoint": "checkpoints/ckpt_2", "weights_sha256":
// "..."}.
inline constexpr const char* kFinishedFile = "finished.json";

// The project of a run, for its tasks.
inline constexpr const char* kProjectFile = "project.tandem";
// Writes it into the run's folder, and makes the folders that a run writes into. Throws Error naming the file.
void writeProject(const std::filesystem::path& folder, const std::string& project_json);

// The files that the callback BackupAndRestore writes into its folder (engine/train/callbacks/backup_and_restore.h).
inline constexpr const char* kLatestBackup = "latest.backup";
inline constexpr const char* kPreviousBackup = "previous.backup";

// Returns the files of the run's backup, relative to its folder, the latest first. Empty for a run that keeps none.
std::vector<std::filesystem::path> backupFiles(const engine::spec::RunSpec& run);
// keepsBackup: true for a run that keeps a backup to go on from when it is started again. hasBackup: true when there is one in its folder.
bool keepsBackup(const engine::spec::RunSpec& run);
bool hasBackup(const std::filesystem::path& folder, const engine::spec::RunSpec& run);

// Returns why `run` may not begin in `folder`: what a finished run left there would be overwritten. Empty when there is no finished run,
// and when the callback BackupAndRestore has kept a backup to go on from. `known_finished`: somebody else knows that the last run there was
// done.
std::string finishedRunIn(const std::filesystem::path& folder, const engine::spec::RunSpec& run, bool known_finished = false);

// True for a text that may be a run's id, which names files: letters, digits, "-" and "_", 64 at most. An id from elsewhere may be
// anything.
bool isPlainId(const std::string& id);

// What the mark in the folder says; nullopt without one, or where it is damaged.
struct FinishedMark {
    std::string checkpoint, weights_sha256;
    friend bool operator==(const FinishedMark&, const FinishedMark&) = default;
};
std::optional<FinishedMark> readFinishedMark(const std::filesystem::path& folder);

// The notes in the folder of a run on several computers: a file for each group of tasks that was started on another one, which says on
// which and what they are there. {"host": "node2", "folder": "/home/ann/.local/share/tandem/runs/...", "run": "20261121-143205-7f3a",
// "tasks": ["worker 1"], "ports": [40001], "first_sequence": 1, "skip_to_attempt": 0}; files of an earlier version end with the folder.
inline constexpr std::string_view kPartNotePrefix = "part.";
inline constexpr std::string_view kPartNoteSuffix = ".json";
struct PartNote {
    std::string host, folder;
    std::string run{};                 // its id at that host's agent; empty: not known
    std::vector<std::string> tasks{};  // "worker 1"
    std::vector<int> ports{};          // of the tasks, there
    std::uint64_t first_sequence = 1;  // in that run's journal, of this start of the tasks
    int skip_to_attempt = 0;           // what stands in it before this attempt is of an earlier start; 0: nothing
    friend bool operator==(const PartNote&, const PartNote&) = default;
};
// Returns the name of the note for the tasks that were started together with `first`: "part.worker-0.json".
std::string partNoteName(const engine::spec::TaskId& first);
// nullopt without one of that name, or where it is damaged.
std::optional<PartNote> readPartNote(const std::filesystem::path& folder, const std::string& name);
// Throws Error naming the file.
void writePartNote(const std::filesystem::path& folder, const std::string& name, const PartNote& note);
// The notes of a run that goes on without some of its tasks: those of tasks that are left get their new names, the others go. Throws Error
// naming the file.
void renamePartNotes(const std::filesystem::path& folder, const std::vector<engine::spec::SmallerCluster::Kept>& kept);
// Returns all notes, by name. Empty for a folder that can't be read.
std::vector<PartNote> partNotes(const std::filesystem::path& folder);
// Returns the hosts that the notes name, each once, sorted. Empty for a folder that can't be read.
std::vector<std::string> hostsOfParts(const std::filesystem::path& folder);

// Removes the checkpoints, the event files, the backup and the mark of a run's folder, so that `run` begins anew. Any other folder stays as
// it is, and so does what links in it point to. Throws Error(kPermissionDenied) naming what can't be removed, and a link in the place of a
// folder.
void forgetRun(const std::filesystem::path& folder, const engine::spec::RunSpec& run);

}  // namespace agent::convert
