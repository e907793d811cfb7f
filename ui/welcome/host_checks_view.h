// SPDX-License-Identifier: GPL-3.0-or-later
// The state of this computer: its checks, whether the agent answers, and when somebody looked last.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QListView;
class QPushButton;

namespace ui::models {
class CheckListModel;
}
namespace ui::widgets {
class StatusPill;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class HostChecksView : public QWidget {
    Q_OBJECT
public:
    HostChecksView(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void retranslate();

private:
    void connectHost();
    void refresh();

    session::Session& session_;
    models::CheckListModel* model_;
    widgets::TextLabel *title_, *checked_;
    widgets::StatusPill* pill_;
    QListView* list_;
    QPushButton* again_;
    QElapsedTimer since_check_;
    bool checking_ = false;
    QTimer clock_;  // the age of the last look
};

}  // namespace ui::views
