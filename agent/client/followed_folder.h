// Which folders AgentClient::followFolder() has something to follow in.
#pragma once

#include <filesystem>

namespace agent::client {

// Tasks without an agent tell their events there, or did, or a scheduler is to start some.
bool tellsEvents(const std::filesystem::path& folder);

// Where the project of a run lies that a scheduler is to start in this folder (AgentClient::submitJob writes it).
std::filesystem::path projectOfJob(const std::filesystem::path& folder);

}  // namespace agent::client
