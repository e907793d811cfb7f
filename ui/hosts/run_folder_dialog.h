// SPDX-License-Identifier: GPL-3.0-or-later
// Opens a run whose tasks have no agent by its folder, on this computer or on a host of the list. Lives inside a widgets::Veil.
#pragma once

#include <QDialog>

#include "ui/theme/theme_controller.h"

class QComboBox;
class QLineEdit;
class QPushButton;

namespace ui::session {
class Session;
}

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

// GUI thread only.
class RunFolderDialog : public QDialog {
    Q_OBJECT
public:
    // `session` outlives the dialog.
    RunFolderDialog(session::Session& session, const theme::ThemeController& themes, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    QString host() const;  // empty: this computer
    QString folder() const;
    void retranslate();
    void refresh();
    void chooseFolder();
    void open();

    session::Session& session_;
    bool is_asking_ = false;
    widgets::TextLabel *title_, *about_, *host_label_, *folder_label_, *problem_;
    QComboBox* host_;
    QLineEdit* folder_;
    QPushButton *browse_, *cancel_, *open_;
};

}  // namespace ui::views
