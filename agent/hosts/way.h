// A way to the agent of another computer. While it stands, that agent is reached at a socket of this user's here, whatever leads there:
// ssh (ssh_way.h) or a direct connection (direct_way.h), as the user's list says.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/hosts/host_list.h"
#include "agent/hosts/ssh_process.h"
#include "agent/local/located_agent.h"
#include "engine/spec/error.h"

namespace agent::hosts {

struct FarOptions {
    std::string version;                        // of this Tandem: the other one has to be the same
    std::chrono::milliseconds deadline{20000};  // until the agent there has answered
    Prompts prompts = Prompts::kNone;
    std::string ssh_agent{};                     // SshCommand::agent_socket
    std::function<bool()> is_cancelled;          // asked ten times a second; empty: never
    std::vector<std::string> ssh_environment{};  // SshCommand::environment
};

// nullopt for equal versions; else "older" or "newer", of what was got. Versions are numbers with dots.
std::optional<std::string> comparedVersions(const std::string& expected, const std::string& got);
// Throws Error(kFailedPrecondition), naming the host and what mends it, where `whose` has another version than `expected`.
void requireVersion(const Host& host, const std::string& expected, const std::string& got, const std::string& whose);

using WayDeadline = std::chrono::steady_clock::time_point;
std::chrono::milliseconds leftUntil(WayDeadline until);
// Throws Error naming the host: kCancelled, and kDeadlineExceeded once there is no time left for `what`.
void requireTime(const Host& host, const FarOptions& options, WayDeadline until, const char* what);

// A way is reachable from its making to its destructor. Safe from any thread. A lost way does not come back: make another one.
class Way {
public:
    virtual ~Way() = default;

    virtual const convert::LocatedAgent& agent() const = 0;
    // Return the address by which that computer was reached, and the one from which this computer reached it: numbers. Empty where it did
    // not say.
    virtual const std::string& farAddress() const = 0;
    virtual const std::string& ownAddress() const = 0;
    // Returns why the way is lost; nullopt while it stands.
    virtual std::optional<engine::Error> lost() const = 0;
    // Called after a call to the agent has failed: returns what is known to keep calls from it although the way stands.
    virtual std::optional<engine::Error> obstacle() const { return std::nullopt; }
};

}  // namespace agent::hosts
