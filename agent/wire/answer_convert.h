// The engine's answers between the wire (agent/proto/question.proto) and engine/spec: what question_convert.h needs of them. Pure
// functions, safe from any thread.
#pragma once

#include <type_traits>
#include <vector>

#include "engine/spec/events/engine_question.h"

namespace agent::proto {
class Answer;
}

namespace agent::convert {

// Each appends its answer, in as many messages as it takes.
void append(const engine::spec::Prediction& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::Placement& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::Evaluation& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::Inspection& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::ImportedModel& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::WrittenFile& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::DataFacts& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::Datasets& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::ShardPreview& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::InputFindings& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::StepTraffic& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::WeightDifference& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::ServedWays& answer, std::vector<proto::Answer>& pieces);
void append(const engine::spec::CalledWays& answer, std::vector<proto::Answer>& pieces);

// The answer in all its messages merged. Throws Error(kDataLoss) for another kind of answer and for values that contradict each other.
engine::spec::Prediction read(const proto::Answer& whole, std::type_identity<engine::spec::Prediction>);
engine::spec::Placement read(const proto::Answer& whole, std::type_identity<engine::spec::Placement>);
engine::spec::Evaluation read(const proto::Answer& whole, std::type_identity<engine::spec::Evaluation>);
engine::spec::Inspection read(const proto::Answer& whole, std::type_identity<engine::spec::Inspection>);
engine::spec::ImportedModel read(const proto::Answer& whole, std::type_identity<engine::spec::ImportedModel>);
engine::spec::WrittenFile read(const proto::Answer& whole, std::type_identity<engine::spec::WrittenFile>);
engine::spec::DataFacts read(const proto::Answer& whole, std::type_identity<engine::spec::DataFacts>);
engine::spec::Datasets read(const proto::Answer& whole, std::type_identity<engine::spec::Datasets>);
engine::spec::ShardPreview read(const proto::Answer& whole, std::type_identity<engine::spec::ShardPreview>);
engine::spec::InputFindings read(const proto::Answer& whole, std::type_identity<engine::spec::InputFindings>);
engine::spec::StepTraffic read(const proto::Answer& whole, std::type_identity<engine::spec::StepTraffic>);
engine::spec::WeightDifference read(const proto::Answer& whole, std::type_identity<engine::spec::WeightDifference>);
engine::spec::ServedWays read(const proto::Answer& whole, std::type_identity<engine::spec::ServedWays>);
engine::spec::CalledWays read(const proto::Answer& whole, std::type_identity<engine::spec::CalledWays>);

}  // namespace agent::convert
