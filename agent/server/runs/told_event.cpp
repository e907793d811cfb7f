#include "agent/server/runs/told_event.h"

#include <algorithm>
#include <variant>

#include "agent/proto/task_event.pb.h"
#include "agent/wire/size_limits.h"
#include "agent/wire/task_event_convert.h"

namespace agent::server {

namespace spec = engine::spec;

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
    constexpr char kSequenceTag = proto::TaskEvent::kSequenceFieldNumber << 3;  // a varint's wire type is 0
    bytes.push_back(kSequenceTag);
    for (; sequence >= 0x80; sequence >>= 7) {
        bytes.push_back(static_cast<char>((sequence & 0x7F) | 0x80));
    }
    bytes.push_back(static_cast<char>(sequence));
    return bytes;
}

}  // namespace agent::server
