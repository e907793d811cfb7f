// gRPC over connections that the gate has let through (connection_gate.h): channels and servers with room for large frames.
#pragma once

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>

#include "agent/local/file_descriptor.h"

namespace agent::worker {

// A connection carries one stream. `lost_after`: the other end is asked for a sign of life each second, and the stream ends when it gives
// none for so long; 0: it is not asked.
std::shared_ptr<grpc::Channel> channelOver(convert::FileDescriptor socket,
                                           std::chrono::milliseconds lost_after = std::chrono::milliseconds(0));
void applyServerArguments(grpc::ServerBuilder& builder);

}  // namespace agent::worker
