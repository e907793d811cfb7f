// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace engine::exporter {

// Writes `bytes` beside `path`, syncs, renames over it and syncs the folder, which must exist. On an error the earlier file is untouched
// and nothing is left behind. Throws Error: kResourceExhausted (disk full), kPermissionDenied, kNotFound (no such folder), else kInternal.
void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// Throws Error: kNotFound, kPermissionDenied, else kInternal.
std::string readFile(const std::filesystem::path& path);

}  // namespace engine::exporter
