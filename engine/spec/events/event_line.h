// What a task's events say as lines of its log: the states, epochs, checkpoints and controls that charts show as marks. One wording for
// the studio's log and for the last lines that the agent keeps of a task.
#pragma once

#include <optional>

#include "engine/spec/events/task_event.h"

namespace engine::spec {

// Says an event in English, as every line of a task's log does; a log line is returned as it is. nullopt for what is no news by itself:
// points, heartbeats, weights.
std::optional<LogLine> eventLine(const EventBody& body);

}  // namespace engine::spec
