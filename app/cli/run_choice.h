// Which run a user means.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "app/cli/verb.h"

namespace app::cli {

inline constexpr std::chrono::milliseconds kCallDeadline{5000};

enum class RunChoice { kAny, kActive };

// The run whose id is, or begins with, `id`, or the newest that trained in the folder `id`, or the one whose event files there or below
// were written last; with an empty id the newest one (kActive: that is not over). The newest is the one of which there is the latest news:
// one that goes on, else the last one to end. nullopt after saying why; context.exit_code is then set.
std::optional<engine::run::RunInfo> chooseRun(Context& context, agent::client::AgentClient& client, const std::string& id,
                                              RunChoice choice);

// The run that tells of itself in this folder (absolute) of a host of the user's list. Throws Error as AgentClient::followFolder().
engine::run::RunInfo followThere(agent::client::AgentClient& client, const std::string& host, const std::string& folder);

}  // namespace app::cli
