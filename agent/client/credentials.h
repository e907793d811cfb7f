// How a call proves that its user may read the agent's token.
#pragma once

#include <chrono>
#include <string>

namespace grpc {
class ClientContext;
}

namespace agent::client {

// Sets token and deadline of one call.
void admit(grpc::ClientContext& context, const std::string& token, std::chrono::milliseconds deadline);

}  // namespace agent::client
