// The ring's edges over gRPC: one stream to the right neighbour, one from the left. Messages are raw slices; format:
// agent/proto/collective.proto.
#pragma once

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agent/local/file_descriptor.h"
#include "agent/transport/completion.h"
#include "engine/distribute/transport.h"

namespace agent::worker {

// Channels and servers for large frames over connections that the gate has let through (connection_gate.h); measured in
// tests/bench/all_reduce. A connection carries one stream.
std::shared_ptr<grpc::Channel> channelOver(convert::FileDescriptor socket);
void applyServerArguments(grpc::ServerBuilder& builder);

// Owned by the transport. Thread-safe: the thread of the current operation polls, and a background thread calls `tick` so that bytes move
// and the streams end while this task computes. A received message belongs to the one thread that receives.
class DataStreams {
public:
    static constexpr std::size_t kMessageBytes = 512 * 1024;

    // `on_broken`: the outgoing stream failed, with gRPC's reason; called from whoever polls.
    explicit DataStreams(std::function<void(const std::string&)> on_broken);
    ~DataStreams();

    // The queue that the server's Data calls must use, and the stream that they fill.
    grpc::CompletionQueue* queue() { return &queue_; }
    struct Incoming {
        grpc::ServerContext context;
        grpc::ServerAsyncReaderWriter<grpc::ByteBuffer, grpc::ByteBuffer> stream{&context};
    };
    void attachIncoming(std::unique_ptr<Incoming> call);
    // Turns a call away.
    void refuse(std::unique_ptr<Incoming> call);
    void openOutgoing(convert::FileDescriptor socket);
    // The streams that are asked for stand. From then on attachIncoming must not be called.
    bool ready(bool outgoing, bool incoming) const;

    bool trySend(std::uint64_t tag, std::span<const std::byte> bytes);
    const engine::distribute::Message* tryReceive();
    void release();
    bool drained() const;
    void poll(std::chrono::microseconds may_block);
    void tick();

    // Says that nothing more comes; what was sent before still arrives.
    void finishWriting();
    bool finished() const;  // the right neighbour has taken everything
    // Cancels what is left and waits for gRPC to let go. The server must have been shut down.
    void shutDown();

private:
    struct Outgoing {
        grpc::ClientContext context;
        std::unique_ptr<grpc::GenericClientAsyncReaderWriter> stream;
        grpc::Status status;
    };

    void writeNext();
    void askStatus();
    void readNext();

    mutable std::mutex mutex_;
    const std::function<void(const std::string&)> on_broken_;
    grpc::CompletionQueue queue_;

    // All below guarded by mutex_.
    std::unique_ptr<grpc::GenericStub> stub_;
    std::unique_ptr<Outgoing> outgoing_;
    std::deque<grpc::ByteBuffer> to_write_;  // the first one is being written while writing_
    bool started_ = false;
    bool writing_ = false;
    bool finishing_ = false;
    bool finished_ = false;
    bool shut_down_ = false;

    struct Refused {
        std::unique_ptr<Incoming> call;
        Completion finished{};
        bool over = false;
    };
    std::list<Refused> refused_;

    std::unique_ptr<Incoming> incoming_;
    std::deque<grpc::ByteBuffer> received_;
    grpc::ByteBuffer reading_into_;
    bool reading_ = false;
    bool incoming_ended_ = false;

    // The message that the receiving thread looks at.
    bool holds_message_ = false;
    std::vector<grpc::Slice> slices_;
    std::vector<std::span<const std::byte>> fragments_;
    engine::distribute::Message message_;

    Completion on_started_, on_written_, on_writes_done_, on_status_, on_read_, on_finished_;
};

}  // namespace agent::worker
