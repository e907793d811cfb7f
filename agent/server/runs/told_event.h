// An event on its way from a task to the journal: the bytes that the journal keeps, with a place for the sequence, and what the log must
// know of them. Packs of points, by far the most of what a task tells, stay the bytes that the task wrote: they are checked and stamped,
// neither turned into values nor encoded again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace agent::proto {
class TaskEvent;
}

namespace agent::server {

struct ToldEvent {
    engine::spec::TaskId task;
    std::string bytes;        // encoded TaskEvent whose sequence is still to come
    std::int64_t points = 0;  // steps in a pack of points; 0: no points
    bool is_log_line = false;
};

ToldEvent toldEvent(const engine::spec::TaskEvent& event);
std::vector<ToldEvent> toldEvents(const std::vector<engine::spec::TaskEvent>& events);

// A pack of points that `task` wrote as these bytes, which `message` was parsed from. nullopt for any other event, and for a pack that
// can't be kept as it is (no time, another task's name, too large): that one is to be read. Throws Error(kInvalidArgument) as fromProto()
// does.
std::optional<ToldEvent> carriedPoints(const proto::TaskEvent& message, std::string_view bytes, const engine::spec::TaskId& task);

// The bytes with their sequence: of a field that stands twice in an encoded message the last one counts.
std::string stamped(std::string bytes, std::uint64_t sequence);
// The bytes with their place in the journal of a part (TaskEvent.part_sequence), and what bytes say of it: 0 where they say nothing. Throws
// Error(kDataLoss) when the bytes are no event.
std::string stampedByPart(std::string bytes, std::uint64_t part_sequence);
std::uint64_t partSequenceOf(std::string_view bytes);

}  // namespace agent::server
