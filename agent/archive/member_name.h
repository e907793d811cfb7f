// The names that a member of a run's archive may have: those of files below the run's folder, and none that leads anywhere else.
#pragma once

#include <string>
#include <string_view>

namespace agent::archive {

inline constexpr const char* kManifestMember = "manifest.json";
inline constexpr const char* kRecordMember = "record.json";
inline constexpr const char* kEventsMember = "journal.events";
// The file that an import leaves in the run's folder; it says which archive the run came from.
inline constexpr const char* kImportedFile = "imported.json";

// Returns what is wrong with the name ("a path that leads out of the folder"); empty for a name that may be used: relative, of plain parts,
// in UTF-8 without control characters, of bounded length and depth.
std::string faultOfName(std::string_view name);

// True for a name under which the agent keeps something of its own in a run's folder (journals, locks, notes). No archive may bring it.
bool isTheAgents(std::string_view name);

// The name as it may stand in a message: one line of bounded length.
std::string shownName(std::string_view name);

}  // namespace agent::archive
