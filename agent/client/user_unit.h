// The agent as a service of the user's systemd. What a login session starts may end with it (KillUserProcesses in logind.conf); a service
// of a user who lingers (loginctl enable-linger) does not, and one that was killed is started again.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace agent::client {

// Starts `program` as a transient unit with this process' environment, what it prints appended to `log`, and waits until it has said that
// it is ready (NOTIFY_SOCKET). False when it runs in no unit: there is no manager of this user that answers, the user does not linger, so
// that the manager itself would end with the session, or systemd did not start it by `until`.
bool startAsUserUnit(const std::filesystem::path& program, const std::vector<std::string>& arguments, const std::filesystem::path& log,
                     std::chrono::steady_clock::time_point until);

}  // namespace agent::client
