#include "agent/server/runs/told_event.h"

#include <algorithm>
#include <variant>

#include "agent/proto/task_event.pb.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"
#include "engine/spec/error.h"

namespace agent::server {

namespace spec = engine::spec;

namespace {

void appendVarint(std::string& bytes, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) {
        bytes.push_back(static_cast<char>((value & 0x7F) | 0x80));
    }
    bytes.push_back(static_cast<char>(value));
}

void appendField(std::string& bytes, int number, std::uint64_t value) {
    appendVarint(bytes, static_cast<std::uint64_t>(number) << 3);  // a varint's wire type is 0
    appendVarint(bytes, value);
}

}  // namespace

ToldEvent toldEvent(const spec::TaskEvent& event) {
    const auto* points = std::get_if<spec::StepPoints>(&event.body);
    return {.task = event.task,
            .bytes = convert::encodeEvent(event),
            .points = points == nullptr ? 0 : static_cast<std::int64_t>(points->step.size()),
            .is_log_line = std::holds_alternative<spec::LogLine>(event.body)};
}

std::vector<ToldEvent> toldEvents(const std::vector<spec::TaskEvent>& events) {
    std::vector<ToldEvent> told;
    told.reserve(events.size());
    for (const spec::TaskEvent& event : events) {
        told.push_back(toldEvent(event));
    }
    return told;
}

std::optional<ToldEvent> carriedPoints(const proto::TaskEvent& message, std::string_view bytes, const spec::TaskId& task) {
    if (!message.has_step_points()) {
        return std::nullopt;
    }
    const proto::StepPoints& points = message.step_points();
    convert::checkPoints(points);
    const bool named = message.task().type() == task.type && message.task().index() == task.index;
    const bool fits = bytes.size() <= convert::kMaxEventBytes &&
                      std::all_of(points.columns().begin(), points.columns().end(),
                                  [](const proto::Column& column) { return column.name().size() <= convert::kMaxTextBytes; });
    if (!named || !fits || message.time_unix_ns() == 0 || points.step_size() == 0) {
        return std::nullopt;
    }
    return ToldEvent{.task = task, .bytes = std::string(bytes), .points = points.step_size()};
}

std::string stamped(std::string bytes, std::uint64_t sequence) {
    appendField(bytes, proto::TaskEvent::kSequenceFieldNumber, sequence);
    return bytes;
}

std::string stampedByPart(std::string bytes, std::uint64_t part_sequence) {
    appendField(bytes, proto::TaskEvent::kPartSequenceFieldNumber, part_sequence);
    return bytes;
}

std::uint64_t partSequenceOf(std::string_view bytes) {
    proto::TaskEvent message;
    if (!message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
        throw engine::Error(engine::ErrorCode::kDataLoss,
                            "event: expected an encoded event, got " + std::to_string(bytes.size()) + " other bytes");
    }
    return message.part_sequence();
}

}  // namespace agent::server
