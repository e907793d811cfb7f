// Which names a member of a run's archive may have: those of files below the run's folder, and none that leads anywhere else.
#pragma once

#include <string>
#include <string_view>

namespace agent::archive {

inline constexpr const char* kManifestMember = "manifest.json";
inline constexpr const char* kRecordMember = "record.json";
inline constexpr const char* kEventsMember = "journal.events";
// What an import leaves in the run's folder: which archive the run came from.
inline constexpr const char* kImportedFile = "imported.json";

// What is wrong with it ("a path that leads out of the folder"); empty for a name that is as it should be: relative, of plain parts, in
// UTF-8 without control characters, of bounded length and depth.
std::string faultOfName(std::string_view name);

// Whether the agent keeps something of its own there in a run's folder, which no archive may bring along: journals, locks, notes.
bool isTheAgents(std::string_view name);

// The name as it may stand in a message: one line of bounded length.
std::string shownName(std::string_view name);

}  // namespace agent::archive
