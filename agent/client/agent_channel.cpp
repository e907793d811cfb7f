#include "agent/client/agent_channel.h"

#include <grpcpp/create_channel.h>

#include "agent/client/credentials.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/status.h"
#include "engine/spec/error.h"
#include "engine/thread/mutex.h"

namespace agent::client {

namespace {

constexpr int kReconnectMs = 100;
constexpr int kConnectMs = 20000;  // of one attempt: an agent that has just been started, on a busy computer, takes its time to shake hands

std::shared_ptr<grpc::Channel> channelTo(const std::string& target) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kReconnectMs);
    arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kReconnectMs);
    arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kConnectMs);  // a refused connection is tried again after kReconnectMs
    // Two channels of one process may name their agents' folders by the same short path, one after the other.
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    arguments.SetInt(GRPC_ARG_MAX_METADATA_SIZE, convert::kMaxHeaderBytes);
    arguments.SetMaxReceiveMessageSize(convert::kMaxReplyBytes);
    arguments.SetMaxSendMessageSize(convert::kMaxRequestBytes);
    return grpc::CreateCustomChannel(target, grpc::InsecureChannelCredentials(), arguments);
}

// The call goes by way of the socket's folder, held open: only this user can have put a socket there, and its path may have any length.
std::shared_ptr<proto::Agent::Stub> connectTo(const convert::AgentAddress& address) {
    const std::optional<std::filesystem::path> socket = convert::socketOf(address);
    if (!socket) {
        return proto::Agent::NewStub(
            channelTo("ipv4:" + address.address));  // an agent of an earlier version: a literal address, no resolver
    }
    struct Held {
        convert::FileDescriptor folder;
        std::unique_ptr<proto::Agent::Stub> stub;  // goes first
    };
    auto held = std::make_shared<Held>();
    held->folder = convert::openPrivateFolder(socket->parent_path());
    held->stub = proto::Agent::NewStub(channelTo("unix:" + convert::shortPath(held->folder, socket->filename()).string()));
    return {held, held->stub.get()};
}

}  // namespace

AgentChannel::Connection AgentChannel::connection() {
    std::optional<convert::AgentAddress> address = fixed_ ? fixed_ : convert::readAgentAddress(folder_);
    const engine::MutexLock lock(mutex_);
    if (!address && !address_) {
        throw engine::Error(engine::ErrorCode::kUnavailable, "agent: no address in " + folder_.string());
    }
    if (address && address_ != address) {
        stub_ = connectTo(*address);
        address_ = std::move(address);
    }
    return {stub_, address_->token, address_->address};
}

ClockReading AgentChannel::ping(std::chrono::milliseconds deadline, const std::string& part_of) {
    const Connection now = connection();
    grpc::ClientContext context;
    admit(context, now.token, deadline);
    proto::PingRequest request;
    request.set_part_of(part_of);
    proto::PingReply reply;
    const auto sent = std::chrono::system_clock::now().time_since_epoch();
    const auto began = std::chrono::steady_clock::now();
    const grpc::Status status = now.stub->Ping(&context, request, &reply);
    const auto round_trip = std::chrono::steady_clock::now() - began;
    if (!status.ok()) {
        throw convert::toError(status, "agent at " + now.address);
    }
    return {.sent_unix_ns = std::chrono::nanoseconds(sent).count(), .far_unix_ns = reply.time_unix_ns(), .round_trip = round_trip};
}

}  // namespace agent::client
