#include "agent/transport/grpc_channel.h"

#include <grpcpp/create_channel_posix.h>

namespace agent::worker {
namespace {

// What gRPC offers the socket to fill. Large: a message then lies in one or two pieces, and after the first few malloc keeps such blocks in
// place of mapping fresh pages for each (which took a third of the time).
constexpr int kReadBytes = 4 * 1024 * 1024;
constexpr int kFrameBytes = 16 * 1024 * 1024 - 1;  // HTTP/2's largest
constexpr int kLookaheadBytes = 8 * 1024 * 1024;
constexpr int kServedBytes = 512 * 1024 + 8;  // the largest message that a server takes
constexpr int kSmallBytes = 512 * 1024;       // what a caller is sent
constexpr int kUncompressed = 1 << GRPC_COMPRESS_NONE;

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
    builder.SetMaxReceiveMessageSize(kServedBytes);
    builder.AddChannelArgument(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET, kUncompressed);
    builder.AddChannelArgument(GRPC_ARG_MAX_CONCURRENT_STREAMS, 1);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_MAX_FRAME_SIZE, kFrameBytes);
    builder.AddChannelArgument(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, kLookaheadBytes);
    builder.AddChannelArgument(GRPC_ARG_TCP_READ_CHUNK_SIZE, kReadBytes);
    builder.AddChannelArgument(GRPC_ARG_TCP_MIN_READ_CHUNK_SIZE, kReadBytes);
    builder.AddChannelArgument(GRPC_ARG_TCP_MAX_READ_CHUNK_SIZE, 2 * kReadBytes);
}

}  // namespace agent::worker
