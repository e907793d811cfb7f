#include "agent/wire/question_convert.h"

#include <filesystem>
#include <string_view>

#include "agent/proto/question.pb.h"
#include "agent/wire/answer_convert.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"
#include "agent/wire/way_convert.h"

namespace agent::convert {

namespace spec = engine::spec;
using engine::Error;
using engine::ErrorCode;

namespace {

constexpr std::int64_t kMostThreads = 1024, kMostShown = 1000, kMostSteps = 1'000'000, kMostSamples = 1'000'000;

// `path` itself where the process that reads it finds the same file.
const std::string& absolute(std::string_view object, const std::string& path) {
    requireSize(object, path.size(), kMaxPathBytes - 1);
    if (!std::filesystem::path(path).is_absolute()) {
        throw Error(ErrorCode::kInvalidArgument, std::string(object) + ": expected an absolute path, got \"" + path + "\"");
    }
    return path;
}

// `number` itself where it is in the range that the command line takes, too.
template <class Number>
Number within(std::string_view object, Number number, std::int64_t least, std::int64_t most) {
    const auto value = static_cast<std::int64_t>(number);
    if (value < least || value > most) {
        throw Error(ErrorCode::kInvalidArgument, std::string(object) + ": expected " + std::to_string(least) + " to " +
                                                     std::to_string(most) + ", got " + std::to_string(value));
    }
    return number;
}

// A set of the project, or a file.
const std::string& samples(const std::string& data) {
    return data == "test" || data == "train" ? data : absolute("data", data);
}

void fill(const spec::PredictQuestion& asked, proto::Question& message) {
    proto::PredictQuestion& predict = *message.mutable_predict();
    predict.set_checkpoint(absolute("checkpoint", asked.checkpoint));
    predict.set_data(samples(asked.data));
    predict.set_out(absolute("out", asked.out));
    predict.set_threads(asked.threads);
}

void fill(const spec::PlacementQuestion& /*asked*/, proto::Question& message) {
    message.mutable_placement();
}

void fill(const spec::EvaluateQuestion& asked, proto::Question& message) {
    proto::EvaluateQuestion& evaluate = *message.mutable_evaluate();
    evaluate.set_checkpoint(absolute("checkpoint", asked.checkpoint));
    evaluate.set_threads(asked.threads);
    evaluate.set_confusion(asked.confusion);
    evaluate.set_mistakes(asked.mistakes);
    evaluate.set_pictures(asked.pictures);
}

void fill(const spec::InspectQuestion& asked, proto::Question& message) {
    proto::InspectQuestion& inspect = *message.mutable_inspect();
    inspect.set_checkpoint(absolute("checkpoint", asked.checkpoint));
    inspect.set_data(samples(asked.data));
    inspect.set_sample(asked.sample);
}

void fill(const spec::ImportQuestion& asked, proto::Question& message) {
    message.mutable_import()->set_file(absolute("file", asked.file));
}

void fill(const spec::ExportQuestion& asked, proto::Question& message) {
    proto::ExportQuestion& one = *message.mutable_export_();
    one.set_checkpoint(absolute("checkpoint", asked.checkpoint));
    one.set_out(absolute("out", asked.out));
    one.set_onnx(asked.onnx);
    one.set_batch(asked.batch);
}

void fill(const spec::DataQuestion& asked, proto::Question& message) {
    proto::DataQuestion& data = *message.mutable_data();
    data.set_fetch(asked.fetch);
    data.set_check(asked.check);
    data.set_samples(asked.samples);
    data.set_draw(asked.draw);
}

void fill(const spec::DatasetsQuestion& /*asked*/, proto::Question& message) {
    message.mutable_datasets();
}

void fill(const spec::ShardsQuestion& asked, proto::Question& message) {
    message.mutable_shards()->set_steps(asked.steps);
}

void fill(const spec::InputsQuestion& asked, proto::Question& message) {
    message.mutable_inputs()->set_weights_file(asked.weights_file.empty() ? "" : absolute("weights_file", asked.weights_file));
}

void fill(const spec::TrafficQuestion& /*asked*/, proto::Question& message) {
    message.mutable_traffic();
}

void fill(const spec::WeightsQuestion& asked, proto::Question& message) {
    message.mutable_weights()->set_checkpoint(absolute("checkpoint", asked.checkpoint));
    message.mutable_weights()->set_reference(absolute("reference", asked.reference));
}

void fill(const spec::ServeWaysQuestion& asked, proto::Question& message) {
    toProto(asked, *message.mutable_serve_ways());
}

void fill(const spec::CallWaysQuestion& asked, proto::Question& message) {
    toProto(asked, *message.mutable_call_ways());
}

spec::PredictQuestion questionIn(const proto::PredictQuestion& message) {
    return {message.checkpoint(), message.data(), message.out(), within("threads", message.threads(), 0, kMostThreads)};
}

spec::EvaluateQuestion questionIn(const proto::EvaluateQuestion& message) {
    return {message.checkpoint(), within("threads", message.threads(), 0, kMostThreads), message.confusion(),
            within("mistakes", message.mistakes(), 0, kMostShown), message.pictures()};
}

spec::DataQuestion questionIn(const proto::DataQuestion& message) {
    return {message.fetch(), message.check(), within("samples", message.samples(), 0, kMostShown), message.draw()};
}

spec::ExportQuestion questionIn(const proto::ExportQuestion& message) {
    return {message.checkpoint(), message.out(), message.onnx(), within("batch", message.batch(), 0, kMostSamples)};
}

spec::InspectQuestion questionIn(const proto::InspectQuestion& message) {
    return {message.checkpoint(), message.data(), message.sample()};
}

spec::AskedOfEngine askedIn(const proto::Question& message) {
    switch (message.asked_case()) {
        case proto::Question::kPredict:
            return questionIn(message.predict());
        case proto::Question::kPlacement:
            return spec::PlacementQuestion();
        case proto::Question::kEvaluate:
            return questionIn(message.evaluate());
        case proto::Question::kInspect:
            return questionIn(message.inspect());
        case proto::Question::kImport:
            return spec::ImportQuestion{message.import().file()};
        case proto::Question::kExport:
            return questionIn(message.export_());
        case proto::Question::kData:
            return questionIn(message.data());
        case proto::Question::kDatasets:
            return spec::DatasetsQuestion();
        case proto::Question::kShards:
            return spec::ShardsQuestion{within("steps", message.shards().steps(), 1, kMostSteps)};
        case proto::Question::kInputs:
            return spec::InputsQuestion{message.inputs().weights_file()};
        case proto::Question::kTraffic:
            return spec::TrafficQuestion();
        case proto::Question::kWeights:
            return spec::WeightsQuestion{message.weights().checkpoint(), message.weights().reference()};
        case proto::Question::kServeWays:
            return fromProto(message.serve_ways());
        case proto::Question::kCallWays:
            return fromProto(message.call_ways());
        case proto::Question::ASKED_NOT_SET:
            break;
    }
    throw Error(ErrorCode::kInvalidArgument, "question: expected one that this version knows, got none");
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
    return {projectOf(message.project_json()), message.base_dir(), askedIn(message)};
}

std::vector<proto::Answer> toProto(const spec::EngineAnswer& answer) {
    std::vector<proto::Answer> pieces;
    std::visit([&](const auto& one) { append(one, pieces); }, answer);
    return pieces;
}

ErrorCode errorCodeOf(int number) {
    const auto code = static_cast<ErrorCode>(number);
    return engine::toString(code) == engine::toString(static_cast<ErrorCode>(0)) ? ErrorCode::kInternal : code;
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

proto::Answer toProto(const spec::EngineProgress& progress) {
    using Stage = spec::EngineProgress::Stage;
    proto::Answer message;
    proto::Progress& told = *message.mutable_progress();
    told.set_stage(progress.stage == Stage::kFetch    ? proto::Progress::STAGE_FETCH
                   : progress.stage == Stage::kListen ? proto::Progress::STAGE_LISTEN
                                                      : proto::Progress::STAGE_READ);
    told.set_name(shortened(validUtf8(progress.name)));
    told.set_done(progress.done);
    told.set_total(progress.total);
    return message;
}

spec::EngineProgress fromProto(const proto::Progress& message) {
    using Stage = spec::EngineProgress::Stage;
    const Stage stage = message.stage() == proto::Progress::STAGE_FETCH    ? Stage::kFetch
                        : message.stage() == proto::Progress::STAGE_LISTEN ? Stage::kListen
                                                                           : Stage::kRead;
    return {stage, message.name(), message.done(), message.total()};
}

spec::EngineAnswer fromProto(const proto::Answer& whole, const spec::EngineQuestion& question) {
    if (whole.has_failure()) {
        throw Error(errorCodeOf(whole.failure().code()), whole.failure().message());
    }
    return std::visit(
        [&](const auto& asked) -> spec::EngineAnswer {
            using Answer = typename std::decay_t<decltype(asked)>::Answer;
            return convert::read(whole, std::type_identity<Answer>());
        },
        question.asked);
}

}  // namespace agent::convert
