// One call of an agent, as every client makes it.
#pragma once

#include <chrono>

#include "agent/client/agent_channel.h"
#include "agent/client/cancel_watch.h"
#include "agent/client/credentials.h"
#include "agent/wire/status.h"

namespace agent::client {

// A second call when the agent has moved to another address since the last. `is_cancelled` as of CancelWatch. Throws Error as the call
// ended, `name` before the text.
template <typename Reply, typename Request>
Reply callAgent(AgentChannel& channel, const char* name,
                grpc::Status (proto::Agent::Stub::*method)(grpc::ClientContext*, const Request&, Reply*), const Request& request,
                std::chrono::milliseconds deadline, const std::function<bool()>& is_cancelled = {}) {
    AgentChannel::Connection connection = channel.connection();
    for (;;) {
        grpc::ClientContext context;
        admit(context, connection.token, deadline);
        const CancelWatch watch(context, is_cancelled);
        Reply reply;
        const grpc::Status status = (connection.stub.get()->*method)(&context, request, &reply);
        if (status.ok()) {
            return reply;
        }
        const AgentChannel::Connection again = channel.connection();
        const bool moved = again.address != connection.address || again.token != connection.token;
        if (!moved || (status.error_code() != grpc::StatusCode::UNAVAILABLE && status.error_code() != grpc::StatusCode::UNAUTHENTICATED)) {
            throw convert::toError(status, name);
        }
        connection = again;
    }
}

}  // namespace agent::client
