// Where client and agent of one user meet: a folder of mode 0700 that holds
//   agent.lock   locked (open file description lock) by the running agent for its whole life,
//   agent.json   {"address": "127.0.0.1:41231", "token": "...", "pid": 123, "version": "0.1.0"}, mode 0600, replaced by renaming,
//   agent.log    what the agent has to tell, mode 0600.
// The token is the whole secret: 32 random bytes in hexadecimal, new with every start of an agent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace agent::convert {

struct AgentAddress {
    std::string address;
    std::string token;
    std::int64_t pid = 0;
    std::string version;
    friend bool operator==(const AgentAddress&, const AgentAddress&) = default;
};

// The metadata of every call: "authorization: Bearer TOKEN".
inline constexpr const char* kTokenKey = "authorization";
inline constexpr const char* kTokenPrefix = "Bearer ";

// $XDG_RUNTIME_DIR/tandem, else $XDG_STATE_HOME/tandem, else ~/.local/state/tandem. Throws Error(kFailedPrecondition) when no variable says
// where.
std::filesystem::path agentFolder();
// Creates agentFolder() or tightens it to mode 0700. Throws Error(kPermissionDenied) when it belongs to somebody else.
std::filesystem::path makeAgentFolder();

// Throws Error on failure; the former file stays then.
void writeAgentAddress(const std::filesystem::path& folder, const AgentAddress& address);
// nullopt when there is no file or a damaged one.
std::optional<AgentAddress> readAgentAddress(const std::filesystem::path& folder);

std::filesystem::path addressFile(const std::filesystem::path& folder);
std::filesystem::path lockFile(const std::filesystem::path& folder);
std::filesystem::path logFile(const std::filesystem::path& folder);
// Whether an agent lives: its lock is held. Takes no lock itself.
bool agentLives(const std::filesystem::path& folder);

// $XDG_STATE_HOME/tandem, else ~/.local/state/tandem. Throws Error(kFailedPrecondition) when no variable says where.
std::filesystem::path stateFolder();

// $XDG_DATA_HOME/tandem/runs, else ~/.local/share/tandem/runs; TANDEM_RUNS_DIR goes before both.
std::filesystem::path defaultRunsDir();

}  // namespace agent::convert
