// The way over ssh: the agent there is found or started, and its socket forwarded to one of this user's here.
//
//   ssh HOST 'sh -c …'   says which processor is there and which Tandem, and lets that one find or start its agent (tandem-agent --locate)
//   ssh -N -L ./agent.sock:FAR_SOCKET HOST   in the folder of the socket
//
// Nothing is started there unless processor and version are this computer's. The agent's token comes back inside the first connection.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "agent/hosts/way.h"

namespace agent::hosts {

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
// A path as ssh's -L takes it: what separates and expands there is escaped.
std::string forwardedPath(std::string_view path);

std::unique_ptr<Way> openSshWay(const Host& host, const std::filesystem::path& socket, const FarOptions& options, WayDeadline until);

}  // namespace agent::hosts
