#include "agent/wire/status.h"

#include <filesystem>
#include <stdexcept>
#include <system_error>

#include <gtest/gtest.h>

namespace {

using agent::convert::guarded;
using agent::convert::mayPass;
using agent::convert::toError;
using agent::convert::toStatus;
using engine::ErrorCode;

TEST(Status, BringsEveryErrorBack) {
    for (int code = 1; code <= 15; ++code) {
        if (code == 2) {
            continue;  // UNKNOWN has no ErrorCode
        }
        const engine::Error error(static_cast<ErrorCode>(code), "conv1: expected input rank 4, got 3");
        const grpc::Status status = toStatus(error);
        EXPECT_EQ(static_cast<int>(status.error_code()), code);
        if (error.code() != ErrorCode::kUnavailable) {
            EXPECT_EQ(toError(status, "submit").code(), error.code());
        }
        EXPECT_STREQ(toError(status, "submit").what(), error.what());
    }
}

TEST(Status, TellsAnAgentThatAnswersFromOneThatCannotBeReached) {
    EXPECT_EQ(toError({grpc::StatusCode::UNAVAILABLE, "Connection refused"}, "submit").code(), ErrorCode::kUnavailable);
    const engine::Error busy = toError(toStatus({ErrorCode::kUnavailable, "runs.sqlite: database is locked"}), "submit");
    EXPECT_EQ(busy.code(), ErrorCode::kAborted);
    EXPECT_STREQ(busy.what(), "runs.sqlite: database is locked");
}

TEST(Status, OfTheWayAndOfAnAgentThatIsEndingMayPass) {
    EXPECT_TRUE(mayPass(toError({grpc::StatusCode::UNAVAILABLE, "Connection refused"}, "start")));
    EXPECT_TRUE(mayPass(toError({grpc::StatusCode::DEADLINE_EXCEEDED, "Deadline Exceeded"}, "start")));
    EXPECT_TRUE(mayPass(toError(toStatus({ErrorCode::kUnavailable, "agent: it is ending"}), "start")));
    EXPECT_FALSE(mayPass(toError(toStatus({ErrorCode::kInvalidArgument, "part: expected a task, got none"}), "start")));
}

TEST(Status, KeepsOurMessagesAsTheyAre) {
    EXPECT_STREQ(toError({grpc::StatusCode::NOT_FOUND, "run 7: not found"}, "watch").what(), "run 7: not found");
}

TEST(Status, NamesTheCallWhereGrpcMadeTheMessage) {
    EXPECT_STREQ(toError({grpc::StatusCode::UNAVAILABLE, "Connection refused"}, "submit").what(), "submit: Connection refused");
    EXPECT_STREQ(toError({grpc::StatusCode::INTERNAL, ""}, "submit").what(), "submit: failed without a message");
}

TEST(Status, ReadsARefusedTokenAsNoPermission) {
    EXPECT_EQ(toError({grpc::StatusCode::UNAUTHENTICATED, "token"}, "submit").code(), ErrorCode::kPermissionDenied);
    EXPECT_EQ(toStatus({ErrorCode::kPermissionDenied, "path"}).error_code(), grpc::StatusCode::PERMISSION_DENIED);
}

TEST(Status, AnswersWhatAHandlerThrew) {
    EXPECT_TRUE(guarded([] {}).ok());
    EXPECT_EQ(guarded([] { throw engine::Error(ErrorCode::kAborted, "x"); }).error_code(), grpc::StatusCode::ABORTED);
    EXPECT_EQ(guarded([] { throw std::runtime_error("disk"); }).error_code(), grpc::StatusCode::INTERNAL);
    const auto failed = [] {
        throw std::filesystem::filesystem_error("cannot create directories", "/runs/1", std::make_error_code(std::errc::not_a_directory));
    };
    EXPECT_EQ(guarded(failed).error_message(), "/runs/1: can't be read or written: Not a directory");
}

}  // namespace
