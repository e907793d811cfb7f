// SPDX-License-Identifier: GPL-3.0-or-later
// The Task logs pane: the lines of every task of the shown run, with filters. The window embeds it and puts tools() into the pane's bar.
#pragma once

#include <QStyledItemDelegate>
#include <QWidget>
#include <cstddef>

#include "engine/spec/project/cluster_spec.h"

class QComboBox;
class QLineEdit;
class QListView;
class QPushButton;
class QToolButton;

namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
class Runs;
}  // namespace ui::session
namespace ui::models {
class LogModel;
class LogFilterModel;
}  // namespace ui::models
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class TaskLogPane : public QWidget {
    Q_OBJECT
public:
    TaskLogPane(session::Runs& runs, const theme::ThemeController& themes, QWidget* parent = nullptr);

    // Filters, follow and copy; owned by whoever gives it a parent.
    QWidget* tools() const { return tools_; }
    // Shows this task's lines alone, scrolled to the first at or after `seconds` since launch; below 0: to the end.
    void showTask(const engine::spec::TaskId& task, double seconds = -1);
    // Scrolls to the first line at or after `seconds` since launch, of whichever tasks are shown.
    void showMoment(double seconds);
    void showAllTasks();
    void retranslate();

private:
    void adoptRun();
    void takeLines();
    void fillTasks();
    void filterTask();
    void setFollow(bool on);

    session::Runs& runs_;
    const session::RunRecord* run_ = nullptr;
    std::size_t taken_ = 0;
    models::LogModel* model_;
    models::LogFilterModel* filter_;
    QListView* list_;
    widgets::TextLabel* empty_;
    QWidget* tools_;
    QComboBox *task_, *level_;
    QLineEdit* text_;
    QPushButton* follow_;
    QToolButton* copy_;
};

// A line: time, chip, level, text, all on one base line of the fixed-width face.
class LogDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    LogDelegate(const theme::ThemeController& themes, QObject* parent) : QStyledItemDelegate(parent), themes_(themes) {}
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const theme::ThemeController& themes_;
};

}  // namespace ui::views
