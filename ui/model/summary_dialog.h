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
namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

inline constexpr QSize kSummarySize{660, 620};

class SummaryDialog : public QDialog {
    Q_OBJECT
public:
    SummaryDialog(const session::Project& project, const theme::ThemeController& themes, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    widgets::TextLabel* title_;
    QPlainTextEdit* text_;
    QPushButton *copy_, *close_;
};

}  // namespace ui::views
