// Questions to the engine and its answers between the wire (agent/proto/question.proto) and engine/spec. Pure functions, safe from any
// thread.
#pragma once

#include <string_view>
#include <vector>

#include "engine/spec/error.h"
#include "engine/spec/events/engine_question.h"

namespace agent::proto {
class Answer;
class Progress;
class Question;
}  // namespace agent::proto

namespace agent::convert {

// Throws Error(kInvalidArgument) for a project above kMaxProjectBytes and for a path that is not absolute or too long.
proto::Question toProto(const engine::spec::EngineQuestion& question);
// Throws Error(kInvalidArgument) for a message without a question and for a project that can't be read, with every error of it on a line.
engine::spec::EngineQuestion fromProto(const proto::Question& message);

// Writes an answer as several messages, none much larger than kMaxPageBytes.
std::vector<proto::Answer> toProto(const engine::spec::EngineAnswer& answer);
// Returns the code of a number on the wire; a code of a later version is an internal error here.
engine::ErrorCode errorCodeOf(int number);
proto::Answer toProto(const engine::Error& failure);
proto::Answer noteToProto(std::string_view line);
proto::Answer toProto(const engine::spec::EngineProgress& progress);
engine::spec::EngineProgress fromProto(const proto::Progress& message);

// Returns the answer to `question`; `whole` has all its messages merged. Throws the error that a failure says, Error(kDataLoss) for another
// kind of answer and for values that contradict each other.
engine::spec::EngineAnswer fromProto(const proto::Answer& whole, const engine::spec::EngineQuestion& question);

}  // namespace agent::convert
