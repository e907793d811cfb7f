// Converts engine::Error to grpc::Status and back, by one table. Only code that speaks gRPC includes this.
#pragma once

#include <functional>
#include <string_view>

#include <grpcpp/support/status.h>

#include "engine/spec/error.h"

namespace agent::convert {

// Returns a status that is marked as this side's own answer, since gRPC uses the same codes for a side that can't be reached.
grpc::Status toStatus(const engine::Error& error);

// Returns the Error that a status other than OK stands for. A code without a counterpart becomes the nearest one: UNAUTHENTICATED
// kPermissionDenied, everything else kInternal. kUnavailable says that nobody answered: an UNAVAILABLE that the other side gave itself (its
// database is busy, a program of its can't be started) becomes kAborted. `what` names the call ("submit") and precedes messages that gRPC
// made itself, which name nothing.
engine::Error toError(const grpc::Status& status, std::string_view what);

// True for an error of the way to an agent, or of an agent that is ending (kAborted): the same call may succeed a little later.
bool mayPass(const engine::Error& error);

// The process edge: runs `body` and answers with the status of what it threw. Anything but an Error is INTERNAL with its text.
grpc::Status guarded(const std::function<void()>& body) noexcept;

}  // namespace agent::convert
