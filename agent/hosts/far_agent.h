// The agent of another computer, over ssh: found there or started, its socket forwarded to one of this user's here.
//
//   ssh HOST 'sh -c …'   says which processor is there and which Tandem, and lets that one find or start its agent (tandem-agent --locate)
//   ssh -N -L ./agent.sock:FAR_SOCKET HOST   in a folder of mode 0700 below convert::agentFolder(), which goes with it
//
// Nothing is started there unless processor and version are this computer's. The agent's token comes back inside the first connection.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/client/agent_client.h"
#include "agent/client/clock_offset.h"
#include "agent/hosts/host_list.h"
#include "agent/hosts/ssh_process.h"

namespace agent::client {
class AgentChannel;
}

namespace agent::hosts {

struct FarOptions {
    std::string version;                        // of this Tandem: the other one has to be the same
    std::chrono::milliseconds deadline{20000};  // until the agent there has answered
    Prompts prompts = Prompts::kNone;
    std::string ssh_agent{};                     // SshCommand::agent_socket
    std::function<bool()> is_cancelled;          // asked ten times a second; empty: never
    std::vector<std::string> ssh_environment{};  // SshCommand::environment
};

// What the far shell prints before it lets an agent be found, and what that prints.
struct FarAnswer {
    std::string arch;     // "x86_64"; empty: no shell that we know
    std::string version;  // of the tandem-agent there; empty: there is none
    std::string program;  // its path
    std::string located;  // the line of --locate
    // The two ends of ssh's connection, as the far computer names them; empty where its sshd did not say.
    std::string far_address, own_address;
    friend bool operator==(const FarAnswer&, const FarAnswer&) = default;
};
// Lines of others, such as a greeting of the user's shell, are passed over.
FarAnswer farAnswerIn(std::string_view output);
// The command for the shell there.
std::string locateCommand(const Host& host, const std::string& arch, const std::string& version);
// nullopt for equal versions; else "older" or "newer", of what was got. Versions are numbers with dots.
std::optional<std::string> comparedVersions(const std::string& expected, const std::string& got);
// A path as ssh's -L takes it: what separates and expands there is escaped.
std::string forwardedPath(std::string_view path);

// Reachable from the constructor to the destructor, which ends ssh and removes the socket. Safe from any thread. Does not come back when
// the connection was lost: make another one.
class FarAgent {
public:
    // Throws Error with one sentence that names the host, what was expected and what was found: kUnavailable, kPermissionDenied,
    // kNotFound (no Tandem there), kFailedPrecondition (another processor or version, or no ssh here), kDeadlineExceeded, kCancelled.
    FarAgent(const Host& host, const FarOptions& options);
    ~FarAgent();
    FarAgent(const FarAgent&) = delete;
    FarAgent& operator=(const FarAgent&) = delete;

    // Outlived by this object.
    client::AgentClient& client();
    // Out of `rounds` round trips. Throws Error as a call does.
    client::ClockOffset clockOffset(int rounds, std::chrono::milliseconds deadline);
    // The way to the agent itself, for those who ask of it what a client does not.
    const std::shared_ptr<client::AgentChannel>& channel() const;
    // By which address ssh reached that computer, and from which one of this computer: numbers. Empty where its sshd did not say.
    const std::string& farAddress() const;
    const std::string& ownAddress() const;
    // Why it can't be reached any more; nullopt while ssh runs.
    std::optional<engine::Error> lost() const;

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace agent::hosts
