// SPDX-License-Identifier: GPL-3.0-or-later
// Hands the open project to Slurm: what is asked for, the script that says so, and Slurm's answer. Lives inside a widgets::Veil.
#pragma once

#include <QDialog>
#include <array>
#include <vector>

#include "engine/launch/launch_job.h"
#include "ui/theme/theme_controller.h"

class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace ui::session {
class Session;
}

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class SettingsField;

class SubmitDialog : public QDialog {
    Q_OBJECT
public:
    // The dialog submits the project that is open in `session`, which outlives the dialog.
    SubmitDialog(session::Session& session, const theme::ThemeController& themes, QWidget* parent = nullptr);

    // False while something is wrong, which the dialog then says.
    bool isGood() const { return is_good_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    enum Field { kNodes, kTasksPerNode, kCores, kGpus, kSeeds, kMemory, kTime, kPartition, kFields };

    std::vector<QWidget*> keptFields() const;  // from one job that was taken to the next
    void keep() const;
    void recall();
    void retranslate();
    void refresh();
    void chooseHost();
    QString host() const;  // whose Slurm it is; empty: this computer's
    void chooseFolder();
    void submit();
    QString project() const;                // where it lies; empty for one that is in no file
    engine::launch::LaunchJob job() const;  // its settings are for the project that is handed over
    QSpinBox& number(Field field) const;
    QLineEdit& text(Field field) const;

    session::Session& session_;
    bool is_good_ = false, is_asking_ = false;
    widgets::TextLabel *title_, *about_, *host_label_, *settings_label_, *folder_label_, *script_label_, *problem_;
    std::array<widgets::TextLabel*, kFields> labels_{};
    std::array<QWidget*, kFields> fields_{};
    QComboBox* host_;
    SettingsField* settings_;
    QLineEdit* folder_;
    QString folder_here_;  // while that of another computer is asked for
    QPlainTextEdit* script_;
    QPushButton *browse_, *cancel_, *submit_;
};

}  // namespace ui::views
