// Makes archives of the runs of this agent, and runs of archives, with agent/archive.
#pragma once

#include <filesystem>
#include <string>

#include "agent/archive/run_archive.h"
#include "agent/server/runs/run_book.h"

namespace agent::server {

struct ArchivePlace {
    RunBook& book;
    std::filesystem::path runs_dir;
    std::string version;                                                     // of this program
    std::function<std::int64_t(const std::filesystem::path&)> free_bytes{};  // of a folder's file system; empty: as the system says
};

// Archives a run that is over; its folder is claimed meanwhile, so that nothing begins there. An earlier run of a folder is archived with
// its events alone: the files there are the later run's. Throws Error: kNotFound, kFailedPrecondition for a run that goes on,
// kAlreadyExists for a file that is there and for a folder that tasks use, kCancelled, and what writing and reading throw.
engine::run::WrittenArchive archiveRun(const ArchivePlace& place, const engine::run::ArchiveRequest& request,
                                       const archive::Progress& progress);

// Makes of the run of an archive one of this agent's, below its runs folder, by its own id where that is free. A run that is here already,
// as it was archived or by an earlier import, is returned and stays. Throws Error as RunArchive does, kResourceExhausted where there is no
// room; nothing of a run that is refused remains.
engine::run::ImportedRun importRun(const ArchivePlace& place, const std::filesystem::path& file, const archive::Progress& progress);

// Removes what agents left behind that were killed while they imported. Called when an agent starts.
void removeHalfImports(const std::filesystem::path& runs_dir);

}  // namespace agent::server
