// SPDX-License-Identifier: GPL-3.0-or-later
// What a task's events say as lines of its log: the states, epochs, checkpoints and controls that the charts show as marks.
#pragma once

#include <QString>
#include <optional>

#include "engine/spec/task_event.h"

namespace ui::session {

struct EventLine {
    engine::spec::LogLevel level = engine::spec::LogLevel::kInfo;
    QString text;  // English, like every line of a task's log
};

// Empty for events that are no news by themselves (points, heartbeats) and for log lines, which are lines already.
std::optional<EventLine> eventLine(const engine::spec::EventBody& body);

}  // namespace ui::session
