// SPDX-License-Identifier: GPL-3.0-or-later
// What every task did around the first failure, by one clock.
#pragma once

#include <QWidget>
#include <cstdint>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
}

namespace ui::views {

// The bar of one task. It has plain values, so that the arithmetic can be tested without a window.
struct TaskTimeline {
    struct Stretch {
        engine::spec::TaskState state = engine::spec::TaskState::kNotStarted;
        double from_ms = 0, to_ms = 0;  // since the first failure
    };
    engine::spec::TaskId task;
    std::vector<Stretch> stretches;  // touching, in order, inside the shown window
    QString words;                   // "waiting +9 ms · stopped +31 ms"
    bool failed = false;
    friend bool operator==(const TaskTimeline&, const TaskTimeline&) = default;
};
inline bool operator==(const TaskTimeline::Stretch& a, const TaskTimeline::Stretch& b) {
    return a.state == b.state && a.from_ms == b.from_ms && a.to_ms == b.to_ms;
}

struct FailureStory {
    double from_ms = 0, to_ms = 0;  // the window, 0 being the first failure
    std::vector<TaskTimeline> tasks;
};
// Returns the story of the first failure; without tasks when nothing failed.
FailureStory failureStory(const session::RunRecord& run);

class FailureTimeline : public QWidget {
    Q_OBJECT
public:
    explicit FailureTimeline(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setRun(const session::RunRecord* run);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {300, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    FailureStory story_;
    double failure_s_ = 0;  // since the launch
};

}  // namespace ui::views
