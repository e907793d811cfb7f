// What `tandem-agent --locate` prints for a program of the same user on another computer, over ssh: one line of JSON,
//   {"address": "unix:/run/user/1000/tandem/agent-fe01-2a.sock", "token": "...", "version": "0.1.0", "host": "vm", "pid": 123,
//    "arch": "x86_64"}
// with the processor as uname names it. The line has the agent's whole secret; it is for standard output alone.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/local/address_file.h"

namespace agent::convert {

struct LocatedAgent {
    AgentAddress address;
    std::string arch;
    friend bool operator==(const LocatedAgent&, const LocatedAgent&) = default;
};

// Returns this computer's processor: "x86_64".
std::string thisArch();

// Returns the line without a newline.
std::string toLine(const LocatedAgent& agent);
// nullopt for text that is no such line.
std::optional<LocatedAgent> locatedAgentIn(std::string_view line);

}  // namespace agent::convert
