// Which folders AgentClient::followFolder() has something to follow in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/run/run_info.h"

namespace agent::client {

// Tasks without an agent tell their events there, or did, or a scheduler is to start some.
bool tellsEvents(const std::filesystem::path& folder);

// Event files of TensorBoard lie there or below, which other programs wrote.
bool holdsEventFiles(const std::filesystem::path& folder);
bool isEventFile(std::string_view name);
// Where the event files lie that the run is read from (absolute); empty for any other run.
std::string eventFolderOf(const engine::run::RunInfo& run);

struct FarPlace {
    std::string host;    // of the user's list
    std::string folder;  // there
};
// Where the run trains whose folder on this computer has copies alone, since another computer's agent follows it. nullopt for any other.
std::optional<FarPlace> farPlaceOf(const std::filesystem::path& folder, const std::string& run_id);

// Where the project of a run lies that a scheduler is to start in this folder (AgentClient::submitJob writes it).
std::filesystem::path projectOfJob(const std::filesystem::path& folder);

}  // namespace agent::client
