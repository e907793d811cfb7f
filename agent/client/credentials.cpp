#include "agent/client/credentials.h"

#include <grpcpp/client_context.h>

#include "agent/local/address_file.h"

namespace agent::client {

void admit(grpc::ClientContext& context, const std::string& token, std::chrono::milliseconds deadline) {
    context.AddMetadata(convert::kTokenKey, convert::kTokenPrefix + token);
    context.set_deadline(std::chrono::system_clock::now() + deadline);
}

}  // namespace agent::client
