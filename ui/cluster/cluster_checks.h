// SPDX-License-Identifier: GPL-3.0-or-later
// Diagnostics of the Cluster page: what is wrong with the cluster and what the doctor found, each with the click that mends it.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QAction;
class QPushButton;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class FindingList;

class ClusterChecks : public QWidget {
    Q_OBJECT
public:
    ClusterChecks(session::Session& session, const theme::ThemeController& themes, QWidget* parent);
    void refresh();
    void retranslate();

signals:
    void pathWanted(const QString& path);        // of a finding: whoever shows it goes there
    void explainRequested(const QString& code);  // what the manual says of a finding's code, "TDM-H012"

private:
    void mend(int row);
    QString codeOf(int row) const;  // empty for a row that is no problem

    session::Session& session_;
    widgets::TextLabel* title_;
    QPushButton* doctor_;
    FindingList* list_;
    QAction* explain_;
    std::vector<engine::spec::Diagnostic> findings_;  // of the rows of list_, same order; those of passed checks are empty
};

}  // namespace ui::views
