// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/action_obstacle.h"

#include <QHelpEvent>
#include <QToolTip>

namespace ui::views {
namespace {

class ObstacleTips : public QObject {
public:
    explicit ObstacleTips(QMenu& menu) : QObject(&menu), menu_(menu) { menu.installEventFilter(this); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched != &menu_ || event->type() != QEvent::ToolTip) return QObject::eventFilter(watched, event);
        const auto* help = static_cast<QHelpEvent*>(event);
        const QAction* row = menu_.actionAt(help->pos());
        const QString why = row == nullptr || row->isEnabled() ? QString() : row->statusTip();
        QToolTip::showText(help->globalPos(), why, &menu_);
        return true;
    }

private:
    QMenu& menu_;
};

}  // namespace

void setObstacle(QAction& action, const QString& obstacle) {
    action.setEnabled(obstacle.isEmpty());
    action.setStatusTip(obstacle);
}

void showObstacles(QMenu& menu) {
    new ObstacleTips(menu);
}

}  // namespace ui::views
