// The agent's entrance for other computers: the port of --listen, TLS 1.3 alone.
//
//   accepted ──▶ Shakes ── no TLS, no certificate, `unproven_for` over, one too many ────────────▶ closed, and told to the log
//                  │ the handshake is done
//                Speaks ── no request; not paired and no right join; the time is over ───────────▶ the same
//                  │
//                  ├─ join, invite ▶ Answers ──▶ closed
//                  ├─ locate ─▶ Answers ──▶ Watches: until the other side ends it
//                  └─ enter ──▶ Answers ──▶ the relay's: the agent's own socket, as any program of the user
//
// The door's thread alone uses this state. A guest that says nothing costs a descriptor and some memory for ten seconds; there are at most
// 64. When one more comes, the address that has most of them loses the guest that waits longest. Whoever is refused is told nothing.
//
// A paired computer has at most 64 connections: each costs two descriptors, of usually 1024, and half a MiB of memory, and a home needs a
// few for each run. Once a second the door looks whether the computers that have connections are still paired, and ends all connections of
// one that is not. While the list of paired computers can't be read, nobody is let in and nobody's connections end.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "agent/direct/invitations.h"
#include "agent/direct/paired_peers.h"
#include "agent/direct/refusal_log.h"
#include "agent/local/file_descriptor.h"
#include "agent/local/located_agent.h"
#include "agent/trust/identity.h"
#include "agent/trust/tls_relay.h"

struct pollfd;

namespace agent::direct {

struct DirectDoorOptions {
    std::string listen;           // HOST:PORT; every address of this computer where HOST is 0.0.0.0 or [::]
    trust::Identity identity;     // this side's
    PairedPeers peers;            // who is let in
    convert::LocatedAgent agent;  // what they are told, and where its own socket is
    std::function<void(const std::string&)> log;
    // Called on the door's thread with why the list of paired computers can't be read, whenever that changes; an empty text says that it
    // can.
    std::function<void(const std::string&)> obstacle{};
    std::size_t most_unproven = 64;
    std::chrono::milliseconds unproven_for{10000};
    std::size_t most_of_peer = 64;
};

// Owned by the agent, used by one thread.
class DirectDoor {
public:
    // Listens, and opens. Throws Error naming the address: kInvalidArgument for a text that is none, kNotFound for a name that is unknown,
    // kFailedPrecondition for an address of another computer, kAlreadyExists for a port that is in use.
    explicit DirectDoor(DirectDoorOptions options);
    // Ends every connection.
    ~DirectDoor();
    DirectDoor(const DirectDoor&) = delete;
    DirectDoor& operator=(const DirectDoor&) = delete;

    // "node2:7443", as pairing lines have it.
    const std::string& address() const { return address_; }
    std::size_t unproven() const { return unproven_; }

private:
    using Clock = std::chrono::steady_clock;
    enum class State { kShakes, kSpeaks, kAnswers, kWatches };
    enum class Then { kClose, kWatch, kEnter };
    enum class Standing { kWaits, kMoves, kOver };
    struct Guest;

    PairingLine invite();
    void loop(const std::stop_token& stop);
    void accept(Clock::time_point now);
    void makeRoom(Clock::time_point now);
    void serve(const std::vector<pollfd>& entries, Clock::time_point now);
    Standing step(Guest& guest, Clock::time_point now);
    Standing shake(Guest& guest, Clock::time_point now);
    Standing hear(Guest& guest, Clock::time_point now);
    Standing decide(Guest& guest, Clock::time_point now);
    // True when the list of paired computers has the peer. Throws Error when the list can't be read.
    bool isPaired(const std::string& peer);
    void noteObstacle(const std::string& text);
    // Returns how many connections a paired computer has now. Those that are on their way to the relay count, too.
    std::size_t connectionsOf(const std::string& peer) const;
    void endUnpaired();
    Standing join(Guest& guest, const Request& request, Clock::time_point now);
    static Standing say(Guest& guest, std::string answer, Then then);
    Standing answer(Guest& guest, Clock::time_point now);
    Standing watch(Guest& guest);
    Standing enter(Guest& guest, Clock::time_point now);
    Standing refuse(const Guest& guest, const std::string& why, Clock::time_point now);
    std::string locatedText(const Guest& guest) const;

    const DirectDoorOptions options_;
    std::string address_;
    const convert::FileDescriptor listener_, wake_;
    trust::TlsRelay relay_;
    Invitations invitations_;
    RefusalLog refusals_;               // the thread's own, as the three below
    Clock::time_point accept_again_{};  // not before, when there was no room for another descriptor
    Clock::time_point look_again_{};    // at who is paired
    std::string obstacle_;              // DirectDoorOptions::obstacle
    std::list<std::unique_ptr<Guest>> guests_;
    std::atomic<std::size_t> unproven_ = 0;
    std::jthread thread_;  // last: it uses the others
};

}  // namespace agent::direct
