// The files in which tasks without an agent tell their events: RUN/events, a file each ("worker-0.events"). They hold messages of
// agent/proto/task_event.proto, each behind its length (agent/wire/delimited.h); each start of the task begins with a TaskStart.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "engine/files/safe_folder.h"
#include "engine/spec/project/cluster_spec.h"

namespace agent::convert {

inline constexpr const char* kEventFolder = "events";
inline constexpr int kEventFilesVersion = 1;

std::string eventFileName(const engine::spec::TaskId& task);
// nullopt for a name that eventFileName() does not give.
std::optional<engine::spec::TaskId> taskOfEventFile(std::string_view name);

// An agent that follows a run in its folder leaves its id there: that run is not the agent's to restart, or to fail when the agent ends.
// Only the agent that has the right to write the run's journal may leave it. {"run": "20261121-143205-7f3a"}
inline constexpr const char* kFollowedNote = "followed.json";
void noteFollowed(const engine::files::SafeFolder& folder, const std::string& run_id);  // throws Error naming the file
bool isFollowed(const std::filesystem::path& folder, const std::string& run_id);
// An agent trains there from here on. Throws Error naming what can't be removed.
void forgetFollowed(const std::filesystem::path& folder);

}  // namespace agent::convert
