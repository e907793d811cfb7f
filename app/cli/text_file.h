// What people hand over as text: projects, code, cluster files; and what they are given as files. One place for how much of it is read, and
// for files that are there whole or not at all.
#pragma once

#include <filesystem>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

namespace app::cli {

// Returns all of `in`, or nullopt after saying on `err` that `name` holds more than 64 MiB, which no text of a person does.
std::optional<std::string> readAllText(std::istream& in, const std::string& name, std::ostream& err);

// Returns all of a regular file, or nullopt after saying on `err` why not: missing, a folder, a pipe (which nobody may ever write to), a
// device, more than 64 MiB.
std::optional<std::string> readTextFile(const std::filesystem::path& path, std::ostream& err);

// Writes beside `path` (beside its target where it is a link) and renames over it; straight into what is no regular file, such as a pipe.
// False after saying on `err` that it could not be written, and why: the earlier file is untouched then.
bool writeWholeText(const std::filesystem::path& path, std::string_view text, std::ostream& err);

// Writes what an export gives: onto `out` where `file` is empty, else into that file, whose name `out` then gets. False as
// writeWholeText().
bool giveText(const std::string& file, std::string_view text, std::ostream& out, std::ostream& err);

}  // namespace app::cli
