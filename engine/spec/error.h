// The one exception of the engine. User input is never answered by it: see validate.h.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace engine {

// The names and meanings of gRPC's status codes, so that the process edge translates by one table (agent/wire).
enum class ErrorCode {
    kCancelled = 1,
    kInvalidArgument = 3,
    kDeadlineExceeded = 4,
    kNotFound = 5,
    kAlreadyExists = 6,
    kPermissionDenied = 7,
    kResourceExhausted = 8,
    kFailedPrecondition = 9,
    kAborted = 10,
    kOutOfRange = 11,
    kUnimplemented = 12,
    kInternal = 13,
    kUnavailable = 14,
    kDataLoss = 15,
};

std::string_view toString(ErrorCode code);

// `message` names the object, the expectation and the fact: "conv1: expected input rank 4, got 3".
class Error : public std::runtime_error {
public:
    Error(ErrorCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
    ErrorCode code() const noexcept { return code_; }

private:
    ErrorCode code_;
};

namespace internal {
[[noreturn]] void checkFailed(const char* expression, const char* file, int line);
}

}  // namespace engine

// Checks an invariant of our own code; input must never make it fail.
#define ENGINE_CHECK(expression) ((expression) ? static_cast<void>(0) : ::engine::internal::checkFailed(#expression, __FILE__, __LINE__))
