// Home's side of a direct connection: it calls, checks the other's certificate, and asks. Every function blocks up to the deadline and
// throws Error with one sentence that begins with the host's name: kUnavailable (unknown name, no route, refused, ended), kPermissionDenied
// (another certificate, not paired), kDeadlineExceeded, kCancelled, and kFailedPrecondition where it says so. Safe from any thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "agent/direct/pairing_line.h"
#include "agent/local/file_descriptor.h"
#include "agent/local/located_agent.h"
#include "agent/trust/identity.h"
#include "agent/trust/tls_session.h"

namespace agent::direct {

// Whom to call, as whom, and how long.
struct CallOptions {
    std::string name;  // the host's, for messages
    DirectPeer peer;
    std::string version;  // of this Tandem
    std::chrono::steady_clock::time_point until;
    std::function<bool()> is_cancelled{};  // asked ten times a second; empty: never
};

// A connection whose both ends know each other.
struct DirectConnection {
    convert::FileDescriptor socket;
    std::unique_ptr<trust::TlsSession> session;
};

// The agent there, with its token, and the two ends of the connection as it sees them. The connection lives until the way is lost.
struct LocatedPeer {
    convert::LocatedAgent agent;
    std::string far_address, own_address;
    DirectConnection connection;
};
LocatedPeer locateDirectly(const CallOptions& options, const trust::TlsContext& context);

// Opens a connection on which everything is said to the agent's gRPC server from now on. kResourceExhausted: the agent there takes no more
// of this computer at once; those that there are go on.
DirectConnection enterDirectly(const CallOptions& options, const trust::TlsContext& context);

// A new pairing line of the agent of this very user on this very computer, which has the same identity.
std::string inviteDirectly(const CallOptions& options, const trust::Identity& identity);

// Pairs this computer with the one whose line it is. kFailedPrecondition: the line was used, has expired or was ended by wrong tries, or
// the agent there has another version.
void joinDirectly(const CallOptions& options, const trust::Identity& identity, const InviteSecret& secret);

}  // namespace agent::direct
