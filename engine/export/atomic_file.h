// Files that are there whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "engine/files/place.h"

namespace engine::exporter {

// Writes `bytes` beside `file`, syncs, renames over it and syncs the folder, which must exist. A link of that name is replaced, not
// followed. On an error the earlier file is untouched and nothing is left behind. Throws Error: kResourceExhausted (disk full),
// kPermissionDenied, kNotFound (no such folder), else kInternal. What earlier writers of the same file left behind when they were killed is
// removed with it.
void writeFileAtomically(const files::Place& file, std::string_view bytes);

// The same of two files that belong together: both are written and synced before either takes its place, so that no time but that of two
// renames lies between them.
void writeTwoFiles(const files::Place& first, std::string_view first_bytes, const files::Place& second, std::string_view second_bytes);

// Removes what writers of `file` left beside it when they were killed; a writer that is still at work (it holds a lock) keeps its file.
void removeLeftovers(const files::Place& file) noexcept;

// Throws Error: kNotFound, kPermissionDenied, kInvalidArgument (no regular file, such as a folder or a pipe), else kInternal.
std::string readFile(const files::Place& file);

}  // namespace engine::exporter
