// SPDX-License-Identifier: GPL-3.0-or-later
// The field of a form for values of the project that differ for what the form makes: PATH=VALUE as --set takes it, one a line.
#pragma once

#include <QPlainTextEdit>
#include <QString>
#include <string>
#include <vector>

#include "ui/theme/theme_controller.h"

class QSettings;

namespace ui::views {

class SettingsField : public QPlainTextEdit {
    Q_OBJECT
public:
    SettingsField(const theme::ThemeController& themes, QWidget* parent);

    // Returns the lines of the field without those that are blank.
    std::vector<std::string> settings() const;

    // keep() stores the lines in the group for the project at that path; recall() fills the field with what was kept for the same project
    // alone. Both do nothing when the path is empty or `settings` is null.
    void keep(QSettings* settings, const QString& group, const QString& project) const;
    void recall(const QSettings* settings, const QString& group, const QString& project);
};

}  // namespace ui::views
