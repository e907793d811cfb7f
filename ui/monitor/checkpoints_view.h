// SPDX-License-Identifier: GPL-3.0-or-later
// A section of Monitor's dock: the checkpoints of a run with the value that the best one is chosen by, and the way to their folder.
#pragma once

#include <QWidget>

class QListView;
class QPushButton;

namespace ui::theme {
class ThemeController;
}
namespace ui::session {
class RunRecord;
}  // namespace ui::session
namespace ui::models {
class CheckpointModel;
}
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class CheckpointsView : public QWidget {
    Q_OBJECT
public:
    CheckpointsView(const theme::ThemeController& themes, QWidget* parent);

    // Shows the checkpoints that the run has now; null: the view says when the first one comes.
    void show(const session::RunRecord* run);
    void retranslate();

signals:
    void folderWanted();
    void branchWanted(QString prefix);  // of the run, behind that checkpoint

private:
    void offerBranch();

    models::CheckpointModel* model_;
    QListView* list_;
    widgets::TextLabel *title_, *metric_, *none_;
    QPushButton *folder_, *branch_;
};

}  // namespace ui::views
