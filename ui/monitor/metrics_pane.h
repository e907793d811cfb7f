// SPDX-License-Identifier: GPL-3.0-or-later
// The Metrics pane: the logs of each epoch of the shown run as a table.
#pragma once

#include <QWidget>

#include "ui/theme/theme_controller.h"

class QStackedLayout;
class QTableView;

namespace ui::session {
class Runs;
}

namespace ui::models {
class EpochTableModel;
}
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class MetricsPane : public QWidget {
    Q_OBJECT
public:
    MetricsPane(session::Runs& runs, const theme::ThemeController& themes, QWidget* parent = nullptr);
    void retranslate();

private:
    void adoptRun();
    void refresh();

    session::Runs& runs_;
    models::EpochTableModel* model_;
    QTableView* table_;
    widgets::TextLabel* empty_;
    QStackedLayout* stack_;
};

}  // namespace ui::views
