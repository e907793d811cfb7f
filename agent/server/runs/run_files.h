// The files in a run's folder that others may fetch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace agent::server {

struct RunFile {
    std::string path;  // relative to the folder
    std::int64_t bytes = 0;
    std::int64_t modified_unix_ns = 0;
};

// True for what the agent keeps in a run's folder for itself: its journal, its lock, its copy of the project, its notes of how the run was
// submitted, of its parts and of an import, and what following takes (agent/local/far_run_note.h). `path` is relative to the folder.
bool isTheAgents(std::string_view path);

// Returns the files, oldest first: a file that names others was written after them. Left out are links and what lies behind them, names
// that are no UTF-8, and what is the agent's. Throws Error for a folder that can't be read, and kResourceExhausted
// for one of more than 10 000 files.
std::vector<RunFile> filesOfRun(const std::filesystem::path& folder);

}  // namespace agent::server
