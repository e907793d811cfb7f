// The direct way: TLS to the port of an agent that was started with --listen, each side known to the other by its certificate
// (direct/pairing_line.h). It starts nothing on the other computer.
#pragma once

#include <chrono>
#include <memory>

#include "agent/hosts/way.h"

namespace agent::hosts {

std::unique_ptr<Way> openDirectWay(const Host& host, const std::filesystem::path& socket, const FarOptions& options, WayDeadline until);

// Pairs this computer with the one of `line` and answers the host for the list, under `name`. Throws Error as openWay() does;
// kInvalidArgument for a text that is no pairing line.
Host pairDirectly(const std::string& name, const std::string& line, const FarOptions& options);

}  // namespace agent::hosts
