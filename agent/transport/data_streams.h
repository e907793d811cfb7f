// The edges of a run between tasks that share no memory: a connection for each, to a peer or from one, which the gate has let through
// (connection_gate.h) and which carries nothing but messages, each behind a header of two u64, little-endian: its tag and its length. The
// other end says nothing, and closes the connection when it has everything.
//
// HTTP/2 costs more than the sums of the gradients do, so these bytes go without: what the socket has room for leaves from the memory of
// the caller, and what has come is read from the memory that the kernel filled. Measured in tests/bench/all_reduce.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agent/local/file_descriptor.h"
#include "engine/distribute/transport.h"
#include "engine/thread/mutex.h"

struct pollfd;

namespace agent::worker {

// Owned by the transport. Thread-safe: the thread of the current operation polls, and a background thread calls `tick` so that bytes move
// and the streams end while this task computes. Received messages belong to the one thread that receives. A peer is told by its rank.
class DataStreams {
public:
    static constexpr std::size_t kMessageBytes = 512 * 1024;
    static constexpr std::chrono::milliseconds kEndGrace{5000};

    // `on_broken`: the stream to that peer, or from it, failed, and why; called once for each stream, from whoever moves bytes. A stream
    // that the peer ends while this task goes on is broken after `end_grace`: a peer that leaves has said so elsewhere by then.
    DataStreams(int size, std::function<void(int peer, const std::string&)> on_broken, std::chrono::milliseconds end_grace = kEndGrace);
    ~DataStreams();

    // Each once for each peer, with a connection that is in plain; they do nothing after finishWriting() or shutDown().
    void attachIncoming(int peer, convert::FileDescriptor socket);
    void openOutgoing(int peer, convert::FileDescriptor socket);
    // True when there is, or was, a stream to that peer, or from it.
    bool sendsTo(int peer) const;
    bool hears(int peer) const;

    // These do what the functions of Transport with the same names say. Nothing more is received from a peer that announces a message of
    // more than kMessageBytes, which breaks the stream.
    bool trySend(int peer, std::uint64_t tag, std::span<const std::byte> bytes);
    const engine::distribute::Message* tryReceive(int peer);
    void release(int peer);
    bool drained(int peer) const;
    void poll(std::chrono::microseconds may_block);
    void tick();

    // Says to everyone that nothing more comes; what was sent before still arrives.
    void finishWriting();
    bool finished() const;  // all of them have taken everything
    // Lets go of every connection.
    void shutDown();

private:
    using Clock = std::chrono::steady_clock;

    // Guarded by mutex_.
    struct Outgoing {
        convert::FileDescriptor socket;
        std::optional<Clock::time_point> ended_at;  // since when the peer's end is known, while this task goes on
        bool was_open = false;
        std::vector<std::byte> left;  // of a message that the socket took a part of
        std::size_t left_sent = 0;    // of `left`
        bool lacks_room = false;      // since a message was turned away
        bool has_ended = false;       // our side: nothing more is sent
        bool is_over = false;         // the peer has taken everything, or is gone
    };
    // A ring of bytes: [taken, come) are there, counted from the beginning of the stream. Guarded by mutex_, except for the message that
    // the receiving thread looks at.
    struct Source {
        convert::FileDescriptor socket;
        bool was_open = false;
        std::vector<std::byte> ring;
        std::uint64_t taken = 0, come = 0;
        std::optional<Clock::time_point> ended_at;  // as Outgoing has it
        bool is_broken = false;                     // and that was told

        bool holds_message = false;
        std::array<std::span<const std::byte>, 2> fragments;
        engine::distribute::Message message;
    };

    Source& source(int peer) { return sources_[static_cast<std::size_t>(peer)]; }
    Outgoing& outgoing(int peer) { return outgoing_[static_cast<std::size_t>(peer)]; }
    // The parts of the ring where these bytes of the stream lie.
    static std::array<std::span<std::byte>, 2> placesOf(Source& from, std::uint64_t begin, std::uint64_t end);
    // Returns the header of the message that begins at that byte of the stream; nullopt where it is not there whole.
    static std::optional<std::array<std::uint64_t, 2>> headerAt(Source& from, std::uint64_t begin);
    static bool endsInsideMessage(Source& from);
    // They return whether bytes were moved.
    bool move() TANDEM_REQUIRES(mutex_);
    bool readFrom(int peer) TANDEM_REQUIRES(mutex_);
    bool writeLeft(int peer) TANDEM_REQUIRES(mutex_);
    void lookForEnd(int peer) TANDEM_REQUIRES(mutex_);
    // Finds streams that their peers have ended, now and then: nobody reads what would be sent there, and nothing comes from there.
    void lookForEnds() TANDEM_REQUIRES(mutex_);
    bool isOverdue(std::optional<Clock::time_point>& ended_at, Clock::time_point now) const;
    void breakOutgoing(int peer, const std::string& why) TANDEM_REQUIRES(mutex_);
    void breakIncoming(int peer, const std::string& why) TANDEM_REQUIRES(mutex_);

    mutable engine::Mutex mutex_;
    const std::function<void(int, const std::string&)> on_broken_;
    const std::chrono::milliseconds end_grace_;
    std::vector<Source> sources_;                                                     // by rank
    std::vector<Outgoing> outgoing_;                                                  // by rank
    std::vector<int> to_ TANDEM_GUARDED_BY(mutex_), from_ TANDEM_GUARDED_BY(mutex_);  // ranks with a stream
    std::vector<pollfd> awaited_ TANDEM_GUARDED_BY(mutex_);                           // by poll(); kept for its memory
    bool is_leaving_ TANDEM_GUARDED_BY(mutex_) = false;                               // finishWriting was called
    bool shut_down_ TANDEM_GUARDED_BY(mutex_) = false;
    Clock::time_point look_again_at_ TANDEM_GUARDED_BY(mutex_){};  // for ends
};

}  // namespace agent::worker
