// The place where client and agent of one user meet. An agent belongs to a runs folder: whoever uses the same runs folder finds it there,
// whatever the rest of the environment says. The runs folder holds, beside runs.sqlite,
//   agent.lock   locked (open file description lock) by the running agent for its whole life,
//   agent.json   {"address": "unix:/run/user/1000/tandem/agent-fe01-2a.sock", "token": "...", "pid": 123, "version": "0.1.0",
//                 "host": "vm", "listen": "node2:7443"}, the last with --listen alone; mode 0600, replaced by renaming; read only when it
//                 is a file of this user that nobody else may read.
// The agent's folder, of mode 0700, holds
//   agent-DEVICE-INODE.sock   the socket, named after the runs folder in hexadecimal; several agents may keep one here,
//   agent.log                 what the agent has to tell, mode 0600,
//   agent.lock                locked for reading by every agent that has its socket here. Agents of versions that met their clients in
//                             this folder locked it for writing, and left agent.json with "127.0.0.1:PORT" beside it.
// The token is the whole secret: 32 random bytes in hexadecimal, new with every start of an agent.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "agent/local/file_descriptor.h"

namespace agent::convert {

struct AgentAddress {
    std::string address;
    std::string token;
    std::int64_t pid = 0;
    std::string version;
    std::string host{};    // the name of the computer that it runs on; empty: an earlier version, which did not say
    std::string listen{};  // where other computers reach it directly, as --listen has it; empty: nowhere
    friend bool operator==(const AgentAddress&, const AgentAddress&) = default;
};

// The metadata of every call: "authorization: Bearer TOKEN".
inline constexpr const char* kTokenKey = "authorization";
inline constexpr const char* kTokenPrefix = "Bearer ";

// Returns the socket's path of "unix:PATH"; nullopt for an address of another kind.
std::optional<std::filesystem::path> socketOf(const AgentAddress& address);

// $XDG_RUNTIME_DIR/tandem, else $XDG_STATE_HOME/tandem, else ~/.local/state/tandem. Throws Error(kFailedPrecondition) when no variable says
// where.
std::filesystem::path agentFolder();
// Creates agentFolder() or tightens it to mode 0700. Throws Error(kPermissionDenied) when it belongs to somebody else.
std::filesystem::path makeAgentFolder();
// Opens a folder (O_PATH) that nobody but this user can look into. Throws Error: kNotFound, else kPermissionDenied with what it is instead.
FileDescriptor openPrivateFolder(const std::filesystem::path& folder);
// Returns a path of a few bytes to a file of an opened folder, whatever the folder's own path: a socket's address holds 107 bytes. The path
// is good in this process while the descriptor is open.
std::filesystem::path shortPath(const FileDescriptor& folder, const std::filesystem::path& name);

// `runs_dir` in all of these is the runs folder (or the agent's folder, for an agent of an earlier version).
// Throws Error on failure; the former file stays then.
void writeAgentAddress(const std::filesystem::path& runs_dir, const AgentAddress& address);
// nullopt when there is no file, a damaged one, or one that another user made or may read.
std::optional<AgentAddress> readAgentAddress(const std::filesystem::path& runs_dir);

std::filesystem::path addressFile(const std::filesystem::path& runs_dir);
std::filesystem::path lockFile(const std::filesystem::path& runs_dir);
std::filesystem::path logFile(const std::filesystem::path& agent_folder);
// True while an agent lives, which holds its lock. Takes no lock itself.
bool agentLives(const std::filesystem::path& runs_dir);
// True while an agent of an earlier version lives, which locked the agent's folder.
bool earlierAgentLives(const std::filesystem::path& agent_folder);

enum class LockKind { kAlone, kShared };
// Takes a lock, held until the descriptor is closed; nullopt when somebody holds it. Throws Error naming the file: kPermissionDenied, or
// kUnimplemented for a file system without such locks.
std::optional<FileDescriptor> takeLock(const std::filesystem::path& file, LockKind kind);

// $XDG_STATE_HOME/tandem, else ~/.local/state/tandem. Throws Error(kFailedPrecondition) when no variable says where.
std::filesystem::path stateFolder();

// $XDG_DATA_HOME/tandem, else ~/.local/share/tandem. Throws Error(kFailedPrecondition) when no variable says where.
std::filesystem::path dataFolder();

// dataFolder()/runs, that is $XDG_DATA_HOME/tandem/runs, else ~/.local/share/tandem/runs; TANDEM_RUNS_DIR goes before both.
std::filesystem::path defaultRunsDir();

}  // namespace agent::convert
