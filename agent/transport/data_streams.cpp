#include "agent/transport/data_streams.h"

#include <grpcpp/create_channel_posix.h>

#include <cstring>

#include "engine/spec/error.h"

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

}  // namespace

std::shared_ptr<grpc::Channel> channelOver(convert::FileDescriptor socket) {
    grpc::ChannelArguments arguments;
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

DataStreams::DataStreams(std::function<void(const std::string&)> on_broken) : on_broken_(std::move(on_broken)) {
    on_started_.done = [this](bool ok) {
        started_ = ok;
        if (ok) {
            writeNext();
        } else {
            askStatus();
        }
    };
    on_written_.done = [this](bool ok) {
        writing_ = false;
        to_write_.pop_front();
        if (ok) {
            writeNext();
        } else if (!finishing_) {
            finishing_ = true;
            askStatus();
        }
    };
    on_writes_done_.done = [this](bool) { askStatus(); };
    on_status_.done = [this](bool) {
        finished_ = true;
        if (!outgoing_->status.ok() && !shut_down_) on_broken_(outgoing_->status.error_message());
    };
    on_read_.done = [this](bool ok) {
        reading_ = false;
        if (ok) {
            received_.push_back(std::move(reading_into_));
            reading_into_.Clear();
            readNext();
        } else {
            incoming_ended_ = true;
            if (!shut_down_) incoming_->stream.Finish(grpc::Status::OK, &on_finished_);
        }
    };
    on_finished_.done = [](bool) {};
}

DataStreams::~DataStreams() {
    shutDown();
}

void DataStreams::attachIncoming(std::unique_ptr<Incoming> call) {
    std::lock_guard lock(mutex_);
    ENGINE_CHECK(!incoming_);
    incoming_ = std::move(call);
    readNext();
}

void DataStreams::refuse(std::unique_ptr<Incoming> call) {
    std::lock_guard lock(mutex_);
    if (shut_down_) return;
    refused_.remove_if([](const Refused& refused) { return refused.over; });
    Refused& refused = refused_.emplace_back(Refused{.call = std::move(call)});
    refused.finished.done = [&refused](bool) { refused.over = true; };
    refused.call->stream.Finish(grpc::Status(grpc::StatusCode::PERMISSION_DENIED, "refused"), &refused.finished);
}

void DataStreams::openOutgoing(convert::FileDescriptor socket) {
    std::lock_guard lock(mutex_);
    // A connection of its own: heartbeats do not queue behind gradients.
    stub_ = std::make_unique<grpc::GenericStub>(channelOver(std::move(socket)));
    outgoing_ = std::make_unique<Outgoing>();
    outgoing_->stream = stub_->PrepareCall(&outgoing_->context, "/agent.proto.Collective/Data", &queue_);
    outgoing_->stream->StartCall(&on_started_);
}

bool DataStreams::trySend(std::uint64_t tag, std::span<const std::byte> bytes) {
    std::lock_guard lock(mutex_);
    if (!started_ || finishing_ || to_write_.size() >= kToWrite) return false;
    const grpc::Slice slices[] = {grpc::Slice(&tag, sizeof tag), grpc::Slice(bytes.data(), bytes.size())};
    to_write_.emplace_back(slices, 2);
    writeNext();
    return true;
}

// Nothing may be started on a queue that is shut down.
void DataStreams::askStatus() {
    if (!shut_down_) outgoing_->stream->Finish(&outgoing_->status, &on_status_);
}

bool DataStreams::ready(bool outgoing, bool incoming) const {
    std::lock_guard lock(mutex_);
    return (!outgoing || started_) && (!incoming || incoming_);
}

void DataStreams::writeNext() {
    if (!started_ || writing_ || finishing_ || to_write_.empty()) return;
    writing_ = true;
    // Written through: done means in the socket, so that nothing is left behind for a poll when the operation returns.
    outgoing_->stream->Write(to_write_.front(), grpc::WriteOptions().set_write_through(), &on_written_);
}

void DataStreams::readNext() {
    if (!incoming_ || reading_ || incoming_ended_ || shut_down_ || received_.size() >= kReceived) return;
    reading_ = true;
    incoming_->stream.Read(&reading_into_, &on_read_);
}

const engine::distribute::Message* DataStreams::tryReceive() {
    if (holds_message_) return &message_;
    std::lock_guard lock(mutex_);
    if (received_.empty()) return nullptr;
    slices_.clear();
    if (!received_.front().Dump(&slices_).ok()) throw engine::Error(engine::ErrorCode::kDataLoss, "gRPC: an unreadable message");
    message_.tag = splitTag(slices_, fragments_, message_.bytes);
    message_.fragments = fragments_;
    received_.pop_front();
    readNext();
    holds_message_ = true;
    return &message_;
}

void DataStreams::release() {
    holds_message_ = false;
    slices_.clear();
}

bool DataStreams::drained() const {
    std::lock_guard lock(mutex_);
    return to_write_.empty();
}

void DataStreams::poll(std::chrono::microseconds may_block) {
    std::lock_guard lock(mutex_);
    if (!shut_down_) handleMany(queue_, may_block);
}

void DataStreams::tick() {
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || shut_down_) return;  // an operation is at work and polls itself
    handleMany(queue_, std::chrono::microseconds(0));
}

void DataStreams::finishWriting() {
    std::lock_guard lock(mutex_);
    if (!outgoing_ || finishing_) {
        if (!outgoing_) finished_ = true;
        return;
    }
    if (!started_ || writing_) {  // never connected, or given up in the middle
        finished_ = true;
        return;
    }
    finishing_ = true;
    outgoing_->stream->WritesDone(&on_writes_done_);
}

bool DataStreams::finished() const {
    std::lock_guard lock(mutex_);
    return finished_;
}

void DataStreams::shutDown() {
    std::lock_guard lock(mutex_);
    if (shut_down_) return;
    shut_down_ = true;
    finishing_ = true;
    if (outgoing_) outgoing_->context.TryCancel();
    queue_.Shutdown();
    // Every operation under way completes now, because its call is cancelled; the queue ends when the last one was taken.
    void* tag = nullptr;
    bool ok = false;
    while (queue_.Next(&tag, &ok)) complete(tag, ok);
}

}  // namespace agent::worker
