// Whether a run's folder holds a finished run: told by a file that its chief writes when training is done.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/project/run_spec.h"

namespace agent::convert {

// Written by the chief, gone while a run goes on: {"checkpoint": "checkpoints/ckpt_2", "weights_sha256": "..."}.
inline constexpr const char* kFinishedFile = "finished.json";

// Of the callback BackupAndRestore, in its folder (engine/train/callbacks/backup_and_restore.h).
inline constexpr const char* kLatestBackup = "latest.backup";
inline constexpr const char* kPreviousBackup = "previous.backup";

// Whether the run goes on from a backup when it is started again in its folder, and whether there is one.
bool keepsBackup(const engine::spec::RunSpec& run);
bool hasBackup(const std::filesystem::path& folder, const engine::spec::RunSpec& run);

// Why `run` may not begin in `folder`: what a finished run left there would be overwritten. Empty when there is none, and when the callback
// BackupAndRestore has kept a backup to go on from. `known_finished`: somebody else knows that the last run there was done.
std::string finishedRunIn(const std::filesystem::path& folder, const engine::spec::RunSpec& run, bool known_finished = false);

// What the mark in the folder says; nullopt without one, or where it is damaged.
struct FinishedMark {
    std::string checkpoint, weights_sha256;
    friend bool operator==(const FinishedMark&, const FinishedMark&) = default;
};
std::optional<FinishedMark> readFinishedMark(const std::filesystem::path& folder);

// Of a run on several computers: a file for each group of tasks that was started on another one, which says on which and in which folder
// there. {"host": "node2", "folder": "/home/ann/.local/share/tandem/runs/..."}
inline constexpr std::string_view kPartNotePrefix = "part.";
inline constexpr std::string_view kPartNoteSuffix = ".json";
struct PartNote {
    std::string host, folder;
    friend bool operator==(const PartNote&, const PartNote&) = default;
};
// nullopt without one of that name, or where it is damaged.
std::optional<PartNote> readPartNote(const std::filesystem::path& folder, const std::string& name);
// Throws Error naming the file.
void writePartNote(const std::filesystem::path& folder, const std::string& name, const PartNote& note);
// The hosts that such files name, each once, sorted. Empty for a folder that can't be read.
std::vector<std::string> hostsOfParts(const std::filesystem::path& folder);

// Removes the checkpoints, the backup and the mark of a run's folder, so that `run` begins anew. Any other folder stays as it is, and so
// does what links in it point to. Throws Error(kPermissionDenied) naming what can't be removed, and a link in the place of a folder.
void forgetRun(const std::filesystem::path& folder, const engine::spec::RunSpec& run);

}  // namespace agent::convert
