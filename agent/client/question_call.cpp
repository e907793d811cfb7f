#include "agent/client/question_call.h"

#include <memory>
#include <string>

#include "agent/client/cancel_watch.h"
#include "agent/client/credentials.h"
#include "agent/proto/question.pb.h"
#include "agent/wire/question_convert.h"
#include "agent/wire/status.h"
#include "engine/spec/error.h"

namespace agent::client {

using engine::Error;
using engine::ErrorCode;

namespace {

// Returns how a call that was cut off ended, in the words of the one who cut it off.
Error errorOf(const grpc::Status& status, const AskOptions& options, bool was_cancelled) {
    if (was_cancelled) {
        return {ErrorCode::kCancelled, "question: cancelled"};
    }
    Error error = convert::toError(status, "ask");
    if (status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED && status.error_details().empty()) {
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(options.deadline).count();
        return {error.code(), "tandem-worker: expected an answer within " + std::to_string(seconds) + " s, got none"};
    }
    return error;
}

}  // namespace

engine::spec::EngineAnswer ask(AgentChannel& channel, const engine::spec::EngineQuestion& question, const AskOptions& options) {
    proto::AskRequest request;
    request.set_question(convert::toProto(question).SerializeAsString());
    request.set_data_dir(options.data_dir);
    request.set_longest_silence_ms(options.longest_silence.count());
    const AgentChannel::Connection connection = channel.connection();
    grpc::ClientContext context;
    admit(context, connection.token, options.deadline);
    const CancelWatch watch(context, options.is_cancelled);
    const std::unique_ptr<grpc::ClientReader<proto::AskReply>> stream = connection.stub->Ask(&context, request);
    proto::AskReply reply;
    proto::Answer whole, piece;
    while (stream->Read(&reply)) {
        if (!piece.ParseFromString(reply.answer())) {
            context.TryCancel();
            throw Error(ErrorCode::kDataLoss, "tandem-worker: expected an answer, got something that can't be read");
        }
        if (piece.has_note()) {
            if (options.note) {
                options.note(piece.note());
            }
        } else if (piece.has_progress()) {
            if (options.progress) {
                options.progress(convert::fromProto(piece.progress()));
            }
        } else {
            whole.MergeFrom(piece);
        }
    }
    if (const grpc::Status status = stream->Finish(); !status.ok()) {
        throw errorOf(status, options, watch.wasCancelled());
    }
    return convert::fromProto(whole, question);
}

}  // namespace agent::client
