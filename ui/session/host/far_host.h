// SPDX-License-Identifier: GPL-3.0-or-later
// Another computer of the user's list, and what the last look at it told. Plain values; nothing of agent/ is named here.
#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/run/host_info.h"
#include "ui/session/values.h"

namespace ui::session {

struct HostEntry {
    QString name;           // as clusters write it
    QString destination;    // of ssh: [USER@]HOST[:PORT]; HOST:PORT of one that is reached directly
    QString folder{};       // where Tandem lies there; empty: the usual one
    QString fingerprint{};  // of the certificate of one that is reached directly; empty: it is reached over ssh
    friend bool operator==(const HostEntry&, const HostEntry&) = default;
};

enum class FarHostState {
    kUnknown,       // nobody has looked yet
    kLooking,       // the first look goes on
    kReachable,     // a run may use it
    kOtherVersion,  // an older or a newer Tandem lies there; it may be updated
    kNoTandem,      // it lets this user in, and no Tandem lies there; it may be installed
    kProblem,       // a run can't use it
};

// The result of one look at a host.
struct HostSight {
    FarHostState state = FarHostState::kUnknown;
    QString problem{};  // one sentence, English, of every state but kReachable
    int code = 0;       // of the problem: engine::ErrorCode
    // For kReachable, what the agent told. For kOtherVersion and kNoTandem, what a shell could tell there: processor, cores, memory, free
    // disk, GPUs by their names.
    engine::run::HostInfo info{};
    QString version{};                        // of the Tandem there; empty: none, or unknown
    bool is_older = false, is_newer = false;  // that version, beside this program's
    QString arch{}, glibc{};                  // "x86_64", "2.36"; empty: unknown
    std::int64_t clock_offset_ns = 0;         // what is added to this computer's clock to get the other one
    std::int64_t round_trip_ns = 0;           // 0: not measured
    QString address{};                        // the number by which it was reached; empty: unknown
    int reached_ms = 0;                       // of a survey: how long it took, without the time for answers; 0: not measured
    // The secret that a survey asked the user for, which nobody can give for a run: a password, because the host took no key, or the secret
    // of a key on this computer.
    enum class Gave { kNothing, kPassword, kSecretOfKey } gave = Gave::kNothing;
};

// A question of ssh to the user.
struct HostQuestion {
    enum class Kind {
        kHostKey,  // whether the key is trusted: the answer "yes"
        kSecret,   // a password or the like, never shown and never kept
        kConfirm,  // any answer is yes
        kNotice,   // nothing is to be answered; over when ssh says so
    };
    Kind kind = Kind::kSecret;
    QString text{};                     // ssh's own words
    QString key_type{}, fingerprint{};  // of kHostKey: "ED25519", "SHA256:..."
    QString key_host{};                 // of kHostKey, as ssh names it: "gate (192.0.2.1)", which may be a jump host; empty: it did not say
    bool is_again = false;              // the former answer to it was not right
    friend bool operator==(const HostQuestion&, const HostQuestion&) = default;
};

// The progress of an installation.
struct HostProgress {
    enum class Phase { kPacking, kConnecting, kSending, kUnpacking, kStarting };
    Phase phase = Phase::kPacking;
    std::uint64_t done_bytes = 0, all_bytes = 0;  // of the archive; all 0 before it is known
    friend bool operator==(const HostProgress&, const HostProgress&) = default;
};

struct FarHost {
    HostEntry entry;
    HostSight sight{};           // of the last look that ended
    bool is_looking = false;     // a look goes on; `sight` is that of the former one
    bool is_installing = false;  // `progress` says how far it is
    HostProgress progress{};
    std::optional<HostQuestion> question{};  // that the installation waits for
    QString install_problem{};               // why the last installation failed; empty: it did not
    std::int64_t seen_unix_ms = 0;           // end of the last look; 0: none yet

    FarHostState state() const { return sight.state == FarHostState::kUnknown && is_looking ? FarHostState::kLooking : sight.state; }
};

// Returns the phase in the user's language: "Sending Tandem".
QString phaseText(HostProgress::Phase phase);

}  // namespace ui::session
