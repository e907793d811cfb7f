// Files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace engine::exporter {

// Writes `bytes` beside `path`, syncs, renames over it and syncs the folder, which must exist. On an error the earlier file is untouched
// and nothing is left behind. Throws Error: kResourceExhausted (disk full), kPermissionDenied, kNotFound (no such folder), else kInternal.
// What earlier writers of the same file left behind when they were killed is removed with it.
void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// Removes what writers of `path` left beside it when they were killed; a writer that is still at work (it holds a lock) keeps its file.
void removeLeftovers(const std::filesystem::path& path) noexcept;

// Throws Error: kNotFound, kPermissionDenied, kInvalidArgument (no regular file, such as a folder or a pipe), else kInternal.
std::string readFile(const std::filesystem::path& path);

}  // namespace engine::exporter
