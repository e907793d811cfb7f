// SPDX-License-Identifier: GPL-3.0-or-later
// Diagnostics of the Cluster page: what is wrong with the cluster and what the doctor found, each with the click that mends it.
#pragma once

#include <QWidget>
#include <vector>

#include "engine/spec/diagnostic.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

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
    void pathWanted(const QString& path);  // of a finding: whoever shows it goes there

private:
    void mend(int row);

    session::Session& session_;
    widgets::TextLabel* title_;
    QPushButton* doctor_;
    FindingList* list_;
    std::vector<engine::spec::Diagnostic> findings_;  // of the rows of list_ that have a fix, same order; others are empty
};

}  // namespace ui::views
