// SPDX-License-Identifier: GPL-3.0-or-later
// One of the files that an export would write, as a card: its name, what it holds, and the way to the clipboard.
#pragma once

#include <QWidget>

#include "ui/export/export_kinds.h"
#include "ui/theme/theme_controller.h"

class QPushButton;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class ExportPreviewCard : public QWidget {
    Q_OBJECT
public:
    ExportPreviewCard(const theme::ThemeController& themes, QWidget* parent);

    // Shows the file in that row of the kind's entries; the kind outlives the time that it is shown.
    void showFile(ExportKind& kind, int row, const QString& name);
    void showNothing(const QString& why = {});
    void retranslate();

private:
    void copy() const;

    ExportKind* kind_ = nullptr;
    int row_ = 0;
    widgets::TextLabel *name_, *word_;
    QPushButton* copy_;
    ExportPreview* preview_;
};

}  // namespace ui::views
