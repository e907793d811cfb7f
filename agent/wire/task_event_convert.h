// Task events and controls between the wire (agent/proto/task_event.proto) and engine/spec. Pure functions, safe from any thread.
#pragma once

#include <string>
#include <string_view>

#include "engine/spec/events/exchange_state.h"
#include "engine/spec/events/task_event.h"

namespace agent::proto {
class ExchangeState;
class StepPoints;
class TaskControl;
class TaskEvent;
class TaskId;
}  // namespace agent::proto

namespace agent::convert {

// Texts that are no UTF-8 (a worker's raw output) come out with U+FFFD in place of the bad bytes: protobuf carries nothing else.
proto::TaskEvent toProto(const engine::spec::TaskEvent& event);
// Throws Error(kInvalidArgument) for a message without a body, with an unknown enumerator or with arrays of unequal length.
engine::spec::TaskEvent fromProto(const proto::TaskEvent& message);
// Makes the checks that fromProto() makes of points, without turning them into values. Throws as it does.
void checkPoints(const proto::StepPoints& points);

proto::TaskControl toProto(const engine::spec::Control& control);
// Throws Error(kInvalidArgument) for an unknown verb or a learning rate that is not positive and finite.
engine::spec::Control fromProto(const proto::TaskControl& message);

proto::ExchangeState toProto(const engine::spec::ExchangeState& state);
// Numbers that make no sense come out as 0, a name that is too long as none: it is shown and never acted upon.
engine::spec::ExchangeState fromProto(const proto::ExchangeState& message);

proto::TaskId toProto(const engine::spec::TaskId& task);
engine::spec::TaskId fromProto(const proto::TaskId& message);

// The form in which the journal keeps an event and Watch sends it.
std::string encodeEvent(const engine::spec::TaskEvent& event);
// Throws Error(kDataLoss) when the bytes are no event, and as fromProto does.
engine::spec::TaskEvent decodeEvent(std::string_view bytes);

// `text` with every byte that is no part of valid UTF-8 replaced by U+FFFD.
std::string validUtf8(std::string_view text);

}  // namespace agent::convert
