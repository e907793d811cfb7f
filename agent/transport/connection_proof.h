// How two tasks show each other that they have the run's secret: in the first bytes of each connection, before anything else reads of it.
// Neither side tells the secret, and what it says is of no use on another connection. Three messages of fixed length:
//
//   caller -> called   opening     "tandem 1" | u32 purpose | u32 rank of the caller | u32 rank that is called | u32 0 | nonce of 32 bytes
//   called -> caller   challenge   nonce of 32 bytes | proof
//   caller -> called   answer      proof
//
// Integers are little-endian. Each proof is the HMAC-SHA256 under the secret of
//
//   "tandem called\0\0\0" or "tandem caller\0\0\0", by who proves | opening | nonce of the called | session of the pair's Link | address
//
// The session of a connection is both its nonces, the caller's first; a Link itself, and calls for parameters, functions and a
// measurement, have zeros in that place.
// The address is the one that was dialled and the one that is listened at, as text: so a proof can't be fetched from another task by
// whoever took a task's port. The called proves first: a caller tells a stranger nothing but its rank.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "agent/local/secret.h"

namespace agent::worker {

enum class Purpose : std::uint32_t { kLink = 1, kData = 2, kParameters = 3, kFunctions = 4, kMeasure = 5 };

struct Call {
    Purpose purpose = Purpose::kLink;
    int caller = 0;
    int called = 0;
    friend bool operator==(const Call&, const Call&) = default;
};

inline constexpr std::size_t kNonceBytes = 32;
inline constexpr std::size_t kOpeningBytes = 56;
inline constexpr std::size_t kChallengeBytes = 64;
inline constexpr std::size_t kAnswerBytes = 32;
using Session = std::array<char, 2 * kNonceBytes>;

// The caller's side of one connection.
class CallerProof {
public:
    CallerProof(const convert::Secret& secret, const Call& call, std::string address, const Session& link);

    const std::string& opening() const { return opening_; }
    // nullopt: the other side has not proven the secret.
    std::optional<std::string> answer(std::string_view challenge);
    // Valid after answer().
    const Session& session() const { return session_; }

private:
    const convert::Secret secret_;
    const std::string opening_, address_;
    const Session link_;
    Session session_{};
};

// The called side of one connection.
class CalledProof {
public:
    // nullopt for anything but an opening.
    static std::optional<Call> read(std::string_view opening);
    // `opening` is one that was read.
    CalledProof(const convert::Secret& secret, std::string_view opening, std::string_view address, const Session& link);

    const std::string& challenge() const { return challenge_; }
    bool isProvenBy(std::string_view answer) const;
    const Session& session() const { return session_; }

private:
    std::string challenge_;
    convert::Secret expected_;
    Session session_{};
};

}  // namespace agent::worker
