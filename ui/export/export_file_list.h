// SPDX-License-Identifier: GPL-3.0-or-later
// The files that an export would write, with their sizes; one of them is chosen for the preview.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/export/export_kinds.h"
#include "ui/theme/theme_controller.h"

class QListView;
class QStandardItemModel;

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class ExportFileList : public QWidget {
    Q_OBJECT
public:
    ExportFileList(const theme::ThemeController& themes, QWidget* parent);

    // The same row stays chosen, or the last one where there are fewer.
    void setEntries(const std::vector<ExportEntry>& entries);
    int count() const;
    int current() const;  // 0 also where there is none
    QString name(int row) const;
    void retranslate();

signals:
    void currentChanged();

private:
    QStandardItemModel* model_;
    QListView* list_;
    widgets::TextLabel* title_;
};

}  // namespace ui::views
