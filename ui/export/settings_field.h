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

    // Lines with nothing but blanks are none.
    std::vector<std::string> settings() const;

    // Kept in the group for the project at this place, and filled with what was kept for that one alone. Nothing is where the place is
    // empty, or there are no `settings`.
    void keep(QSettings* settings, const QString& group, const QString& project) const;
    void recall(const QSettings* settings, const QString& group, const QString& project);
};

}  // namespace ui::views
