#include "agent/wire/question_convert.h"

#include <filesystem>
#include <string_view>

#include "agent/proto/question.pb.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"

namespace agent::convert {

namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;

namespace {

// `path` itself where the process that reads it finds the same file.
const std::string& absolute(std::string_view object, const std::string& path) {
    requireSize(object, path.size(), kMaxPathBytes - 1);
    if (!std::filesystem::path(path).is_absolute()) {
        throw Error(ErrorCode::kInvalidArgument, std::string(object) + ": expected an absolute path, got \"" + path + "\"");
    }
    return path;
}

bool isSetOfProject(const std::string& data) {
    return data == "test" || data == "train";
}

// Spreads what repeats over several messages. The first one is made at once, so that an answer without a part is one too.
class PieceWriter {
public:
    // `begin` chooses the kind of answer of a new message.
    PieceWriter(std::vector<proto::Answer>& pieces, void (*begin)(proto::Answer&)) : pieces_(pieces), begin_(begin) {
        begin_(pieces_.emplace_back());
    }
    // The message for a further part of so many bytes.
    proto::Answer& pieceFor(std::size_t bytes) {
        if (bytes_ > 0 && bytes_ + bytes > kMaxPageBytes) {
            bytes_ = 0;
            begin_(pieces_.emplace_back());
        }
        bytes_ += bytes;
        return pieces_.back();
    }

private:
    std::vector<proto::Answer>& pieces_;
    void (*const begin_)(proto::Answer&);
    std::size_t bytes_ = 0;  // of the parts in the last message
};

void fill(const spec::PredictQuestion& asked, proto::Question& message) {
    proto::PredictQuestion& predict = *message.mutable_predict();
    predict.set_checkpoint(absolute("checkpoint", asked.checkpoint));
    predict.set_data(isSetOfProject(asked.data) ? asked.data : absolute("data", asked.data));
    predict.set_out(absolute("out", asked.out));
    predict.set_threads(asked.threads);
}

void fill(const spec::PlacementQuestion& /*asked*/, proto::Question& message) {
    message.mutable_placement();
}

spec::PredictQuestion read(const proto::PredictQuestion& message) {
    return {message.checkpoint(), message.data(), message.out(), message.threads()};
}

void fill(const spec::Prediction& answer, std::vector<proto::Answer>& pieces) {
    proto::Prediction& prediction = *pieces.emplace_back().mutable_prediction();
    prediction.mutable_shape()->Add(answer.shape.begin(), answer.shape.end());
}

void fill(const spec::Placement& answer, std::vector<proto::Answer>& pieces) {
    PieceWriter writer(pieces, [](proto::Answer& piece) { piece.mutable_placement(); });
    for (const spec::PlacedOp& op : answer.ops) {
        proto::PlacedOp message;
        message.set_name(validUtf8(op.name));
        message.set_kind(op.kind);
        message.set_device(op.device);
        message.set_task(op.task);
        message.set_replica(op.replica);
        *writer.pieceFor(message.ByteSizeLong()).mutable_placement()->add_ops() = std::move(message);
    }
}

spec::Prediction read(const proto::Prediction& message) {
    return {{message.shape().begin(), message.shape().end()}};
}

spec::Placement read(const proto::Placement& message) {
    spec::Placement placement;
    for (const proto::PlacedOp& op : message.ops()) {
        placement.ops.push_back({op.name(), op.kind(), op.device(), op.task(), op.replica()});
    }
    return placement;
}

spec::RunSpec projectOf(const std::string& json) {
    requireSize("project", json.size(), kMaxProjectBytes);
    spec::ProjectReport report = spec::parseProject(json);
    if (!hasErrors(report.diagnostics)) {
        return std::move(report.run);
    }
    std::string lines;
    for (const spec::Diagnostic& one : report.diagnostics) {
        lines += one.severity == spec::Severity::kError ? (lines.empty() ? "" : "\n") + one.path + ": " + one.message : "";
    }
    throw Error(ErrorCode::kInvalidArgument, lines);
}

// One of a later version is an internal error here.
ErrorCode codeOf(int number) {
    const auto code = static_cast<ErrorCode>(number);
    return engine::toString(code) == engine::toString(static_cast<ErrorCode>(0)) ? ErrorCode::kInternal : code;
}

}  // namespace

proto::Question toProto(const spec::EngineQuestion& question) {
    proto::Question message;
    message.set_project_json(validUtf8(spec::toProjectJson(question.run)));
    requireSize("project", message.project_json().size(), kMaxProjectBytes);
    message.set_base_dir(question.base_dir.empty() ? question.base_dir : absolute("base_dir", question.base_dir));
    std::visit([&](const auto& asked) { fill(asked, message); }, question.asked);
    return message;
}

spec::EngineQuestion fromProto(const proto::Question& message) {
    spec::EngineQuestion question{projectOf(message.project_json()), message.base_dir(), {}};
    switch (message.asked_case()) {
        case proto::Question::kPredict:
            question.asked = read(message.predict());
            break;
        case proto::Question::kPlacement:
            question.asked = spec::PlacementQuestion();
            break;
        case proto::Question::ASKED_NOT_SET:
            throw Error(ErrorCode::kInvalidArgument, "question: expected one that this version knows, got none");
    }
    return question;
}

std::vector<proto::Answer> toProto(const spec::EngineAnswer& answer) {
    std::vector<proto::Answer> pieces;
    std::visit([&](const auto& one) { fill(one, pieces); }, answer);
    return pieces;
}

proto::Answer toProto(const Error& failure) {
    proto::Answer message;
    message.mutable_failure()->set_code(static_cast<int>(failure.code()));
    message.mutable_failure()->set_message(validUtf8(failure.what()));
    return message;
}

proto::Answer noteToProto(std::string_view line) {
    proto::Answer message;
    message.set_note(shortened(validUtf8(line)));
    return message;
}

spec::EngineAnswer fromProto(const proto::Answer& whole, const spec::EngineQuestion& question) {
    if (whole.has_failure()) {
        throw Error(codeOf(whole.failure().code()), whole.failure().message());
    }
    const auto require = [](bool is_right) {
        if (!is_right) {
            throw Error(ErrorCode::kDataLoss, "tandem-worker: expected an answer to what was asked, got something else");
        }
    };
    struct Reader {
        const proto::Answer& whole;
        const decltype(require)& expect;
        spec::EngineAnswer operator()(const spec::PredictQuestion&) const {
            expect(whole.has_prediction());
            return read(whole.prediction());
        }
        spec::EngineAnswer operator()(const spec::PlacementQuestion&) const {
            expect(whole.has_placement());
            return read(whole.placement());
        }
    };
    return std::visit(Reader{whole, require}, question.asked);
}

}  // namespace agent::convert
