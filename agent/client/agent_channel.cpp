#include "agent/client/agent_channel.h"

#include <grpcpp/create_channel.h>

#include "agent/client/credentials.h"
#include "agent/convert/status.h"
#include "engine/spec/error.h"

namespace agent::client {

namespace {

constexpr int kReconnectMs = 100;
constexpr int kConnectMs = 20000;  // of one attempt: an agent that has just been started, on a busy computer, takes its time to shake hands

// A literal IPv4 address: no resolver, no proxy.
std::shared_ptr<grpc::Channel> connectTo(const std::string& address) {
    grpc::ChannelArguments arguments;
    arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, kReconnectMs);
    arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, kReconnectMs);
    arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, kConnectMs);  // a refused connection is tried again after kReconnectMs
    return grpc::CreateCustomChannel("ipv4:" + address, grpc::InsecureChannelCredentials(), arguments);
}

}  // namespace

AgentChannel::Connection AgentChannel::connection() {
    std::optional<convert::AgentAddress> address = convert::readAgentAddress(folder_);
    const std::lock_guard lock(mutex_);
    if (!address && !address_) {
        throw engine::Error(engine::ErrorCode::kUnavailable, "agent: no address in " + folder_.string());
    }
    if (address && address_ != address) {
        stub_ = proto::Agent::NewStub(connectTo(address->address));
        address_ = std::move(address);
    }
    return {stub_, address_->token, address_->address};
}

void AgentChannel::ping(std::chrono::milliseconds deadline) {
    const Connection now = connection();
    grpc::ClientContext context;
    admit(context, now.token, deadline);
    proto::PingReply reply;
    const grpc::Status status = now.stub->Ping(&context, {}, &reply);
    if (!status.ok()) {
        throw convert::toError(status, "agent at " + now.address);
    }
}

}  // namespace agent::client
