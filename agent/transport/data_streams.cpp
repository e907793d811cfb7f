#include "agent/transport/data_streams.h"

#include <grpcpp/create_channel_posix.h>

#include <algorithm>
#include <cstring>

#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::worker {
namespace {

constexpr std::size_t kToWrite = 4;   // messages that wait for the stream: enough to keep it full
constexpr std::size_t kReceived = 8;  // messages that wait for us; beyond that HTTP/2 slows the sender
// What gRPC offers the socket to fill. Large: a message then lies in one or two pieces, and after the first few malloc keeps such blocks in
// place of mapping fresh pages for each (which took a third of the time).
constexpr int kReadBytes = 4 * 1024 * 1024;
constexpr int kFrameBytes = 16 * 1024 * 1024 - 1;  // HTTP/2's largest
constexpr int kLookaheadBytes = 8 * 1024 * 1024;
constexpr std::size_t kTagBytes = sizeof(std::uint64_t);
constexpr int kSmallBytes = 512 * 1024;  // what a caller is sent: a Link's messages, nothing on Data
constexpr int kUncompressed = 1 << GRPC_COMPRESS_NONE;

// Message::fragments of a received buffer: all slices without the first eight bytes, which are the tag.
std::uint64_t splitTag(const std::vector<grpc::Slice>& slices, std::vector<std::span<const std::byte>>& fragments, std::size_t& bytes) {
    std::byte tag_bytes[kTagBytes];
    std::size_t have = 0;
    fragments.clear();
    bytes = 0;
    for (const grpc::Slice& slice : slices) {
        std::span<const std::byte> rest(reinterpret_cast<const std::byte*>(slice.begin()), slice.size());
        if (have < kTagBytes) {
            const std::size_t part = std::min(kTagBytes - have, rest.size());
            std::memcpy(tag_bytes + have, rest.data(), part);
            have += part;
            rest = rest.subspan(part);
        }
        if (rest.empty()) continue;
        fragments.push_back(rest);
        bytes += rest.size();
    }
    if (have < kTagBytes) throw engine::Error(engine::ErrorCode::kDataLoss, "gRPC: a message without a tag");
    std::uint64_t tag;
    std::memcpy(&tag, tag_bytes, sizeof tag);
    return tag;
}

template <typename T>
std::vector<std::unique_ptr<T>> makeEach(int size) {
    std::vector<std::unique_ptr<T>> all;
    all.reserve(static_cast<std::size_t>(size));
    for (int i = 0; i < size; ++i) all.push_back(std::make_unique<T>());
    return all;
}

}  // namespace

std::shared_ptr<grpc::Channel> channelOver(convert::FileDescriptor socket, std::chrono::milliseconds lost_after) {
    grpc::ChannelArguments arguments;
    if (lost_after.count() > 0) {
        arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 1000);
        arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, static_cast<int>(lost_after.count()));
        arguments.SetInt(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    }
    arguments.SetMaxReceiveMessageSize(kSmallBytes);
    arguments.SetCompressionAlgorithm(GRPC_COMPRESS_NONE);
    arguments.SetInt(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET, kUncompressed);
    arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);  // a retry would keep a copy of every message
    arguments.SetInt(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, kFrameBytes);
    arguments.SetInt(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kLookaheadBytes);
    arguments.SetInt(GRPC_ARG_HTTP2_WRITE_BUFFER_SIZE, 2 * 1024 * 1024);
    arguments.SetInt(GRPC_ARG_TCP_READ_CHUNK_SIZE, kReadBytes);
    arguments.SetInt(GRPC_ARG_TCP_MIN_READ_CHUNK_SIZE, kReadBytes);
    arguments.SetInt(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, 2 * kReadBytes);
    return grpc::CreateCustomInsecureChannelFromFd("task", socket.release(), arguments);
}

void applyServerArguments(grpc::ServerBuilder& builder) {
    builder.SetMaxReceiveMessageSize(static_cast<int>(DataStreams::kMessageBytes + kTagBytes));
    builder.AddChannelArgument(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET, kUncompressed);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 1);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, kFrameBytes);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kLookaheadBytes);
    builder.AddChannelArgument(GRPC_ARG_TCP_READ_CHUNK_SIZE, kReadBytes);
    builder.AddChannelArgument(GRPC_ARG_TCP_MIN_READ_CHUNK_SIZE, kReadBytes);
    builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, 2 * kReadBytes);
}

DataStreams::DataStreams(int size, std::function<void(int, const std::string&)> on_broken)
    : on_broken_(std::move(on_broken)), sources_(makeEach<Source>(size)), outgoing_(static_cast<std::size_t>(size)) {
    for (const std::unique_ptr<Source>& source : sources_) {
        Source* const from = source.get();
        from->on_read.done = [this, from](bool ok) TANDEM_REQUIRES(mutex_) {
            from->is_reading = false;
            if (ok) {
                from->received.push_back(std::move(from->reading_into));
                from->reading_into.Clear();
                readNext(*from);
            } else {
                from->has_ended = true;
                if (!shut_down_) from->call->stream.Finish(grpc::Status::OK, &from->on_finished);
            }
        };
        from->on_finished.done = [](bool) {};
    }
}

DataStreams::~DataStreams() {
    shutDown();
}

void DataStreams::attachIncoming(int peer, std::unique_ptr<Incoming> call) {
    const engine::MutexLock lock(mutex_);
    Source& from = source(peer);
    ENGINE_CHECK(!from.call);
    from.call = std::move(call);
    readNext(from);
}

void DataStreams::refuse(std::unique_ptr<Incoming> call) {
    const engine::MutexLock lock(mutex_);
    if (shut_down_) return;
    refused_.remove_if([](const Refused& refused) { return refused.over; });
    Refused& refused = refused_.emplace_back(Refused{.call = std::move(call)});
    refused.finished.done = [&refused](bool) { refused.over = true; };
    refused.call->stream.Finish(grpc::Status(grpc::StatusCode::PERMISSION_DENIED, "refused"), &refused.finished);
}

void DataStreams::openOutgoing(int peer, convert::FileDescriptor socket) {
    const engine::MutexLock lock(mutex_);
    std::unique_ptr<Outgoing>& place = outgoing_[static_cast<std::size_t>(peer)];
    ENGINE_CHECK(!place);
    if (is_leaving_ || shut_down_) return;
    place = std::make_unique<Outgoing>();
    Outgoing* const to = place.get();
    to->on_started.done = [this, to](bool ok) TANDEM_REQUIRES(mutex_) {
        to->has_started = ok;
        if (ok) {
            writeNext(*to);
        } else {
            askStatus(*to);
        }
    };
    to->on_written.done = [this, to](bool ok) TANDEM_REQUIRES(mutex_) {
        to->is_writing = false;
        to->to_write.pop_front();
        if (ok) {
            writeNext(*to);
        } else if (!to->is_finishing) {
            to->is_finishing = true;
            askStatus(*to);
        }
    };
    to->on_writes_done.done = [this, to](bool) TANDEM_REQUIRES(mutex_) { askStatus(*to); };
    to->on_status.done = [this, to, peer](bool) TANDEM_REQUIRES(mutex_) {
        to->is_finished = true;
        if (!to->status.ok() && !shut_down_) on_broken_(peer, to->status.error_message());
    };
    // A connection of its own: heartbeats do not queue behind gradients.
    to->stub = std::make_unique<grpc::GenericStub>(channelOver(std::move(socket)));
    to->stream = to->stub->PrepareCall(&to->context, "/agent.proto.Collective/Data", &queue_);
    to->stream->StartCall(&to->on_started);
}

bool DataStreams::trySend(int peer, std::uint64_t tag, std::span<const std::byte> bytes) {
    const engine::MutexLock lock(mutex_);
    Outgoing* const to = outgoing_[static_cast<std::size_t>(peer)].get();
    if (to == nullptr || !to->has_started || to->is_finishing || to->to_write.size() >= kToWrite) return false;
    const grpc::Slice slices[] = {grpc::Slice(&tag, sizeof tag), grpc::Slice(bytes.data(), bytes.size())};
    to->to_write.emplace_back(slices, 2);
    writeNext(*to);
    return true;
}

// Asks for the status, except on a queue that is shut down: nothing may be started there.
void DataStreams::askStatus(Outgoing& to) {
    if (!shut_down_) to.stream->Finish(&to.status, &to.on_status);
}

bool DataStreams::sendsTo(int peer) const {
    const engine::MutexLock lock(mutex_);
    const std::unique_ptr<Outgoing>& to = outgoing_[static_cast<std::size_t>(peer)];
    return to && to->has_started;
}

bool DataStreams::hears(int peer) const {
    const engine::MutexLock lock(mutex_);
    return source(peer).call != nullptr;
}

void DataStreams::writeNext(Outgoing& to) {
    if (!to.has_started || to.is_writing || to.is_finishing || to.to_write.empty()) return;
    to.is_writing = true;
    // The message is written through: once it is done it is in the socket, and no poll is needed for it when the operation returns.
    to.stream->Write(to.to_write.front(), grpc::WriteOptions().set_write_through(), &to.on_written);
}

void DataStreams::readNext(Source& from) {
    if (!from.call || from.is_reading || from.has_ended || shut_down_ || from.received.size() >= kReceived) return;
    from.is_reading = true;
    from.call->stream.Read(&from.reading_into, &from.on_read);
}

const engine::distribute::Message* DataStreams::tryReceive(int peer) {
    Source& from = source(peer);
    if (from.holds_message) return &from.message;
    const engine::MutexLock lock(mutex_);
    if (from.received.empty()) return nullptr;
    from.slices.clear();
    if (!from.received.front().Dump(&from.slices).ok()) throw engine::Error(engine::ErrorCode::kDataLoss, "gRPC: an unreadable message");
    from.message.tag = splitTag(from.slices, from.fragments, from.message.bytes);
    from.message.fragments = from.fragments;
    from.received.pop_front();
    readNext(from);
    from.holds_message = true;
    return &from.message;
}

void DataStreams::release(int peer) {
    Source& from = source(peer);
    from.holds_message = false;
    from.slices.clear();
}

bool DataStreams::drained(int peer) const {
    const engine::MutexLock lock(mutex_);
    const std::unique_ptr<Outgoing>& to = outgoing_[static_cast<std::size_t>(peer)];
    return !to || to->to_write.empty();
}

void DataStreams::poll(std::chrono::microseconds may_block) {
    const engine::MutexLock lock(mutex_);
    if (!shut_down_) handleMany(queue_, may_block);
}

void DataStreams::tick() {
    if (!mutex_.try_lock()) return;  // an operation is at work and polls itself
    const engine::MutexLock lock(mutex_, std::adopt_lock);
    if (!shut_down_) handleMany(queue_, std::chrono::microseconds(0));
}

void DataStreams::finishWriting() {
    const engine::MutexLock lock(mutex_);
    is_leaving_ = true;
    for (const std::unique_ptr<Outgoing>& to : outgoing_) {
        if (!to || to->is_finishing) continue;
        if (!to->has_started || to->is_writing) {  // never connected, or given up in the middle
            to->is_finished = true;
            continue;
        }
        to->is_finishing = true;
        to->stream->WritesDone(&to->on_writes_done);
    }
}

bool DataStreams::finished() const {
    const engine::MutexLock lock(mutex_);
    return is_leaving_ && std::all_of(outgoing_.begin(), outgoing_.end(), [](const auto& to) { return !to || to->is_finished; });
}

void DataStreams::shutDown() {
    const engine::MutexLock lock(mutex_);
    if (shut_down_) return;
    shut_down_ = true;
    for (const std::unique_ptr<Outgoing>& to : outgoing_) {
        if (!to) continue;
        to->is_finishing = true;
        to->context.TryCancel();
    }
    queue_.Shutdown();
    // Every operation under way completes now, because its call is cancelled; the queue ends when the last one was taken.
    void* tag = nullptr;
    bool ok = false;
    while (queue_.Next(&tag, &ok)) complete(tag, ok);
}

}  // namespace agent::worker
