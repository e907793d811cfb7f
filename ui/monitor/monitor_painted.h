// SPDX-License-Identifier: GPL-3.0-or-later
// Painted parts of Monitor's dock: the ring of tasks with what goes round, and where each task's step went.
#pragma once

#include <QStyledItemDelegate>
#include <QWidget>
#include <vector>

#include "engine/spec/events/task_event.h"

namespace ui::theme {
class ThemeController;
}

namespace ui::views {

struct RingState {
    enum class Tone { kIdle, kRunning, kBroken };
    std::vector<engine::spec::TaskId> tasks;
    int missing = -1;  // index of the task that is not there; -1: none
    Tone tone = Tone::kIdle;
    QString headline;  // "all-reduce #3,595"
    QString detail;    // "1.32 MB · 1.5 ms"
    friend bool operator==(const RingState&, const RingState&) = default;
};

// A picture of who exchanges gradients with whom. From six tasks on they stand on an ellipse.
class RingView : public QWidget {
    Q_OBJECT
public:
    explicit RingView(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setState(RingState state);
    QSize sizeHint() const override { return {260, 92}; }
    QSize minimumSizeHint() const override { return {160, 92}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    RingState state_;
};

// One bar for each task: input, compute, wait, reduce, apply; the legend below holds the means.
class StepTimeBars : public QWidget {
    Q_OBJECT
public:
    struct Row {
        engine::spec::TaskId task;
        double us[5] = {0, 0, 0, 0, 0};  // in the order of the phases
        double total() const { return us[0] + us[1] + us[2] + us[3] + us[4]; }
        friend bool operator==(const Row&, const Row&) = default;
    };

    explicit StepTimeBars(const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setRows(std::vector<Row> rows, bool is_over);  // is_over: no more will come
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    double paintLegend(class QPainter* painter, double width, double top) const;

    const theme::ThemeController& themes_;
    std::vector<Row> rows_;
    bool is_over_ = false;
};

// Paints a task of TaskListModel as a box of 62 px: chip, name, address, state, rate, processor.
class TaskDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit TaskDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    void setNarrow(bool narrow) { narrow_ = narrow; }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const theme::ThemeController& themes_;
    bool narrow_ = false;
};

// Paints a checkpoint as a row of 28 px: name, value.
class CheckpointDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    explicit CheckpointDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const theme::ThemeController& themes_;
};

// Returns the colour of a state's dot and word.
QColor stateColor(const theme::ThemeController& themes, engine::spec::TaskState state);

}  // namespace ui::views
