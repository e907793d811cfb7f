// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a cluster from a text: TF_CONFIG in whatever wraps it, an MPI hostfile, Slurm's variables. Checked with every letter; each finding
// with what mends it. Lives inside a widgets::Veil.
#pragma once

#include <QDialog>

#include "engine/spec/cluster/cluster_text.h"
#include "ui/theme/theme_controller.h"

class QPlainTextEdit;
class QPushButton;

namespace ui::session {
class Project;
}

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class FindingList;

class PasteClusterDialog : public QDialog {
    Q_OBJECT
public:
    PasteClusterDialog(session::Project& project, const theme::ThemeController& themes, QWidget* parent = nullptr);
    void setText(const QString& text);
    const engine::spec::ClusterText& cluster() const { return read_; }

    // Makes the cluster of a text the project's, as one step of undo. False when there is none in it, or a mistake.
    static bool useText(session::Project& project, const QString& text);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void retranslate();
    void refresh();
    void openFile();
    void mend(int row);
    void take();

    session::Project& project_;
    engine::spec::ClusterText read_;
    widgets::TextLabel *title_, *about_, *summary_;
    QPlainTextEdit* text_;
    FindingList* findings_;
    QPushButton *file_, *cancel_, *use_;
};

}  // namespace ui::views
