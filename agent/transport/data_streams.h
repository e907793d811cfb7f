// The edges of a run over gRPC: one stream for each, to a peer or from one. Messages are raw slices; format: agent/proto/collective.proto.
#pragma once

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agent/local/file_descriptor.h"
#include "agent/transport/completion.h"
#include "engine/distribute/transport.h"
#include "engine/thread/mutex.h"

namespace agent::worker {

// Channels and servers for large frames over connections that the gate has let through (connection_gate.h); measured in
// tests/bench/all_reduce. A connection carries one stream. `lost_after`: the other end is asked for a sign of life each second, and the
// stream ends when it gives none for so long; 0: it is not asked.
std::shared_ptr<grpc::Channel> channelOver(convert::FileDescriptor socket,
                                           std::chrono::milliseconds lost_after = std::chrono::milliseconds(0));
void applyServerArguments(grpc::ServerBuilder& builder);

// Owned by the transport. Thread-safe: the thread of the current operation polls, and a background thread calls `tick` so that bytes move
// and the streams end while this task computes. Received messages belong to the one thread that receives. A peer is told by its rank.
class DataStreams {
public:
    static constexpr std::size_t kMessageBytes = 512 * 1024;

    // `on_broken`: the stream to that peer failed, with gRPC's reason; called from whoever polls.
    DataStreams(int size, std::function<void(int peer, const std::string&)> on_broken);
    ~DataStreams();

    // The queue that the server's Data calls must use, and the stream that they fill.
    grpc::CompletionQueue* queue() { return &queue_; }
    struct Incoming {
        grpc::ServerContext context;
        grpc::ServerAsyncReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer> stream{&context};
    };
    // Once for each peer.
    void attachIncoming(int peer, std::unique_ptr<Incoming> call);
    // Turns a call away.
    void refuse(std::unique_ptr<Incoming> call);
    // Once for each peer; does nothing after finishWriting() or shutDown().
    void openOutgoing(int peer, convert::FileDescriptor socket);
    // True while the stream to that peer, or from it, stands.
    bool sendsTo(int peer) const;
    bool hears(int peer) const;

    // These do what the functions of Transport with the same names say.
    bool trySend(int peer, std::uint64_t tag, std::span<const std::byte> bytes);
    const engine::distribute::Message* tryReceive(int peer);
    void release(int peer);
    bool drained(int peer) const;
    void poll(std::chrono::microseconds may_block);
    void tick();

    // Says to everyone that nothing more comes; what was sent before still arrives.
    void finishWriting();
    bool finished() const;  // all of them have taken everything
    // Cancels what is left and waits for gRPC to let go. The server must have been shut down.
    void shutDown();

private:
    // The stream to one peer. Guarded by mutex_.
    struct Outgoing {
        std::unique_ptr<grpc::GenericStub> stub;
        grpc::ClientContext context;
        std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream;
        grpc::Status status;
        std::deque<grpc::ByteBuffer> to_write;  // the first one is being written while is_writing
        bool has_started = false;
        bool is_writing = false;
        bool is_finishing = false;
        bool is_finished = false;
        Completion on_started, on_written, on_writes_done, on_status;
    };
    // The stream from one peer. Guarded by mutex_, except for the message that the receiving thread looks at.
    struct Source {
        std::unique_ptr<Incoming> call;
        std::deque<grpc::ByteBuffer> received;
        grpc::ByteBuffer reading_into;
        bool is_reading = false;
        bool has_ended = false;
        Completion on_read, on_finished;

        bool holds_message = false;
        std::vector<grpc::Slice> slices;
        std::vector<std::span<const std::byte>> fragments;
        engine::distribute::Message message;
    };
    struct Refused {
        std::unique_ptr<Incoming> call;
        Completion finished{};
        bool over = false;
    };

    Source& source(int peer) const { return *sources_[static_cast<std::size_t>(peer)]; }
    void writeNext(Outgoing& to) TANDEM_REQUIRES(mutex_);
    void askStatus(Outgoing& to) TANDEM_REQUIRES(mutex_);
    void readNext(Source& from) TANDEM_REQUIRES(mutex_);

    mutable engine::Mutex mutex_;
    const std::function<void(int, const std::string&)> on_broken_;
    grpc::CompletionQueue queue_;
    const std::vector<std::unique_ptr<Source>> sources_;  // by rank, all there from the start

    std::vector<std::unique_ptr<Outgoing>> outgoing_ TANDEM_GUARDED_BY(mutex_);  // by rank; null until openOutgoing
    std::list<Refused> refused_ TANDEM_GUARDED_BY(mutex_);
    bool is_leaving_ TANDEM_GUARDED_BY(mutex_) = false;  // finishWriting was called
    bool shut_down_ TANDEM_GUARDED_BY(mutex_) = false;
};

}  // namespace agent::worker
