// SPDX-License-Identifier: GPL-3.0-or-later
// The model as Keras prints model.summary(), with work and memory of each layer, as text to read and to copy.
#pragma once

#include <QDialog>

class QPlainTextEdit;
class QPushButton;

namespace ui::session {
class Project;
}
namespace ui::theme {
class ThemeController;
}

namespace ui::views {

inline constexpr QSize kSummarySize{660, 620};

class SummaryDialog : public QDialog {
    Q_OBJECT
public:
    SummaryDialog(const session::Project& project, const theme::ThemeController& themes, QWidget* parent = nullptr);

private:
    QPlainTextEdit* text_;
};

}  // namespace ui::views
