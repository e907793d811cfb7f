// SPDX-License-Identifier: GPL-3.0-or-later
// The projects that were open before, newest first, with the curve of each one's last run; above them the ways to a new or another one.
#pragma once

#include <QString>
#include <QWidget>

#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QListView;
class QPushButton;
class QStackedLayout;

namespace ui::models {
class RecentModel;
}
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class RecentProjectsView : public QWidget {
    Q_OBJECT
public:
    RecentProjectsView(session::Session& session, const theme::ThemeController& themes, QWidget* parent);

    void setEmptyText(const QString& text);  // in place of the list while there is none
    void focusList();
    void retranslate();
    // As high as it must be: in a low window the list gives way to what stands above it.
    QSize sizeHint() const override;

signals:
    void projectRequested(QString path);

private:
    QWidget* buildList(const theme::ThemeController& themes);
    void refresh();

    session::Session& session_;
    models::RecentModel* model_;
    widgets::TextLabel *title_, *empty_;
    QPushButton *blank_, *open_;
    QWidget* card_;
    QStackedLayout* stack_;
    QListView* list_;
};

}  // namespace ui::views
