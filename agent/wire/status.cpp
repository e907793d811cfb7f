#include "agent/wire/status.h"

#include <array>
#include <exception>
#include <string>
#include <utility>

#include "agent/wire/size_limits.h"

#include "engine/spec/exception_text.h"

namespace agent::convert {

namespace {

using engine::ErrorCode;

constexpr std::array kCodes{
    std::pair{ErrorCode::kCancelled, grpc::StatusCode::CANCELLED},
    std::pair{ErrorCode::kInvalidArgument, grpc::StatusCode::INVALID_ARGUMENT},
    std::pair{ErrorCode::kDeadlineExceeded, grpc::StatusCode::DEADLINE_EXCEEDED},
    std::pair{ErrorCode::kNotFound, grpc::StatusCode::NOT_FOUND},
    std::pair{ErrorCode::kAlreadyExists, grpc::StatusCode::ALREADY_EXISTS},
    std::pair{ErrorCode::kPermissionDenied, grpc::StatusCode::PERMISSION_DENIED},
    std::pair{ErrorCode::kResourceExhausted, grpc::StatusCode::RESOURCE_EXHAUSTED},
    std::pair{ErrorCode::kFailedPrecondition, grpc::StatusCode::FAILED_PRECONDITION},
    std::pair{ErrorCode::kAborted, grpc::StatusCode::ABORTED},
    std::pair{ErrorCode::kOutOfRange, grpc::StatusCode::OUT_OF_RANGE},
    std::pair{ErrorCode::kUnimplemented, grpc::StatusCode::UNIMPLEMENTED},
    std::pair{ErrorCode::kInternal, grpc::StatusCode::INTERNAL},
    std::pair{ErrorCode::kUnavailable, grpc::StatusCode::UNAVAILABLE},
    std::pair{ErrorCode::kDataLoss, grpc::StatusCode::DATA_LOSS},
    // Behind its own row, so that it is used on the way back only.
    std::pair{ErrorCode::kPermissionDenied, grpc::StatusCode::UNAUTHENTICATED},
};

constexpr const char* kOwnAnswer = "tandem";  // the details of a status that toStatus() made

// True for what gRPC itself answers with; our own messages name their object already.
bool madeByGrpc(const grpc::Status& status) {
    const grpc::StatusCode code = status.error_code();
    if (status.error_details() == kOwnAnswer) {
        return false;
    }
    return code == grpc::StatusCode::UNAVAILABLE || code == grpc::StatusCode::DEADLINE_EXCEEDED || code == grpc::StatusCode::CANCELLED ||
           code == grpc::StatusCode::UNIMPLEMENTED || code == grpc::StatusCode::UNKNOWN;
}

}  // namespace

grpc::Status toStatus(const engine::Error& error) {
    // gRPC refuses headers that are too long, and the whole reply with them.
    const std::string message = shortened(error.what(), kMaxMessageText);
    for (const auto& [ours, theirs] : kCodes) {
        if (ours == error.code()) {
            return {theirs, message, kOwnAnswer};
        }
    }
    return {grpc::StatusCode::INTERNAL, message, kOwnAnswer};
}

engine::Error toError(const grpc::Status& status, std::string_view what) {
    std::string message = status.error_message();
    if (madeByGrpc(status) || message.empty()) {
        message = std::string(what) + ": " + (message.empty() ? "failed without a message" : message);
    }
    if (status.error_code() == grpc::StatusCode::UNAVAILABLE && !madeByGrpc(status)) {
        return {ErrorCode::kAborted, message};
    }
    for (const auto& [ours, theirs] : kCodes) {
        if (theirs == status.error_code()) {
            return {ours, message};
        }
    }
    return {ErrorCode::kInternal, message};
}

bool mayPass(const engine::Error& error) {
    return error.code() == ErrorCode::kUnavailable || error.code() == ErrorCode::kDeadlineExceeded || error.code() == ErrorCode::kAborted;
}

grpc::Status guarded(const std::function<void()>& body) noexcept {
    try {
        body();
        return grpc::Status::OK;
    } catch (const engine::Error& error) {
        return toStatus(error);
    } catch (const std::exception& error) {
        return {grpc::StatusCode::INTERNAL, shortened(engine::exceptionText(error), kMaxMessageText)};
    }
}

}  // namespace agent::convert
