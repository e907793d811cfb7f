// SPDX-License-Identifier: GPL-3.0-or-later
// Writes TF_CONFIG of every task in a format of the user's choice: format, options with the list of files, live preview; the same as a
// command line at the foot. Lives inside a widgets::Veil.
#pragma once

#include <QDialog>
#include <vector>

#include "engine/launch/tf_config_files.h"
#include "ui/session/session.h"
#include "ui/theme/theme_controller.h"

class QLineEdit;
class QListView;
class QPushButton;
class QStandardItemModel;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class TfConfigText;

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    ExportDialog(session::Session& session, const theme::ThemeController& themes, QWidget* parent = nullptr);

    void setFormat(engine::launch::TfConfigFormat format);
    void setFolder(const QString& folder);

signals:
    void exported(int files, QString folder);

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    QWidget* buildKinds();
    QWidget* buildOptions();
    QWidget* buildPreview();
    QWidget* buildFoot();
    void retranslate();
    void refresh();
    void refreshPreview();
    void browse();
    void exportFiles();
    engine::launch::TfConfigFormat format() const;

    session::Session& session_;
    const theme::ThemeController& themes_;
    std::vector<engine::launch::LaunchFile> files_;
    std::vector<engine::spec::TaskId> tasks_;  // of files_, same order
    widgets::TextLabel *title_, *subtitle_, *save_to_, *files_title_, *command_, *preview_name_, *preview_word_, *problem_, *about_;
    QPushButton *close_, *browse_, *copy_command_, *copy_preview_, *cancel_, *export_;
    QListView *kinds_, *file_list_;
    QStandardItemModel *kinds_model_, *files_model_;
    QLineEdit* folder_;
    TfConfigText* preview_;
};

}  // namespace ui::views
