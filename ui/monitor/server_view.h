// SPDX-License-Identifier: GPL-3.0-or-later
// A section of Monitor's dock for runs with parameter servers: the star of who pulls from whom with each server's load, and how stale the
// gradients were that the servers applied.
#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
}  // namespace ui::session
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

// The servers stand in the middle, the workers at both sides.
struct StarState {
    enum class Tone { kIdle, kRunning, kBroken };
    std::vector<engine::spec::TaskId> servers, workers;
    std::vector<engine::spec::TaskId> missing;  // those of both that are not there
    Tone tone = Tone::kIdle;
    QString text;  // the same in words
    friend bool operator==(const StarState&, const StarState&) = default;
};

class StarView : public QWidget {
    Q_OBJECT
public:
    explicit StarView(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setState(StarState state);
    const StarState& state() const { return state_; }
    QSize sizeHint() const override { return {260, heightOf()}; }
    QSize minimumSizeHint() const override { return {160, heightOf()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int heightOf() const;
    std::size_t rows() const;  // of nodes, one below the other

    const theme::ThemeController& themes_;
    StarState state_;
};

// A bar for each number of updates that an update had missed; the last one holds what is beyond.
class StalenessBars : public QWidget {
    Q_OBJECT
public:
    explicit StalenessBars(const theme::ThemeController& themes, QWidget* parent = nullptr);
    // Sets, in counts[k], the number of updates that had missed k updates of others.
    void setCounts(std::vector<std::int64_t> counts);
    QSize sizeHint() const override { return {260, kHeight}; }
    QSize minimumSizeHint() const override { return {160, kHeight}; }
    static constexpr int kHeight = 84;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    std::vector<std::int64_t> counts_;
};

class ServerView : public QWidget {
    Q_OBJECT
public:
    ServerView(const theme::ThemeController& themes, QWidget* parent);

    // Shows the run's present state; the view hides itself for a run without parameter servers.
    void show(const session::RunRecord* run);
    void retranslate();

private:
    void showStar(const session::RunRecord& run);
    void showStaleness(const session::RunRecord& run);

    widgets::TextLabel *title_, *way_, *step_, *load_, *staleness_title_, *staleness_;
    StarView* star_;
    StalenessBars* bars_;
};

}  // namespace ui::views
