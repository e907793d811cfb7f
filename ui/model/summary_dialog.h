// SPDX-License-Identifier: GPL-3.0-or-later
// The model as Keras prints model.summary(), in Keras' words, and work and memory of each layer in the user's, as text to read and to copy.
#pragma once

#include <QDialog>

#include "engine/spec/project/model_summary.h"

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
    // Shows both tables. Tabs stand between the cells of the second: letters of some languages are wider than a digit of the font.
    void showTables();

    const QString keras_;  // what Keras prints
    const engine::spec::WorkTable work_;
    widgets::TextLabel* title_;
    QPlainTextEdit* text_;
    QPushButton *copy_, *close_;
};

}  // namespace ui::views
