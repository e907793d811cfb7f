#include "agent/inspect/engine_answers.h"

#include <chrono>
#include <utility>

#include "agent/inspect/comparison.h"
#include "agent/inspect/data_facts.h"
#include "agent/inspect/evaluation.h"
#include "agent/inspect/model_answers.h"
#include "agent/inspect/placement.h"
#include "agent/inspect/project_check.h"
#include "agent/inspect/shards.h"
#include "agent/inspect/way_ends.h"
#include "agent/proto/question.pb.h"
#include "agent/wire/delimited.h"
#include "agent/wire/question_convert.h"
#include "agent/worker/task_runner.h"
#include "engine/spec/error.h"
#include "engine/spec/exception_text.h"

namespace agent::worker {

namespace spec = engine::spec;

namespace {

constexpr std::chrono::hours kSlowAgent{1};  // it takes nothing while its caller is slow

class Answerer {
public:
    Answerer(const spec::EngineQuestion& question, const EngineSurroundings& surroundings)
        : question_(question), surroundings_(surroundings) {}

    spec::EngineAnswer operator()(const spec::PredictQuestion& asked) const { return predict(question_, asked, surroundings_); }
    spec::EngineAnswer operator()(const spec::PlacementQuestion&) const { return placement(question_.run); }
    spec::EngineAnswer operator()(const spec::EvaluateQuestion& asked) const { return evaluate(question_, asked, surroundings_); }
    spec::EngineAnswer operator()(const spec::InspectQuestion& asked) const { return inspect(question_, asked, surroundings_); }
    spec::EngineAnswer operator()(const spec::ImportQuestion& asked) const { return importModel(asked); }
    spec::EngineAnswer operator()(const spec::ExportQuestion& asked) const { return exportModel(question_, asked, surroundings_); }
    spec::EngineAnswer operator()(const spec::DataQuestion& asked) const { return dataFacts(question_, asked, surroundings_); }
    spec::EngineAnswer operator()(const spec::DatasetsQuestion&) const { return datasets(surroundings_); }
    spec::EngineAnswer operator()(const spec::ShardsQuestion& asked) const { return shardPreview(question_, asked, surroundings_); }
    spec::EngineAnswer operator()(const spec::InputsQuestion& asked) const { return checkInputs(question_, asked, surroundings_); }
    spec::EngineAnswer operator()(const spec::TrafficQuestion&) const { return stepTraffic(question_.run); }
    spec::EngineAnswer operator()(const spec::WeightsQuestion& asked) const { return weightDifference(question_, asked); }
    spec::EngineAnswer operator()(const spec::ServeWaysQuestion& asked) const {
        const auto listens = [&] {
            const auto ports = static_cast<std::int64_t>(asked.own.size());
            if (surroundings_.progress) {
                surroundings_.progress({spec::EngineProgress::Stage::kListen, "", ports, ports});
            }
        };
        return serveWays(asked, {.is_cancelled = surroundings_.is_cancelled, .listens = listens});
    }
    spec::EngineAnswer operator()(const spec::CallWaysQuestion& asked) const {
        return callWays(asked, {.is_cancelled = surroundings_.is_cancelled});
    }

private:
    const spec::EngineQuestion& question_;
    const EngineSurroundings& surroundings_;
};

// The last message, or messages, of this worker.
std::vector<proto::Answer> lastWord(const proto::Question& question, const EngineSurroundings& surroundings) {
    try {
        return convert::toProto(answer(convert::fromProto(question), surroundings));
    } catch (const engine::Error& error) {
        return {convert::toProto(error)};
    } catch (const std::exception& error) {
        return {convert::toProto(engine::Error(engine::ErrorCode::kInternal, engine::exceptionText(error)))};
    }
}

}  // namespace

spec::EngineAnswer answer(const spec::EngineQuestion& question, const EngineSurroundings& surroundings) {
    return std::visit(Answerer(question, surroundings), question.asked);
}

int answerOn(int descriptor, EngineSurroundings surroundings) {
    proto::Question question;
    if (convert::DelimitedReader(descriptor).read(question) != convert::ReadResult::kMessage) {
        return kExitAgentGone;
    }
    convert::DelimitedWriter writer(descriptor);
    bool is_heard = true;
    const auto say = [&](const proto::Answer& message) { is_heard = is_heard && writer.write(message, kSlowAgent); };
    surroundings.note = [&say](const std::string& line) { say(convert::noteToProto(line)); };
    surroundings.progress = [&say](const spec::EngineProgress& progress) { say(convert::toProto(progress)); };
    for (const proto::Answer& message : lastWord(question, surroundings)) {
        say(message);
    }
    return is_heard ? kExitDone : kExitAgentGone;
}

}  // namespace agent::worker
