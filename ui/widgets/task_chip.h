// SPDX-License-Identifier: GPL-3.0-or-later
// The letter chip of a task ("W0") in the task's colour.
#pragma once

#include <QWidget>

#include "ui/theme/theme_controller.h"

namespace ui::widgets {

class TaskChip : public QWidget {
    Q_OBJECT
public:
    // `side` is 20, 24 or 32.
    TaskChip(const theme::ThemeController& themes, engine::spec::TaskId task, int side, QWidget* parent = nullptr);
    void setTask(const engine::spec::TaskId& task);
    QSize sizeHint() const override { return {side_, side_}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const theme::ThemeController& themes_;
    engine::spec::TaskId task_;
    const int side_;
};

}  // namespace ui::widgets
