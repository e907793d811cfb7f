// SPDX-License-Identifier: GPL-3.0-or-later
// Every run that the agent knows, as a table; Enter or a double click opens one in Monitor.
#pragma once

#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"
#include "ui/views/page.h"

class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QStackedLayout;
class QTableView;

namespace ui::models {
class RunTableModel;
}
namespace ui::widgets {
class PageHeader;
class TextLabel;
}  // namespace ui::widgets

namespace ui::views {

class RunsPage : public Page {
    Q_OBJECT
public:
    RunsPage(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void retranslate() override;
    void activated() override;

private:
    QWidget* buildTable();
    void refresh();
    void openSelected();
    QString selectedId() const;

    session::Session& session_;
    const theme::ThemeController& themes_;
    models::RunTableModel* model_;
    QSortFilterProxyModel* proxy_;
    widgets::PageHeader* header_;
    QLineEdit* filter_;
    QTableView* table_;
    QPushButton *open_, *folder_, *launch_;
    widgets::TextLabel *empty_title_, *empty_;
    QStackedLayout* stack_;
};

}  // namespace ui::views
