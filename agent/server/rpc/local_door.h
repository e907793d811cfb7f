// The agent's entrance for programs of this computer: a unix socket in a folder that its user alone can open.
//
//   accepted ── another user's process ─────────────────────────────────────────────▶ closed
//      │
//   Silent ── other bytes than HTTP/2's first, `unproven_for` over, one too many ────▶ closed
//      │ HTTP/2's first bytes are there
//   Handed over ── no call with the token for `unproven_for`, one too many ──────────▶ shut down
//      │ proven()
//   Trusted: not the door's concern any more
//
// The state is guarded by mutex_. gRPC's own accept loop stops for good when the process has no descriptor left; this one goes on: it keeps
// a spare descriptor with which it takes such a connection and closes it, and connections that prove nothing are few and short.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "agent/local/file_descriptor.h"
#include "engine/thread/mutex.h"

struct pollfd;

namespace agent::server {

struct LocalDoorOptions {
    std::size_t most_unproven = 64;  // silent ones and handed ones together; one more, and the one that waits longest goes
    std::chrono::milliseconds unproven_for{10000};
};

// Owned by the agent. proven() and unproven() from any thread, the rest by the owner.
class LocalDoor {
public:
    // Takes a connected stream socket whose first bytes are HTTP/2's.
    using Enter = std::function<void(convert::FileDescriptor connection)>;

    // Makes the socket: whoever connects waits until open(). A socket of that name, which an agent left behind, is removed. Throws Error
    // naming the socket.
    LocalDoor(std::filesystem::path folder, std::string name, LocalDoorOptions options = {});
    ~LocalDoor();  // closes
    LocalDoor(const LocalDoor&) = delete;
    LocalDoor& operator=(const LocalDoor&) = delete;

    // Called once. `enter` is called on the door's thread.
    void open(Enter enter);
    // Removes the socket; `enter` is not called any more once this returns. Connections that were handed over stay.
    void close();
    std::filesystem::path socket() const { return folder_path_ / name_; }
    // A call with the token came from this peer, as gRPC names it ("fd:12").
    void proven(std::string_view peer);
    std::size_t unproven() const;

private:
    using Clock = std::chrono::steady_clock;
    enum class State { kSilent, kHandedOver };
    struct Guest {
        convert::FileDescriptor connection;  // of one that was handed over a duplicate: gRPC closes its own when it likes
        State state = State::kSilent;
        int handed_as = -1;  // the descriptor's number in gRPC's hands
        Clock::time_point since{};
    };
    enum class First { kNone, kHttp2, kOther };

    void loop(const std::stop_token& stop);
    std::vector<pollfd> descriptors() const;
    int timeout(Clock::time_point now) const;
    void accept(Clock::time_point now);
    void admit(convert::FileDescriptor connection, Clock::time_point now);
    void look(const std::vector<pollfd>& entries);
    void sendAway(Clock::time_point now);
    void forgive(Clock::duration own_stop);
    static First firstBytes(int connection);
    static bool isOwn(int connection);

    const std::filesystem::path folder_path_;
    const std::string name_;
    const LocalDoorOptions options_;
    const convert::FileDescriptor folder_, listener_, wake_;
    convert::FileDescriptor spare_;  // the thread's, as the two below
    Enter enter_;
    Clock::time_point accept_again_{};  // not before, when there was no room for another descriptor
    mutable engine::Mutex mutex_;
    std::list<Guest> guests_ TANDEM_GUARDED_BY(mutex_);  // the longest waiting first
    std::jthread thread_;                                // last: joined before anything it uses goes
};

}  // namespace agent::server
