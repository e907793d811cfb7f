// SPDX-License-Identifier: GPL-3.0-or-later
// The equivalence lab: the open project under every strategy, a row each, and their losses over each other. Shown in place of the table of
// runs; Esc goes back, the lab goes on.
#pragma once

#include <QWidget>

#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QStackedWidget;
class QTableView;

namespace ui::charts {
class ChartCard;
}
namespace ui::models {
class LabTableModel;
}
namespace ui::widgets {
class StatePanel;
}

namespace ui::views {

class LabChoice;

class LabView : public QWidget {
    Q_OBJECT
public:
    LabView(session::Session& session, const theme::ThemeController& themes, QWidget* parent);

    // Returns one sentence on the results so far, for the page's header.
    QString sentence() const;
    void setNarrow(bool narrow);
    void retranslate();

signals:
    void closeWanted();
    void sentenceChanged();
    void projectWanted();  // there is none yet

private:
    void start();
    void refresh();
    void takeRow(int index);
    void drawCurves();
    void setTexts();
    QString obstacle() const;

    session::Session& session_;
    LabChoice* choice_;
    QStackedWidget* stack_;
    widgets::StatePanel* state_;
    QTableView* table_;
    models::LabTableModel* model_;
    charts::ChartCard* chart_;
};

}  // namespace ui::views
