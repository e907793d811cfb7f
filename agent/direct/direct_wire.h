// The bytes that two computers say to each other on a direct connection, inside TLS 1.3. The caller has checked the certificate of the
// called by its fingerprint before it says anything; the called answers nobody whose certificate is not paired, except a request to join.
//
//   caller -> called   request   "tandem direct 1\0" | u32 verb | u32 0 | version, 32 bytes | name, 64 bytes | proof, 32 bytes
//   called -> caller   answer    u32 outcome | u32 length | text of that length
//
// Integers are little-endian; version and name are ASCII, filled up with zeros. By verb:
//
//   locate   the text has three lines: that of `tandem-agent --locate`, the agent's token in it, and the two ends of the connection as the
//            called sees them, its own first. The connection stays: its end tells the caller that the way is lost. So the token reaches
//            a paired computer alone, inside the connection that knows both by their fingerprints, as ssh brings it to who may log in.
//   enter    after an answer without text the connection belongs to the agent's gRPC server. What it says proves the token, as any
//            program of the user does.
//   invite   the text is a new pairing line. Only the called's own certificate may ask for it: the same user on the same computer.
//   join     pairs the two. The proof shows the secret of a pairing line and does not tell it:
//
//     HMAC-SHA256(secret, "tandem join 1\0\0\0" | TLS exporter "EXPORTER-Tandem-join" | fingerprint of the caller | that of the called)
//
//   The exporter's bytes differ on every connection, and both fingerprints are part of the proof. So it is of no use on another connection,
//   and someone in between who has two connections can't hand it on. In a request of another verb the proof is zeros.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "agent/direct/pairing_line.h"
#include "agent/local/secret.h"

namespace agent::direct {

enum class Verb : std::uint32_t { kLocate = 1, kEnter = 2, kJoin = 3, kInvite = 4 };

struct Request {
    Verb verb = Verb::kLocate;
    std::string version;  // of the caller's Tandem
    std::string name;     // of the caller's computer, for messages; what is no plain ASCII is left out, and what is too long cut
    convert::Secret proof{};
    friend bool operator==(const Request&, const Request&) = default;
};

// How a request ends. kUsed to kOtherVersion answer a join alone. A stranger gets no answer at all: the connection ends.
enum class Outcome : std::uint32_t {
    kDone = 0,
    kUsed = 1,          // the line was right, and used before
    kExpired = 2,       // it was right, and more than ten minutes old
    kTried = 3,         // it was right, and wrong tries have ended it
    kOtherVersion = 4,  // the text is the version of the called; the line stays good
    kTooMany = 5,       // of locate and enter: the text is how many connections a paired computer may have, and the caller has them
};

struct AnswerHeader {
    Outcome outcome = Outcome::kDone;
    std::size_t length = 0;
    friend bool operator==(const AnswerHeader&, const AnswerHeader&) = default;
};

inline constexpr std::size_t kRequestBytes = 152;
inline constexpr std::size_t kAnswerHeaderBytes = 8;
inline constexpr std::size_t kMostAnswerBytes = 8192;
inline constexpr std::string_view kJoinExporter = "EXPORTER-Tandem-join";

std::string toBytes(const Request& request);
// nullopt for anything but a request.
std::optional<Request> requestIn(std::string_view bytes);

// `text` is cut after kMostAnswerBytes.
std::string answerBytes(Outcome outcome, std::string_view text);
// nullopt for anything but the header of an answer that may be as long as it says.
std::optional<AnswerHeader> answerHeaderIn(std::string_view bytes);

struct JoinClaim {
    convert::Secret exported{};  // of the connection
    std::string caller, called;  // fingerprints
};
convert::Secret joinProof(const InviteSecret& secret, const JoinClaim& claim);

}  // namespace agent::direct
