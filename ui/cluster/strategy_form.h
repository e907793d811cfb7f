// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the chosen strategy, one row a field of its table; no row is made by hand.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/theme/theme_controller.h"

class QVBoxLayout;

namespace ui::session {
class Project;
}

namespace ui::widgets {
class TextLabel;
}

namespace ui::views {

class FieldEditor;

class StrategyForm : public QWidget {
    Q_OBJECT
public:
    StrategyForm(session::Project& project, const theme::ThemeController& themes, QWidget* parent = nullptr);
    // Keeps the rows where only values changed.
    void refresh();
    void retranslate();
    bool hasField(const QString& path) const { return paths_.contains(path); }
    // Moves to the field of a diagnostic's path, where it has a row here.
    void focusField(const QString& path);

private:
    struct Row {
        QString path;
        FieldEditor* editor;
        widgets::TextLabel* name;
        QString hint;
    };
    void rebuild(const QStringList& paths);
    void showFinding(const Row& row) const;

    session::Project& project_;
    const theme::ThemeController& themes_;
    QStringList paths_;
    std::vector<Row> rows_;
    QWidget* body_ = nullptr;
    QVBoxLayout* layout_;
};

}  // namespace ui::views
