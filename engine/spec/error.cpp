#include "engine/spec/error.h"

#include <cstdio>
#include <cstdlib>

namespace engine {

std::string_view toString(ErrorCode code) {
    switch (code) {
        case ErrorCode::kCancelled:
            return "cancelled";
        case ErrorCode::kInvalidArgument:
            return "invalid argument";
        case ErrorCode::kDeadlineExceeded:
            return "deadline exceeded";
        case ErrorCode::kNotFound:
            return "not found";
        case ErrorCode::kAlreadyExists:
            return "already exists";
        case ErrorCode::kPermissionDenied:
            return "permission denied";
        case ErrorCode::kResourceExhausted:
            return "resource exhausted";
        case ErrorCode::kFailedPrecondition:
            return "failed precondition";
        case ErrorCode::kAborted:
            return "aborted";
        case ErrorCode::kOutOfRange:
            return "out of range";
        case ErrorCode::kUnimplemented:
            return "not implemented";
        case ErrorCode::kInternal:
            return "internal error";
        case ErrorCode::kUnavailable:
            return "unavailable";
        case ErrorCode::kDataLoss:
            return "data loss";
    }
    return "unknown";
}

namespace internal {

void checkFailed(const char* expression, const char* file, int line) {
    throw Error(ErrorCode::kInternal, std::string("broken invariant: ") + expression + " (" + file + ":" + std::to_string(line) + ")");
}

}  // namespace internal
}  // namespace engine
