// Tells in which folders AgentClient::followFolder() has something to follow.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/run/run_info.h"

namespace agent::client {

// True for a folder where tasks without an agent tell their events, or did, or where a scheduler is to start some.
bool tellsEvents(const std::filesystem::path& folder);

// True where event files of TensorBoard, which other programs wrote, lie in the folder or below it.
bool holdsEventFiles(const std::filesystem::path& folder);
bool isEventFile(std::string_view name);
// Returns the folder of the event files that the run is read from (absolute); empty for a run that is not read from event files.
std::string eventFolderOf(const engine::run::RunInfo& run);

struct FarPlace {
    std::string host;    // of the user's list
    std::string folder;  // there
};
// Returns the place where the run trains when `folder` has only copies of its files, since another computer's agent follows it; else
// nullopt.
std::optional<FarPlace> farPlaceOf(const std::filesystem::path& folder, const std::string& run_id);

// Returns where the project lies of a run that a scheduler is to start in this folder (AgentClient::submitJob writes it).
std::filesystem::path projectOfJob(const std::filesystem::path& folder);

}  // namespace agent::client
