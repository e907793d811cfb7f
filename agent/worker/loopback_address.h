// Where a task of this computer listens and is dialled.
#pragma once

#include <string>

#include "engine/distribute/peer_health.h"

namespace agent::worker {

// "ipv4:127.0.0.1:12345" for gRPC: without a name to resolve later, and the same for the one who listens and the one who dials.
// Throws Error(kInvalidArgument) for an address without a port, kNotFound for a host that does not resolve, kUnimplemented for one beyond
// this computer: between hosts the wire must be encrypted, in plain text it stays on loopback.
std::string loopbackTarget(const engine::distribute::TaskName& task);

// Why nobody can listen on `target` now ("is in use by another program"), from a bind of our own; empty when one can.
std::string whyNotListening(const std::string& target);

}  // namespace agent::worker
