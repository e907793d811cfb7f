// The choice of the files of a run's folder that go into its archive.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/run/run_archive.h"
#include "engine/run/run_info.h"

namespace agent::archive {

struct ArchivedFile {
    std::string name;  // below the run's folder, and in the archive
    std::int64_t bytes = 0;
    bool is_compressed = true;
    std::string text{};  // in place of the file's own; empty: that
};

struct ArchivedFiles {
    std::vector<ArchivedFile> files;
    int checkpoints = 0;
};

// Returns what the run says of itself (its project, the list of its checkpoints, the mark of its end), the chosen checkpoints, and what its
// callbacks logged below its folder. Everything else in the folder stays out, and so do links and what they lead to. Throws Error:
// kNotFound where nothing tells the best checkpoint, kResourceExhausted for too many files, and what keeps the folder from being read.
ArchivedFiles archivedFiles(const engine::run::RunInfo& run, engine::run::ArchivedCheckpoints checkpoints);

}  // namespace agent::archive
