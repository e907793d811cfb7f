// Where a task of this computer listens and is dialled.
#pragma once

#include <string>

#include "agent/local/file_descriptor.h"
#include "engine/distribute/peer_health.h"

namespace agent::worker {

// "ipv4:127.0.0.1:12345" for gRPC: without a name to resolve later, and the same for the one who listens and the one who dials.
// Throws Error(kInvalidArgument) for an address without a port, kNotFound for a host that does not resolve, kUnimplemented for one beyond
// this computer: between hosts the wire must be encrypted, in plain text it stays on loopback.
std::string loopbackTarget(const engine::distribute::TaskName& task);

// A socket that listens there, non-blocking. A port that the agent only keeps bound for us is free. Throws Error(kAlreadyExists), of which
// the message is the reason alone ("is in use by another program").
convert::FileDescriptor listenAt(const std::string& target);

// From now on the system refuses who calls, those too who wait; nobody else gets the port while the socket is open.
void stopListening(int socket);

// A non-blocking socket on its way there: writable once it is connected. Empty when nobody listens.
convert::FileDescriptor connectTo(const std::string& target);

// Where nobody listens, a call from the very port that is called meets itself.
bool isConnectedToItself(int socket);

// For small messages that should not wait for more.
void sendAtOnce(int socket);

}  // namespace agent::worker
