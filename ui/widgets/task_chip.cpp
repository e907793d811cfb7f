// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/task_chip.h"

#include "ui/widgets/painting.h"

namespace ui::widgets {

TaskChip::TaskChip(const theme::ThemeController& themes, engine::spec::TaskId task, int side, QWidget* parent)
    : QWidget(parent), themes_(themes), side_(side) {
    setFixedSize(side, side);
    setTask(task);
    connect(&themes, &theme::ThemeController::themeChanged, this, qOverload<>(&QWidget::update));
}

void TaskChip::setTask(const engine::spec::TaskId& task) {
    task_ = task;
    setAccessibleName(QString::fromStdString(engine::spec::toString(task)));
    update();
}

void TaskChip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintTaskChip(painter, themes_, rect(), task_);
}

}  // namespace ui::widgets

#include "moc_task_chip.cpp"
