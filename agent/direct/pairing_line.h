// The direct way from one computer to the agent of another. Read this header of the folder first.
//
//   home                                            far agent, started with --listen HOST:PORT
//   DirectForward: a socket of this user's   TLS    DirectDoor: the only port that an agent opens
//     for gRPC, as ssh would forward one  ◀═══════▶   relays to the agent's own socket
//
// Each side has a certificate of its own (trust/identity.h) and knows the other's by its fingerprint. They get to know each other by one
// line, which `tandem-agent invite` prints there and `tandem-cli host add NAME --direct LINE` takes here:
//
//   tandem://HOST:PORT/FINGERPRINT/SECRET
//
// FINGERPRINT are 64 hexadecimal digits, the SHA-256 of the far certificate; SECRET are 32, 128 bits that are good once and for ten
// minutes (invitations.h). direct_wire.h says what the two say to each other, and why nobody in between can use it.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace agent::direct {

using InviteSecret = std::array<unsigned char, 16>;

// The address where a far agent listens, and the certificate by which it is known.
struct DirectPeer {
    std::string address;      // "node2:7443", "[fd77::2]:7443"
    std::string fingerprint;  // 64 hexadecimal digits, in lower case
    friend bool operator==(const DirectPeer&, const DirectPeer&) = default;
};

struct PairingLine {
    DirectPeer peer;
    InviteSecret secret{};
    friend bool operator==(const PairingLine&, const PairingLine&) = default;
};

// True for a name or a number, and a port from 1 to 65535.
bool isDirectAddress(const std::string& text);
bool isFingerprint(std::string_view text);
// "node2" of "node2:7443"; an IPv6 number without brackets.
std::string hostOfAddress(const std::string& address);

// Spaces around it do not count. nullopt for any other text.
std::optional<PairingLine> pairingLineIn(std::string_view text);
// Returns the line without a newline.
std::string toString(const PairingLine& line);

}  // namespace agent::direct
